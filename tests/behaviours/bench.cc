#include "behaviours/bench.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "base/padded_text.h"
#include "protocol/grpc_frame.h"
#include "protocol/json_request.h"
#include "support/proto_text.h"
#include "transcode/json_to_wire.h"
#include "transcode/wire_reader.h"
#include "transcode/wire_to_json.h"

namespace transom {
namespace {

const SchemaPtr& schema() {
  static const SchemaPtr made = schema_of(R"(
    syntax = "proto3";
    package t;
    import "google/api/httpbody.proto";
    import "google/protobuf/any.proto";
    import "google/protobuf/duration.proto";
    import "google/protobuf/field_mask.proto";
    import "google/protobuf/struct.proto";
    import "google/protobuf/timestamp.proto";
    import "google/protobuf/wrappers.proto";
    enum Color { NONE = 0; RED = 1; BLUE = -3; }
    message Sub { string name = 1; int32 num = 2; Sub sub = 3; repeated string names = 4; }
    message In {
      string id = 1;
      Sub sub = 2;
      int32 i32 = 3;
      int64 i64 = 4;
      uint32 u32 = 5;
      uint64 u64 = 6;
      fixed64 f64 = 7;
      double dbl = 8;
      float flt = 9;
      bool b = 10;
      Color color = 11;
      bytes blob = 12;
      optional int32 opt = 13;
      string odd = 14 [json_name = "weird-Name"];
      repeated string names = 15;
      repeated int32 numbers = 16;
      repeated Color colors = 17;
      repeated Sub subs = 18;
      map<string, string> labels = 19;
      map<int32, bool> flags = 20;
      map<string, Sub> sub_map = 21;
      google.protobuf.Timestamp ts = 22;
      google.protobuf.Duration dur = 23;
      google.protobuf.FieldMask mask = 24;
      google.protobuf.StringValue sw = 25;
      google.protobuf.Int32Value iw = 26;
      google.protobuf.Struct object = 27;
      google.protobuf.Value val = 28;
      google.protobuf.ListValue list = 29;
      google.protobuf.Any any = 30;
      google.protobuf.NullValue nil = 31;
      oneof pick { string left = 32; string right = 33; Sub middle = 34; }
      google.api.HttpBody file = 35;
      optional float exact = 36;
    }
    message Update { Sub sub = 1; google.protobuf.FieldMask update_mask = 2; }
    service Svc {
      rpc Do(In) returns (In);
      rpc Raw(google.api.HttpBody) returns (google.api.HttpBody);
      rpc Fix(Update) returns (Update);
    }
  )");
  return made;
}

const MethodPlan& method_for(const std::string& input) {
  for (const MethodPlan& method : schema()->methods()) {
    if (method.input->full_name == input) {
      return method;
    }
  }
  ADD_FAILURE() << "no method takes " << input;
  return schema()->methods().front();
}

HttpRule rule_of(const std::string& text, const std::string& selector) {
  std::istringstream words(text);
  HttpRule rule;
  rule.selector = selector;
  words >> rule.method >> rule.path >> rule.body >> rule.response_body;
  if (rule.body == "-") {
    rule.body.clear();
  }
  return rule;
}

Result<std::shared_ptr<const Router>> router_of(const std::vector<std::string>& rules, const std::string& input) {
  RouteSource source{
      .service = "t.Svc", .backend = "b", .match = {}, .http_rules = {}, .schema = schema(), .place = "test"};
  std::string selector(method_for(input).full_name);
  for (const std::string& rule : rules) {
    source.http_rules.push_back(rule_of(rule, selector));
  }
  return build_router({&source, 1});
}

// What JsonUnary has of a request, as one framed message.
Status feed(ClientProtocol& protocol, const Ask& request, std::string& framed, SlipSet& slips) {
  BodyHead head;
  head.content_type =
      request.content_type.empty() ? std::nullopt : std::optional<std::string_view>(request.content_type);
  head.content_length = request.body.empty() ? -1 : static_cast<int64_t>(request.body.size());
  Status status = protocol.on_body_head(head);
  status = status.ok() ? protocol.on_request_bytes(request.body) : status;
  status = status.ok() ? protocol.on_request_end() : status;
  if (!status.ok()) {
    return status;
  }
  auto conversion = protocol.next_request();
  check(conversion.has_value(), "a request that has ended gives its message");
  status = conversion->run(framed, nullptr);
  slips.add(conversion->slips());
  slips.add(protocol.slips());
  return status;
}

// A message's outermost fields by their number: what path and query bind is written behind the body.
std::string in_order(std::string_view wire) {
  std::vector<std::pair<uint32_t, std::string_view>> fields;
  const char* at = wire.data();
  const char* end = at + wire.size();
  while (at < end) {
    const char* begin = at;
    WireTag tag;
    WireValue value;
    if (!read_tag(at, end, tag) || !read_wire_value(at, end, tag, 100, value)) {
      ADD_FAILURE() << "malformed wire";
      break;
    }
    fields.emplace_back(tag.number, std::string_view(begin, static_cast<size_t>(at - begin)));
  }
  std::ranges::stable_sort(fields, {}, &std::pair<uint32_t, std::string_view>::first);
  std::string sorted;
  for (const auto& field : fields) {
    sorted += field.second;
  }
  return sorted;
}

}  // namespace

Bench::Bench(const std::vector<std::string>& rules, const std::string& input, const std::string& output)
    : input_(schema()->find_message(input)), output_(schema()->find_message(output)) {
  auto router = router_of(rules, input);
  EXPECT_TRUE(router.ok()) << router.status().message;
  router_ = router.value();
}

std::string Bench::refuse(const Status& status) {
  why_ = status.message;
  return std::to_string(http_status_of(status));
}

std::string Bench::ask(const Ask& request) {
  why_.clear();
  route_.clear();
  slips_ = {};
  const Fields fields;
  auto answer =
      router_->find({.method = request.method, .path = request.target, .host = "h", .fields = fields}, {&binding, 1});
  if (const auto* refusal = std::get_if<NotFound>(&answer)) {
    return refuse(refusal->status);
  }
  Found& found = std::get<Found>(answer);
  route_ = found.route->label;
  slips_ = found.slips;
  const Limits limits;
  const TranscodeRules rules{.request = &found.route->request,
                             .response = &found.route->response,
                             .json = &json,
                             .limits = &limits,
                             .schema = schema().get()};
  JsonUnary protocol(rules, std::make_unique<JsonRequest>(
                                rules, RequestBindings{std::move(found.bindings), std::move(found.paths)}));
  std::string framed;
  if (Status status = feed(protocol, request, framed, slips_); !status.ok()) {
    return refuse(status);
  }
  const ResponseShape whole{.message = found.route->request.message};
  std::string text;
  const std::string wire = in_order(std::string_view(framed).substr(kGrpcPrefixBytes));
  const Status status = wire_to_json({whole, JsonOptions{}, size_t{64} << 20}, wire, text);
  EXPECT_TRUE(status.ok()) << status.message;
  return text;
}

std::string Bench::to_wire(const std::string& message_json) const {
  RequestShape whole;
  whole.message = output_;
  whole.body = BodyKind::Whole;
  std::string padded = message_json;
  pad_for_json(padded);
  std::string wire;
  const Status status = json_to_wire({whole, {}, JsonOptions{}, size_t{64} << 20}, padded, wire);
  EXPECT_TRUE(status.ok()) << status.message;
  return wire;
}

std::string Bench::answer(const std::string& message_json) { return answer_wire(to_wire(message_json)); }

std::string Bench::answer_wire(std::string_view wire) {
  const auto routes = router_->routes();
  const auto of_input = std::ranges::find_if(routes, [&](const auto& each) { return each->request.message == input_; });
  const Route& route = **of_input;
  const Limits limits;
  const TranscodeRules rules{.request = &route.request,
                             .response = &route.response,
                             .json = &json,
                             .limits = &limits,
                             .schema = schema().get()};
  JsonUnary protocol(rules, std::make_unique<JsonRequest>(rules, RequestBindings()));
  std::string framed;
  const size_t at = begin_grpc_frame(framed);
  framed.append(wire);
  end_grpc_frame(framed, at);
  EXPECT_TRUE(protocol.on_call_bytes(framed).ok());
  std::string body;
  while (auto conversion = protocol.next_response()) {
    if (Status status = conversion->run(body, nullptr); !status.ok()) {
      return refuse(status);
    }
    protocol.on_response_converted(*conversion);
  }
  const AnswerEnd end = protocol.on_call_end(CallEnd{}, false);
  content_type_ = end.head->content_type;
  return end.status.ok() ? body : refuse(end.status);
}

std::string load_problem(const std::vector<std::string>& rules) {
  auto router = router_of(rules, "t.In");
  return router.ok() ? "" : router.status().message;
}

void expect_outcomes(Bench& bench, const std::vector<Row>& rows) {
  for (const Row& row : rows) {
    EXPECT_EQ(bench.ask(row.ask), row.outcome) << row.ask.method << " " << row.ask.target.substr(0, 200) << " "
                                               << row.ask.body.substr(0, 200) << ": " << bench.why();
  }
}

void expect_gets(Bench& bench, const std::vector<std::pair<std::string, std::string>>& rows) {
  for (const auto& [target, outcome] : rows) {
    expect_outcomes(bench, {{{"GET", target}, outcome}});
  }
}

void expect_posts(Bench& bench, const std::string& target,
                  const std::vector<std::pair<std::string, std::string>>& rows) {
  for (const auto& [body, outcome] : rows) {
    expect_outcomes(bench, {{{"POST", target, body}, outcome}});
  }
}

}  // namespace transom
