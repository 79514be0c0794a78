// JsonRequestStream reads a client's stream of messages: lines or an array or a sequence of JSON values, cut by a
// JsonSplitter, or raw bytes for HttpBody, a message each as they come. What path and query say goes into the first
// message, or into every one where the route says so. A part of JsonUnary and JsonStream.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "protocol/json_splitter.h"
#include "protocol/request_messages.h"

namespace transom {

class JsonRequestStream final : public RequestMessages {
 public:
  // The rules must outlive this. binds_every: bindings go into every message.
  JsonRequestStream(const TranscodeRules& rules, RequestBindings bindings, bool binds_every);

  Status on_head(const BodyHead& head) override;
  Status on_bytes(std::string_view bytes) override;
  void on_end() override;
  std::optional<Conversion> next() override;
  bool is_done() const override;
  bool is_stream() const override { return true; }
  size_t held_bytes() const override { return raw_.size() + (splitter_ ? splitter_->held_bytes() : 0); }
  SlipSet slips() const override { return slips_; }

 private:
  Status begin();
  std::optional<Conversion> next_raw();

  const TranscodeRules& rules_;
  RequestBindings bindings_;
  const bool binds_every_;
  const bool is_raw_;  // HttpBody
  BodyHead head_;
  std::optional<JsonSplitter> splitter_;  // made with the first byte
  std::string raw_;
  HttpBodyHead raw_head_;  // until the first piece
  SlipSet slips_;
  bool is_ended_ = false;
  bool has_failed_ = false;
};

}  // namespace transom
