#include "proxy/protocol_choice.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/grpc_pass_through.h"
#include "protocol/json_server_stream.h"
#include "protocol/json_unary.h"
#include "proxy/relay_bench.h"

namespace transom {
namespace {

// The choice for a request to the bench's routes.
class Choice {
 public:
  Choice(const std::string& method, const std::string& target, const FieldList& fields = {}) {
    head_.method = method;
    head_.target = target;
    for (const auto& [name, value] : fields) {
      head_.fields.add(name, value);
    }
    const bool is_grpc = head_.fields.find("content-type") == "application/grpc";
    auto found = bench_.snapshot.router->find({method, target, "test", head_.fields, is_grpc}, {});
    const Route& route = *std::get<Found>(found).route;
    rules_ = TranscodeRules{.request = &route.request,
                            .response = &route.response,
                            .json = &json_,
                            .limits = &bench_.snapshot.limits,
                            .schema = route.schema.get()};
    result_ = choose_protocol(head_, route, rules_, {});
  }

  template <class Protocol>
  bool is() const {
    return result_->ok() && dynamic_cast<Protocol*>((*result_)->protocol.get()) != nullptr;
  }
  const Result<ChosenProtocol>& result() const { return *result_; }

 private:
  RelayBench bench_;
  RequestHead head_;
  JsonOptions json_;
  TranscodeRules rules_;
  std::optional<Result<ChosenProtocol>> result_;
};

TEST(ProtocolChoiceTest, TheKindOfTheRpcDecides) {
  EXPECT_TRUE(Choice("POST", "/v1/say/7").is<JsonUnary>());
  EXPECT_TRUE(Choice("POST", "/v1/tell").is<JsonServerStream>());
  EXPECT_TRUE(Choice("POST", "/demo.Demo/Say", {{"content-type", "application/grpc"}}).is<GrpcPassThrough>());
  EXPECT_TRUE(Choice("POST", "/other.Service/Do", {{"content-type", "application/grpc"}}).is<GrpcPassThrough>());
}

TEST(ProtocolChoiceTest, HeadOfAStreamIsAnsweredAtOnce) {
  const Choice choice("HEAD", "/v1/tell", {{"accept", "text/event-stream"}});
  ASSERT_TRUE(choice.result().ok());
  ASSERT_TRUE(choice.result()->answer.has_value());
  EXPECT_EQ(choice.result()->answer->head->content_type, "text/event-stream");
  EXPECT_TRUE(Choice("HEAD", "/v1/say/7").is<JsonUnary>());
}

}  // namespace
}  // namespace transom
