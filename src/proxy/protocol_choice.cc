#include "proxy/protocol_choice.h"

#include <string>
#include <utility>

#include "protocol/grpc_json.h"
#include "protocol/grpc_pass_through.h"
#include "protocol/json_request.h"
#include "protocol/json_request_stream.h"
#include "protocol/json_stream.h"
#include "protocol/json_unary.h"
#include "protocol/media_type.h"
#include "proxy/web_socket_choice.h"

namespace transom {
namespace {

ChosenProtocol chosen(std::unique_ptr<ClientProtocol> protocol) { return {.protocol = std::move(protocol)}; }

ChosenProtocol choose_grpc(const RequestHead& head, const Route& route, const TranscodeRules& rules) {
  const std::string_view type = head.fields.find("content-type").value_or("");
  if (route.kind == RouteKind::Grpc && is_grpc_json(type)) {
    return chosen(std::make_unique<GrpcJson>(rules, std::string(type), head.fields.find("grpc-encoding").value_or("")));
  }
  return chosen(std::make_unique<GrpcPassThrough>(std::string(type)));
}

// A rule without a body makes one message of path and query, whatever the RPC takes.
std::unique_ptr<RequestMessages> make_request(const Route& route, const TranscodeRules& rules, RequestBindings&& bindings) {
  if (route.plan->is_client_streaming && route.request.body != BodyKind::None) {
    return std::make_unique<JsonRequestStream>(rules, std::move(bindings), rules.stream != nullptr && rules.stream->binds_every);
  }
  return std::make_unique<JsonRequest>(rules, std::move(bindings));
}

Status refuse_alt(const std::string& expected, std::string_view alt) {
  return client_error(Code::InvalidArgument,
                      "query parameter `$alt`: expected " + expected + ", found `" + std::string(alt) + "`");
}

}  // namespace

Result<ChosenProtocol> choose_protocol(const RequestHead& head, const Route& route, const TranscodeRules& rules,
                                       RequestBindings&& bindings, std::string_view alt) {
  if (head.is_web_socket) {
    return choose_web_socket(head, route, rules, std::move(bindings));
  }
  if (route.kind != RouteKind::Json) {
    return choose_grpc(head, route, rules);
  }
  const std::optional<Framing> wish = parse_alt(alt);
  if (!route.plan->is_server_streaming) {
    if (!alt.empty() && wish != Framing::Array) {
      return refuse_alt("json, since the method answers with one message", alt);
    }
    return chosen(std::make_unique<JsonUnary>(rules, make_request(route, rules, std::move(bindings))));
  }
  if (!alt.empty() && !wish.has_value()) {
    return refuse_alt("sse, ndjson or json", alt);
  }
  const Framing unasked = rules.stream != nullptr ? rules.stream->framing : Framing::NdJson;
  const Framing framing = wish.has_value() ? *wish : choose_framing(head.fields, unasked);
  auto stream = std::make_unique<JsonStream>(rules, make_request(route, rules, std::move(bindings)), framing);
  if (head.method == "HEAD") {
    return ChosenProtocol{.protocol = nullptr, .answer = stream->head_alone()};
  }
  return chosen(std::move(stream));
}

}  // namespace transom
