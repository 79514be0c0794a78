// H1Body keeps the account of one request's body in an HTTP/1.x session: what was delivered and not consumed, what may
// be delivered next, and whether its rest can be dropped to reach the next request. Pure; started for each request.
#pragma once

#include <cstddef>
#include <cstdint>

namespace transom {

class H1Body {
 public:
  // window: how much may be delivered and not consumed.
  explicit H1Body(size_t window) : window_(window) {}

  // length: -1 when chunked. waits_for_continue: it may never come if we do not say 100.
  void start(int64_t length, bool waits_for_continue);
  void on_continue_sent() { waits_for_continue_ = false; }
  void on_delivered(size_t bytes);
  void on_dropped(size_t bytes) { count(bytes); }
  void on_consumed(size_t bytes);
  void on_end() { has_ended_ = true; }
  // It cannot be read to its end.
  void on_broken();

  bool has_ended() const { return has_ended_; }
  // What may be delivered now. paused: no more than one window in all, so that a small body still passes (design
  // decision 6).
  size_t credit(bool paused) const;
  // A known rest of at most max bytes is on its way.
  bool can_drop_rest(size_t max) const;

 private:
  void count(size_t bytes);

  const size_t window_;
  int64_t left_ = 0;  // -1: unknown
  size_t unconsumed_ = 0;
  uint64_t came_ = 0;
  bool has_ended_ = false;
  bool waits_for_continue_ = false;
};

}  // namespace transom
