// H2Codec is nghttp2's server session in our types: it turns bytes into H2Events and what is submitted into bytes. It
// knows frames and streams, not what they mean. Owned by an H2Session, whose H2Events it calls while it receives and
// while it is pulled; inside those calls receive() and pull() must not be called, and nothing may be destroyed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/fields.h"
#include "base/limits.h"

struct nghttp2_session;

namespace transom {

class H2Exchange;
struct NvScratch;  // the vendor's fields, kept for the next head

// RFC 9113 section 7, those that we send by name.
enum class H2Error : uint32_t {
  None = 0,
  Protocol = 1,
  Internal = 2,
  SettingsTimeout = 4,
  Cancel = 8,
  EnhanceYourCalm = 11,
};

struct H2SentFrame {
  uint8_t type;
  uint8_t flags;
  int32_t stream;
  size_t bytes;    // of the payload
  uint32_t error;  // of RST_STREAM
};

class H2Events {
 public:
  // What bool says is whether the session goes on; if not, receive() stops and says so.
  virtual bool on_control_frame() = 0;
  virtual H2Exchange& on_request_begin(int32_t stream) = 0;
  // False: receive() returns early, after this field; the rest of its bytes must come again.
  virtual bool on_field(H2Exchange& exchange, bool is_trailer, std::string_view name, std::string_view value) = 0;
  virtual void on_invalid_field(H2Exchange& exchange) = 0;
  virtual void on_head(H2Exchange& exchange, bool ends) = 0;
  virtual void on_data(H2Exchange& exchange, std::string_view bytes) = 0;
  virtual bool on_data_frame(size_t bytes, bool ends) = 0;
  virtual void on_request_end(H2Exchange& exchange) = 0;
  virtual void on_settings_ack() = 0;
  virtual void on_ping_ack() = 0;
  // The exchange is unknown to the codec from now on.
  virtual void on_stream_close(H2Exchange& exchange, uint32_t error) = 0;
  virtual bool on_frame_sent(H2Exchange* exchange, const H2SentFrame& frame) = 0;

  // The next DATA of an answer, at most max bytes: how many, or kNoDataNow. ends and has_trailers speak of what
  // follows.
  static constexpr int64_t kNoDataNow = -1;
  virtual int64_t next_data(H2Exchange& exchange, size_t max, bool& ends, bool& has_trailers) = 0;
  // Takes the frame's header and that many bytes of the exchange's answer. False: not now.
  virtual bool write_data(H2Exchange& exchange, std::string_view frame_header, size_t bytes) = 0;

 protected:
  ~H2Events() = default;
};

class H2Codec {
 public:
  H2Codec(H2Events& events, const SessionLimits& limits, size_t exchange_window);
  ~H2Codec();
  H2Codec(const H2Codec&) = delete;
  H2Codec& operator=(const H2Codec&) = delete;

  // Our SETTINGS and the session's window.
  void submit_settings();
  // Stream 1 comes from an upgrade. False: the settings are malformed.
  bool upgrade(std::string_view settings, bool is_head, H2Exchange& exchange);

  // How many bytes were taken (fewer only when on_field said so), or -1: the session is over, say goodbye and close.
  int64_t receive(std::string_view bytes);
  // The next bytes to send, empty when there are none (DATA goes through write_data alone).
  std::string_view pull();
  bool wants_read() const;
  bool wants_write() const;

  void consume_session(size_t bytes);
  void consume_stream(int32_t stream, size_t bytes);

  H2Exchange* find(int32_t stream) const;
  void submit_continue(int32_t stream);
  // ends: nothing follows. Otherwise next_data() is asked, or, without has_data, trailers are submitted at once.
  void submit_head(int32_t stream, uint16_t status, const Fields& fields, int64_t content_length, std::string_view date,
                   bool ends, bool has_data);
  void submit_trailers(int32_t stream, const Fields& trailers);
  // next_data() is asked again.
  void resume(int32_t stream);
  void reset(int32_t stream, H2Error error) { reset_with(stream, static_cast<uint32_t>(error)); }
  void reset_with(int32_t stream, uint32_t error);

  void submit_ping();
  // The notice that no new streams should be opened, and the GOAWAY that says which were the last.
  void submit_shutdown_notice();
  void submit_goaway(H2Error error);
  // No more is read; open streams end.
  void terminate(H2Error error);

 private:
  struct Callbacks;
  nghttp2_session* session_ = nullptr;
  size_t window_;
  size_t streams_;
  size_t header_list_bytes_;
  std::string number_;  // scratch of submit_head
  std::unique_ptr<NvScratch> nv_;
};

}  // namespace transom
