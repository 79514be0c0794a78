// A Conversion is the work of turning one message from the client's form into the replica's or back: JSON, HttpBody or
// bytes passed on as they are. It owns its input and bindings; the rules it points to live in the request's snapshot,
// which whoever runs it must hold. Run once, on any thread: here, or on the offload pool when input_bytes() is large.
#pragma once

#include <atomic>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fields.h"
#include "base/limits.h"
#include "base/status.h"
#include "compress/gzip.h"
#include "protocol/error_body.h"
#include "protocol/http_body.h"
#include "protocol/stream_options.h"
#include "schema/binding.h"
#include "schema/schema.h"
#include "schema/shape.h"
#include "transcode/json_options.h"

namespace transom {

inline constexpr size_t kNeverGzip = std::numeric_limits<size_t>::max();

// What the messages of one route are transcoded by. All of it lives in the snapshot.
struct TranscodeRules {
  const RequestShape* request = nullptr;
  const ResponseShape* response = nullptr;
  const JsonOptions* json = nullptr;
  const Limits* limits = nullptr;
  const Schema* schema = nullptr;  // for the details of an error
  ErrorForm errors = ErrorForm::Status;
  // Of a message made for the replica: from so many bytes on it is compressed, if it is shorter then. The call says so
  // in its grpc-encoding.
  size_t gzip_at_least = kNeverGzip;
  const StreamOptions* stream = nullptr;  // null: the defaults
};

// What path and query say of the request message.
struct RequestBindings {
  std::vector<Binding> bindings;
  std::vector<std::unique_ptr<FieldPath>> paths;  // storage of some bindings' paths

  // They are moved out, or copied when later messages take them too.
  RequestBindings take(bool keeps);
};

class Conversion {
 public:
  // One that fails when it is run: for a message that cannot be taken up, in its place among the others.
  static Conversion failure(Status status);
  // Passed on as it is.
  static Conversion verbatim(std::string bytes);
  // JSON text, padded, or "" -> a framed message.
  static Conversion from_json(const TranscodeRules& rules, RequestBindings bindings, std::string text);
  // Raw bytes -> a framed message that is, or has as its body field, a google.api.HttpBody.
  static Conversion from_http_body(const TranscodeRules& rules, RequestBindings bindings, std::string bytes,
                                   HttpBodyHead head);
  // A message's bytes, not looked at -> a framed message; path and query beat them.
  static Conversion from_wire(const TranscodeRules& rules, RequestBindings bindings, std::string message);
  // A message as it came -> its bytes as one binary piece (base/message_piece.h).
  static Conversion to_binary_piece(const TranscodeRules& rules, std::string message, Coding coding);
  // A message as it came -> JSON between two pieces of text, which must outlive this.
  static Conversion to_json(const TranscodeRules& rules, std::string message, Coding coding, std::string_view before,
                            std::string_view after);
  // A message as it came -> JSON in a frame like that of gRPC, for protocols whose messages have an outer framing.
  static Conversion to_json_frame(const TranscodeRules& rules, std::string message, Coding coding);
  // A message that is, or has as its body field, a google.api.HttpBody -> its bytes; content_type() is known then, and
  // answer_fields() of the one that begins the answer.
  static Conversion to_http_body(const TranscodeRules& rules, std::string message, Coding coding, bool begins_answer);

  // Its place among the messages of a stream, from 1, which is named when the client's text is refused.
  void number_as(uint64_t number) { number_ = number; }
  // The client's message was compressed so.
  void compressed_by(Coding coding) { coding_ = coding; }
  // Server-sent events: that field of the message stands as the event's id before everything else.
  void identify_by(const FieldPath& field) { event_id_ = &field; }

  // How much work it is: bytes in, more for what is compressed.
  size_t input_bytes() const;

  // Appends the output. CANCELLED when *cancelled became true; cancelled may be null.
  Status run(std::string& out, const std::atomic<bool>* cancelled);

  const std::string& content_type() const { return body_head_.content_type; }
  const Fields& answer_fields() const { return answer_fields_; }
  // Known when it has run: what of its input was let pass and is to be reported.
  SlipSet slips() const { return slips_; }

 private:
  enum class Work : uint8_t { Failure, Verbatim, FromJson, FromHttpBody, FromWire, ToJson, ToHttpBody, ToPiece };

  Conversion(Work work, std::string input) : work_(work), input_(std::move(input)) {}
  Status run_from_json(std::string& out, const std::atomic<bool>* cancelled);
  Status run_from_http_body(std::string& out);
  Status run_to_json(std::string& out, const std::atomic<bool>* cancelled);
  Status run_to_http_body(std::string& out);
  Status run_from_wire(std::string& out);
  Status append_bindings(std::string& out) const;
  Status end_message(std::string& out, size_t at) const;
  void close_frame(std::string& out, size_t at) const;
  Status inflate_input(size_t bytes_max, Fault sender);
  void append_event_id(std::string& out) const;

  Work work_;
  Coding coding_ = Coding::Identity;
  bool is_framed_ = false;
  std::string input_;
  TranscodeRules rules_;
  RequestBindings bindings_;
  std::string_view before_;
  std::string_view after_;
  const FieldPath* event_id_ = nullptr;
  uint64_t number_ = 0;
  HttpBodyHead body_head_;
  bool begins_answer_ = false;
  Fields answer_fields_;
  Status failure_;
  SlipSet slips_;
};

}  // namespace transom
