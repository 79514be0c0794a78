#include "transcode/body_mask.h"

#include <gtest/gtest.h>

#include "transcode/bindings.h"

namespace transom {
namespace {

// A PATCH of f_sub with the mask w_mask.
BoundRequest patch(std::string body) {
  BoundRequest request;
  request.body_field("fSub", std::move(body));
  request.mask("wMask");
  return request;
}

TEST(BodyMask, NamesTheLeavesThatTheBodyHas) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"name":"n"})", "name"},
      {R"({"num":0,"name":""})", "num,name"},
      {R"({"name":null})", "name"},
      {R"({"sub":{"name":"n","sub":{"num":1,"opt":2}}})", "sub.name,sub.sub.num,sub.sub.opt"},
      {R"({"sub":{}})", "sub"},
      {R"({"sub":{ } ,"name":"x"})", "sub,name"},
      {R"({"sub":null})", "sub"},
      {R"({"subs":[{"name":"n"},{}]})", "subs"},
      {R"({"children":{"k":{"name":"n"}}})", "children"},
      {R"({"middle":{"left":"l"}})", "middle.left"},
      {R"({"\u006eame":"n"})", "name"},
      {"{}", ""},
  };
  for (const auto& [body, mask] : cases) {
    BoundRequest request = patch(body);
    EXPECT_EQ(request.mask_of_answer(), mask) << body;
  }
}

TEST(BodyMask, NamesTheMembersAloneOrNothingWhenToldSo) {
  BoundRequest members = patch(R"({"sub":{"name":"n"},"num":1})");
  members.options.patch_mask = PatchMask::Members;
  EXPECT_EQ(members.mask_of_answer(), "sub,num");
  BoundRequest none = patch(R"({"num":1})");
  none.options.patch_mask = PatchMask::None;
  EXPECT_EQ(none.answer(), R"({"fSub":{"num":1}})");
}

TEST(BodyMask, LeavesOutWhatThePathBindsAndWhatNobodyKnows) {
  BoundRequest request = patch(R"({"name":"body","num":1,"nope":{"name":1},"sub":{"name":"x"}})");
  request.path("fSub.name", "path");
  request.path("fSub.sub.name", "path");
  request.options.strictness.set(Slip::UnknownField, Verdict::Ignore);
  EXPECT_EQ(request.mask_of_answer(), "num");
}

TEST(BodyMask, AMaskThatIsGivenStays) {
  BoundRequest request = patch(R"({"name":"n","num":1})");
  request.query("wMask", "num");
  EXPECT_EQ(request.mask_of_answer(), "num");
}

TEST(BodyMask, WithoutABodyThereIsNone) {
  BoundRequest request = patch("");
  request.query("fInt32", "5");
  EXPECT_EQ(request.answer(), R"({"fInt32":5})");
}

TEST(BodyMask, IsPartOfTheBoundedMessage) {
  std::string body = "{}";
  for (int i = 0; i < 90; ++i) {
    body = R"({"sub":)" + body + "}";
  }
  std::string wide = "{";
  for (int i = 0; i < 20'000; ++i) {
    wide += R"("num":1,)";
  }
  BoundRequest request = patch(wide + R"("sub":)" + body + "}");
  request.options.strictness.set(Slip::DuplicateKey, Verdict::Ignore);
  request.bytes_max = 50'000;
  EXPECT_EQ(request.answer(), "the message is larger than this server takes");
}

}  // namespace
}  // namespace transom
