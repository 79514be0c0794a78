#include "net/watch.h"

#include <unistd.h>
#include <uv.h>

namespace transom {

struct Watch::Handle {
  uv_poll_t poll{};
  Watch* watch = nullptr;
  bool is_gone = false;
};

Result<std::unique_ptr<Watch>> Watch::make(Loop& loop, int fd, Owns owns) {
  std::unique_ptr<Watch> watch(new Watch(loop, fd, owns));
  auto handle = std::make_unique<Handle>();
  int error = uv_poll_init(loop.handle(), &handle->poll, fd);
  if (error != 0) {
    return proxy_error(Code::ResourceExhausted, std::string("cannot watch a socket: ") + uv_strerror(error));
  }
  handle->poll.data = handle.get();
  handle->watch = watch.get();
  watch->handle_ = handle.release();
  return watch;
}

Watch::~Watch() {
  if (handle_ != nullptr) {
    handle_->watch = nullptr;
    handle_->is_gone = true;
    uv_close(reinterpret_cast<uv_handle_t*>(&handle_->poll),
             [](uv_handle_t* handle) { delete static_cast<Handle*>(handle->data); });
  }
  if (owns_ == Owns::Yes) {
    ::close(fd_);
  }
}

const bool& Watch::is_gone() const { return handle_->is_gone; }

void Watch::want(bool readable, bool writable, Peer peer) {
  if (readable == wants_readable_ && writable == wants_writable_ && peer == wanted_peer_) {
    return;
  }
  wanted_peer_ = peer;
  wants_readable_ = readable;
  wants_writable_ = writable;
  // The kernel tells of a break whatever it is asked for, but the vendor must ask for something.
  int of_peer = peer == Peer::Ends ? UV_DISCONNECT : peer == Peer::Breaks ? UV_PRIORITIZED : 0;
  int events = (readable ? UV_READABLE : 0) | (writable ? UV_WRITABLE : 0) | of_peer;
  if (events == 0) {
    uv_poll_stop(&handle_->poll);
    return;
  }
  uv_poll_start(&handle_->poll, events,
                [](uv_poll_t* poll, int status, int now) { on_event(*static_cast<Handle*>(poll->data), status, now); });
}

void Watch::on_event(Handle& handle, int status, int events) {
  Watch* watch = handle.watch;
  if (watch == nullptr || watch->target_ == nullptr) {
    return;
  }
  if (status < 0) {  // the vendor has stopped the handle; whoever still wants something starts it again
    watch->wants_readable_ = watch->wants_writable_ = false;
    watch->wanted_peer_ = Peer::Ignored;
    watch->target_->on_ready(true, true);
    return;
  }
  watch->target_->on_ready((events & UV_READABLE) != 0, (events & UV_WRITABLE) != 0);
}

}  // namespace transom
