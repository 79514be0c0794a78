#include "http/h2_answers.h"

#include <algorithm>

namespace transom {

void H2Answers::note(H2Exchange& exchange) {
  if (!exchange.is_dirty) {
    exchange.is_dirty = true;
    changed_.push_back(exchange.stream);
  }
}

void H2Answers::submit_changed() {
  submitting_.swap(changed_);
  for (int32_t stream : submitting_) {
    if (H2Exchange* exchange = codec_.find(stream)) {
      exchange->is_dirty = false;
      submit(*exchange);
    }
  }
  submitting_.clear();
}

void H2Answers::submit(H2Exchange& exchange) {
  if (exchange.is_reset) {
    return;
  }
  if (exchange.sends_continue && !exchange.is_answered()) {
    exchange.sends_continue = false;
    codec_.submit_continue(exchange.stream);
  }
  if (exchange.is_answered() && !exchange.is_submitted) {
    submit_answer(exchange);
  } else if (exchange.is_submitted && !exchange.has_left_end) {
    codec_.resume(exchange.stream);
  }
  // With its head on the way the reset must wait for it: nghttp2 sends nothing more for a stream that is being reset.
  if (exchange.is_cut() && exchange.body().empty() && (exchange.has_left_head || !exchange.is_submitted)) {
    cut(exchange);
  }
}

void H2Answers::submit_answer(H2Exchange& exchange) {
  exchange.is_submitted = true;
  exchange.wrote_since = room_.loop.now();
  const ResponseHead& head = exchange.answer();
  bool is_whole = exchange.has_ended() && !exchange.is_cut() && exchange.body().empty();
  bool has_trailers = !exchange.trailers().empty();
  bool ends = is_whole && !has_trailers;
  codec_.submit_head(exchange.stream, head.status, head.fields, head.content_length, room_.date.now(), ends, !is_whole);
  if (is_whole && has_trailers) {
    codec_.submit_trailers(exchange.stream, exchange.trailers());
  }
}

void H2Answers::cut(H2Exchange& exchange) {
  const TimePoint due = exchange.is_submitted ? exchange.wrote_since + room_.options.limits.late_reset_delay : TimePoint();
  if (due <= room_.loop.now()) {
    reset(exchange, exchange.cut_error());
  } else if (!cut_timer_.is_active()) {
    cut_timer_.start_at(due);
  }
}

void H2Answers::reset(H2Exchange& exchange, uint32_t error) {
  if (!exchange.is_reset) {
    exchange.is_reset = true;
    codec_.reset_with(exchange.stream, error);
  }
}

int64_t H2Answers::next_data(H2Exchange& exchange, size_t max, bool& ends, bool& has_trailers) {
  size_t bytes = std::min(max, exchange.body().size());
  if (bytes == 0 && exchange.is_cut()) {
    cut(exchange);
    return H2Events::kNoDataNow;
  }
  ends = bytes == exchange.body().size() && exchange.has_ended() && !exchange.is_cut();
  if (bytes == 0 && !ends) {
    return H2Events::kNoDataNow;
  }
  has_trailers = ends && !exchange.trailers().empty();
  if (has_trailers) {
    codec_.submit_trailers(exchange.stream, exchange.trailers());
  }
  return static_cast<int64_t>(bytes);
}

bool H2Answers::write_data(H2Exchange& exchange, std::string_view frame_header, size_t bytes) {
  std::string& out = room_.scratch;
  if (out.size() >= room_.options.limits.write_per_turn) {
    return false;
  }
  out.append(frame_header);
  exchange.wrote_since = room_.loop.now();
  while (bytes > 0) {
    std::string_view piece = exchange.body().front().substr(0, bytes);
    out.append(piece);
    bytes -= piece.size();
    exchange.body().pop(piece.size());
  }
  return true;
}

void H2Answers::on_sent(H2Exchange& exchange, bool is_head, bool ends) {
  exchange.has_left_head = exchange.has_left_head || (is_head && exchange.is_submitted);
  if (ends) {
    exchange.has_left_end = true;
    exchange.left_at = exchange.read_since = room_.loop.now();
    const bool was_open = exchange.head().is_web_socket && exchange.answer().status < 300;
    if (was_open && exchange.drops_rest()) {
      // A WebSocket that is closed: nothing worth reading can come, and its client may leave the stream open.
      reset(exchange, static_cast<uint32_t>(H2Error::None));
    }
  } else if (exchange.is_cut() && exchange.body().empty()) {
    note(exchange);
  }
}

}  // namespace transom
