#include "net/listener.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <vector>

#include "net/pipe_end.h"
#include "net/socket_address.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

struct Observer final : NetObserver {
  void on_accept_paused(const std::string& reason) override { pauses.push_back(reason); }
  void on_tls_failed(const std::string&, const std::string&) override {}
  std::vector<std::string> pauses;
};

ListenerOptions options_for(const std::string& address) {
  ListenerOptions options;
  options.address = parse_address(address).value();
  return options;
}

// A client of the simplest kind; -1 when refused.
int dial(const Address& address) {
  SocketAddress target = to_socket_address(address).value();
  int fd = ::socket(target.family(), SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (::connect(fd, target.raw(), target.size) != 0) {
    ::close(fd);
    return -1;
  }
  return fd;
}

TEST(Listener, TellsItsRealPort) {
  Loop loop;
  auto listener = Listener::open(loop, options_for("127.0.0.1:0"), -1, nullptr, [](auto) {});
  ASSERT_TRUE(listener.ok());
  EXPECT_GT((*listener)->address().port, 0);
  EXPECT_EQ((*listener)->address().host, "127.0.0.1");
}

TEST(Listener, TwoMayShareOnePort) {
  Loop loop;
  int accepted = 0;
  auto first = Listener::open(loop, options_for("127.0.0.1:0"), -1, nullptr, [&](auto) { ++accepted; });
  ASSERT_TRUE(first.ok());
  auto second = Listener::open(loop, options_for((*first)->address().format()), -1, nullptr, [&](auto) { ++accepted; });
  ASSERT_TRUE(second.ok()) << second.status().message;
  ListenerOptions alone = options_for((*first)->address().format());
  alone.reuse_port = false;
  EXPECT_FALSE(Listener::open(loop, alone, -1, nullptr, [](auto) {}).ok());
  std::vector<int> clients;
  for (int i = 0; i < 20; ++i) {
    clients.push_back(dial((*first)->address()));
  }
  EXPECT_TRUE(run_until(loop, [&] { return accepted == 20; }));
  for (int fd : clients) {
    close(fd);
  }
}

TEST(Listener, SeveralMayAcceptFromOneSharedSocket) {
  Loop loop;
  ListenerOptions options = options_for("unix:" + unix_socket_path("shared"));
  Result<int> shared = open_socket(options);
  ASSERT_TRUE(shared.ok());
  int accepted = 0;
  auto first = Listener::open(loop, options, *shared, nullptr, [&](auto) { ++accepted; });
  auto second = Listener::open(loop, options, *shared, nullptr, [&](auto) { ++accepted; });
  ASSERT_TRUE(first.ok() && second.ok());
  int one = dial(options.address);
  EXPECT_TRUE(run_until(loop, [&] { return accepted == 1; }));
  first->reset();
  int two = dial(options.address);
  EXPECT_TRUE(run_until(loop, [&] { return accepted == 2; }));
  second->reset();
  EXPECT_EQ(access(options.address.path.c_str(), F_OK), 0);  // it belongs to whoever opened it
  close_socket(*shared, options.address);
  close(one);
  close(two);
}

TEST(Listener, RemovesTheFileOfItsOwnUnixSocket) {
  Loop loop;
  ListenerOptions options = options_for("unix:" + unix_socket_path("listener"));
  auto listener = Listener::open(loop, options, -1, nullptr, [](auto) {});
  ASSERT_TRUE(listener.ok());
  EXPECT_EQ(access(options.address.path.c_str(), F_OK), 0);
  listener->reset();
  EXPECT_NE(access(options.address.path.c_str(), F_OK), 0);
}

TEST(Listener, PausedItLeavesClientsInTheBacklog) {
  Loop loop;
  int accepted = 0;
  std::unique_ptr<Listener> listener;
  listener = std::move(*Listener::open(loop, options_for("127.0.0.1:0"), -1, nullptr, [&](auto) {
    ++accepted;
    listener->pause();
  }));
  int one = dial(listener->address());
  int two = dial(listener->address());
  EXPECT_GE(two, 0);
  EXPECT_TRUE(run_until(loop, [&] { return accepted == 1; }));
  run_for(loop, milliseconds(10));
  EXPECT_EQ(accepted, 1);
  listener->resume();
  EXPECT_TRUE(run_until(loop, [&] { return accepted == 2; }));
  close(one);
  close(two);
}

TEST(Listener, MayBeDestroyedByItsOwnOnAccept) {
  Loop loop;
  std::unique_ptr<Listener> listener;
  std::unique_ptr<Transport> accepted;
  listener = std::move(*Listener::open(loop, options_for("127.0.0.1:0"), -1, nullptr, [&](auto transport) {
    accepted = std::move(transport);
    listener.reset();
  }));
  Address address = listener->address();
  int one = dial(address);
  EXPECT_TRUE(run_until(loop, [&] { return accepted != nullptr; }));
  EXPECT_EQ(dial(address), -1);
  close(one);
}

TEST(Listener, WhatItAcceptsIsClosedOnExec) {
  Loop loop;
  PipePair pair(loop, "127.0.0.1:0");
  int open_fds = 0;
  for (int fd = 3; fd < 256; ++fd) {
    int flags = fcntl(fd, F_GETFD);
    if (flags >= 0) {
      SocketAddress own;
      own.size = sizeof(own.storage);
      bool is_ours = getsockname(fd, own.raw(), &own.size) == 0 && own.family() == AF_INET;
      EXPECT_TRUE(!is_ours || (flags & FD_CLOEXEC) != 0) << fd;
      open_fds += is_ours ? 1 : 0;
    }
  }
  EXPECT_EQ(open_fds, 3);
}

// Runs in a process of its own, which has few descriptors left. Returns 0, or the line that failed.
int accept_without_descriptors() {
  Loop loop;
  Observer observer;
  NetObserver& seen_by_listener = observer;
  seen_by_listener.on_accept_paused("");  // a sanitizer needs descriptors to look at an object the first time
  observer.pauses.clear();
  std::vector<std::unique_ptr<Transport>> accepted;
  auto listener = Listener::open(loop, options_for("127.0.0.1:0"), -1, &seen_by_listener,
                                 [&](auto transport) { accepted.push_back(std::move(transport)); });
  if (!listener.ok()) {
    return __LINE__;
  }
  std::vector<int> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(dial((*listener)->address()));
  }
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  limit.rlim_cur = static_cast<rlim_t>(clients.back()) + 4;  // room for three or so
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) {
    return __LINE__;
  }
  if (!run_until(loop, [&] { return observer.pauses.size() == 1; }) || accepted.empty() || accepted.size() >= 10) {
    return __LINE__;
  }
  run_for(loop, milliseconds(350));  // tries again, in vain, and says no more
  if (observer.pauses.size() != 1 || observer.pauses[0].find("open files") == std::string::npos) {
    return __LINE__;
  }
  size_t before = accepted.size();
  accepted.erase(accepted.begin());
  if (!run_until(loop, [&] { return accepted.size() == before; })) {
    return __LINE__;
  }
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_NOFILE, &limit);
  return run_until(loop, [&] { return accepted.size() == 9; }) ? 0 : __LINE__;
}

TEST(Listener, WithoutDescriptorsItWaitsAndGoesOnByItself) {
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    int line = accept_without_descriptors();
    _exit(line == 0 ? 0 : std::min(line, 255));
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0) << "the line that failed, in accept_without_descriptors()";
}

}  // namespace
}  // namespace transom
