#include "net/resolver.h"

#include <ares.h>

#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "base/check.h"
#include "net/timer.h"
#include "net/watch.h"

namespace transom {

namespace {

void start_library() {
  static std::once_flag once;
  std::call_once(once, [] { check(ares_library_init(ARES_LIB_INIT_ALL) == ARES_SUCCESS, "c-ares does not start"); });
}

Status failure_of(const std::string& host, int status) {
  bool is_unknown = status == ARES_ENOTFOUND || status == ARES_ENODATA || status == ARES_EBADNAME;
  return replica_error(is_unknown ? Code::NotFound : Code::Unavailable,
                       "looking up " + host + ": " + ares_strerror(status));
}

std::vector<SocketAddress> addresses_of(const ares_addrinfo& found, uint16_t port) {
  std::vector<SocketAddress> result;
  for (const ares_addrinfo_node* node = found.nodes; node != nullptr; node = node->ai_next) {
    if (node->ai_family != AF_INET && node->ai_family != AF_INET6) {
      continue;
    }
    SocketAddress address;
    std::memcpy(&address.storage, node->ai_addr, node->ai_addrlen);
    address.size = node->ai_addrlen;
    address.set_port(port);
    result.push_back(address);
  }
  return result;
}

}  // namespace

// One lookup and its own channel. The vendor's callbacks only write down what came: ending the channel inside them is
// not allowed, so that on_done is called by a timer.
struct Resolver::Lookup {
  struct Socket final : WatchTarget {
    Socket(Lookup& owner, std::unique_ptr<Watch> its_watch) : lookup(owner), watch(std::move(its_watch)) {
      watch->set_target(this);
    }
    void on_ready(bool is_readable, bool is_writable) override {
      lookup.process(watch->fd(), is_readable, is_writable);  // may destroy this
    }
    void watch_again() { watch->want(wants_readable, wants_writable); }

    Lookup& lookup;
    std::unique_ptr<Watch> watch;
    bool wants_readable = false;
    bool wants_writable = false;
  };

  Lookup(Resolver& owner, std::string asked, uint16_t its_port, OnDone its_on_done)
      : resolver(owner),
        host(std::move(asked)),
        port(its_port),
        on_done(std::move(its_on_done)),
        retry(owner.loop_, [this] { process(ARES_SOCKET_BAD, true, true); }),
        end(owner.loop_, [this] { finish(); }) {}

  ~Lookup() {
    if (channel != nullptr) {
      ares_destroy(channel);
    }
  }

  void begin();
  void process(int fd, bool is_readable, bool is_writable);
  void on_socket(int fd, bool readable, bool writable);
  void on_answer(int status, ares_addrinfo* found);
  void finish();

  Resolver& resolver;
  const std::string host;
  const uint16_t port;
  OnDone on_done;
  ares_channel channel = nullptr;
  std::map<int, Socket> sockets;
  Timer retry;  // the vendor's own timeouts
  Timer end;
  std::optional<Result<std::vector<SocketAddress>>> outcome;
};

void Resolver::Lookup::begin() {
  ares_options options{};
  options.sock_state_cb_data = this;
  options.sock_state_cb = [](void* self, ares_socket_t fd, int readable, int writable) {
    static_cast<Lookup*>(self)->on_socket(fd, readable != 0, writable != 0);
  };
  int status = ares_init_options(&channel, &options, ARES_OPT_SOCK_STATE_CB);
  if (status == ARES_SUCCESS && !resolver.servers_.empty()) {
    status = ares_set_servers_ports_csv(channel, resolver.servers_.c_str());
  }
  if (status != ARES_SUCCESS) {
    on_answer(status, nullptr);
    return;
  }
  ares_addrinfo_hints hints{};
  hints.ai_family = AF_UNSPEC;
  hints.ai_socktype = SOCK_STREAM;
  ares_getaddrinfo(
      channel, host.c_str(), nullptr, &hints,
      [](void* self, int answer, int, ares_addrinfo* found) { static_cast<Lookup*>(self)->on_answer(answer, found); },
      this);
  process(ARES_SOCKET_BAD, false, false);
}

void Resolver::Lookup::process(int fd, bool is_readable, bool is_writable) {
  ares_process_fd(channel, is_readable ? fd : ARES_SOCKET_BAD, is_writable ? fd : ARES_SOCKET_BAD);
  if (auto socket = sockets.find(fd); socket != sockets.end()) {
    socket->second.watch_again();
  }
  timeval wait{};
  if (ares_timeout(channel, nullptr, &wait) == nullptr) {
    retry.stop();
  } else {
    retry.start(std::chrono::seconds(wait.tv_sec) + std::chrono::microseconds(wait.tv_usec));
  }
}

void Resolver::Lookup::on_socket(int fd, bool readable, bool writable) {
  auto found = sockets.find(fd);
  if (!readable && !writable) {
    if (found != sockets.end()) {
      sockets.erase(found);
    }
    return;
  }
  if (found == sockets.end()) {
    Result<std::unique_ptr<Watch>> watch = Watch::make(resolver.loop_, fd, Watch::Owns::No);
    if (!watch.ok()) {
      return;  // the lookup times out
    }
    found = sockets.try_emplace(fd, *this, std::move(*watch)).first;
  }
  found->second.wants_readable = readable;
  found->second.wants_writable = writable;
  found->second.watch_again();
}

void Resolver::Lookup::on_answer(int status, ares_addrinfo* found) {
  if (status == ARES_EDESTRUCTION) {
    return;
  }
  if (status != ARES_SUCCESS) {
    outcome.emplace(failure_of(host, status));
  } else {
    std::vector<SocketAddress> addresses = addresses_of(*found, port);
    ares_freeaddrinfo(found);
    if (addresses.empty()) {
      outcome.emplace(failure_of(host, ARES_ENODATA));
    } else {
      outcome.emplace(std::move(addresses));
    }
  }
  end.start({});
}

void Resolver::Lookup::finish() {
  std::unique_ptr<Lookup> self = std::move(resolver.lookup_);
  self->on_done(std::move(*self->outcome));
}

Resolver::Resolver(Loop& loop, std::string servers) : loop_(loop), servers_(std::move(servers)) { start_library(); }

Resolver::~Resolver() = default;

void Resolver::give_up() { lookup_.reset(); }

void Resolver::resolve(const std::string& host, uint16_t port, OnDone on_done) {
  lookup_ = std::make_unique<Lookup>(*this, host, port, std::move(on_done));
  lookup_->begin();
}

}  // namespace transom
