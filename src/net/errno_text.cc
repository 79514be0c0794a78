#include "net/errno_text.h"

#include <system_error>

namespace transom {

std::string errno_text(int error) { return std::generic_category().message(error); }

}  // namespace transom
