#include "transcode/wire_reader.h"

namespace transom {

bool skip_wire_group(const char*& at, const char* end, uint32_t number, int depth_left) {
  if (depth_left <= 0) {
    return false;
  }
  WireTag tag;
  while (read_tag(at, end, tag)) {
    if (tag.type == WireType::GroupEnd) {
      return tag.number == number;
    }
    if (!skip_wire_value(at, end, tag, depth_left - 1)) {
      return false;
    }
  }
  return false;
}

}  // namespace transom
