// How JSON is read and written, per process and per route. The defaults are ProtoJSON's, strict where it leaves a
// choice.
#pragma once

#include <cstdint>

#include "base/strictness.h"

namespace transom {

// What of a PATCH's body the request's FieldMask is filled with.
enum class PatchMask : uint8_t { Leaves, Members, None };

struct JsonOptions {
  bool preserve_proto_field_names = false;
  bool always_print_fields_with_no_presence = false;
  bool always_print_enums_as_ints = false;
  bool int64_as_number = false;
  bool case_insensitive_enums = false;
  PatchMask patch_mask = PatchMask::Leaves;
  Strictness strictness;         // UnknownField, DuplicateKey and BoundField are looked at here
  int depth_max = 100;           // objects and arrays, the outermost is 1
};

}  // namespace transom
