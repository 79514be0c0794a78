#include "protocol/web_socket_form.h"

#include <gtest/gtest.h>

#include <vector>

namespace transom {
namespace {

TEST(WebSocketFormTest, TheClientsFirstKnownOfferIsTaken) {
  struct Case {
    std::vector<const char*> fields;
    WebSocketForm form;
    const char* told;
  };
  const Case cases[] = {
      {{}, WebSocketForm::Json, ""},
      {{""}, WebSocketForm::Json, ""},
      {{"transom.json"}, WebSocketForm::Json, "transom.json"},
      {{"transom.proto"}, WebSocketForm::Proto, "transom.proto"},
      {{"chat, transom.proto , transom.json"}, WebSocketForm::Proto, "transom.proto"},
      {{"chat", "transom.json"}, WebSocketForm::Json, "transom.json"},
  };
  for (const Case& each : cases) {
    Fields request;
    for (const char* value : each.fields) {
      request.add("sec-websocket-protocol", value);
    }
    const Result<WebSocketChoice> choice = choose_web_socket_form(request);
    ASSERT_TRUE(choice.ok());
    EXPECT_EQ(choice->form, each.form);
    EXPECT_EQ(choice->subprotocol, each.told);
  }
}

TEST(WebSocketFormTest, OffersThatAreAllUnknownAreRefusedByName) {
  for (const char* offer : {"chat", "TRANSOM.JSON", "transom.json2", ","}) {
    Fields request;
    request.add("sec-websocket-protocol", offer);
    const Result<WebSocketChoice> choice = choose_web_socket_form(request);
    ASSERT_FALSE(choice.ok()) << offer;
    EXPECT_EQ(choice.status().code, Code::InvalidArgument);
    EXPECT_NE(choice.status().message.find("transom.proto"), std::string::npos);
  }
}

TEST(WebSocketFormTest, ClosesTellTheStatus) {
  EXPECT_EQ(close_code_of({}), 1000);
  EXPECT_EQ(close_code_of(replica_error(Code::NotFound, "")), 4005);
  EXPECT_EQ(close_code_of(replica_error(Code::Unauthenticated, "")), 4016);
  EXPECT_EQ(close_code_of(replica_error(static_cast<Code>(77), "")), 4002);
  EXPECT_EQ(close_code_of(replica_error(static_cast<Code>(-1), "")), 4002);
  EXPECT_EQ(close_code_of(client_error(Code::ResourceExhausted, "", 413)), 1009);
  EXPECT_EQ(close_code_of(client_error(Code::InvalidArgument, "", 415)), 1003);
}

}  // namespace
}  // namespace transom
