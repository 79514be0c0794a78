#include "backend/channel_call.h"

#include <gtest/gtest.h>

#include "backend/backend_bench.h"
#include "support/fake_replica.h"

namespace transom {
namespace {

// One call against one replica that follows the script; the call's end is in `call`.
struct OneCall {
  explicit OneCall(FakeScript script, const FakeOptions& fake = {}, ChannelLimits limits = {})
      : replica(loop, fake, std::move(script)), bench(loop, with(limits)) {
    EXPECT_TRUE(bench.run_until_up());
  }
  BackendOptions with(const ChannelLimits& limits) const {
    BackendOptions options = backend_options({replica.address()});
    options.limits = limits;
    return options;
  }
  void run(const std::string& body = grpc_message("hi")) {
    bench.start(call);
    bench.send(call, body);
    EXPECT_TRUE(bench.run([&] { return call.has_ended(); }));
    EXPECT_FALSE(call.is_inside);
  }

  Loop loop;
  FakeReplica replica;
  BackendBench bench;
  CallRecord call;
};

// A script that answers at the end of the request.
FakeScript at_end(std::function<void(FakeStream&)> answer) {
  FakeScript script;
  script.on_end = std::move(answer);
  return script;
}

TEST(ChannelCall, CarriesAUnaryCall) {
  std::string path;
  std::string te;
  OneCall test(at_end([&](FakeStream& stream) {
    path = stream.head().find(":path").value_or("");
    te = stream.head().find("te").value_or("");
    FieldList head = grpc_head();
    head.emplace_back("x-initial", "1");
    stream.send_head(head);
    stream.send_bytes(stream.body());
    stream.finish({{"grpc-status", "0"}, {"x-trailing", "2"}});
  }));
  test.run();
  EXPECT_EQ(path, "/test.Peer/Echo");
  EXPECT_EQ(te, "trailers");
  EXPECT_TRUE(test.call.end.status.ok()) << test.call.end.status.message;
  EXPECT_EQ(test.call.received, grpc_message("hi"));
  ASSERT_TRUE(test.call.head);
  EXPECT_EQ(test.call.head->find("x-initial"), "1");
  EXPECT_FALSE(test.call.head->find("content-type"));
  EXPECT_EQ(test.call.end.trailers.find("x-trailing"), "2");
  EXPECT_FALSE(test.call.end.trailers.find("grpc-status"));
  EXPECT_EQ(test.call.end.replica, test.replica.address());
  EXPECT_FALSE(test.call.end.trailers_only);
  EXPECT_EQ(test.bench.account.held_bytes(), 0U);
}

struct AnswerCase {
  const char* name;
  std::function<void(FakeStream&)> answer;
  Code code;
  const char* message_part;
  bool trailers_only = false;
};

std::vector<AnswerCase> reset_cases() {
  return {
      {"reset INTERNAL_ERROR", [](FakeStream& s) { s.reset(2); }, Code::Internal, "INTERNAL_ERROR"},
      {"reset CANCEL", [](FakeStream& s) { s.reset(8); }, Code::Cancelled, "CANCEL"},
      {"reset ENHANCE_YOUR_CALM", [](FakeStream& s) { s.reset(11); }, Code::ResourceExhausted, "ENHANCE_YOUR_CALM"},
      {"reset INADEQUATE_SECURITY", [](FakeStream& s) { s.reset(12); }, Code::PermissionDenied, "INADEQUATE"},
  };
}

std::vector<AnswerCase> answer_cases() {
  auto head = [](const char* status, const char* content_type) {
    return FieldList{{":status", status}, {"content-type", content_type}};
  };
  return {
      {"error trailers",
       [](FakeStream& s) {
         s.send_head(grpc_head());
         s.finish({{"grpc-status", "5"}, {"grpc-message", "no%20model"}});
       },
       Code::NotFound, "no model"},
      {"trailers-only",
       [](FakeStream& s) {
         FieldList fields = grpc_head();
         fields.emplace_back("grpc-status", "3");
         fields.emplace_back("grpc-message", "bad");
         s.send_only(fields);
       },
       Code::InvalidArgument, "bad", true},
      {"no trailers",
       [](FakeStream& s) {
         s.send_head(grpc_head());
         s.send_bytes("x");
         s.finish_bare();
       },
       Code::Unknown, "without a grpc-status"},
      {"trailers without a status",
       [](FakeStream& s) {
         s.send_head(grpc_head());
         s.finish({{"x", "y"}});
       },
       Code::Unknown, "without a grpc-status"},
      {"malformed status",
       [](FakeStream& s) {
         s.send_head(grpc_head());
         s.finish({{"grpc-status", "x"}});
       },
       Code::Unknown, "malformed grpc-status"},
      {"503 with a body",
       [=](FakeStream& s) {
         s.send_head(head("503", "text/plain"));
         s.send_bytes("no healthy");
         s.finish_bare();
       },
       Code::Unavailable, "HTTP status 503"},
      {"404 without a body", [=](FakeStream& s) { s.send_only(head("404", "text/html")); }, Code::Unimplemented,
       "HTTP status 404", true},
      {"401 with a grpc-status",
       [=](FakeStream& s) {
         FieldList fields = head("401", "application/grpc");
         fields.emplace_back("grpc-status", "7");
         s.send_only(fields);
       },
       Code::PermissionDenied, "", true},
      {"wrong content type",
       [=](FakeStream& s) {
         s.send_head(head("200", "text/html"));
         s.finish_bare();
       },
       Code::Unknown, "content type \"text/html\""},
      {"no content type",
       [](FakeStream& s) {
         s.send_head({{":status", "200"}});
         s.finish_bare();
       },
       Code::Unknown, "content type \"\""},
  };
}

TEST(ChannelCall, SaysHowTheReplicaEndedIt) {
  std::vector<AnswerCase> cases = answer_cases();
  for (AnswerCase& reset : reset_cases()) {
    cases.push_back(std::move(reset));
  }
  for (const AnswerCase& c : cases) {
    OneCall test(at_end(c.answer));
    test.run();
    EXPECT_EQ(test.call.end.status.code, c.code) << c.name;
    EXPECT_EQ(test.call.end.status.fault, Fault::Replica) << c.name;
    EXPECT_NE(test.call.end.status.message.find(c.message_part), std::string::npos)
        << c.name << ": " << test.call.end.status.message;
    EXPECT_EQ(test.call.end.trailers_only, c.trailers_only) << c.name;
    EXPECT_EQ(test.call.end.sent, Sent::Maybe) << c.name;
    EXPECT_EQ(test.call.ends, 1) << c.name;
  }
}

TEST(ChannelCall, TakesSixteenKilobytesOfFieldsButNotMoreThanItsBound) {
  struct Case {
    size_t bytes;
    bool in_trailers;
    Code code;
  };
  for (const Case& c : std::vector<Case>{{16 * kKiB, false, Code::Ok},
                                         {16 * kKiB, true, Code::Ok},
                                         {100 * kKiB, false, Code::Internal},
                                         {100 * kKiB, true, Code::Internal}}) {
    OneCall test(at_end([&](FakeStream& stream) {
      FieldList head = grpc_head();
      FieldList trailers{{"grpc-status", "0"}};
      for (size_t i = 0; i < c.bytes / kKiB; ++i) {
        (c.in_trailers ? trailers : head).emplace_back("x-" + std::to_string(i), std::string(kKiB, 'v'));
      }
      stream.send_head(head);
      stream.finish(trailers);
    }));
    test.run();
    EXPECT_EQ(test.call.end.status.code, c.code) << c.bytes << test.call.end.status.message;
  }
}

TEST(ChannelCall, IgnoresInterimAnswers) {
  OneCall test(at_end([](FakeStream& stream) {
    stream.send_interim({{":status", "103"}, {"link", "x"}});
    stream.send_head(grpc_head());
    stream.finish({{"grpc-status", "0"}});
  }));
  test.run();
  EXPECT_TRUE(test.call.end.status.ok());
  ASSERT_TRUE(test.call.head);
  EXPECT_FALSE(test.call.head->find("link"));
}

TEST(ChannelCall, AStatusInTheHeadIsNotTheCalls) {
  OneCall test(at_end([](FakeStream& stream) {
    FieldList head = grpc_head();
    head.emplace_back("grpc-status", "3");
    head.emplace_back("grpc-encoding", "gzip");
    stream.send_head(head);
    stream.finish({{"grpc-status", "0"}});
  }));
  test.run();
  EXPECT_TRUE(test.call.end.status.ok());
  ASSERT_TRUE(test.call.head);
  EXPECT_FALSE(test.call.head->find("grpc-status"));
  EXPECT_EQ(test.call.head->find("grpc-encoding"), "gzip");
}

TEST(ChannelCall, AnAnswerBeforeTheEndOfTheRequestEndsTheCall) {
  FakeScript script;
  script.on_head = [](FakeStream& stream) {
    FieldList fields = grpc_head();
    fields.emplace_back("grpc-status", "8");
    stream.send_only(fields);
  };
  OneCall test(std::move(script));
  test.bench.start(test.call);
  test.bench.send(test.call, grpc_message("first"), false);
  EXPECT_TRUE(test.bench.run([&] { return test.call.has_ended(); }));
  EXPECT_EQ(test.call.end.status.code, Code::ResourceExhausted);
  EXPECT_TRUE(test.bench.run([&] { return test.replica.streams_open() == 0; }));
  EXPECT_EQ(test.call.call->send("late", true), 0U);
}

TEST(ChannelCall, DestroyingItResetsTheStreamWithCancel) {
  OneCall test({});
  test.bench.start(test.call);
  test.bench.send(test.call, grpc_message("x"));
  ASSERT_TRUE(test.bench.run([&] { return test.replica.streams_open() == 1; }));
  test.call.call.reset();
  EXPECT_TRUE(test.bench.run([&] { return !test.replica.resets().empty(); }));
  EXPECT_EQ(test.replica.resets().front(), 8U);
  EXPECT_EQ(test.call.ends, 0);
  EXPECT_EQ(test.bench.state->in_flight(0), 0);
  EXPECT_EQ(test.bench.record.codes, std::vector<Code>{Code::Cancelled});
}

TEST(ChannelCall, ACallDestroyedBeforeTheFlushIsNeverSeen) {
  OneCall test({});
  test.bench.start(test.call);
  test.bench.send(test.call, grpc_message("x"));
  test.call.call.reset();
  run_for(test.loop, std::chrono::milliseconds(20));
  EXPECT_EQ(test.replica.streams_made(), 0U);
}

TEST(ChannelCall, MayBeDestroyedInsideItsOwnCallbacks) {
  OneCall test(echo_script());
  test.call.on_end = [&] { test.call.call.reset(); };
  test.bench.start(test.call);
  test.bench.send(test.call, grpc_message("x"));
  EXPECT_TRUE(test.bench.run([&] { return test.call.has_ended() && test.replica.streams_open() == 0; }));
}

TEST(ChannelCall, AReaderThatDoesNotConsumeStopsTheReplica) {
  FakeStream* held = nullptr;
  OneCall test(at_end([&](FakeStream& stream) {
    held = &stream;
    stream.send_head(grpc_head());
    stream.send_bytes(std::string(10 * kMiB, 'x'));
    stream.finish({{"grpc-status", "0"}});
  }));
  test.call.consumes = false;
  test.bench.start(test.call);
  test.bench.send(test.call, grpc_message("x"));
  EXPECT_TRUE(test.bench.run([&] { return test.call.received.size() == 64 * kKiB; }));
  run_for(test.loop, std::chrono::milliseconds(50));
  EXPECT_EQ(test.call.received.size(), 64 * kKiB);
  EXPECT_EQ(held->unsent(), 10 * kMiB - 64 * kKiB);

  test.call.consumes = true;
  test.call.call->consume(64 * kKiB);
  EXPECT_TRUE(test.bench.run([&] { return test.call.has_ended(); }));
  EXPECT_EQ(test.call.received.size(), 10 * kMiB);
}

TEST(ChannelCall, AWindowGrowsForAReaderThatHasProvedFastAndShrinksForOneThatIsSlowAgain) {
  constexpr size_t kWindow = 64 * kKiB;
  OneCall test(at_end([&](FakeStream& stream) {
    stream.send_head(grpc_head());
    stream.send_bytes(std::string(8 * kMiB, 'x'));
  }));
  size_t taken = 0;
  auto read_on = [&](size_t bytes) {
    const size_t until = taken + bytes;
    test.call.consumes = true;
    test.call.call->consume(test.call.received.size() - taken);
    EXPECT_TRUE(test.bench.run([&] { return test.call.received.size() >= until; }));
    test.call.consumes = false;
    taken = test.call.received.size();
  };
  auto held_when_it_stops = [&](std::chrono::milliseconds pause) {
    run_for(test.loop, pause);
    return test.call.received.size() - taken;
  };
  test.bench.start(test.call);
  test.bench.send(test.call, grpc_message("x"));
  read_on(256 * kKiB);
  EXPECT_LE(held_when_it_stops(std::chrono::milliseconds(50)), kWindow) << "so much the buffers of a socket take";
  read_on(4 * kMiB);
  EXPECT_GT(held_when_it_stops(std::chrono::milliseconds(1'100)), kWindow) << "it was fast";
  read_on(1);
  EXPECT_LE(held_when_it_stops(std::chrono::milliseconds(50)), kWindow) << "it was slow";
}

TEST(ChannelCall, ASlowReaderDoesNotHoldUpOthersOnItsChannel) {
  OneCall test(at_end([&](FakeStream& stream) {
    stream.send_head(grpc_head());
    stream.send_bytes(std::string(kMiB, 'x'));
    stream.finish({{"grpc-status", "0"}});
  }));
  std::vector<std::unique_ptr<CallRecord>> slow;
  for (int i = 0; i < 90; ++i) {
    slow.push_back(std::make_unique<CallRecord>());
    slow.back()->consumes = false;
    test.bench.start(*slow.back());
    test.bench.send(*slow.back(), grpc_message("x"));
  }
  test.run();
  EXPECT_EQ(test.call.received.size(), kMiB);
  EXPECT_EQ(test.replica.sessions_made(), 1U);
}

TEST(ChannelCall, ASenderThatFillsItsQueueWheneverThereIsRoomIsAlwaysToldOfMore) {
  constexpr size_t kBytes = 60'000;
  constexpr size_t kMessages = 50;
  FakeOptions fake;
  fake.window = 1U << 30;
  for (const size_t window : {kKiB, 64 * kKiB, 16 * kMiB}) {
    ChannelLimits limits;
    limits.window = window;
    OneCall test(echo_script(), fake, limits);
    size_t sent = 0;
    auto fill = [&] {
      while (test.call.call->buffered() <= Limits().exchange_window && sent < kMessages) {
        ++sent;
        test.call.call->send(grpc_message(std::string(kBytes, 'x')), sent == kMessages);
      }
    };
    test.call.on_ready = fill;
    test.bench.start(test.call);
    fill();
    EXPECT_TRUE(test.bench.run([&] { return test.call.has_ended(); })) << window << ": " << sent;
    EXPECT_EQ(test.call.received.size(), kMessages * (kBytes + 5));
  }
}

TEST(ChannelCall, AReplicaThatDoesNotReadStopsTheSender) {
  FakeOptions fake;
  fake.consumes = false;
  FakeStream* held = nullptr;
  FakeScript script;
  script.on_head = [&](FakeStream& stream) { held = &stream; };
  OneCall test(std::move(script), fake);
  test.bench.start(test.call);
  test.bench.send(test.call, std::string(200'000, 'x'), false);
  ASSERT_TRUE(test.bench.run([&] { return held != nullptr && held->body().size() == 65'535; }));
  run_for(test.loop, std::chrono::milliseconds(20));
  EXPECT_EQ(test.call.call->buffered(), 200'000U - 65'535U);
  EXPECT_EQ(test.call.readies, 0);
  held->consume(65'535);
  ASSERT_TRUE(test.bench.run([&] { return held->body().size() == 65'535; }));
  held->consume(65'535);
  ASSERT_TRUE(test.bench.run([&] { return test.call.readies == 1; }));
  EXPECT_LE(test.call.call->buffered(), 32 * kKiB);
  EXPECT_FALSE(test.call.is_inside);
}

TEST(ChannelCall, SendsTheTimeThatIsLeft) {
  std::string timeout;
  OneCall test(at_end([&](FakeStream& stream) {
    timeout = stream.head().find("grpc-timeout").value_or("");
    stream.send_head(grpc_head());
    stream.finish({{"grpc-status", "0"}});
  }));
  test.bench.start(test.call, "/a/b", Clock::now() + std::chrono::seconds(100));
  test.bench.send(test.call, grpc_message("x"));
  EXPECT_TRUE(test.bench.run([&] { return test.call.has_ended(); }));
  ASSERT_FALSE(timeout.empty());
  EXPECT_TRUE(timeout.starts_with("99")) << timeout;
}

}  // namespace
}  // namespace transom
