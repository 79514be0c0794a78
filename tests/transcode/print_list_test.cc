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

TEST(PrintList, Fact47EmptyListsAreLeftOutUnlessAskedFor) {
  EXPECT_EQ(Transcoding().to_json(wire_field(22, "")).bytes, "{}");
  Transcoding sub{.message = "kinds.Sub"};
  sub.options.always_print_fields_with_no_presence = true;
  EXPECT_EQ(sub.to_json("").bytes, R"({"name":"","num":0,"subs":[],"children":{}})");
}

}  // namespace
}  // namespace transom
