#include "transcode/json_to_wire.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

TEST(JsonToWire, PlainKindsComeBackAsTheyWere) {
  const char* cases[] = {
      R"({})",
      R"({"fDouble":1.5,"fFloat":0.1,"fInt32":-5,"fInt64":"-9223372036854775808","fUint32":4294967295})",
      R"({"fUint64":"18446744073709551615","fSint32":-1,"fSint64":"-2","fFixed32":7,"fFixed64":"8"})",
      R"({"fSfixed32":-9,"fSfixed64":"-10","fBool":true,"fString":"a\"b\\c\n","fBytes":"AAEC","fColor":"BLUE"})",
      R"({"fSub":{"name":"x","sub":{"num":3,"subs":[{"name":"y"},{}]}}})",
      R"({"rFloat":[1,2.5,-0.0],"rInt32":[1,-2,3],"rString":["a",""],"rColor":["RED",7],"uInt32":[1,2]})",
      R"({"mString":{"a":"b","":""},"mInt32":{"-1":2},"mBool":{"true":"x"},"mFixed32":{"5":{"num":1}}})",
      R"({"oInt32":0,"oString":"","oneInt32":0})",
      R"({"wTimestamp":"2020-01-01T00:00:00.100Z","wDuration":"-1.500s","wMask":"a.bC,d"})",
      R"({"wStruct":{"a":[1,null,{"b":true}],"c":"s"},"wValue":null,"wList":[[],{}],"wEmpty":{}})",
      R"({"wAny":{"@type":"type.googleapis.com/kinds.Sub","name":"n","num":3}})",
      R"({"wAny":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"3s"}})",
      R"({"wDouble":0,"wInt64":"5","wString":"","wBytes":"","wBool":false})",
  };
  for (const char* json : cases) {
    EXPECT_EQ(Transcoding().round_trip(json), json);
  }
}

}  // namespace
}  // namespace transom
