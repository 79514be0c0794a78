// Behaviours 50 to 56: how a replica's answer ends, well or not.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compress/gzip.h"
#include "proxy/behaviours.h"

namespace transom {
namespace {

const FieldList kGood = {{"grpc-status", "0"}};

void expect_error(const FakeExchange& exchange, int status, int code, const std::string& what) {
  EXPECT_EQ(exchange.head_said->status, status) << what;
  EXPECT_TRUE(exchange.said.starts_with("{\"code\":" + std::to_string(code) + ",")) << what << exchange.said;
}

void send_texts(FakeStream& stream, int count) {
  stream.send_head(grpc_head());
  for (int i = 0; i < count; ++i) {
    stream.send_bytes(grpc_message(text_wire("hi")));
  }
}

TEST_F(Behaviours, N50_AStreamOfNothingHasItsContentTypeAllTheSame) {
  const std::pair<const char*, const char*> cases[] = {
      {"application/json", "[]"}, {"application/x-ndjson", ""}, {"text/event-stream", ""}};
  for (const auto& [type, body] : cases) {
    FakeExchange& exchange = get_from(
        [](FakeStream& stream) {
          send_texts(stream, 0);
          stream.finish(kGood);
        },
        "/v1/tell", {{"accept", type}});
    EXPECT_EQ(exchange.head_said->status, 200) << type;
    EXPECT_EQ(exchange.header("content-type"), type);
    EXPECT_EQ(exchange.said, body) << type;
  }
}

TEST_F(Behaviours, N51_EachMessageLeavesWhenItComes) {
  FakeStream* open = nullptr;
  answer_ = [&](FakeStream& stream) {
    open = &stream;
    send_texts(stream, 1);
  };
  FakeExchange& exchange = bench_.send("GET", "/v1/tell", "");
  ASSERT_TRUE(run_until(bench_.loop, [&] { return !exchange.said.empty(); }));
  EXPECT_EQ(exchange.said, "{\"text\":\"hi\"}\n");
  open->send_bytes(grpc_message(text_wire("ho")));
  ASSERT_TRUE(run_until(bench_.loop, [&] { return exchange.pieces.size() == 2; }));
  open->finish(kGood);
  ASSERT_TRUE(bench_.run_to_end(exchange));
}

TEST_F(Behaviours, N52_ALateErrorStandsInBandAndTheAnswerIsCut) {
  const std::string error = R"({"code":8,"message":"no more","details":[]})";
  const std::string hi = R"({"text":"hi"})";
  const std::pair<std::string, std::string> cases[] = {
      {"application/json", "[" + hi + "," + hi + ",{\"error\":" + error + "}]"},
      {"application/x-ndjson", hi + "\n" + hi + "\n{\"error\":" + error + "}\n"},
      {"text/event-stream", "data: " + hi + "\n\ndata: " + hi + "\n\nevent: error\ndata: " + error + "\n\n"}};
  for (const ErrorForm form : {ErrorForm::Status, ErrorForm::Envelope, ErrorForm::Problem}) {
    bench_.snapshot.route_settings[0].errors = form;
    bench_.reuse();
    for (const auto& [type, body] : cases) {
      FakeExchange& exchange = get_from(
          [](FakeStream& stream) {
            send_texts(stream, 2);
            stream.finish({{"grpc-status", "8"}, {"grpc-message", "no more"}, {"x-late", "1"}});
          },
          "/v1/tell", {{"accept", type}});
      EXPECT_EQ(exchange.said, body);
      EXPECT_EQ(exchange.aborted, 2u) << "INTERNAL_ERROR";
      EXPECT_TRUE(exchange.trailers.empty());
    }
  }
}

TEST_F(Behaviours, N53_AnAnswerThatBreaksOffHasACodeOfItsOwn) {
  const std::string half = grpc_message(text_wire("hi")).substr(0, 7);
  expect_error(get_from(
                   [](FakeStream& stream) {
                     stream.send_head(grpc_head());
                     stream.finish_bare();
                   },
                   "/v1/say/7"),
               500, 2, "no grpc-status");
  expect_error(get_from(
                   [&](FakeStream& stream) {
                     stream.send_head(grpc_head());
                     stream.send_bytes(half);
                     stream.finish(kGood);
                   },
                   "/v1/say/7"),
               500, 13, "a short frame");
  expect_error(get_from([&](FakeStream&) { bench_.replica.close_sessions(); }, "/v1/say/7"), 503, 14, "a lost session");
  FakeExchange& stream = get_from(
      [&](FakeStream& open) {
        send_texts(open, 1);
        open.send_bytes(half);
        open.finish(kGood);
      },
      "/v1/tell");
  EXPECT_NE(stream.said.find("{\"error\":{\"code\":13,"), std::string::npos) << stream.said;
  EXPECT_EQ(stream.aborted, 2u);
}

TEST_F(Behaviours, N54_AUnaryAnswerIsExactlyOneMessage) {
  for (const int count : {0, 2}) {
    expect_error(get_from(
                     [&](FakeStream& stream) {
                       send_texts(stream, count);
                       stream.finish(kGood);
                     },
                     "/v1/say/7"),
                 500, 13, std::to_string(count));
  }
}

TEST_F(Behaviours, N55_AnAnswerThatIsNotGrpcIsMappedByItsStatus) {
  const struct {
    const char* status;
    int http_status;
    int code;
  } cases[] = {{"400", 500, 13}, {"401", 401, 16}, {"403", 403, 7},  {"404", 501, 12},
               {"429", 503, 14}, {"502", 503, 14}, {"503", 503, 14}, {"504", 503, 14},
               {"431", 500, 13}, {"500", 500, 2},  {"302", 500, 2},  {"200", 500, 2}};
  for (const auto& row : cases) {
    expect_error(get_from(
                     [&](FakeStream& stream) {
                       stream.send_only({{":status", row.status}, {"content-type", "text/html"}});
                     },
                     "/v1/say/7"),
                 row.http_status, row.code, row.status);
  }
}

TEST_F(Behaviours, N56_KnownCodingsAreInflatedAndOthersAreInternal) {
  std::string packed;
  gzip_bytes(text_wire("hi"), packed);
  std::string frame = grpc_message(packed);
  frame[0] = 1;
  Fields sent;
  const auto answer = [&](const std::string& coding) {
    return [&, coding](FakeStream& stream) {
      sent = stream.head();
      FieldList head = grpc_head();
      if (!coding.empty()) {
        head.emplace_back("grpc-encoding", coding);
      }
      stream.send_head(head);
      stream.send_bytes(frame);
      stream.finish(kGood);
    };
  };
  FakeExchange& good = get_from(answer("gzip"), "/v1/say/7");
  EXPECT_EQ(good.head_said->status, 200);
  EXPECT_EQ(good.said, R"({"text":"hi"})");
  EXPECT_EQ(sent.find("grpc-accept-encoding"), "identity,deflate,gzip");
  EXPECT_FALSE(sent.find("accept-encoding").has_value());
  for (const char* coding : {"br", "snappy", "identity", ""}) {
    expect_error(get_from(answer(coding), "/v1/say/7"), 500, 13, coding);
  }
}

}  // namespace
}  // namespace transom
