// Watch tells its target when one file descriptor of a Loop is readable or writable (level-triggered). It owns the
// vendor's handle, and the descriptor too unless told otherwise; both are closed when it is destroyed, which is safe
// inside on_ready. No callback comes after. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "base/status.h"
#include "net/loop.h"

namespace transom {

class WatchTarget {
 public:
  // A descriptor with an error may be both readable and writable: the next system call tells which.
  virtual void on_ready(bool is_readable, bool is_writable) = 0;

 protected:
  ~WatchTarget() = default;
};

class Watch {
 public:
  enum class Owns : bool { No, Yes };
  enum class Peer : uint8_t {
    Ignored,
    Breaks,  // it has gone altogether
    Ends,    // or has ended its side, whatever of it is unread
  };

  // Takes over the descriptor even when it fails: RESOURCE_EXHAUSTED, when the kernel can watch no more.
  static Result<std::unique_ptr<Watch>> make(Loop& loop, int fd, Owns owns = Owns::Yes);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  void set_target(WatchTarget* target) { target_ = target; }
  // What to wait for from now on; the same as before costs nothing. What the peer does is told as neither readable nor
  // writable.
  void want(bool readable, bool writable, Peer peer = Peer::Ignored);
  bool wants_readable() const { return wants_readable_; }
  bool wants_writable() const { return wants_writable_; }
  // Turns true when the watch is destroyed, and may be read until this turn of the loop ends: so a target finds out
  // that a callback has destroyed it.
  const bool& is_gone() const;
  int fd() const { return fd_; }
  Loop& loop() { return loop_; }

 private:
  struct Handle;
  Watch(Loop& loop, int fd, Owns owns) : loop_(loop), fd_(fd), owns_(owns) {}
  static void on_event(Handle& handle, int status, int events);

  Loop& loop_;
  const int fd_;
  const Owns owns_;
  Handle* handle_ = nullptr;  // outlives the watch until the vendor lets go of it
  WatchTarget* target_ = nullptr;
  bool wants_readable_ = false;
  bool wants_writable_ = false;
  Peer wanted_peer_ = Peer::Ignored;
};

}  // namespace transom
