#include "net/connector.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <utility>
#include <vector>

#include "net/errno_text.h"
#include "net/resolver.h"
#include "net/socket_address.h"
#include "net/socket_transport.h"
#include "net/timer.h"
#include "net/watch.h"

namespace transom {

namespace {

// Where nobody listens, the kernel may pick the very port asked for as our own and join the socket to itself.
bool is_joined_to_itself(int fd) {
  SocketAddress own;
  SocketAddress peer;
  own.size = peer.size = sizeof(sockaddr_storage);
  return getsockname(fd, own.raw(), &own.size) == 0 && own.family() != AF_UNIX &&
         getpeername(fd, peer.raw(), &peer.size) == 0 && own.format() == peer.format();
}

class SocketConnector final : public Connector, private WatchTarget {
 public:
  SocketConnector(Loop& loop, const std::string& name_servers)
      : loop_(loop), resolver_(loop, name_servers), attempt_over_(loop, [this] { on_attempt_over(); }) {}

  void connect(const Address& address, std::chrono::milliseconds timeout, OnDone on_done) override {
    give_up();
    address_ = address;
    on_done_ = std::move(on_done);
    deadline_ = Clock::now() + timeout;
    failure_ = "timed out";
    if (address.kind == Address::Kind::Tcp && !address.is_literal()) {
      is_resolving_ = true;
      attempt_over_.start(timeout);
      resolver_.resolve(address.host, address.port, [this](auto found) { on_resolved(std::move(found)); });
      return;
    }
    Result<SocketAddress> target = to_socket_address(address);
    if (target.ok()) {
      targets_.push_back(*target);
    } else {
      failure_ = target.status().message;
    }
    attempt_over_.start({});
  }

 private:
  void give_up() {
    is_resolving_ = false;
    resolver_.give_up();
    attempt_over_.stop();
    watch_.reset();
    targets_.clear();
    next_ = 0;
  }

  void on_resolved(Result<std::vector<SocketAddress>> found) {
    is_resolving_ = false;
    if (found.ok()) {
      targets_ = std::move(*found);
    } else {
      failure_ = found.status().message;
    }
    try_next();
  }

  // The attempt before took too long, or failed at once.
  void on_attempt_over() {
    if (is_resolving_) {
      failure_ = "no answer from the name servers in time";
    } else if (watch_ != nullptr) {
      failure_ = "timed out";
    }
    try_next();
  }

  void try_next() {
    watch_.reset();
    std::chrono::nanoseconds left = deadline_ - Clock::now();
    if (next_ == targets_.size() || left <= std::chrono::nanoseconds::zero()) {
      finish(replica_error(Code::Unavailable, "cannot connect to " + address_.format() + ": " + failure_));
      return;
    }
    // Each of the rest gets its share of the time, so that one that does not answer leaves some to the others.
    auto share = left / static_cast<int>(targets_.size() - next_);
    int error = begin(targets_[next_++]);
    if (error != 0) {
      failure_ = errno_text(error);
    }
    attempt_over_.start(error != 0 ? std::chrono::nanoseconds::zero() : share);
  }

  // Returns an errno value, or 0 when the outcome comes later.
  int begin(const SocketAddress& target) {
    int fd = ::socket(target.family(), SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) {
      return errno;
    }
    if (target.family() != AF_UNIX) {
      tune_tcp_socket(fd);
    }
    if (::connect(fd, target.raw(), target.size) != 0 && errno != EINPROGRESS) {
      int error = errno;
      ::close(fd);
      return error;
    }
    Result<std::unique_ptr<Watch>> watch = Watch::make(loop_, fd);
    if (!watch.ok()) {
      return ENOBUFS;
    }
    watch_ = std::move(*watch);
    watch_->set_target(this);
    watch_->want(false, true);
    return 0;
  }

  void on_ready(bool, bool) override {
    int error = 0;
    socklen_t size = sizeof(error);
    getsockopt(watch_->fd(), SOL_SOCKET, SO_ERROR, &error, &size);
    if (error == 0 && is_joined_to_itself(watch_->fd())) {
      error = ECONNREFUSED;
    }
    if (error != 0) {
      failure_ = errno_text(error);
      try_next();
      return;
    }
    watch_->set_target(nullptr);
    watch_->want(false, false);
    finish(
        std::unique_ptr<Transport>(std::make_unique<SocketTransport>(std::move(watch_), targets_[next_ - 1].format())));
  }

  // Last thing done: on_done may destroy this or connect again.
  void finish(Result<std::unique_ptr<Transport>> result) {
    OnDone on_done = std::move(on_done_);
    on_done_ = nullptr;
    give_up();
    on_done(std::move(result));
  }

  Loop& loop_;
  Address address_;
  OnDone on_done_;
  TimePoint deadline_{};
  Resolver resolver_;
  bool is_resolving_ = false;
  std::vector<SocketAddress> targets_;
  size_t next_ = 0;
  std::unique_ptr<Watch> watch_;  // of the attempt under way
  Timer attempt_over_;
  std::string failure_;  // of the last attempt
};

}  // namespace

std::unique_ptr<Connector> Connector::make(Loop& loop, const std::string& name_servers) {
  return std::make_unique<SocketConnector>(loop, name_servers);
}

}  // namespace transom
