#include "net/connector.h"

#include <gtest/gtest.h>

#include "net/listener.h"
#include "net/pipe_end.h"
#include "support/loop_runner.h"

namespace transom {
namespace {

TEST(Connector, JoinsAListenerOnLoopback) {
  Loop loop;
  PipeEnd server;
  PipeEnd client;
  ListenerOptions options;
  options.address = parse_address("127.0.0.1:0").value();
  auto listener = Listener::open(loop, options, -1, nullptr, [&](auto transport) { server.take(std::move(transport)); });
  ASSERT_TRUE(listener.ok()) << listener.status().message;
  auto connector = Connector::make(loop);
  connector->connect((*listener)->address(), std::chrono::seconds(5), [&](Result<std::unique_ptr<Transport>> result) {
    ASSERT_TRUE(result.ok()) << result.status().message;
    client.take(std::move(*result));
  });
  EXPECT_FALSE(client.is_open());
  ASSERT_TRUE(run_until(loop, [&] { return server.is_open() && client.is_open(); }));
  client.transport->write("hello");
  EXPECT_TRUE(run_until(loop, [&] { return server.received == "hello"; }));
  EXPECT_EQ(client.transport->peer(), (*listener)->address().format());
}

}  // namespace
}  // namespace transom
