#include "http/web_socket_exchange.h"

#include <gtest/gtest.h>

#include "http/web_socket_frames.h"
#include "support/fake_exchange.h"
#include "support/fake_exchange_handler.h"
#include "support/loop_runner.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

void open_web_socket(Exchange& exchange, ExchangeNotes&) {
  ResponseHead head;
  head.status = 101;
  head.fields.add("content-type", "application/json");
  exchange.send_head(head);
}

Fields close_fields(std::string_view code, std::string_view reason) {
  Fields fields;
  fields.add(kCloseCodeField, code);
  fields.add(kCloseReasonField, reason);
  return fields;
}

constexpr size_t kWindow = 16 * kKiB;

class WebSocketExchangeTest : public testing::Test, private ExchangeAcceptor {
 protected:
  WebSocketExchangeTest() {
    inner_.request.is_web_socket = true;
    inner_.request.fields.add("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
    acceptor_.on_head = open_web_socket;
  }
  ~WebSocketExchangeTest() override { inner_.drop_handler(); }


  void begin() { inner_.begin(*this); }
  ExchangeNotes& notes() { return *acceptor_.exchanges.at(0); }
  // The exchange that the handler has.
  Exchange& above() { return *above_; }
  std::vector<WsFrame> said() { return ws_frames(inner_.said); }

  Loop loop_;
  FakeExchange inner_{loop_};
  SessionLimits limits_;
  OpenWebSockets open_;
  FakeExchangeAcceptor acceptor_;
  Exchange* above_ = nullptr;

 private:
  std::unique_ptr<ExchangeHandler> on_exchange(Exchange& exchange) override {
    return WebSocketExchange::begin(exchange, noted_, {limits_, kWindow, open_});
  }

  // Between the exchange and the fake: it remembers what it was given.
  class Noted final : public ExchangeAcceptor {
   public:
    explicit Noted(WebSocketExchangeTest& test) : test_(test) {}
    std::unique_ptr<ExchangeHandler> on_exchange(Exchange& exchange) override {
      test_.above_ = &exchange;
      return test_.acceptor_.on_exchange(exchange);
    }

   private:
    WebSocketExchangeTest& test_;
  };
  Noted noted_{*this};
};

TEST_F(WebSocketExchangeTest, OpensWhenItsHandlerAccepts) {
  begin();
  ASSERT_TRUE(inner_.head_said.has_value());
  EXPECT_EQ(inner_.head_said->status, 101);
  EXPECT_EQ(inner_.header("sec-websocket-accept"), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
  EXPECT_EQ(inner_.header("content-type"), "");
  EXPECT_EQ(inner_.said, "");
}

TEST_F(WebSocketExchangeTest, ARefusalIsAPlainAnswer) {
  acceptor_.on_head = [](Exchange& exchange, ExchangeNotes&) { answer(exchange, 404, "no such path"); };
  begin();
  EXPECT_EQ(inner_.head_said->status, 404);
  EXPECT_EQ(inner_.header("content-type"), "text/plain");
  EXPECT_EQ(inner_.said, "no such path");
  EXPECT_TRUE(inner_.is_finished);
  inner_.end();
  EXPECT_EQ(notes().ends, 1);
  EXPECT_TRUE(notes().end_status.ok());
}

TEST_F(WebSocketExchangeTest, MessagesGoBothWaysAsPieces) {
  begin();
  inner_.send_body(ws_text("one") + ws_frame({kWsBinary, "two"}));
  EXPECT_EQ(ws_messages(notes().body), "one|two(binary)|");
  above().send(ws_piece("a") + ws_piece("b", true));
  EXPECT_EQ(said(), (std::vector<WsFrame>{{kWsText, "a"}, {kWsBinary, "b"}}));
}

TEST_F(WebSocketExchangeTest, WhatItsHandlerDoesNotConsumeStaysUnconsumedBelow) {
  acceptor_.consumes = false;
  begin();
  const std::string frames = ws_text("one") + ws_text("two");
  inner_.send_body(frames);
  EXPECT_EQ(inner_.consumed, 0U);
  above().consume(ws_piece("one").size());
  EXPECT_LT(inner_.consumed, frames.size());
  above().consume(ws_piece("two").size());
  EXPECT_EQ(inner_.consumed, frames.size());
}

TEST_F(WebSocketExchangeTest, AMessageInPiecesIsConsumedPieceByPiece) {
  begin();
  const std::string frame = ws_frame({kWsText, std::string(1000, 'x')});
  inner_.send_body(frame.substr(0, 500));
  EXPECT_EQ(inner_.consumed, 500U);
  EXPECT_TRUE(ws_messages(notes().body).ends_with("x+"));
  inner_.send_body(frame.substr(500));
  EXPECT_EQ(ws_messages(notes().body), std::string(1000, 'x') + "|");
  EXPECT_EQ(inner_.consumed, frame.size());
}

TEST_F(WebSocketExchangeTest, PingsAreAnsweredAndNotReadWhileTheAnswersAreNot) {
  inner_.drains_at_once = false;
  begin();
  const std::string ping = ws_frame({kWsPing, std::string(125, 'p')});
  size_t sent = 0;
  for (int i = 0; i < 1000 && inner_.consumed == sent; ++i) {
    inner_.send_body(ping);
    sent += ping.size();
  }
  EXPECT_LT(inner_.consumed, sent) << "a client that only pings makes us hold no more than a bound";
  EXPECT_LT(inner_.buffered(), 32 * kKiB);
  inner_.drain();
  EXPECT_EQ(inner_.consumed, sent);
  EXPECT_EQ(said().front(), (WsFrame{kWsPong, std::string(125, 'p')}));
}

TEST_F(WebSocketExchangeTest, ItsHandlersEndIsACloseThatTheClientAnswers) {
  begin();
  above().send(ws_piece("last"));
  above().finish(close_fields("4005", "not found"));
  EXPECT_EQ(said(), (std::vector<WsFrame>{{kWsText, "last"}, {kWsClose, ws_close(4005, "not found")}}));
  EXPECT_FALSE(inner_.is_finished) << "the client's close is awaited";
  inner_.send_body(ws_text("late") + ws_frame({kWsClose, ws_close(4005)}));
  EXPECT_TRUE(inner_.is_finished);
  EXPECT_EQ(notes().body, "");
  inner_.end();
  EXPECT_EQ(notes().ends, 1);
  EXPECT_TRUE(notes().end_status.ok());
}

TEST_F(WebSocketExchangeTest, WithoutACodeItClosesNormally) {
  begin();
  above().finish({});
  EXPECT_EQ(said(), (std::vector<WsFrame>{{kWsClose, ws_close(1000)}}));
}

TEST_F(WebSocketExchangeTest, AClientThatDoesNotAnswerTheCloseIsNotWaitedForLong) {
  limits_.web_socket_close = milliseconds(5);
  begin();
  above().finish({});
  EXPECT_TRUE(run_until(loop_, [&] { return inner_.is_finished; }));
}

TEST_F(WebSocketExchangeTest, AClientThatGoesAfterTheLastWordHasHadItsAnswer) {
  begin();
  above().finish({});
  inner_.end(client_error(Code::Cancelled, "the client closed the session"));
  EXPECT_TRUE(notes().end_status.ok());
}

TEST_F(WebSocketExchangeTest, OneThatGoesBeforeItHasNot) {
  inner_.drains_at_once = false;
  begin();
  above().finish({});
  inner_.end(client_error(Code::Cancelled, "the client closed the session"));
  EXPECT_EQ(notes().end_status.code, Code::Cancelled);
}

TEST_F(WebSocketExchangeTest, TheClientsCloseIsAnsweredAndCancels) {
  begin();
  inner_.send_body(ws_text("a") + ws_frame({kWsClose, ws_close(1001, "bye")}));
  EXPECT_EQ(ws_messages(notes().body), "a|");
  EXPECT_EQ(notes().ends, 1);
  EXPECT_EQ(notes().end_status.code, Code::Cancelled);
  EXPECT_EQ(said(), (std::vector<WsFrame>{{kWsClose, ws_close(1001, "bye")}}));
  EXPECT_TRUE(inner_.is_finished);
  run_for(loop_, milliseconds(1));  // the handler is buried meanwhile
  inner_.end();
  EXPECT_EQ(notes().ends, 1);
}

TEST_F(WebSocketExchangeTest, ABrokenRuleIsToldAndCancels) {
  begin();
  inner_.send_body(ws_text("\xff"));
  EXPECT_EQ(said(), (std::vector<WsFrame>{{kWsClose, ws_close(1007)}}));
  EXPECT_TRUE(inner_.is_finished);
  EXPECT_EQ(notes().end_status.code, Code::Cancelled);
  EXPECT_NE(notes().end_status.message.find("1007"), std::string::npos);
}

TEST_F(WebSocketExchangeTest, AStreamThatEndsWithoutACloseCancels) {
  begin();
  inner_.end_body();
  EXPECT_EQ(notes().end_status.code, Code::Cancelled);
  EXPECT_TRUE(inner_.is_finished);
}

TEST_F(WebSocketExchangeTest, WhoSpeaksBeforeTheAnswerIsCutOff) {
  acceptor_.on_head = nullptr;
  begin();
  inner_.send_body(ws_text("too early"));
  EXPECT_TRUE(inner_.aborted.has_value());
  EXPECT_EQ(notes().end_status.code, Code::Cancelled);
  EXPECT_EQ(notes().body, "");
}

TEST_F(WebSocketExchangeTest, ItsHandlerMayEndInTheMiddleOfWhatCame) {
  acceptor_.on_body = [](Exchange& exchange, ExchangeNotes&) { exchange.finish(close_fields("1009", "too big")); };
  begin();
  inner_.send_body(ws_text("a") + ws_frame({kWsClose, ws_close(1000)}));
  EXPECT_EQ(said(), (std::vector<WsFrame>{{kWsClose, ws_close(1009, "too big")}}));
  EXPECT_TRUE(inner_.is_finished);
  inner_.end();
  EXPECT_EQ(notes().ends, 1);
  EXPECT_TRUE(notes().end_status.ok());
}

TEST_F(WebSocketExchangeTest, ASilentClientIsPingedAndGivenUpWithoutAPong) {
  limits_.web_socket_ping = milliseconds(3);
  limits_.web_socket_pong = milliseconds(20);
  begin();
  ASSERT_TRUE(run_until(loop_, [&] { return !inner_.said.empty(); }));
  EXPECT_EQ(said(), (std::vector<WsFrame>{{kWsPing, ""}}));
  ASSERT_TRUE(run_until(loop_, [&] { return inner_.aborted.has_value(); }));
  EXPECT_EQ(notes().end_status.code, Code::Cancelled);
}

TEST_F(WebSocketExchangeTest, OneThatAnswersPingsIsKept) {
  limits_.web_socket_ping = milliseconds(3);
  limits_.web_socket_pong = milliseconds(200);
  begin();
  size_t pongs = 0;
  EXPECT_TRUE(run_until(loop_, [&] {
    for (; pongs < said().size(); ++pongs) {
      inner_.send_body(ws_frame({kWsPong, ""}));
    }
    return pongs >= 20 || inner_.has_ended();
  }));
  EXPECT_FALSE(inner_.has_ended());
}

TEST_F(WebSocketExchangeTest, OneWhoseMessagesAreNotTakenIsPingedAndNotExpectedToAnswer) {
  limits_.web_socket_ping = milliseconds(3);
  limits_.web_socket_pong = milliseconds(3);
  acceptor_.consumes = false;
  begin();
  inner_.send_body(ws_text("a"));
  EXPECT_TRUE(run_until(loop_, [&] { return said().size() >= 5 || inner_.has_ended(); }));
  EXPECT_EQ(said().back(), (WsFrame{kWsPing, ""}));
  EXPECT_FALSE(inner_.has_ended());
}

TEST_F(WebSocketExchangeTest, OneThatHasNotReadWhatItWasSentIsNotPinged) {
  limits_.web_socket_ping = milliseconds(2);
  limits_.web_socket_pong = milliseconds(2);
  inner_.drains_at_once = false;
  begin();
  above().send(ws_piece("a"));
  run_for(loop_, milliseconds(30));
  EXPECT_EQ(said(), (std::vector<WsFrame>{{kWsText, "a"}}));
  EXPECT_FALSE(inner_.has_ended());
}

TEST_F(WebSocketExchangeTest, IsToldThatTheProxyEnds) {
  begin();
  open_.close_all();
  EXPECT_EQ(said(), (std::vector<WsFrame>{{kWsClose, ws_close(1001, "the proxy ends")}}));
  EXPECT_EQ(notes().end_status.code, Code::Unavailable);
  open_.close_all();
  EXPECT_EQ(said().size(), 1U);
}

TEST_F(WebSocketExchangeTest, OneThatHasEndedIsNotToldAnyMore) {
  begin();
  inner_.end(client_error(Code::Cancelled, "gone"));
  open_.close_all();
  EXPECT_EQ(inner_.said, "");
}

TEST_F(WebSocketExchangeTest, HearsThatThereIsRoomAgain) {
  begin();
  inner_.drain();
  EXPECT_EQ(notes().send_ready, 1);
}

}  // namespace
}  // namespace transom
