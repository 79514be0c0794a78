#include "protocol/web_socket_form.h"

#include <optional>
#include <string>

#include "base/text.h"

namespace transom {
namespace {

struct Named {
  std::string_view name;
  WebSocketForm form;
};

constexpr Named kForms[] = {{"transom.json", WebSocketForm::Json}, {"transom.proto", WebSocketForm::Proto}};

// RFC 6455 section 7.4.
constexpr uint16_t kNormal = 1000;
constexpr uint16_t kUnsupportedData = 1003;
constexpr uint16_t kTooBig = 1009;
constexpr uint16_t kOfCode = 4000;

std::optional<WebSocketChoice> choose(std::string_view offers) {
  std::optional<WebSocketChoice> choice;
  each_list_member(offers, [&choice](std::string_view offer) {
    for (const Named& known : kForms) {
      if (!choice.has_value() && offer == known.name) {
        choice = WebSocketChoice{known.form, known.name};
      }
    }
  });
  return choice;
}

}  // namespace

Result<WebSocketChoice> choose_web_socket_form(const Fields& request) {
  bool has_offers = false;
  for (const Field field : request) {
    if (field.name == "sec-websocket-protocol" && !trim(field.value).empty()) {
      has_offers = true;
      if (const std::optional<WebSocketChoice> choice = choose(field.value)) {
        return *choice;
      }
    }
  }
  if (has_offers) {
    return client_error(Code::InvalidArgument,
                        "none of the subprotocols offered is served; those are transom.json and transom.proto");
  }
  return WebSocketChoice{};
}

uint16_t close_code_of(const Status& status) {
  if (status.ok()) {
    return kNormal;
  }
  if (status.http_status == 413) {
    return kTooBig;
  }
  if (status.http_status == 415) {
    return kUnsupportedData;
  }
  const Code code = code_name(status.code).empty() ? Code::Unknown : status.code;
  return static_cast<uint16_t>(kOfCode + static_cast<uint16_t>(code));
}

}  // namespace transom
