#include "http/h1_parser.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "http/h1_refused_cases.h"

namespace transom {
namespace {

struct Request {
  RequestHead head;
  std::string body;
  Fields trailers;
};

struct Outcome {
  std::vector<Request> requests;  // those read to their end
  uint16_t refused = 0;
  std::string reason;
};

// Gives the text in pieces of that size; what was not taken comes again, as a session does.
Outcome parse(const std::string& text, size_t piece_bytes, const SessionLimits& limits = {}) {
  Outcome outcome;
  H1Parser parser(limits);
  std::string kept;
  Request request;
  for (size_t at = 0; at < text.size();) {
    kept.append(text, at, piece_bytes);
    at += piece_bytes;
    for (bool goes_on = true; goes_on;) {
      size_t consumed = 0;
      H1Event event = parser.next(kept, 7, consumed);
      if (event == H1Event::Body) {
        request.body.append(parser.body());
      }
      if (event == H1Event::Head) {
        request.head = std::move(parser.head());
      }
      if (event == H1Event::End) {
        request.trailers = parser.trailers();
        outcome.requests.push_back(std::move(request));
        request = Request{};
        parser.start();
      }
      if (event == H1Event::Refused) {
        outcome.refused = parser.refusal().http_status;
        outcome.reason = parser.refusal().reason;
        return outcome;
      }
      kept.erase(0, consumed);
      goes_on = event != H1Event::NeedMore;
    }
  }
  return outcome;
}

const size_t kPieces[] = {1, 2, 3, 7, 64, 1 << 20};

TEST(H1ParserTest, ReadsRequestsHoweverTheyAreCut) {
  const std::string text =
      "GET /a?b HTTP/1.1\r\nHost: h\r\nX-Y:  z \r\n\r\n"
      "POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\nhello world"
      "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
      "5\r\nhello\r\n6;ext=\"a b\";c\r\n world\r\n000\r\nAfter: v\r\n\r\n"
      "PUT /d HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n\r\n0\r\n\r\n"
      "PATCH /e HTTP/1.0\r\n\r\n";
  for (size_t piece : kPieces) {
    Outcome outcome = parse(text, piece);
    ASSERT_EQ(outcome.requests.size(), 5U) << piece << " " << outcome.reason;
    EXPECT_EQ(outcome.requests[0].head.target, "/a?b");
    EXPECT_EQ(outcome.requests[0].head.fields.find("x-y"), "z");
    EXPECT_EQ(outcome.requests[1].body, "hello world");
    EXPECT_EQ(outcome.requests[2].body, "hello world");
    EXPECT_EQ(outcome.requests[2].trailers.find("after"), "v");
    EXPECT_EQ(outcome.requests[3].body, "");
    EXPECT_EQ(outcome.requests[4].head.method, "PATCH");
  }
}

void expect_refused(const RefusedCase& each) {
  for (size_t piece : {size_t{1}, size_t{13}, size_t{1} << 20}) {
    if (piece == 1 && each.text.size() > 10 * kKiB) {
      continue;
    }
    Outcome outcome = parse(each.text, piece);
    EXPECT_EQ(outcome.refused, each.status) << each.what << " in pieces of " << piece << ": " << outcome.reason;
    EXPECT_TRUE(outcome.requests.empty()) << each.what;
  }
}

TEST(H1ParserTest, RefusesFramingThatServersDisagreeAbout) {
  for (const RefusedCase& each : framing_cases()) {
    expect_refused(each);
  }
}

TEST(H1ParserTest, RefusesHeadsThatServersDisagreeAbout) {
  for (const RefusedCase& each : head_cases()) {
    expect_refused(each);
  }
}

TEST(H1ParserTest, TakesWhatIsOddButClear) {
  const std::string texts[] = {
      "GET / HTTP/1.1\r\nHost: h\r\nEmpty:\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: h\r\nA: \xc3\xa9\r\n\r\n",
      "GET / HTTP/1.1\r\nHost:\th\t\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: h\r\nConnection: content-length\r\nContent-Length: 1\r\n\r\na",
      "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 00001\r\n\r\na",
      "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nA\r\n0123456789\r\n0\r\n\r\n",
      "mOVe /x HTTP/1.1\r\nHost: h\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
  };
  for (const std::string& text : texts) {
    Outcome outcome = parse(text, 1);
    EXPECT_EQ(outcome.requests.size(), 1U) << text << outcome.reason;
  }
}

TEST(H1ParserTest, LetsAFewEmptyLinesBeforeARequestPass) {
  const std::string request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
  for (size_t piece : kPieces) {
    EXPECT_EQ(parse("\r\n" + request + "\r\n" + request, piece).requests.size(), 2U);
    EXPECT_EQ(parse("\r\n\r\n\r\n\r\n" + request, piece).requests.size(), 1U);
    EXPECT_EQ(parse("\r\n\r\n\r\n\r\n\r\n" + request, piece).refused, 400);
    EXPECT_EQ(parse("\n" + request, piece).refused, 400);
    EXPECT_EQ(parse("\r" + request, piece).refused, 400);
  }
}

TEST(H1ParserTest, WithoutRoomItReadsUpToTheBody) {
  H1Parser parser(SessionLimits{});
  const std::string text = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
  size_t consumed = 0;
  EXPECT_EQ(parser.next(text, 0, consumed), H1Event::Head);
  std::string rest = text.substr(consumed);
  EXPECT_EQ(parser.next(rest, 0, consumed), H1Event::NeedMore);
  rest.erase(0, consumed);
  EXPECT_EQ(parser.next(rest, 0, consumed), H1Event::NeedMore);
  EXPECT_EQ(consumed, 0U);
  EXPECT_EQ(parser.next(rest, 2, consumed), H1Event::Body);
  EXPECT_EQ(parser.body(), "he");
}

TEST(H1ParserTest, SurvivesRandomChangesOfRequests) {
  const std::string seeds[] = {
      "GET /a?b HTTP/1.1\r\nHost: h\r\nX-Y:  z \r\nConnection: keep-alive, upgrade\r\n\r\n",
      "POST /c HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n5;a=b\r\nhello\r\n0\r\nAfter: v\r\n\r\n",
      "POST http://h/b HTTP/1.1\r\nHost: h\r\nContent-Length: 11\r\n\r\nhello world",
  };
  const std::string_view bytes("\r\n\0 :;,0aZ#\x7f\xff\t\"", 16);
  std::mt19937 random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string text = seeds[round % 3];
    for (size_t changes = 1 + random() % 4; changes > 0; --changes) {
      size_t at = random() % text.size();
      switch (random() % 3) {
        case 0:
          text[at] = bytes[random() % bytes.size()];
          break;
        case 1:
          text.insert(at, 1, bytes[random() % bytes.size()]);
          break;
        default:
          text.erase(at, 1);
          break;
      }
    }
    text += "\r\n\r\n";  // so that each head has an end, which Beast waits for
    Outcome whole = parse(text, 1 << 20);
    Outcome in_pieces = parse(text, 1 + random() % 9);
    // Of two faults, which is seen first may differ.
    EXPECT_EQ(whole.refused != 0, in_pieces.refused != 0) << testing::PrintToString(text);
    EXPECT_EQ(whole.requests.size(), in_pieces.requests.size()) << testing::PrintToString(text);
  }
}

}  // namespace
}  // namespace transom
