// H2Session speaks HTTP/2 on one transport: it feeds an H2Codec, keeps an exchange per stream, and sends in the loop's
// flush what the codec and the exchanges have, bounded per turn. Owned by the SessionSet; it ends itself through the
// room's owner. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "http/deadline.h"
#include "http/h2_answers.h"
#include "http/h2_codec.h"
#include "http/h2_exchange.h"
#include "http/h2_exchange_list.h"
#include "http/h2_limits.h"
#include "http/h2_session.h"
#include "net/loop.h"
#include "net/transport.h"

namespace transom {

class H2Session final : public H2Opening,
                        private TransportHandler,
                        private Flushable,
                        private H2Events,
                        private H2ExchangeOwner {
 public:
  H2Session(SessionRoom& room, std::unique_ptr<Transport> transport);
  ~H2Session() override;

  void begin(std::unique_ptr<H2Upgrade> upgrade, std::string_view bytes) override;
  void drain() override;
  void pause_bodies(bool paused) override;
  void close() override;

 private:
  enum class Phase : uint8_t {
    Open,
    Closing,    // nothing more is read from the client; what the codec has is sent, then the session lingers
    Lingering,  // our side has ended; what still comes is dropped
    Ended,
  };

  void on_transport_bytes(std::string_view bytes) override;
  void on_transport_eof() override;
  void on_transport_drained() override;
  void on_transport_error(const Status& status) override;
  void flush() override;

  bool on_control_frame() override;
  H2Exchange& on_request_begin(int32_t stream) override;
  bool on_field(H2Exchange& exchange, bool is_trailer, std::string_view name, std::string_view value) override;
  void on_invalid_field(H2Exchange& exchange) override;
  void on_head(H2Exchange& exchange, bool ends) override;
  void on_data(H2Exchange& exchange, std::string_view bytes) override;
  bool on_data_frame(size_t bytes, bool ends) override;
  void on_request_end(H2Exchange& exchange) override;
  void on_settings_ack() override { has_settings_ack_ = true; }
  void on_ping_ack() override;
  void on_stream_close(H2Exchange& exchange, uint32_t error) override;
  bool on_frame_sent(H2Exchange* exchange, const H2SentFrame& frame) override;
  int64_t next_data(H2Exchange& exchange, size_t max, bool& ends, bool& has_trailers) override {
    return answers_.next_data(exchange, max, ends, has_trailers);
  }
  bool write_data(H2Exchange& exchange, std::string_view frame_header, size_t bytes) override {
    return answers_.write_data(exchange, frame_header, bytes);
  }

  void on_answer_changed(H2Exchange& exchange) override;
  void on_body_consumed(H2Exchange& exchange, size_t bytes) override;

  void read(std::string_view bytes);
  void after_read();
  H2Exchange& add_exchange(int32_t stream);
  void start_exchange(H2Exchange& exchange);
  void refuse(H2Exchange& exchange, const Status& status, const std::string& id);
  void drop(H2Exchange& exchange, size_t bytes);
  void pull_all();
  void settle();
  bool fail(H2Error error);
  void start_goaway();
  void finish_goaway();
  void linger();
  void end(const Status& status);
  bool is_over_age() const;

  void note_cut_answers();
  void sweep();
  void sweep_exchange(H2Exchange& exchange, TimePoint now);
  bool has_dropped_enough(const H2Exchange& exchange, TimePoint now) const;
  bool is_write_stuck(TimePoint now);
  void set_deadline();

  SessionRoom& room_;
  std::unique_ptr<Transport> transport_;
  Deadline deadline_;
  H2Limits limits_;
  H2Codec codec_;
  H2Answers answers_;
  H2ExchangeList exchanges_;
  std::string input_;  // came, and not yet received: more requests at once than a turn begins
  Charge input_charge_;
  Phase phase_ = Phase::Open;
  bool has_settings_ack_ = false;
  bool is_draining_ = false;       // the notice was sent
  bool has_said_goodbye_ = false;  // the last GOAWAY was sent
  size_t requests_ = 0;
  size_t requests_this_turn_ = 0;
  size_t untaken_ = 0;  // by the client, when this was last looked at
  TimePoint opened_;
  TimePoint idle_since_;
  TimePoint head_since_;  // of the header block that is being read
  TimePoint drain_since_{};
  TimePoint wrote_since_;
  H2Exchange* reading_head_ = nullptr;
};

}  // namespace transom
