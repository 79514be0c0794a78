#include "net/listener.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <unordered_map>
#include <utility>

#include "net/errno_text.h"
#include "net/greeting.h"
#include "net/socket_address.h"
#include "net/socket_transport.h"
#include "net/timer.h"
#include "net/watch.h"

namespace transom {

namespace {

constexpr int kAcceptsPerTurn = 64;
constexpr std::chrono::milliseconds kRetryAfter{100};

bool is_shortage(int error) { return error == EMFILE || error == ENFILE || error == ENOBUFS || error == ENOMEM; }

class SocketListener final : public Listener, private WatchTarget {
 public:
  SocketListener(const ListenerOptions& options, Address address, bool removes_file, std::unique_ptr<Watch> watch,
                 NetObserver* observer, OnAccept on_accept)
      : options_(options),
        address_(std::move(address)),
        removes_file_(removes_file),
        watch_(std::move(watch)),
        observer_(observer),
        on_accept_(std::move(on_accept)),
        retry_(watch_->loop(), [this] { update(); }) {
    watch_->set_target(this);
    update();
  }

  ~SocketListener() {
    if (removes_file_) {
      ::unlink(address_.path.c_str());
    }
  }

  const Address& address() const override { return address_; }
  void pause() override {
    is_paused_ = true;
    update();
  }
  void resume() override {
    is_paused_ = false;
    update();
  }

 private:
  void on_ready(bool, bool) override {
    const bool& is_gone = watch_->is_gone();  // on_accept may destroy this
    for (int i = 0; i < kAcceptsPerTurn && !is_paused_; ++i) {
      bool goes_on = accept_one();
      if (is_gone) {
        return;
      }
      if (!goes_on) {
        break;
      }
    }
    update();
  }

  // False when there is nothing more to accept now.
  bool accept_one() {
    SocketAddress peer;
    peer.size = sizeof(peer.storage);
    int fd = ::accept4(watch_->fd(), peer.raw(), &peer.size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
      lacks_descriptors_ = false;
      take(fd, peer);
      return true;
    }
    if (errno == EAGAIN || errno == EWOULDBLOCK) {
      return false;
    }
    if (is_shortage(errno)) {
      wait_for_descriptors(errno_text(errno));
      return false;
    }
    return true;  // that client is gone already
  }

  void take(int fd, const SocketAddress& peer) {
    Result<std::unique_ptr<Watch>> watch = Watch::make(watch_->loop(), fd);
    if (!watch.ok()) {
      wait_for_descriptors(watch.status().message);
      return;
    }
    auto transport = std::make_unique<SocketTransport>(std::move(*watch), peer.format());
    if (options_.tls == nullptr && !options_.proxy_protocol) {
      on_accept_(std::move(transport));
      return;
    }
    auto greeting = std::make_unique<Greeting>(
        std::move(transport), options_, observer_,
        [this](Greeting& done, std::unique_ptr<Transport> greeted) { on_greeted(done, std::move(greeted)); });
    Greeting* key = greeting.get();
    greetings_.emplace(key, std::move(greeting));
  }

  void on_greeted(Greeting& greeting, std::unique_ptr<Transport> transport) {
    auto node = greetings_.extract(&greeting);
    watch_->loop().bury(std::move(node.mapped()));
    if (transport != nullptr) {
      on_accept_(std::move(transport));
    }
  }

  // The clients wait in the backlog; a shortage is told once.
  void wait_for_descriptors(const std::string& reason) {
    if (!lacks_descriptors_ && observer_ != nullptr) {
      observer_->on_accept_paused(reason);
    }
    lacks_descriptors_ = true;
    retry_.start(kRetryAfter);
  }

  void update() { watch_->want(!is_paused_ && !retry_.is_active(), false); }

  const ListenerOptions options_;
  const Address address_;
  const bool removes_file_;
  std::unique_ptr<Watch> watch_;
  NetObserver* observer_;
  OnAccept on_accept_;
  std::unordered_map<Greeting*, std::unique_ptr<Greeting>> greetings_;
  Timer retry_;
  bool is_paused_ = false;
  bool lacks_descriptors_ = false;
};

Address real_address(const Address& asked, int fd) {
  Address result = asked;
  SocketAddress own;
  own.size = sizeof(own.storage);
  if (asked.kind == Address::Kind::Tcp && getsockname(fd, own.raw(), &own.size) == 0) {
    result.port = own.port();
  }
  return result;
}

}  // namespace

Result<std::unique_ptr<Listener>> Listener::open(Loop& loop, const ListenerOptions& options, int shared_fd,
                                                 NetObserver* observer, OnAccept on_accept) {
  bool is_shared = shared_fd >= 0;
  Result<int> fd = is_shared ? Result<int>(fcntl(shared_fd, F_DUPFD_CLOEXEC, 0)) : open_socket(options);
  if (!fd.ok()) {
    return fd.status();
  }
  if (*fd < 0) {
    return proxy_error(Code::Unavailable, options.address.format() + ": " + errno_text(errno));
  }
  Address address = real_address(options.address, *fd);
  bool removes_file = !is_shared && address.kind == Address::Kind::Unix;
  Result<std::unique_ptr<Watch>> watch = Watch::make(loop, *fd);
  if (!watch.ok()) {
    return watch.status();
  }
  return std::unique_ptr<Listener>(std::make_unique<SocketListener>(options, std::move(address), removes_file,
                                                                    std::move(*watch), observer, std::move(on_accept)));
}

}  // namespace transom
