#include "transcode/parse_well_known.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

TEST(ParseWellKnown, Fact38TimesAreReadWithinTheirLimits) {
  EXPECT_EQ(Transcoding().round_trip(R"({"wTimestamp":"2020-01-01T00:00:00.1+01:00","wDuration":"-0.5s"})"),
            R"({"wTimestamp":"2019-12-31T23:00:00.100Z","wDuration":"-0.500s"})");
  EXPECT_EQ(Transcoding().problem(R"({"wTimestamp":"0000-01-01T00:00:00Z"})").substr(0, 32),
            "wTimestamp: expected a timestamp");
  EXPECT_EQ(Transcoding().problem(R"({"wDuration":"1m"})").substr(0, 30), "wDuration: expected a duration");
  EXPECT_EQ(Transcoding().problem(R"({"wDuration":1})"), "wDuration: expected a duration, found a number (at byte 13)");
}

TEST(ParseWellKnown, FieldMasksAreReadInCamelCase) {
  EXPECT_EQ(Transcoding().to_wire(R"({"wMask":"fooBar,a.bC"})").bytes,
            wire_field(83, wire_field(1, "foo_bar") + wire_field(1, "a.b_c")));
  EXPECT_EQ(Transcoding().to_wire(R"({"wMask":""})").bytes, wire_field(83, ""));
  for (const char* mask : {"a_b", "a,,b", ",a", "a,", ","}) {
    EXPECT_NE(Transcoding().problem(std::string(R"({"wMask":")") + mask + "\"}"), "") << mask;
  }
}

TEST(ParseWellKnown, Fact39AnyTakesItsTypeFromAnywhere) {
  const char* answer = R"({"wAny":{"@type":"t/kinds.Sub","name":"n","sub":{"num":1}}})";
  EXPECT_EQ(Transcoding().round_trip(R"({"wAny":{"@type":"t/kinds.Sub","name":"n","sub":{"num":1}}})"), answer);
  EXPECT_EQ(Transcoding().round_trip(R"({"wAny":{"name":"n","@type":"t/kinds.Sub","sub":{"num":1}}})"), answer);
  EXPECT_EQ(Transcoding().round_trip(R"({"wAny":{"name":"n","sub":{"num":1},"\u0040type":"t/kinds.Sub"}})"), answer);
  EXPECT_EQ(Transcoding().round_trip(R"({"wAny":{"value":"1.5s","@type":"x/google.protobuf.Duration"}})"),
            R"({"wAny":{"@type":"x/google.protobuf.Duration","value":"1.500s"}})");
  EXPECT_EQ(Transcoding().round_trip(R"({"wAny":{"value":{"a":[1]},"@type":"x/google.protobuf.Struct"}})"),
            R"({"wAny":{"@type":"x/google.protobuf.Struct","value":{"a":[1]}}})");
  EXPECT_EQ(Transcoding().round_trip(R"({"wAny":{}})"), R"({"wAny":{}})");
  EXPECT_EQ(Transcoding().round_trip(R"({"wAny":{"@type":"x/google.protobuf.Empty"}})"),
            R"({"wAny":{"@type":"x/google.protobuf.Empty"}})");
  EXPECT_EQ(
      Transcoding().round_trip(
          R"({"wAny":{"@type":"x/google.protobuf.Any","value":{"value":7,"@type":"x/google.protobuf.Int32Value"}}})"),
      R"({"wAny":{"@type":"x/google.protobuf.Any","value":{"@type":"x/google.protobuf.Int32Value","value":7}}})");
}

TEST(ParseWellKnown, AnEmptyInAnAnyMayHaveAValue) {
  EXPECT_EQ(Transcoding().round_trip(R"({"wAny":{"@type":"x/google.protobuf.Empty","value":{}}})"),
            R"({"wAny":{"@type":"x/google.protobuf.Empty"}})");
  EXPECT_NE(Transcoding().problem(R"({"wAny":{"@type":"x/google.protobuf.Empty","value":{"a":1}}})"), "");
  EXPECT_NE(Transcoding().problem(R"({"wAny":{"@type":"x/google.protobuf.Empty","other":{}}})"), "");
}

