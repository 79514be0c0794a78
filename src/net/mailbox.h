// Mailbox is the one way a thread hands work to a Loop of another thread: post() from any thread, run in order on the
// loop's own. Closing it (on the loop's thread) drops what is still inside.
#pragma once

#include <functional>
#include <memory>
#include <utility>

#include "net/loop.h"

namespace transom {

class Mailbox {
 public:
  explicit Mailbox(Loop& loop);
  ~Mailbox();
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // Thread-safe. False when the mailbox is closed already.
  bool post(std::function<void()> letter);

  struct State;

  // Posts like the mailbox itself, may be copied to any thread, and may outlive it.
  class Sender {
   public:
    bool post(std::function<void()> letter) const;

   private:
    friend class Mailbox;
    explicit Sender(std::shared_ptr<State> state) : state_(std::move(state)) {}
    std::shared_ptr<State> state_;
  };
  Sender sender() const;

 private:
  std::shared_ptr<State> state_;
};

}  // namespace transom
