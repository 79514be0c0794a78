#include "proxy/answer.h"

#include <gtest/gtest.h>

#include <string>

#include "support/fake_exchange.h"

namespace transom {
namespace {

const std::string kId = "request-1";

Fields one(std::string_view name, std::string_view value) {
  Fields fields;
  fields.add(name, value);
  return fields;
}

TEST(AnswerTest, WhatCameBeforeTheHeadLeavesWithItsEnd) {
  Loop loop;
  FakeExchange exchange(loop);
  Answer answer(exchange, kId, nullptr);
  answer.head_fields().add("x-model", "3");
  answer.add("hel");
  answer.add("lo");
  EXPECT_FALSE(exchange.head_said.has_value());
  EXPECT_EQ(answer.waiting_bytes(), 5u);
  AnswerEnd end;
  end.head = AnswerHead{.status = 200, .content_type = "application/json"};
  end.trailers_in_head = true;
  answer.finish(std::move(end), one("x-took", "9"));
  EXPECT_EQ(exchange.head_said->content_length, 5);
  EXPECT_EQ(exchange.header("content-type"), "application/json");
  EXPECT_EQ(exchange.header("x-request-id"), kId);
  EXPECT_EQ(exchange.header("x-model"), "3");
  EXPECT_EQ(exchange.header("x-took"), "9");
  EXPECT_EQ(exchange.said, "hello");
  EXPECT_TRUE(exchange.trailers.empty());
}

TEST(AnswerTest, AnErrorDropsWhatWaited) {
  Loop loop;
  FakeExchange exchange(loop);
  Answer answer(exchange, kId, nullptr);
  answer.add("half an answer");
  answer.finish(json_failure(replica_error(Code::NotFound, "x"), ErrorForm::Status, nullptr, {}), {});
  EXPECT_EQ(exchange.head_said->status, 404);
  EXPECT_EQ(exchange.said, R"({"code":5,"message":"x","details":[]})");
}

TEST(AnswerTest, EveryKindOfAnswerSaysWhoMayReadIt) {
  const Cors cors({.allow_origins = {"https://a.test"}});
  const struct {
    std::string content_type;
    std::string origin;
    std::string allowed;
    std::string vary;
  } rows[] = {
      {"application/json", "https://a.test", "https://a.test", "Origin"},
      {"application/json", "https://b.test", "", "Origin"},
      {"application/json", "", "", "Origin"},
      {"application/grpc", "https://a.test", "https://a.test", "Origin"},
      {"application/grpc", "", "", ""},  // no page: its metadata stays as it is
  };
  for (const auto& row : rows) {
    for (const bool is_stream : {false, true}) {
      Loop loop;
      FakeExchange exchange(loop);
      if (!row.origin.empty()) {
        exchange.request.fields.add("origin", row.origin);
      }
      Answer answer(exchange, kId, &cors);
      answer.head_fields().add("access-control-allow-origin", "https://replicas-own.test");
      if (row.content_type == "application/grpc" && row.origin.empty()) {
        answer.head_fields().clear();
      }
      if (is_stream) {
        answer.send_head({.status = 200, .content_type = row.content_type});
      } else {
        AnswerEnd end;
        end.head = AnswerHead{.status = 200, .content_type = row.content_type};
        answer.finish(std::move(end), {});
      }
      EXPECT_EQ(exchange.header("access-control-allow-origin"), row.allowed) << row.content_type << row.origin;
      EXPECT_EQ(exchange.header("vary"), row.vary) << row.content_type << row.origin;
    }
  }
}

TEST(AnswerTest, APreflightIsToldMoreThanOtherOptions) {
  const Cors cors({.allow_origins = {"https://a.test"}});
  for (const bool is_preflight : {true, false}) {
    Loop loop;
    FakeExchange exchange(loop);
    exchange.request.method = "OPTIONS";
    exchange.request.fields.add("origin", "https://a.test");
    if (is_preflight) {
      exchange.request.fields.add("access-control-request-method", "POST");
    }
    Answer answer(exchange, kId, &cors);
    answer.finish_options("POST, OPTIONS");
    EXPECT_EQ(exchange.head_said->status, 204);
    EXPECT_EQ(exchange.header("allow"), "POST, OPTIONS");
    EXPECT_EQ(exchange.header("access-control-allow-origin"), "https://a.test");
    EXPECT_EQ(exchange.header("access-control-allow-methods"), is_preflight ? "POST, OPTIONS" : "");
  }
}

TEST(AnswerTest, A401HasAChallenge) {
  for (const std::string own : {"", "Basic realm=\"x\""}) {
    Loop loop;
    FakeExchange exchange(loop);
    Answer answer(exchange, kId, nullptr);
    const Fields trailers = own.empty() ? Fields() : one("www-authenticate", own);
    answer.finish(json_failure(replica_error(Code::Unauthenticated, "who"), ErrorForm::Status, nullptr, {}), trailers);
    EXPECT_EQ(exchange.head_said->status, 401);
    EXPECT_EQ(exchange.header("www-authenticate"), own.empty() ? "Bearer" : own);
  }
}

TEST(AnswerTest, AStreamEndsWithTrailersOrIsCut) {
  Loop loop;
  FakeExchange whole(loop);
  Answer good(whole, kId, nullptr);
  good.send_head({.status = 200, .content_type = "application/x-ndjson"});
  EXPECT_EQ(whole.head_said->content_length, -1);
  good.add("{}\n");
  good.finish(AnswerEnd{}, one("x-took", "9"));
  EXPECT_EQ(whole.trailers.find("x-took"), "9");

  FakeExchange cut(loop);
  Answer bad(cut, kId, nullptr);
  bad.send_head({.status = 200, .content_type = "application/x-ndjson"});
  AnswerEnd end;
  end.bytes = "{\"error\":{}}\n";
  end.abort = true;
  end.status = replica_error(Code::Internal, "x");
  bad.finish(std::move(end), {});
  EXPECT_EQ(cut.aborted, 2u);
  EXPECT_FALSE(cut.is_finished);
  EXPECT_EQ(cut.said, "{\"error\":{}}\n");
  // The session ends such an exchange as it likes: the record keeps the reason for the cut.
  RequestRecord record;
  bad.describe(client_error(Code::Cancelled, "gone"), record);
  EXPECT_EQ(record.http_status, 200);
  EXPECT_EQ(record.grpc_status, 13);
}

TEST(AnswerTest, AStreamOfNothingThatHasTrailersKeepsThem) {
  Loop loop;
  FakeExchange exchange(loop);
  Answer answer(exchange, kId, nullptr);
  AnswerEnd end;
  end.head = AnswerHead{.status = 200, .content_type = "application/x-ndjson"};
  answer.finish(std::move(end), one("x-took", "9"));
  EXPECT_EQ(exchange.head_said->content_length, -1);  // chunked, or there is no place for trailers
  EXPECT_EQ(exchange.trailers.find("x-took"), "9");
}

TEST(AnswerTest, AClientThatWentIs499) {
  Loop loop;
  FakeExchange exchange(loop);
  Answer answer(exchange, kId, nullptr);
  RequestRecord record;
  answer.describe(client_error(Code::Cancelled, "the client went"), record);
  EXPECT_EQ(record.http_status, 499);
  EXPECT_EQ(record.grpc_status, 1);
  answer.describe(client_error(Code::DeadlineExceeded, "too slow", 408), record);
  EXPECT_EQ(record.http_status, 408);
  EXPECT_EQ(record.grpc_status, 4);
}

TEST(AnswerTest, OptionsIsAnsweredWithAllowAlone) {
  Loop loop;
  FakeExchange exchange(loop);
  Answer answer(exchange, kId, nullptr);
  answer.finish_options("GET, OPTIONS");
  EXPECT_EQ(exchange.head_said->status, 204);
  EXPECT_EQ(exchange.header("allow"), "GET, OPTIONS");
  EXPECT_EQ(exchange.header("x-request-id"), kId);
  EXPECT_TRUE(exchange.is_finished);
  EXPECT_TRUE(exchange.said.empty());
}

}  // namespace
}  // namespace transom
