#include "transcode/parse_list.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

TEST(ParseList, ListsArePackedWhereTheSchemaSaysSo) {
  Outcome packed = Transcoding().to_wire(R"({"rInt32":[1,300,0]})");
  EXPECT_EQ(packed.bytes, wire_field(23, std::string("\x01\xac\x02\x00", 4)));
  Outcome loose = Transcoding().to_wire(R"({"uInt32":[1,0]})");
  EXPECT_EQ(loose.bytes, wire_field(38, 1) + wire_field(38, 0));
  Outcome floats = Transcoding().to_wire(R"({"rFloat":[1,-2.5]})");
  EXPECT_EQ(floats.bytes, wire_field(22, std::string("\x00\x00\x80\x3f\x00\x00\x20\xc0", 8)));
  EXPECT_EQ(Transcoding().to_wire(R"({"rFloat":[],"rString":[],"mString":{}})").bytes, "");
}

TEST(ParseList, Fact40OneValueIsNoList) {
  EXPECT_EQ(Transcoding().problem(R"({"rString":"a"})"), "rString: expected an array, found a string (at byte 11)");
  EXPECT_EQ(Transcoding().problem(R"({"mString":[]})"), "mString: expected an object, found an array (at byte 11)");
  EXPECT_EQ(Transcoding().problem(R"({"rInt32":[1,[2]]})"),
            "rInt32[1]: expected a number, found an array (at byte 13)");
}

TEST(ParseList, EveryPlaceInAListIsNamed) {
  EXPECT_EQ(Transcoding().problem(R"({"rFloat":[1,2,,3]})"), "rFloat[2]: expected a number, found ',' (at byte 15)");
  EXPECT_EQ(Transcoding().problem(R"({"rFloat":[1,2,]})"), "rFloat[2]: expected a number, found ']' (at byte 15)");
  EXPECT_EQ(Transcoding().problem(R"({"rFloat":[1 2]})"), "rFloat: expected ',' or ']', found a number (at byte 13)");
  EXPECT_EQ(Transcoding().problem(R"({"rSub":[{"num":"x"}]})"),
            "rSub[0].num: expected a number, found a string (at byte 16)");
  EXPECT_EQ(Transcoding().problem(R"({"mFixed32":{"7":{"num":{}}}})"),
            "mFixed32[\"7\"].num: expected a number, found an object (at byte 24)");
}

TEST(ParseList, Fact34DuplicateMapKeysAreRefused) {
  EXPECT_EQ(Transcoding().problem(R"({"mString":{"a":"1","b":"2","\u0061":"3"}})"),
            "mString[\"a\"]: this object has a key twice (at byte 11)");
  EXPECT_NE(Transcoding().problem(R"({"mInt32":{"1":1,"1":2}})"), "");
  EXPECT_NE(Transcoding().problem(R"({"mInt32":{"0":1,"-0":2}})"), "");
  EXPECT_NE(Transcoding().problem(R"({"wStruct":{"a":1,"a":2}})"), "");
  EXPECT_EQ(Transcoding().problem(R"({"mString":{"a":"1","":"2","A":"3"}})"), "");
  std::string many = R"({"mString":{)";
  for (int i = 0; i < 20'000; ++i) {
    many += "\"" + std::to_string(i) + "\":\"\",";
  }
  EXPECT_EQ(Transcoding().problem(many + "\"x\":\"\"}}"), "");
  EXPECT_NE(Transcoding().problem(many + "\"77\":\"\"}}"), "");
}

// However the keys of a large map are ordered, and wherever the one that comes again stands.
TEST(ParseList, OneKeyTwiceIsFoundAmongThousands) {
  constexpr int kKeys = 3000;
  for (int step : {1, 7, kKeys - 1}) {  // each visits every key once
    for (int again : {-1, 0, 1, kKeys / 2, kKeys - 1}) {
      for (const char* field : {"mString", "mInt32"}) {
        std::string json = std::string("{\"") + field + "\":{";
        for (int i = 0; i < kKeys; ++i) {
          json += "\"" + std::to_string(i * step % kKeys) + "\":" + (field[1] == 'S' ? "\"v\"," : "1,");
        }
        json += "\"" + std::to_string(again) + "\":" + (field[1] == 'S' ? "\"v\"}}" : "1}}");
        const std::string problem = Transcoding().problem(json);
        EXPECT_EQ(problem.find("twice") != std::string::npos, again >= 0) << field << step << ' ' << again << problem;
      }
    }
  }
}

TEST(ParseList, MapKeysAreOfTheirKind) {
  for (const char* json :
       {R"({"mInt32":{"x":1}})", R"({"mInt32":{"1.0":1}})", R"({"mInt32":{" 1":1}})", R"({"mInt32":{"":1}})",
        R"({"mInt32":{"2147483648":1}})", R"({"mUint32":{"-1":1}})", R"({"mBool":{"True":"x"}})",
        R"({"mBool":{"1":"x"}})", R"({"mInt32":{1:1}})", R"({"mInt32":{"1":1,}})"}) {
    EXPECT_NE(Transcoding().problem(json), "") << json;
  }
}

}  // namespace
}  // namespace transom
