#include "net/mailbox.h"

#include <uv.h>

#include <mutex>
#include <utility>
#include <vector>

#include "base/check.h"

namespace transom {

struct Mailbox::State {
  // Outlives the state until the vendor lets go of it.
  struct Bell {
    uv_async_t async{};
    State* state = nullptr;
  };

  void deliver();

  std::mutex mutex;
  std::vector<std::function<void()>> letters;
  bool is_closed = false;
  Bell* bell = nullptr;  // not to be rung once closed
};

Mailbox::Mailbox(Loop& loop) : state_(std::make_shared<State>()) {
  state_->bell = new State::Bell;
  state_->bell->state = state_.get();
  state_->bell->async.data = state_->bell;
  int error = uv_async_init(loop.handle(), &state_->bell->async, [](uv_async_t* async) {
    auto* bell = static_cast<State::Bell*>(async->data);
    if (bell->state != nullptr) {
      bell->state->deliver();
    }
  });
  check(error == 0, "no mailbox can be made");
}

Mailbox::~Mailbox() {
  std::vector<std::function<void()>> dropped;
  {
    std::lock_guard lock(state_->mutex);
    state_->is_closed = true;
    dropped.swap(state_->letters);
  }
  state_->bell->state = nullptr;
  uv_close(reinterpret_cast<uv_handle_t*>(&state_->bell->async),
           [](uv_handle_t* handle) { delete static_cast<State::Bell*>(handle->data); });
}

bool Mailbox::post(std::function<void()> letter) { return Sender(state_).post(std::move(letter)); }

Mailbox::Sender Mailbox::sender() const { return Sender(state_); }

bool Mailbox::Sender::post(std::function<void()> letter) const {
  std::lock_guard lock(state_->mutex);
  if (state_->is_closed) {
    return false;
  }
  state_->letters.push_back(std::move(letter));
  if (state_->letters.size() == 1) {
    uv_async_send(&state_->bell->async);
  }
  return true;
}

void Mailbox::State::deliver() {
  std::vector<std::function<void()>> arrived;
  {
    std::lock_guard lock(mutex);
    arrived.swap(letters);
  }
  Bell* own_bell = bell;  // closing the mailbox from inside a letter may end this state, the bell lives on till later
  for (std::function<void()>& letter : arrived) {
    letter();
    letter = nullptr;
    if (own_bell->state == nullptr) {
      return;
    }
  }
}

}  // namespace transom
