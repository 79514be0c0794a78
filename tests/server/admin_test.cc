#include "server/admin.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>
#include <vector>

#include "net/mailbox.h"
#include "server/listening.h"
#include "support/http_exchange.h"

namespace transom {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

// Answers to one request each, by an Admin that runs as long.
std::vector<std::string> answers_to(const std::vector<std::string>& requests, const std::string& unready_reason) {
  ListenerOptions options;
  options.address = *parse_address("127.0.0.1:0");
  auto sockets = ListeningSockets::open(options, 1);
  EXPECT_TRUE(sockets.ok());
  Loop loop;
  std::vector<std::string> answers;
  {
    auto admin =
        Admin::open(loop, options, sockets->fd_of(0), {[] { return "figures 1\n"; }, [&] { return unready_reason; }});
    EXPECT_TRUE(admin.ok());
    Mailbox mailbox(loop);
    std::thread client([&] {
      for (const std::string& request : requests) {
        answers.push_back(http_exchange(sockets->address().port, request));
      }
      mailbox.post([&] {
        admin->reset();
        loop.stop();
      });
    });
    loop.run();
    client.join();
  }
  return answers;
}

TEST(Admin, AnswersItsThreePages) {
  const auto answers = answers_to({"GET /metrics", "GET /livez", "GET /readyz?verbose", "HEAD /metrics"}, "");
  EXPECT_THAT(answers[0], StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answers[0], HasSubstr("text/plain; version=0.0.4"));
  EXPECT_THAT(answers[0], HasSubstr("\r\n\r\nfigures 1\n"));
  EXPECT_THAT(answers[1], StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answers[2], StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answers[3], StartsWith("HTTP/1.1 200"));
  EXPECT_TRUE(answers[3].ends_with("\r\n\r\n"));
}

TEST(Admin, IsAliveThoughNotReadyAndSaysWhy) {
  const auto answers = answers_to({"GET /livez", "GET /readyz"}, "backend iris has no replica up");
  EXPECT_THAT(answers[0], StartsWith("HTTP/1.1 200"));
  EXPECT_THAT(answers[1], StartsWith("HTTP/1.1 503"));
  EXPECT_THAT(answers[1], HasSubstr("not ready: backend iris has no replica up\n"));
}

TEST(Admin, RefusesWhatItDoesNotHave) {
  const auto answers = answers_to({"GET /", "POST /metrics"}, "");
  EXPECT_THAT(answers[0], StartsWith("HTTP/1.1 404"));
  EXPECT_THAT(answers[0], HasSubstr("\"code\":5"));
  EXPECT_THAT(answers[1], StartsWith("HTTP/1.1 405"));
  EXPECT_THAT(answers[1], HasSubstr("GET, HEAD"));
  EXPECT_THAT(answers[1], HasSubstr("\"code\":12"));
}

}  // namespace
}  // namespace transom
