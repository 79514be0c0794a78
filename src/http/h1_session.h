// H1Session speaks HTTP/1.0 and 1.1 on one transport: one exchange at a time, the next request parsed when the last
// answer has left, what came early kept within one read. It also notices the HTTP/2 preface and the h2c upgrade and
// hands its transport over. Owned by the SessionSet; it ends itself through the room's owner. One thread.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "http/deadline.h"
#include "http/h1_body.h"
#include "http/h1_exchange.h"
#include "http/h1_input.h"
#include "http/h1_parser.h"
#include "http/h1_patience.h"
#include "http/h1_writer.h"
#include "http/session_room.h"
#include "net/loop.h"
#include "net/transport.h"

namespace transom {

struct H2Upgrade;  // http/h2_session.h

class H1Session final : public Session, private TransportHandler, private Flushable, private H1AnswerSink {
 public:
  // may_switch: HTTP/2 may be spoken here without ALPN having said so.
  H1Session(SessionRoom& room, std::unique_ptr<Transport> transport, bool may_switch);
  ~H1Session() override;

  void drain() override;
  void pause_bodies(bool paused) override;
  void close() override;

 private:
  enum class Phase : uint8_t {
    Request,    // a head or a body is read, or the answer is awaited
    Dropping,   // the answer has left, the rest of the body is read and dropped
    Lingering,  // our side has ended; what still comes is dropped, so that no reset overtakes the answer
    Ended,
  };

  void on_transport_bytes(std::string_view bytes) override;
  void on_transport_eof() override;
  void on_transport_ending() override;
  void on_transport_drained() override;
  void on_transport_error(const Status& status) override;
  void flush() override;
  void on_answer_head(const ResponseHead& head) override;
  void on_answer_bytes(std::string&& bytes) override;
  void on_answer_end(const Fields& trailers) override;
  void on_answer_cut() override;
  void on_body_consumed(size_t bytes) override;
  size_t answer_buffered() const override { return writer_.buffered() + transport_->queued(); }

  // Reading.
  void read_buffered();
  void parse();
  bool read_one();
  bool read_web_socket();
  bool may_parse() const;
  size_t body_credit() const;
  bool switches_protocol();
  void switch_to_h2(std::unique_ptr<H2Upgrade> upgrade);
  void on_head();
  void on_body(std::string_view bytes);
  void on_request_end();
  bool is_starved() const;
  void update_reading();
  bool wants_bytes() const;

  // Writing.
  void write_answer();
  void decide_close();
  bool can_reach_next() const;
  bool takes_body() const;
  void on_answer_left();
  void refuse(const Refusal& refusal);
  void answer_refusal(const Status& status, const std::string& id, const Fields& request);
  void tell_send_ready();

  // Ending and time.
  void on_client_gone();
  bool may_still_read() const;
  bool can_be_asked() const;
  void ask();
  void end_exchange(const Status& status);
  void linger();
  void end();
  void update_deadline();
  void on_deadline();
  void on_waited(H1Wait waited);
  H1Wait wait() const;
  bool is_web_socket() const { return facts_.is_web_socket && exchange_ != nullptr; }
  bool has_open_answer() const { return exchange_ != nullptr || is_refusing_; }
  bool reads_head() const { return !has_open_answer() && phase_ == Phase::Request; }

  SessionRoom& room_;
  std::unique_ptr<Transport> transport_;
  Deadline deadline_;
  H1Parser parser_;
  H1Writer writer_;
  H1Facts facts_;                         // of the request being answered
  std::unique_ptr<H1Exchange> exchange_;  // null between requests and while the session answers by itself
  H1Input input_;
  H1Body body_;  // of the request being answered or dropped
  H1Patience patience_;
  Phase phase_ = Phase::Request;
  bool may_switch_;
  bool is_refusing_ = false;  // the session's own answer is on its way
  bool close_after_ = false;  // nothing follows the answer that is open
  bool is_draining_ = false;
  bool has_peer_ended_ = false;
  bool sends_continue_ = false;  // a 100 is due at the next flush
  bool has_asked_ = false;       // by a 100 whether a client that has ended its side is still there
  bool is_above_high_ = false;
  bool is_reading_ = true;
  size_t requests_ = 0;
  size_t requests_this_turn_ = 0;
  const TimePoint opened_;
};

}  // namespace transom
