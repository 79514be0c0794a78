#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace transom {

void fail_check(const char* what, const std::source_location& where) {
  std::fprintf(stderr, "transom: bug: %s (%s:%u)\n", what, where.file_name(), static_cast<unsigned>(where.line()));
  std::abort();
}

}  // namespace transom
