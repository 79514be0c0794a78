#include "fuzz/target.h"

#include <google/protobuf/stubs/logging.h>

#include "fuzz/checks.h"

namespace transom {

FuzzCheck find_check(std::string_view name) {
  google::protobuf::SetLogHandler(nullptr);  // it tells of each string that is not UTF-8
  if (name == "json") {
    return check_json;
  }
  if (name == "wire") {
    return check_wire;
  }
  return name == "schema" ? check_schema : nullptr;
}

}  // namespace transom
