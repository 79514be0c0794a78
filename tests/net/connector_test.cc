#include "net/connector.h"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include <optional>

#include "net/name_server.h"
#include "net/pipe_end.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

class ConnectorTest : public testing::Test {
 protected:
  std::unique_ptr<Listener> listen(const std::string& address) {
    ListenerOptions options;
    options.address = parse_address(address).value();
    return std::move(*Listener::open(loop_, options, -1, nullptr, [this](auto t) { server_.take(std::move(t)); }));
  }

  // A port of 127.0.0.1 where nobody listens.
  Address closed_port() { return listen("127.0.0.1:0")->address(); }

  Result<std::unique_ptr<Transport>> connect(const Address& address, milliseconds timeout = milliseconds(5'000),
                                             const std::string& name_servers = "") {
    std::optional<Result<std::unique_ptr<Transport>>> outcome;
    auto connector = Connector::make(loop_, name_servers);
    connector->connect(address, timeout, [&](auto result) { outcome.emplace(std::move(result)); });
    EXPECT_FALSE(outcome.has_value());
    EXPECT_TRUE(run_until(loop_, [&] { return outcome.has_value(); }));
    return outcome.has_value() ? std::move(*outcome) : Status{Code::Unknown};
  }

  void expect_failure(const Result<std::unique_ptr<Transport>>& result, const std::string& part) {
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.status().code, Code::Unavailable);
    EXPECT_NE(result.status().message.find(part), std::string::npos) << result.status().message;
  }

  Loop loop_;
  PipeEnd server_;
};

TEST_F(ConnectorTest, JoinsLiteralsNamesAndPaths) {
  for (const std::string& address : {std::string("127.0.0.1:0"), std::string("[::1]:0"), std::string("localhost:0"),
                                     "unix:" + unix_socket_path("connector")}) {
    auto listener = listen(address);
    auto result = connect(listener->address());
    ASSERT_TRUE(result.ok()) << result.status().message;
    EXPECT_TRUE(run_until(loop_, [&] { return server_.is_open(); }));
    (*result)->write(address);
    EXPECT_TRUE(run_until(loop_, [&] { return server_.received == address; }));
    server_.received.clear();
  }
}

TEST_F(ConnectorTest, SaysWhyItCannot) {
  expect_failure(connect(closed_port()), "refused");
  expect_failure(connect(parse_address("unix:/no/such/socket").value()), "No such file");
}

TEST_F(ConnectorTest, SaysThatANameIsUnknown) {
  NameServer names(loop_);
  expect_failure(connect(parse_address("unknown.test:1").value(), milliseconds(5'000), names.address), "unknown.test");
}

TEST_F(ConnectorTest, TriesEachAddressOfAName) {
  NameServer names(loop_);
  auto listener = listen("127.0.0.1:0");
  Address address = listener->address();
  names.table["some.test"] = {"127.0.0.2", "127.0.0.3", "127.0.0.1"};
  address.host = "some.test";
  auto result = connect(address, milliseconds(5'000), names.address);
  ASSERT_TRUE(result.ok()) << result.status().message;
  EXPECT_EQ((*result)->peer(), listener->address().format());
}

TEST_F(ConnectorTest, GivesUpInTimeWhenTheNameServerIsSilent) {
  NameServer names(loop_);
  names.is_silent = true;
  expect_failure(connect(parse_address("some.test:1").value(), milliseconds(30), names.address), "in time");
}

TEST_F(ConnectorTest, GivesUpInTimeWhenNobodyAnswers) {
  // A listener that accepts nothing and whose backlog is full does not answer.
  ListenerOptions options;
  options.address = parse_address("127.0.0.1:0").value();
  options.backlog = 0;
  auto listener = std::move(*Listener::open(loop_, options, -1, nullptr, [](auto) {}));
  listener->pause();
  std::vector<std::unique_ptr<Transport>> fillers;
  for (int i = 0; i < 16; ++i) {
    auto result = connect(listener->address(), milliseconds(50));
    if (!result.ok()) {
      expect_failure(result, "timed out");
      return;
    }
    fillers.push_back(std::move(*result));
  }
  GTEST_SKIP() << "this kernel's backlog takes everything";
}

TEST_F(ConnectorTest, DestroyedOrAskedAnewItForgetsTheFirst) {
  auto listener = listen("127.0.0.1:0");
  int first = 0;
  int second = 0;
  auto connector = Connector::make(loop_);
  connector->connect(listener->address(), milliseconds(5'000), [&](auto) { ++first; });
  connector->connect(listener->address(), milliseconds(5'000), [&](auto result) { second += result.ok() ? 1 : 0; });
  EXPECT_TRUE(run_until(loop_, [&] { return second == 1; }));
  connector->connect(listener->address(), milliseconds(5'000), [&](auto) { ++first; });
  connector.reset();
  run_for(loop_, milliseconds(10));
  EXPECT_EQ(first, 0);
}

TEST_F(ConnectorTest, MayBeDestroyedOrAskedAnewByItsOwnOnDone) {
  Address closed = closed_port();
  auto connector = Connector::make(loop_);
  int tries = 0;
  std::function<void(Result<std::unique_ptr<Transport>>)> again = [&](auto) {
    if (++tries == 3) {
      connector.reset();
    } else {
      connector->connect(closed, milliseconds(1'000), again);
    }
  };
  connector->connect(closed, milliseconds(1'000), again);
  EXPECT_TRUE(run_until(loop_, [&] { return connector == nullptr; }));
  EXPECT_EQ(tries, 3);
}

}  // namespace
}  // namespace transom
