// H2Client is the client end of one HTTP/2 session (RFC 9113): a thin C++ face over nghttp2, which no other file of
// this folder names. It turns received bytes into events and its streams' queues into bytes to send; it does no I/O and
// keeps no clock. Owned by a Channel; one thread. produce() and receive() may not be called from inside its events;
// everything else may.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "backend/send_queue.h"
#include "base/fields.h"
#include "base/limits.h"
#include "base/status.h"

struct nghttp2_session;

namespace transom {

// One stream, from open() until on_stream_end, on_stream_close or reset(). It may be destroyed inside any of its events
// if it was reset() before or the event is its last.
class H2Stream {
 public:
  // Of a head or of trailers, pseudo-fields included. False: more than the stream takes; on_stream_close follows.
  virtual bool on_stream_field(std::string_view name, std::string_view value) = 0;
  // All fields of one block were told; is_last: the stream ended with it, last event.
  virtual void on_stream_fields_end(bool is_last) = 0;
  virtual void on_stream_bytes(std::string_view bytes) = 0;
  // The stream ended with a DATA frame; last event.
  virtual void on_stream_end() = 0;
  // The stream was reset by the peer or for an error of the protocol, or never opened; last event.
  virtual void on_stream_close(uint32_t h2_error) = 0;
  // The request's first byte is byte number `at` of what produce() ever made.
  virtual void on_stream_leaving(uint64_t at) = 0;
  // Some bytes of stream_queue() were read by produce().
  virtual void on_stream_sent(size_t bytes) = 0;
  virtual SendQueue& stream_queue() = 0;

 protected:
  ~H2Stream() = default;
};

class H2Events {
 public:
  // streams_max: what the peer allows; the largest number when it does not say.
  virtual void on_h2_settings(uint32_t streams_max) = 0;
  virtual void on_h2_goaway(uint32_t h2_error, std::string_view debug) = 0;
  // A stream gave its place free.
  virtual void on_h2_stream_gone() = 0;

 protected:
  ~H2Events() = default;
};

class H2Client {
 public:
  H2Client(const ChannelLimits& limits, H2Events& events);
  ~H2Client();
  H2Client(const H2Client&) = delete;
  H2Client& operator=(const H2Client&) = delete;

  // UNAVAILABLE with a reason: the session is broken.
  Status receive(std::string_view bytes);
  // Appends bytes to send until `out` has out_bytes_max or nothing is left (one frame may pass the bound).
  Status produce(std::string& out, size_t out_bytes_max);
  uint64_t produced_bytes() const { return produced_; }
  bool wants_write() const;
  // Neither side will say more.
  bool is_over() const;
  // What the peer did wrong, for a person.
  std::string last_error() const { return last_error_.empty() ? "the protocol was broken" : last_error_; }

  // The id, or a negative number when no more streams can be opened. Names in lower case, pseudo-fields first.
  int32_t open(std::span<const Field> fields, H2Stream& stream);
  // Bytes or the end were added to the stream's queue after it had run empty.
  void resume(int32_t id);
  // No event comes for it any more.
  void reset(int32_t id, uint32_t h2_error);
  // Opens the stream's window. The session's own window opens by itself on receipt, so that no slow reader holds
  // others.
  void consume(int32_t id, size_t bytes);
  void set_window(int32_t id, size_t bytes);
  void ping();

 private:
  struct Hooks;  // nghttp2's callbacks

  H2Events& events_;
  nghttp2_session* session_ = nullptr;
  std::string* out_ = nullptr;  // produce()'s target while it runs
  uint64_t produced_ = 0;       // before the running produce()
  size_t out_begin_ = 0;
  size_t out_bytes_max_ = 0;
  std::string last_error_;
};

}  // namespace transom
