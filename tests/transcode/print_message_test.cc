#include "transcode/print_message.h"

#include <gtest/gtest.h>

#include "transcode/transcoding.h"

namespace transom {
namespace {

TEST(PrintMessage, Fact47DefaultsArePrintedWhenAskedForButNoPresenceIsInvented) {
  Transcoding all;
  all.options.always_print_fields_with_no_presence = true;
  std::string json = all.to_json("").bytes;
  for (const char* there :
       {R"("fInt64":"0")", R"("fDouble":0)", R"("rInt32":[])", R"("mString":{})", R"("fBool":false)", R"("fBytes":"")",
        R"("fColor":"COLOR_NONE")", R"("wNull":null)", R"("weird-Name":"")"}) {
    EXPECT_NE(json.find(there), std::string::npos) << there;
  }
  for (const char* absent : {"fSub", "oInt32", "oneInt32", "wTimestamp", "wInt32", "fAll"}) {
    EXPECT_EQ(json.find("\"" + std::string(absent) + "\""), std::string::npos) << absent;
  }
  Transcoding old{.message = "kinds2.Old"};
  old.options.always_print_fields_with_no_presence = true;
  EXPECT_EQ(old.to_json("").bytes, R"({"rSize":[],"rInt32":[],"pInt32":[],"mLevel":{},"pSize":[]})");
}

TEST(PrintMessage, ZerosOnTheWireAreLeftOutUnlessTheyArePresent) {
  EXPECT_EQ(Transcoding().to_json(wire_field(3, 0) + wire_field(14, "") + wire_field(61, 0) + wire_field(62, "")).bytes,
            R"({"oInt32":0,"oString":""})");
}

}  // namespace
}  // namespace transom
