// How JSON is read and written, per process and per route. The defaults are ProtoJSON's, strict where it leaves a
// choice.
#pragma once

namespace transom {

struct JsonOptions {
  bool preserve_proto_field_names = false;
  bool always_print_fields_with_no_presence = false;
  bool always_print_enums_as_ints = false;
  bool int64_as_number = false;
  bool ignore_unknown_fields = false;
  bool last_duplicate_key_wins = false;  // false: a duplicate key is an error
  bool case_insensitive_enums = false;
  bool strict_bindings = false;  // a body member that names a field bound by the path is an error
  int depth_max = 100;           // objects and arrays, the outermost is 1
};

}  // namespace transom
