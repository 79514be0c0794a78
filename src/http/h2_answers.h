// H2Answers carries the answers of one HTTP/2 session's exchanges into its codec: in a flush it submits what changed,
// then hands over DATA as the codec asks for it, into the flush's buffer and no further than its bound. An answer that
// was cut is reset only after its bytes have been pulled (RFC 9113 section 5.4.2), and a moment later at that. One per
// session, one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/h2_codec.h"
#include "http/h2_exchange.h"
#include "http/session_room.h"
#include "net/timer.h"

namespace transom {

class H2Answers {
 public:
  // on_cut_due: an answer that was cut is to be noted again.
  H2Answers(SessionRoom& room, H2Codec& codec, std::function<void()> on_cut_due)
      : room_(room), codec_(codec), cut_timer_(room.loop, std::move(on_cut_due)) {}

  // Looked at in the next submit_changed().
  void note(H2Exchange& exchange);
  bool has_changes() const { return !changed_.empty(); }
  void submit_changed();
  void reset(H2Exchange& exchange, uint32_t error);

  // As in H2Events.
  int64_t next_data(H2Exchange& exchange, size_t max, bool& ends, bool& has_trailers);
  bool write_data(H2Exchange& exchange, std::string_view frame_header, size_t bytes);
  // HEADERS or DATA of it was pulled. True: more must be submitted.
  void on_sent(H2Exchange& exchange, bool is_head, bool ends);

 private:
  void submit(H2Exchange& exchange);
  void submit_answer(H2Exchange& exchange);
  void cut(H2Exchange& exchange);

  SessionRoom& room_;
  H2Codec& codec_;
  Timer cut_timer_;
  std::vector<int32_t> changed_;  // streams, since an exchange may be gone by then
  std::vector<int32_t> submitting_;
};

}  // namespace transom
