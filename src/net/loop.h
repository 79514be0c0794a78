// Loop is one thread's event loop over libuv: it runs timers, sockets and mailboxes, flushes what was marked once per
// turn (design decision 4), and buries what was cancelled (decision 7). Made, used and destroyed on one thread, except
// where Mailbox says otherwise. Everything that stands on a Loop must be gone before it, or be buried on it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

struct uv_loop_s;

namespace transom {

using Clock = std::chrono::steady_clock;
using TimePoint = Clock::time_point;

// Something with bytes to send. mark() it; flush() is then called once, before the loop waits again. Its destructor
// takes the mark back.
class Flushable {
 public:
  virtual void flush() = 0;

 protected:
  Flushable() = default;
  Flushable(const Flushable&) = delete;
  Flushable& operator=(const Flushable&) = delete;
  virtual ~Flushable();

 private:
  friend class Loop;
  class Loop* marked_on_ = nullptr;
  size_t mark_index_ = 0;
};

// Shared by all transports of one Loop, so that an idle one holds no buffer. Empty, or anyone's, between two callbacks.
struct LoopBuffers {
  static constexpr size_t kBytes = 64 * 1024;
  char read[kBytes];
  char plain[kBytes];   // decrypted
  std::string cipher;   // encrypted, on its way out
};

class Loop {
 public:
  Loop();
  ~Loop();
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;

  // Runs until stop(); what was buried last is destroyed before it returns.
  void run();
  void stop();

  // Taken once in each phase of a turn, when first asked for; cheap.
  TimePoint now() const;

  void mark(Flushable& flushable);

  // Destroys it after this turn's flush, when no vendor's parser is on the stack.
  template <class T>
  void bury(std::unique_ptr<T> dead) {
    if (dead != nullptr) {
      bury_erased({dead.release(), [](void* p) { delete static_cast<T*>(p); }});
    }
  }
  // Runs it after this turn's flush, in order, before what is buried later.
  void defer(std::function<void()> action);

  uv_loop_s* handle();
  // Scratch space of those who read and write on this loop.
  LoopBuffers& buffers();

  // Called about every 100 ms with how much later than asked the loop came round; metrics only.
  void set_lag_observer(std::function<void(std::chrono::nanoseconds)> observer);

 private:
  friend class Flushable;
  friend class Timer;
  using Erased = std::unique_ptr<void, void (*)(void*)>;
  void bury_erased(Erased dead);

  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace transom
