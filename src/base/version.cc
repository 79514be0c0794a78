#include "base/version.h"

namespace transom {

const std::string& version() {
  static const std::string text = TRANSOM_VERSION;
  return text;
}

}  // namespace transom
