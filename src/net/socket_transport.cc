#include "net/socket_transport.h"

#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "net/errno_text.h"

namespace transom {

namespace {

constexpr int kUnsentBytes = 128 * 1024;
constexpr size_t kSentPerTurn = 256 * 1024;

bool is_temporary(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

void tune_tcp_socket(int fd) {
  int on = 1;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
  setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &kUnsentBytes, sizeof(kUnsentBytes));
}

SocketTransport::SocketTransport(std::unique_ptr<Watch> watch, std::string peer)
    : watch_(std::move(watch)), peer_(std::move(peer)), read_max_(LoopBuffers::kBytes) {
  watch_->set_target(this);
}

SocketTransport::~SocketTransport() {
  if (resets_on_close_) {
    linger at_once{1, 0};
    setsockopt(watch_->fd(), SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  }
}

void SocketTransport::set_read_max(size_t bytes) { read_max_ = std::min(bytes, LoopBuffers::kBytes); }

void SocketTransport::set_handler(TransportHandler* handler) {
  handler_ = handler;
  watches_end_ = false;
  update_interest(false);
}

bool SocketTransport::can_read() const { return is_reading_ && !has_eof_ && !has_told_failure_ && handler_ != nullptr; }

// Of a peer that has ended its side, all that is left to hear is that it breaks off as well.
Watch::Peer SocketTransport::watched_peer() const {
  const bool is_asked = has_eof_ ? is_reading_ : watches_end_ && !is_reading_;
  if (!is_asked || error_ != 0 || ends_after_queue_ || handler_ == nullptr) {
    return Watch::Peer::Ignored;
  }
  return has_eof_ || has_told_ending_ ? Watch::Peer::Breaks : Watch::Peer::Ends;
}

// Which of the two it was cannot be told from the event.
void SocketTransport::look_at_peer() {
  pollfd peer{watch_->fd(), POLLRDHUP | POLLPRI, 0};
  ::poll(&peer, 1, 0);
  if ((peer.revents & (POLLERR | POLLHUP | POLLPRI)) != 0) {  // urgent bytes are nobody's here, and would stay
    int error = 0;
    socklen_t size = sizeof(error);
    getsockopt(watch_->fd(), SOL_SOCKET, SO_ERROR, &error, &size);
    fail(error != 0 ? error : ECONNRESET);
  } else if ((peer.revents & POLLRDHUP) != 0 && !has_eof_ && !std::exchange(has_told_ending_, true)) {
    handler_->on_transport_ending();
  }
}

void SocketTransport::watch_end() {
  watches_end_ = true;
  update_interest(false);
}

void SocketTransport::resume_reading() {
  is_reading_ = true;
  update_interest(false);
}

void SocketTransport::write(std::string_view bytes) {
  if (error_ != 0 || ends_after_queue_) {
    return;
  }
  if (queue_.empty()) {
    bytes.remove_prefix(send_now(bytes));
  }
  if (!bytes.empty() && error_ == 0) {
    queue_.push(bytes);
  }
  update_interest(false);
}

size_t SocketTransport::untaken() const {
  int in_kernel = 0;
  if (queue_.empty() || ioctl(watch_->fd(), SIOCOUTQ, &in_kernel) != 0) {
    return queue_.size();
  }
  return queue_.size() + static_cast<size_t>(in_kernel);
}

size_t SocketTransport::send_now(std::string_view bytes) {
  if (bytes.empty()) {
    return 0;
  }
  ssize_t sent = ::send(watch_->fd(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  if (sent >= 0) {
    return static_cast<size_t>(sent);
  }
  if (!is_temporary(errno)) {
    fail(errno);
  }
  return 0;
}

void SocketTransport::send_queued() {
  size_t sent_before = 0;
  while (!queue_.empty() && sent_before < kSentPerTurn) {
    std::string_view front = queue_.front();
    size_t sent = send_now(front);
    if (error_ != 0) {
      return;
    }
    queue_.pop(sent);
    if (sent < front.size()) {
      return;
    }
    sent_before += sent;
  }
}

void SocketTransport::shutdown() {
  ends_after_queue_ = true;
  shut_down_when_sent();
}

void SocketTransport::shut_down_when_sent() {
  if (ends_after_queue_ && queue_.empty() && error_ == 0) {
    ::shutdown(watch_->fd(), SHUT_WR);
  }
}

void SocketTransport::fail(int error) {
  error_ = error;
  queue_.clear();
}

void SocketTransport::on_ready(bool is_readable, bool is_writable) {
  const bool& is_gone = watch_->is_gone();  // a callback may destroy this
  if (watched_peer() != Watch::Peer::Ignored) {
    look_at_peer();
  }
  if (!is_gone && is_writable && !queue_.empty()) {
    send_queued();
    if (queue_.empty() && error_ == 0) {
      shut_down_when_sent();
      if (handler_ != nullptr) {
        handler_->on_transport_drained();
      }
    }
  }
  if (is_gone) {
    return;
  }
  bool may_read = can_read();
  if (is_readable && may_read) {
    read_once();
  } else if (error_ != 0) {
    tell_failure();
  }
  if (!is_gone) {
    update_interest(is_readable && !may_read);
  }
}

void SocketTransport::read_once() {
  char* buffer = loop().buffers().read;
  ssize_t got = ::recv(watch_->fd(), buffer, read_max_, MSG_DONTWAIT);
  if (got > 0) {
    handler_->on_transport_bytes({buffer, static_cast<size_t>(got)});
    return;
  }
  if (got < 0 && !is_temporary(errno) && error_ == 0) {
    fail(errno);
  }
  if (error_ != 0) {
    tell_failure();
  } else if (got == 0) {
    has_eof_ = true;
    handler_->on_transport_eof();
  }
}

void SocketTransport::tell_failure() {
  if (!has_told_failure_ && handler_ != nullptr) {
    has_told_failure_ = true;
    handler_->on_transport_error({Code::Unavailable, Fault::None, 0, peer_ + ": " + errno_text(error_), ""});
  }
}

void SocketTransport::update_interest(bool came_in_vain) {
  bool has_untold_failure = error_ != 0 && !has_told_failure_ && handler_ != nullptr;
  // While paused the interest stays until bytes come in vain: a pause that is soon over costs no system call.
  bool stays = watch_->wants_readable() && !came_in_vain && !has_eof_ && !has_told_failure_;
  watch_->want(can_read() || stays, !queue_.empty() || has_untold_failure, watched_peer());
}

}  // namespace transom
