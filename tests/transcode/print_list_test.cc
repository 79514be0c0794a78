#include "transcode/print_list.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

TEST(PrintList, PackedListsOfBrokenLengthAreRefused) {
  EXPECT_FALSE(Transcoding().to_json(wire_field(22, "12345")).status.ok());
  EXPECT_FALSE(Transcoding().to_json(wire_field(21, "1234")).status.ok());
  EXPECT_FALSE(Transcoding().to_json(wire_field(23, "\x01\x80")).status.ok());
}

TEST(PrintList, PackedFloatsOfEveryClassArePrinted) {
  std::string floats("\0\0\x80\x3f\0\0\0\x80\0\0\xc0\x7f\0\0\x80\xff", 16);
  EXPECT_EQ(Transcoding().to_json(wire_field(22, floats)).bytes, R"({"rFloat":[1,-0.0,"NaN","-Infinity"]})");
  EXPECT_EQ(Transcoding().to_json(wire_field(39, floats.substr(0, 4)) + wire_tag(39, 5) + floats.substr(0, 4)).bytes,
            R"({"uFloat":[1,1]})");
}

// Elements are written some dozens at a time: lists of every length near that, the last elements near the wire's end.
TEST(PrintList, PackedListsOfEveryKindAndLengthComeBack) {
  for (const char* name : {"rDouble", "rFloat", "rInt32", "rInt64", "rUint32", "rUint64", "rSint32", "rSint64",
                           "rFixed32", "rFixed64", "rSfixed32", "rSfixed64", "rBool", "rColor"}) {
    const FieldPlan* field = plan_of("kinds.All").find_field(std::string_view(name));
    ASSERT_NE(field, nullptr) << name;
    const bool is_quoted = std::string_view(name).ends_with("64");
    const bool is_signed = name[1] == 'I' || name[1] == 'S';
    for (size_t count : {1, 2, 63, 64, 65, 127, 128, 129, 300}) {
      std::string json = std::string("{\"") + name + "\":[";
      for (size_t i = 0; i < count; ++i) {
        static constexpr const char* kNumbers[] = {"0", "7", "42", "300", "70000", "123456789", "2147483647"};
        static constexpr const char* kNegative[] = {"-1", "-2147483648", "-65536"};
        const bool is_negative = is_signed && i % 3 == 0;
        std::string number = is_negative ? kNegative[i % 3 + i / 3 % 3] : kNumbers[i % std::size(kNumbers)];
        number = name == std::string_view("rFloat") || name == std::string_view("rDouble") ? "0.5" : number;
        json += i == 0 ? "" : ",";
        json += field->kind == Kind::Bool   ? (i % 2 == 0 ? "true" : "false")
                : field->kind == Kind::Enum ? (i % 2 == 0 ? "\"RED\"" : "77")
                : is_quoted                 ? '"' + number + '"'
                                            : number;
      }
      json += "]}";
      EXPECT_EQ(Transcoding().round_trip(json), json);
    }
  }
}

TEST(PrintList, ABoundBelowAChunksRoomStillHolds) {
  Transcoding bounded{.bytes_max = 30};
  EXPECT_EQ(bounded.to_json(wire_field(23, "\x01\x02\x03\x04\x05")).bytes, R"({"rInt32":[1,2,3,4,5]})");
  EXPECT_EQ(bounded.to_json(wire_field(23, std::string(20, '\x01'))).status.code, Code::Internal);
}

TEST(PrintList, Fact47EmptyListsAreLeftOutUnlessAskedFor) {
  EXPECT_EQ(Transcoding().to_json(wire_field(22, "")).bytes, "{}");
  Transcoding sub{.message = "kinds.Sub"};
  sub.options.always_print_fields_with_no_presence = true;
  EXPECT_EQ(sub.to_json("").bytes, R"({"name":"","num":0,"subs":[],"children":{}})");
}

}  // namespace
}  // namespace transom
