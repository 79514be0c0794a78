#include "proxy/web_socket_choice.h"

#include <utility>

#include "protocol/web_socket_stream.h"

namespace transom {

Result<ChosenProtocol> choose_web_socket(const RequestHead& head, const Route& route, const TranscodeRules& rules,
                                         RequestBindings&& bindings) {
  const Result<WebSocketChoice> choice = choose_web_socket_form(head.fields);
  if (!choice.ok()) {
    return choice.status();
  }
  if (route.plan == nullptr && choice->form == WebSocketForm::Json) {
    return client_error(Code::Unimplemented,
                        "no schema is known of this route's service: its messages go by the subprotocol transom.proto");
  }
  if (route.request.body == BodyKind::None) {
    // Messages then say what the rule leaves to the query; where both speak, the query does.
    for (Binding& binding : bindings.bindings) {
      binding.origin = Origin::Path;
    }
  }
  TranscodeRules of_frames = rules;
  of_frames.request = &route.frames;
  const WebSocketKind kind{.form = choice->form,
                           .is_client_streaming = route.plan == nullptr || route.plan->is_client_streaming,
                           .is_server_streaming = route.plan == nullptr || route.plan->is_server_streaming,
                           .open_status = static_cast<uint16_t>(head.version == HttpVersion::Http1 ? 101 : 200)};
  ChosenProtocol chosen;
  chosen.protocol = std::make_unique<WebSocketStream>(of_frames, std::move(bindings), kind);
  chosen.subprotocol = choice->subprotocol;
  return chosen;
}

}  // namespace transom
