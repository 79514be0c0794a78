#include "local/local_call.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "compress/gzip.h"
#include "protocol/grpc_frame.h"
#include "support/call_record.h"
#include "support/loop_runner.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

constexpr size_t kWindow = 1024;

std::string framed(const std::string& message, bool is_compressed = false) {
  std::string frame;
  const size_t at = begin_grpc_frame(frame);
  frame += message;
  end_grpc_frame(frame, at);
  frame[at] = is_compressed ? 1 : 0;
  return frame;
}

// Answers each message with itself; "end" ends well, "fail" does not.
class Echo final : public LocalMethod {
 public:
  Echo(LocalAnswer& answer, std::vector<std::string>& heard) : answer_(answer), heard_(heard) {}
  void on_message(std::string_view message) override {
    heard_.emplace_back(message);
    if (message == "end") {
      answer_.end({});
    } else if (message == "fail") {
      answer_.end(client_error(Code::NotFound, "none"));
    } else {
      answer_.send(message);
    }
  }
  void on_half_close() override {
    heard_.emplace_back("(half-closed)");
    answer_.end({});
  }

 private:
  LocalAnswer& answer_;
  std::vector<std::string>& heard_;
};

class LocalCallTest : public testing::Test {
 protected:
  void start(CallHead head = {}) {
    const LocalMethodMaker make = [this](LocalAnswer& answer) { return std::make_unique<Echo>(answer, heard_); };
    record_.call = std::make_unique<LocalCall>(loop_, head, record_, make, kWindow);
  }
  size_t send(std::string bytes, bool end = false) {
    record_.in_caller = true;
    const size_t buffered = record_.call->send(std::move(bytes), end);
    record_.in_caller = false;
    return buffered;
  }
  bool run_to_end() {
    return run_until(loop_, [&] { return record_.has_ended(); });
  }

  Loop loop_;
  std::vector<std::string> heard_;
  CallRecord record_;
};

TEST_F(LocalCallTest, MessagesAreTakenApartHoweverTheyAreCut) {
  start();
  const std::string bytes = framed("a") + framed("") + framed("long one");
  for (const char byte : bytes)
    send(std::string(1, byte));
  send("", true);
  ASSERT_TRUE(run_to_end());
  EXPECT_EQ(heard_, (std::vector<std::string>{"a", "", "long one", "(half-closed)"}));
  EXPECT_EQ(record_.received, bytes);
  EXPECT_TRUE(record_.end.status.ok());
  EXPECT_FALSE(record_.end.trailers_only);
  EXPECT_FALSE(record_.is_inside);
  EXPECT_EQ(record_.ends, 1);
}

TEST_F(LocalCallTest, AnErrorWithoutAMessageIsTrailersOnly) {
  start();
  send(framed("fail") + framed("never heard"));
  ASSERT_TRUE(run_to_end());
  EXPECT_EQ(record_.end.status.code, Code::NotFound);
  EXPECT_TRUE(record_.end.trailers_only);
  EXPECT_FALSE(record_.head.has_value());
  EXPECT_EQ(heard_.size(), 1u);
}

TEST_F(LocalCallTest, CompressedMessagesAreReadAsTheHeadSays) {
  std::string packed;
  gzip_bytes("unpacked", packed);
  const struct {
    std::string encoding;
    std::string message;
    Code code;
  } rows[] = {
      {"gzip", packed, Code::Ok},
      {"gzip", "no gzip", Code::Internal},
      {"zstd", packed, Code::Unimplemented},
      {"", packed, Code::Unimplemented},
  };
  for (const auto& row : rows) {
    record_ = CallRecord();
    heard_.clear();
    CallHead head;
    if (!row.encoding.empty()) head.metadata.add("grpc-encoding", row.encoding);
    start(head);
    send(framed(row.message, true), true);
    ASSERT_TRUE(run_to_end());
    EXPECT_EQ(record_.end.status.code, row.code) << row.encoding;
    EXPECT_EQ(record_.received, row.code == Code::Ok ? framed("unpacked") : "");
  }
}

TEST_F(LocalCallTest, WhatIsTooLargeOrCutOffEndsTheCall) {
  std::string bomb;
  gzip_bytes(std::string(2 * kLocalMessageBytesMax, 'x'), bomb);
  const struct {
    std::string bytes;
    Code code;
  } rows[] = {
      {framed(std::string(kLocalMessageBytesMax + 1, 'x')), Code::ResourceExhausted},
      {framed(bomb, true), Code::ResourceExhausted},
      {std::string("\x02\0\0\0\0", 5), Code::ResourceExhausted},
      {framed("cut").substr(0, 6), Code::Internal},
  };
  for (const auto& row : rows) {
    record_ = CallRecord();
    CallHead head;
    head.metadata.add("grpc-encoding", "gzip");
    start(head);
    send(row.bytes);
    send("", true);
    ASSERT_TRUE(run_to_end());
    EXPECT_EQ(record_.end.status.code, row.code) << row.bytes.size();
    EXPECT_EQ(record_.received, "");
  }
}

TEST_F(LocalCallTest, AClientThatDoesNotReadIsNotAnsweredFurther) {
  start();
  record_.consumes = false;
  size_t buffered = 0;
  for (int i = 0; i < 10; ++i)
    buffered = send(framed(std::string(300, 'x')));
  EXPECT_GT(buffered, kWindow);
  run_for(loop_, milliseconds(20));
  EXPECT_LE(record_.received.size(), kWindow + 305);
  EXPECT_EQ(record_.readies, 0);
  const size_t received = record_.received.size();
  // Empty messages cost memory too.
  for (int i = 0; i < 100; ++i)
    buffered = send(framed(""));
  EXPECT_GE(buffered, 10 * 305 - received + 100 * kGrpcPrefixBytes);
  record_.consumes = true;
  record_.in_caller = true;
  record_.call->consume(received);
  record_.in_caller = false;
  EXPECT_TRUE(run_until(loop_, [&] { return record_.readies == 1; }));
  send("", true);
  ASSERT_TRUE(run_to_end());
  EXPECT_EQ(record_.received.size(), 10 * 305 + 100 * kGrpcPrefixBytes);
  EXPECT_FALSE(record_.is_inside);
}

TEST_F(LocalCallTest, ManyMessagesDoNotHoldTheLoop) {
  start();
  std::string bytes;
  for (int i = 0; i < 3 * kLocalMessagesPerTurn; ++i) bytes += framed("");
  send(bytes, true);
  size_t heard_before_the_timer = 0;
  Timer other(loop_, [&] { heard_before_the_timer = heard_.size(); });
  other.start(std::chrono::nanoseconds(0));
  ASSERT_TRUE(run_to_end());
  EXPECT_EQ(heard_.size(), 3u * kLocalMessagesPerTurn + 1);
  EXPECT_LE(heard_before_the_timer, static_cast<size_t>(kLocalMessagesPerTurn));
}

TEST_F(LocalCallTest, TheDeadlineEndsIt) {
  CallHead head;
  head.deadline = loop_.now() + milliseconds(20);
  start(head);
  send(framed("a"));
  ASSERT_TRUE(run_to_end());
  EXPECT_EQ(record_.end.status.code, Code::DeadlineExceeded);
  EXPECT_EQ(record_.received, framed("a"));
}

TEST_F(LocalCallTest, DestroyingItIsTheEnd) {
  start();
  send(framed("a"), true);
  record_.call.reset();
  run_for(loop_, milliseconds(5));
  EXPECT_EQ(record_.ends, 0);
  EXPECT_EQ(heard_.size(), 0u);
}

}  // namespace
}  // namespace transom
