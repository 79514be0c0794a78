#include "net/resolver.h"

#include <gtest/gtest.h>

#include <optional>

#include "net/name_server.h"
#include "support/loop_runner.h"

namespace transom {
namespace {

class ResolverTest : public testing::Test {
 protected:
  // The addresses as text, or the status.
  Result<std::vector<std::string>> resolve(const std::string& host, const std::string& servers) {
    std::optional<Result<std::vector<SocketAddress>>> outcome;
    Resolver resolver(loop_, servers);
    resolver.resolve(host, 80, [&](auto found) { outcome.emplace(std::move(found)); });
    EXPECT_FALSE(outcome.has_value());
    EXPECT_TRUE(run_until(loop_, [&] { return outcome.has_value(); }));
    if (!outcome.has_value() || !outcome->ok()) {
      return outcome.has_value() ? outcome->status() : Status{Code::Unknown};
    }
    std::vector<std::string> result;
    for (const SocketAddress& each : outcome->value()) {
      result.push_back(each.format());
    }
    return result;
  }

  Loop loop_;
};

TEST_F(ResolverTest, KnowsLocalhostWithoutAServer) {
  NameServer server(loop_);
  server.is_silent = true;
  auto found = resolve("localhost", server.address);
  ASSERT_TRUE(found.ok()) << found.status().message;
  EXPECT_NE(std::find(found->begin(), found->end(), "127.0.0.1:80"), found->end());
  EXPECT_EQ(server.questions, 0);
}

TEST_F(ResolverTest, AsksForBothFamilies) {
  NameServer server(loop_);
  server.table["two.test"] = {"192.0.2.1", "192.0.2.2"};
  server.table["six.test"] = {"2001:db8::7"};
  auto two = resolve("two.test", server.address);
  ASSERT_TRUE(two.ok()) << two.status().message;
  EXPECT_EQ(*two, (std::vector<std::string>{"192.0.2.1:80", "192.0.2.2:80"}));
  auto six = resolve("six.test", server.address);
  ASSERT_TRUE(six.ok()) << six.status().message;
  EXPECT_EQ(*six, (std::vector<std::string>{"[2001:db8::7]:80"}));
}

TEST_F(ResolverTest, SaysThatNoSuchNameIsThere) {
  NameServer server(loop_);
  server.table["empty.test"] = {};
  for (const char* name : {"unknown.test", "empty.test"}) {
    auto found = resolve(name, server.address);
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.status().code, Code::NotFound);
    EXPECT_NE(found.status().message.find(name), std::string::npos) << found.status().message;
  }
}

TEST_F(ResolverTest, GivesUpWhenDestroyedOrAskedAnew) {
  NameServer server(loop_);
  server.is_silent = true;
  server.table["one.test"] = {"192.0.2.1"};
  int first = 0;
  int second = 0;
  {
    Resolver resolver(loop_, server.address);
    resolver.resolve("one.test", 80, [&](auto) { ++first; });
    EXPECT_TRUE(run_until(loop_, [&] { return server.questions > 0; }));
    server.is_silent = false;
    resolver.resolve("one.test", 80, [&](auto found) { second += found.ok() ? 1 : 0; });
    EXPECT_TRUE(run_until(loop_, [&] { return second == 1; }));
    server.is_silent = true;
    resolver.resolve("one.test", 80, [&](auto) { ++first; });
    run_for(loop_, std::chrono::milliseconds(3));
  }
  run_for(loop_, std::chrono::milliseconds(10));
  EXPECT_EQ(first, 0);
}

TEST_F(ResolverTest, MayBeDestroyedByItsOwnOnDone) {
  NameServer server(loop_);
  server.table["one.test"] = {"192.0.2.1"};
  auto resolver = std::make_unique<Resolver>(loop_, server.address);
  resolver->resolve("one.test", 80, [&](auto) { resolver.reset(); });
  EXPECT_TRUE(run_until(loop_, [&] { return resolver == nullptr; }));
}

}  // namespace
}  // namespace transom
