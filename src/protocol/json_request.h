// JsonRequest is the request half of every protocol whose client sends one message: it collects the body, within the
// bound, and hands it out as one Conversion. Where the rule takes no body, one that comes is dropped, and the message is
// ready at its end: there are clients that read no answer while they send. Of a very long one the rest is not waited
// for. A part of JsonUnary and of JsonStream.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/request_messages.h"

namespace transom {

class JsonRequest final : public RequestMessages {
 public:
  JsonRequest(const TranscodeRules& rules, RequestBindings bindings);

  Status on_head(const BodyHead& head) override;
  Status on_bytes(std::string_view bytes) override;
  void on_end() override { is_complete_ = true; }
  std::optional<Conversion> next() override;
  bool is_done() const override { return is_taken_; }
  bool is_stream() const override { return false; }
  size_t held_bytes() const override { return body_.size(); }
  SlipSet slips() const override { return slips_; }

 private:
  bool takes_body() const { return rules_.request->body != BodyKind::None; }
  Status check_size(size_t bytes) const;
  Status check_unused();
  Status take_extensions();

  const TranscodeRules& rules_;
  RequestBindings bindings_;
  BodyHead head_;
  std::string body_;
  std::string extensions_;  // of an HttpBody
  SlipSet slips_;
  size_t ignored_bytes_ = 0;
  bool is_type_checked_ = false;
  bool is_complete_ = false;
  bool is_taken_ = false;
};

}  // namespace transom