TEST(ParseWellKnown, AnyThatCannotBeReadIsRefused) {
  for (const char* any :
       {R"({"@type":"t/no.Such"})", R"({"@type":"kinds.Sub"})", R"({"@type":"/kinds.Sub"})", R"({"@type":""})",
        R"({"@type":1})", R"({"name":"x"})", R"({"@type":"t/kinds.Sub","@type":"t/kinds.Sub"})",
        R"({"@type":"t/kinds.Sub","x":1})", R"({"@type":"t/google.protobuf.Duration"})",
        R"({"@type":"t/google.protobuf.Duration","value":"1s","x":1})",
        R"({"@type":"t/google.protobuf.Duration","value":"1s","value":"1s"})", R"({"@type":"t/kinds.Sub","name":1})",
        R"({"name":[,"@type":"t/kinds.Sub"})", "[]", "\"x\""}) {
    EXPECT_NE(Transcoding().problem(std::string(R"({"wAny":)") + any + "}"), "") << any;
  }
  EXPECT_EQ(Transcoding().problem(R"({"wAny":{"@type":"t/no.Such"}})"),
            "wAny.@type: no such type: t/no.Such (at byte 17)");
}

// Each level has its "@type" last: were each to look for its own, the cost would be the square of the depth.
TEST(ParseWellKnown, AnyInAnyIsLookedThroughOnce) {
  std::string json = R"({"@type":"t/kinds.Sub","name":")" + std::string(10 << 20, 'x') + "\"}";
  for (int i = 0; i < 45; ++i) {
    json = R"({"anyValue":)" + json + R"(,"@type":"t/kinds.Any1"})";
  }
  Outcome wire = Transcoding{.message = "kinds.Any1"}.to_wire(R"({"anyValue":)" + json + "}");
  EXPECT_TRUE(wire.status.ok()) << wire.status.message;
  EXPECT_GT(wire.bytes.size(), size_t{10 << 20});
}

TEST(ParseWellKnown, StructAndValueHoldAnyJson) {
  const char* json = R"({"wStruct":{"a":null,"b":1.5,"c":"s","d":true,"e":{"f":[]},"g":[1,[2,{}]]}})";
  EXPECT_EQ(Transcoding().round_trip(json), json);
  EXPECT_NE(Transcoding().problem(R"({"wStruct":[]})"), "");
  EXPECT_NE(Transcoding().problem(R"({"wList":{}})"), "");
  EXPECT_NE(Transcoding().problem(R"({"wValue":1e400})"), "");
  EXPECT_NE(Transcoding().problem(R"({"wValue":})"), "");
}

TEST(ParseWellKnown, ValuesStopAtAHundredMessageLevels) {
  auto nested = [](int depth) {
    std::string json;
    for (int i = 0; i < depth; ++i) {
      json += R"({"a":)";
    }
    return R"({"value":)" + json + "1" + std::string(static_cast<size_t>(depth), '}') + "}";
  };
  Transcoding any{.message = "kinds.Any1"};
  EXPECT_EQ(any.problem(nested(31)), "");
  EXPECT_EQ(any.round_trip(nested(31)), nested(31));
  EXPECT_NE(any.problem(nested(34)).find("nested deeper than 100"), std::string::npos);
}

TEST(ParseWellKnown, WrappersAreTheirValue) {
  const char* json =
      R"({"wDouble":1.5,"wFloat":0,"wInt64":"1","wUint64":"2","wInt32":3,"wUint32":4,"wBool":true,"wString":"s","wBytes":"AA=="})";
  EXPECT_EQ(Transcoding().round_trip(json), json);
  EXPECT_EQ(Transcoding().problem(R"({"wInt32":{"value":1}})"),
            "wInt32: expected a number, found an object (at byte 10)");
  EXPECT_NE(Transcoding().problem(R"({"rwInt32":[null]})"), "");
}

}  // namespace
}  // namespace transom
