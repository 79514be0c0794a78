// JsonRequest is the request half of every protocol whose client sends one message: it collects the body, within the
// bound, and hands it out as one Conversion. Where the rule takes no body, one that comes is dropped, and the message is
// ready at its end: there are clients that read no answer while they send. Of a very long one the rest is not waited
// for. A part of JsonUnary and of JsonServerStream.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/client_protocol.h"

namespace transom {

class JsonRequest {
 public:
  JsonRequest(const TranscodeRules& rules, RequestBindings bindings);

  Status on_head(const BodyHead& head);
  Status on_bytes(std::string_view bytes);
  void on_end() { is_complete_ = true; }
  std::optional<Conversion> next();
  bool is_done() const { return is_taken_; }
  size_t held_bytes() const { return body_.size(); }
  SlipSet slips() const { return slips_; }

 private:
  bool takes_body() const { return rules_.request->body != BodyKind::None; }
  Status check_size(size_t bytes) const;
  Status check_type();
  Status check_unused();

  const TranscodeRules& rules_;
  RequestBindings bindings_;
  BodyHead head_;
  std::string body_;
  SlipSet slips_;
  size_t ignored_bytes_ = 0;
  bool is_type_checked_ = false;
  bool is_complete_ = false;
  bool is_taken_ = false;
};

}  // namespace transom
