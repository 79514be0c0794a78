#include "server/server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <regex>
#include <thread>

#include "support/http_exchange.h"
#include "support/temp_folder.h"

namespace transom {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string put(const std::string& more) {
  const std::string file = temp_folder() + "server_test.yaml";
  std::ofstream(file) << "listeners: [ { address: \"127.0.0.1:0\" }, { address: \"127.0.0.1:0\" } ]\n"
                         "admin: { address: \"127.0.0.1:0\" }\n"
                         "log: { level: error, access: { path: \"\" } }\n"
                         "state_dir: none\n"
                         "workers: 2\n"
                         "backends: [ { name: iris, replicas: [ \"127.0.0.1:1\" ] } ]\n"
                         "routes: [ { service: \"*\", backend: iris } ]\n"
                      << more;
  return file;
}

std::vector<uint16_t> ports_in(const std::string& text, const std::string& line) {
  std::vector<uint16_t> ports;
  const std::regex pattern("transom: " + line + " on 127\\.0\\.0\\.1:([0-9]+)\n");
  for (std::sregex_iterator it(text.begin(), text.end(), pattern), end; it != end; ++it) {
    ports.push_back(static_cast<uint16_t>(std::stoi((*it)[1])));
  }
  return ports;
}

// Serves until the client's SIGTERM.
template <class Client>
void serve(const std::string& more, Client client) {
  block_signals();
  Blueprint blueprint(put(more));
  ASSERT_TRUE(blueprint.errors().empty()) << testing::PrintToString(blueprint.errors());
  Server server(blueprint);
  testing::internal::CaptureStderr();
  const Status status = server.open();
  const std::string told = testing::internal::GetCapturedStderr();
  ASSERT_TRUE(status.ok()) << status.message;
  const std::vector<uint16_t> listeners = ports_in(told, "listening");
  const std::vector<uint16_t> admins = ports_in(told, "admin");
  ASSERT_EQ(listeners.size(), 2u) << told;
  ASSERT_EQ(admins.size(), 1u) << told;
  std::thread thread([&] {
    client(listeners, admins[0]);
    kill(getpid(), SIGTERM);
  });
  server.run();
  thread.join();
}

TEST(Server, ServesOnEveryListenerAndItsAdminAddress) {
  serve("", [](const std::vector<uint16_t>& listeners, uint16_t admin) {
    for (uint16_t port : listeners)
      EXPECT_THAT(http_exchange(port, "GET /none"), StartsWith("HTTP/1.1 404"));
    EXPECT_THAT(http_exchange(admin, "GET /livez"), StartsWith("HTTP/1.1 200"));
    const std::string page = http_exchange(admin, "GET /metrics");
    EXPECT_THAT(page, HasSubstr("http_status=\"404\",grpc_status=\"5\"} 2\n"));
    EXPECT_THAT(page, HasSubstr("transom_replica_up{backend=\"iris\",replica=\"127.0.0.1:1\"} 0\n"));
  });
}

TEST(Server, IsReadyAsConfigured) {
  const struct {
    const char* ready;
    const char* answer;
  } cases[] = {{"all", "HTTP/1.1 503"}, {"any", "HTTP/1.1 503"}, {"none", "HTTP/1.1 200"}};
  for (const auto& c : cases) {
    serve(std::string("ready: ") + c.ready + "\n", [&](const std::vector<uint16_t>&, uint16_t admin) {
      EXPECT_THAT(http_exchange(admin, "GET /readyz"), StartsWith(c.answer)) << c.ready;
    });
  }
}

TEST(Server, IsNotReadyAndStillAcceptsDuringTheDelayOfADrain) {
  serve("ready: none\ndrain: { delay: 300ms }\n", [](const std::vector<uint16_t>& listeners, uint16_t admin) {
    kill(getpid(), SIGTERM);
    std::string answer;
    do {
      answer = http_exchange(admin, "GET /readyz");
    } while (answer.starts_with("HTTP/1.1 200"));
    EXPECT_THAT(answer, HasSubstr("not ready: draining"));
    EXPECT_THAT(http_exchange(listeners[0], "GET /none"), StartsWith("HTTP/1.1 404"));
  });
}

TEST(Server, APortInUseIsToldWithItsAddress) {
  serve("", [](const std::vector<uint16_t>& listeners, uint16_t) {
    const std::string file = temp_folder() + "server_test_taken.yaml";
    const std::string address = "127.0.0.1:" + std::to_string(listeners[0]);
    std::ofstream(file) << "listeners: [ { address: \"" + address + "\" } ]\nlog: { access: { path: \"\" } }\n";
    Blueprint blueprint(file);
    ASSERT_TRUE(blueprint.errors().empty());
    Server second(blueprint);
    EXPECT_THAT(second.open().message, HasSubstr(address));
  });
}

}  // namespace
}  // namespace transom
