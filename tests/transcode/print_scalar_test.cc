#include "transcode/print_scalar.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

TEST(PrintScalar, Fact46TheFormsAreProtoJsons) {
  std::string wire = wire_field(4, uint64_t(-1)) + wire_field(6, uint64_t(-1)) + wire_tag(10, 1) +
                     std::string("\x07\0\0\0\0\0\0\0", 8) + wire_field(15, "\xff\xff") + wire_field(16, 1) +
                     wire_tag(1, 1) + std::string("\0\0\0\0\0\0\xf8\x7f", 8);
  EXPECT_EQ(
      Transcoding().to_json(wire).bytes,
      R"({"fInt64":"-1","fUint64":"18446744073709551615","fFixed64":"7","fBytes":"//8=","fColor":"RED","fDouble":"NaN"})");
  EXPECT_EQ(Transcoding().to_json(wire_field(16, 99)).bytes, R"({"fColor":99})");
  EXPECT_EQ(Transcoding().to_json(wire_field(36, std::string("\x01\x63", 2))).bytes, R"({"rColor":["RED",99]})");
}

TEST(PrintScalar, OptionsChangeTheForms) {
  Transcoding t;
  t.options.int64_as_number = true;
  t.options.always_print_enums_as_ints = true;
  t.options.preserve_proto_field_names = true;
  EXPECT_EQ(t.to_json(wire_field(4, 9007199254740993) + wire_field(16, 1) + wire_field(43, wire_field(1, 5))).bytes,
            R"({"f_int64":9007199254740993,"f_color":1,"m_int64":{"5":0}})");
}

TEST(PrintScalar, VarintsAreCutToTheirKind) {
  EXPECT_EQ(Transcoding().to_json(wire_field(3, uint64_t{0xffffffff})).bytes, R"({"fInt32":-1})");
  EXPECT_EQ(Transcoding().to_json(wire_field(5, uint64_t{0x1ffffffff})).bytes, R"({"fUint32":4294967295})");
  EXPECT_EQ(Transcoding().to_json(wire_field(13, 7)).bytes, R"({"fBool":true})");
  EXPECT_EQ(Transcoding().to_json(wire_field(7, 3)).bytes, R"({"fSint32":-2})");
}

TEST(PrintScalar, StringsMustBeUtf8) {
  EXPECT_EQ(Transcoding().to_json(wire_field(14, "a\xed\xa0\x80")).status.message,
            "a string in the replica's message is not UTF-8");
  EXPECT_EQ(Transcoding().to_json(wire_field(14, "\u00e9\U0001F600")).bytes, "{\"fString\":\"\u00e9\U0001F600\"}");
}

}  // namespace
}  // namespace transom
