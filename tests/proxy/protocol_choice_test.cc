#include "proxy/protocol_choice.h"

#include <gtest/gtest.h>

#include <string>

#include "protocol/grpc_json.h"
#include "protocol/grpc_pass_through.h"
#include "protocol/json_stream.h"
#include "protocol/json_unary.h"
#include "proxy/relay_bench.h"

namespace transom {
namespace {

// The choice for a request to the bench's routes.
class Choice {
 public:
  Choice(const std::string& method, const std::string& target, const FieldList& fields = {},
         Framing unasked = Framing::NdJson) {
    head_.method = method;
    head_.target = target;
    for (const auto& [name, value] : fields) {
      head_.fields.add(name, value);
    }
    const bool is_grpc = head_.fields.find("content-type").value_or("").starts_with("application/grpc");
    auto found = bench_.snapshot.router->find({method, target, "test", head_.fields, is_grpc}, {});
    const Route& route = *std::get<Found>(found).route;
    stream_.framing = unasked;
    rules_ = TranscodeRules{.request = &route.request,
                            .response = &route.response,
                            .json = &json_,
                            .limits = &bench_.snapshot.limits,
                            .schema = route.schema.get(),
                            .stream = &stream_};
    result_ = choose_protocol(head_, route, rules_, {}, std::get<Found>(found).alt);
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
  StreamOptions stream_;
  TranscodeRules rules_;
  std::optional<Result<ChosenProtocol>> result_;
};

TEST(ProtocolChoiceTest, TheKindOfTheRpcDecides) {
  EXPECT_TRUE(Choice("POST", "/v1/say/7").is<JsonUnary>());
  EXPECT_TRUE(Choice("POST", "/v1/tell").is<JsonStream>());
  EXPECT_TRUE(Choice("POST", "/demo.Demo/Say", {{"content-type", "application/grpc"}}).is<GrpcPassThrough>());
  EXPECT_TRUE(Choice("POST", "/demo.Demo/Say", {{"content-type", "application/grpc+json"}}).is<GrpcJson>());
  EXPECT_TRUE(Choice("POST", "/other.Service/Do", {{"content-type", "application/grpc+json"}}).is<GrpcPassThrough>());
  EXPECT_TRUE(Choice("POST", "/v1/hear").is<JsonUnary>());
  EXPECT_TRUE(Choice("POST", "/other.Service/Do", {{"content-type", "application/grpc"}}).is<GrpcPassThrough>());
}

// The content type of a stream's answer.
std::string type_of(const std::string& query, const std::string& accept, Framing unasked) {
  FieldList fields;
  if (!accept.empty()) {
    fields.push_back({"accept", accept});
  }
  const Choice choice("HEAD", "/v1/tell" + query, fields, unasked);
  return choice.result().ok() ? std::string(choice.result()->answer->head->content_type) : "refused";
}

TEST(ProtocolChoiceTest, QueryBeatsAcceptBeatsTheRoute) {
  constexpr const char* kSse = "text/event-stream";
  constexpr const char* kLines = "application/x-ndjson";
  constexpr const char* kArray = "application/json";
  const struct {
    const char* query;
    const char* accept;
    Framing unasked;
    const char* type;
  } cases[] = {
      {"", "", Framing::NdJson, kLines},
      {"", "", Framing::EventStream, kSse},
      {"", "", Framing::Array, kArray},
      {"", "*/*", Framing::EventStream, kSse},
      {"", "*/*", Framing::Array, kArray},
      {"", "application/*", Framing::Array, kArray},
      {"", "application/json", Framing::EventStream, kArray},
      {"", "application/json;q=0.5, */*", Framing::EventStream, kSse},
      {"?$alt=sse", "application/json", Framing::NdJson, kSse},
      {"?%24alt=ndjson", "application/json", Framing::Array, kLines},
      {"?$alt=json", "text/event-stream", Framing::NdJson, kArray},
      {"?$alt=json;enum-encoding=int", "", Framing::NdJson, kArray},
      {"?alt=sse", "", Framing::NdJson, kSse},
      {"?$alt=xml", "", Framing::NdJson, "refused"},
      {"?alt=SSE", "", Framing::NdJson, "refused"},
  };
  for (const auto& row : cases) {
    EXPECT_EQ(type_of(row.query, row.accept, row.unasked), row.type) << row.query << " " << row.accept;
  }
}

TEST(ProtocolChoiceTest, OneMessageIsAskedForAsJsonOnly) {
  EXPECT_TRUE(Choice("POST", "/v1/say/7?$alt=json").is<JsonUnary>());
  const Choice sse("POST", "/v1/say/7?$alt=sse");
  ASSERT_FALSE(sse.result().ok());
  EXPECT_EQ(sse.result().status().code, Code::InvalidArgument);
  EXPECT_NE(sse.result().status().message.find("sse"), std::string::npos);
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
