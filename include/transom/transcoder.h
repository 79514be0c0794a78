// A Transcoder turns JSON into protobuf's wire format and back, by ProtoJSON's rules: requests and answers of a
// RoutedRequest, or messages by the name of their type. It holds settings only; any number of threads may use one at a
// time. The time taken is linear in what comes in, and no memory is taken beyond input and output.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "transom/expected.h"
#include "transom/router.h"
#include "transom/schema.h"

namespace transom {

// The defaults are ProtoJSON's, strict where it leaves a choice.
struct TranscodeSettings {
  bool preserve_proto_field_names = false;            // out: field_name instead of fieldName
  bool always_print_fields_with_no_presence = false;  // out: zeros, empty lists and empty maps too
  bool always_print_enums_as_ints = false;
  bool int64_as_number = false;                 // out: 64-bit integers without quotes
  bool ignore_unknown_fields = false;           // in: also unknown names of enum values
  bool last_duplicate_key_wins = false;         // in; false: a key that comes twice is a failure
  bool case_insensitive_enums = false;          // in
  bool strict_bindings = false;                 // in: a member that names what the path gives is a failure
  int depth_max = 100;                          // objects and arrays, 1 to 100; the outermost is 1
  size_t message_bytes_max = size_t{64} << 20;  // wire format made from one JSON text
  size_t json_bytes_max = size_t{64} << 20;     // JSON made from one message
};

class Transcoder {
 public:
  explicit Transcoder(TranscodeSettings settings = {}) : settings_(settings) {}

  // The request message in wire format, out of body, path and query; path beats body beats query. body is JSON text,
  // and may be empty. Fails with code 3 (`features[3]: expected a number, found a string (at byte 57)`), or with 413
  // (code 8) over message_bytes_max. To spare a copy give body 64 bytes more capacity than it has length.
  Expected<std::string> request(const RoutedRequest& routed, std::string body) const;

  // The answer's message as JSON text. Fails with code 13: malformed wire format, a string that is not UTF-8, a value
  // that JSON has no form for, nesting deeper than depth_max, or more than json_bytes_max.
  Expected<std::string> answer(const RoutedRequest& routed, std::string_view message) const;

  // The same for one message of the type "package.Message"; an empty text is an empty message. Code 5: the schema does
  // not have the type.
  Expected<std::string> to_message(const ServiceSchema& schema, std::string_view type, std::string json) const;
  Expected<std::string> to_json(const ServiceSchema& schema, std::string_view type, std::string_view message) const;

 private:
  TranscodeSettings settings_;
};

}  // namespace transom
