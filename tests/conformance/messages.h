// ConformanceRequest and ConformanceResponse (conformance/conformance.proto of protobuf), as far as a testee needs
// them. Read and written by hand, so that the testee links no protobuf code for it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace transom {

// The values are WireFormat's.
enum class Format { None = 0, Protobuf = 1, Json = 2, Jspb = 3, Text = 4 };

struct Question {
  Format input = Format::None;
  Format output = Format::None;
  std::string payload;
  std::string message_type;
  bool ignores_unknown_fields = false;  // test_category JSON_IGNORE_UNKNOWN_PARSING_TEST
};

// The values are the numbers of ConformanceResponse's fields.
enum class ReplyKind { ParseError = 1, RuntimeError = 2, Protobuf = 3, Json = 4, Skipped = 5, SerializeError = 6 };

struct Reply {
  ReplyKind kind;
  std::string payload;
};

// Nothing when the bytes are no message.
std::optional<Question> read_question(std::string_view bytes);

std::string write_reply(const Reply& reply);

}  // namespace transom
