#include "proxy/protocol_choice.h"

#include <string>
#include <utility>

#include "protocol/grpc_pass_through.h"
#include "protocol/json_server_stream.h"
#include "protocol/json_unary.h"
#include "protocol/media_type.h"
#include "proxy/web_socket_choice.h"

namespace transom {
namespace {

ChosenProtocol chosen(std::unique_ptr<ClientProtocol> protocol) { return {.protocol = std::move(protocol)}; }

}  // namespace

Result<ChosenProtocol> choose_protocol(const RequestHead& head, const Route& route, const TranscodeRules& rules,
                                       RequestBindings&& bindings) {
  if (head.is_web_socket) {
    return choose_web_socket(head, route, rules, std::move(bindings));
  }
  if (route.kind != RouteKind::Json) {
    return chosen(std::make_unique<GrpcPassThrough>(std::string(head.fields.find("content-type").value_or(""))));
  }
  if (route.plan->is_client_streaming) {
    return proxy_error(Code::Unimplemented, "client streaming over JSON is not supported yet; call " + route.rpc + " by gRPC");
  }
  if (!route.plan->is_server_streaming) {
    return chosen(std::make_unique<JsonUnary>(rules, std::move(bindings)));
  }
  auto stream = std::make_unique<JsonServerStream>(rules, std::move(bindings), choose_framing(head.fields));
  if (head.method == "HEAD") {
    return ChosenProtocol{.protocol = nullptr, .answer = stream->head_alone()};
  }
  return chosen(std::move(stream));
}

}  // namespace transom
