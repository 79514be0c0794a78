// simdjson's DOM as the oracle for what is JSON and what it says. It has three limits of its own, which are taken into
// account here: numbers that fit neither 64 bits nor a double are refused, a BOM may be passed over, and depth is ours to
// count.
#pragma once

#include <string>
#include <string_view>

namespace transom {

struct JsonShape {
  bool is_valid = false;
  bool has_duplicate_keys = false;
  int depth = 0;  // objects and arrays, the outermost is 1
};

JsonShape shape_of_json(std::string_view text);

// "" when both texts are JSON of the same values: members in any order, numbers as doubles (or as floats, where one text
// has no more digits than a float), strings byte by byte. Else the first difference, with its path.
std::string difference_of_json(std::string_view a, std::string_view b);

}  // namespace transom
