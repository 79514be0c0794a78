#include "local/wire_fields.h"

#include <gtest/gtest.h>

#include "local/local_bench.h"

namespace transom {
namespace {

TEST(WireFields, WhatIsWrittenIsWhatProtobufReads) {
  LocalMessages messages;
  std::string error;
  append_varint_field(error, 1, 5);
  append_text_field(error, 2, "not found");
  EXPECT_EQ(messages.decode("grpc.reflection.v1.ErrorResponse", error), "error_code: 5 error_message: \"not found\"");
  std::string numbers;
  append_varint_field(numbers, 2, 300);
  append_varint_field(numbers, 2, static_cast<uint64_t>(int64_t{-1}));
  EXPECT_EQ(messages.decode("grpc.reflection.v1.ExtensionNumberResponse", numbers),
            "extension_number: 300 extension_number: -1");
}

TEST(WireFields, FieldsAreReadInOrderAndOthersPassedOver) {
  const std::string text = std::string("\x0a\x01h", 3) +
                           "\x1d"
                           "abcd" +
                           std::string("\x10\xac\x02", 3);
  std::vector<WireField> fields;
  ASSERT_TRUE(read_wire_fields(text, fields));
  ASSERT_EQ(fields.size(), 2u);
  EXPECT_EQ(fields[0].number, 1u);
  EXPECT_EQ(fields[0].text, "h");
  EXPECT_EQ(fields[1].number, 2u);
  EXPECT_EQ(fields[1].value, 300u);
}

TEST(WireFields, WhatIsNoMessageIsRefused) {
  for (const std::string bad : {"\x0a",
                                "\x0a\x05"
                                "ab",
                                "\x08", "\x08\xff", "\x07", "\x0b"}) {
    std::vector<WireField> fields;
    EXPECT_FALSE(read_wire_fields(bad, fields)) << bad.size();
  }
}

}  // namespace
}  // namespace transom
