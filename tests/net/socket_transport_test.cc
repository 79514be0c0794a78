#include "net/socket_transport.h"

#include <gtest/gtest.h>

#include "net/pipe_end.h"

namespace transom {
namespace {

using std::chrono::milliseconds;

class SocketTransportTest : public testing::TestWithParam<const char*> {
 protected:
  static std::string address() {
    return std::string(GetParam()) == "unix" ? "unix:" + unix_socket_path("transport") : GetParam();
  }

  Loop loop_;
};

INSTANTIATE_TEST_SUITE_P(Kinds, SocketTransportTest, testing::Values("127.0.0.1:0", "[::1]:0", "unix"),
                         [](const auto& kind) {
                           return std::string(kind.param[0] == '1' ? "v4" : kind.param[0] == '[' ? "v6" : "unix");
                         });

// Bytes whose order shows.
std::string pattern(size_t bytes, unsigned seed = 1) {
  std::string result(bytes, '\0');
  for (char& c : result) {
    seed = seed * 1664525 + 1013904223;
    c = static_cast<char>(seed >> 24);
  }
  return result;
}

TEST_P(SocketTransportTest, CarriesBytesBothWays) {
  PipePair pair(loop_, address());
  pair.client.transport->write("hel");
  pair.client.transport->write("lo");
  pair.server.transport->write("world");
  EXPECT_TRUE(run_until(loop_, [&] { return pair.server.received == "hello" && pair.client.received == "world"; }));
  EXPECT_EQ(pair.client.transport->queued(), 0U);
  EXPECT_EQ(pair.client.drains, 0);  // nothing was ever queued
  EXPECT_FALSE(pair.client.transport->is_tls());
  EXPECT_EQ(pair.client.transport->alpn(), "");
}

TEST_P(SocketTransportTest, QueuesForASlowReaderAndTellsOnceWhenAllHasLeft) {
  PipePair pair(loop_, address(), false);
  pair.client.transport->resume_reading();
  std::string sent;
  for (unsigned i = 0; i < 32; ++i) {
    std::string piece = pattern(i % 7 == 0 ? 100'000 : 300'000, i + 1);
    pair.client.transport->write(piece);
    sent += piece;
  }
  EXPECT_GT(pair.client.transport->queued(), 0U);
  run_for(loop_, milliseconds(30));
  EXPECT_EQ(pair.server.received, "");
  EXPECT_EQ(pair.client.drains, 0);
  pair.server.transport->resume_reading();
  EXPECT_TRUE(run_until(loop_, [&] { return pair.server.received.size() == sent.size(); }));
  EXPECT_TRUE(pair.server.received == sent);
  EXPECT_TRUE(run_until(loop_, [&] { return pair.client.drains == 1; }));
  EXPECT_EQ(pair.client.transport->queued(), 0U);
}

TEST_P(SocketTransportTest, WhatAPeerTakesIsSeenInTheKernelToo) {
  PipePair pair(loop_, address(), false);
  EXPECT_EQ(pair.client.transport->untaken(), 0U);
  pair.client.transport->write(pattern(20'000'000));
  run_for(loop_, milliseconds(30));
  const size_t untaken = pair.client.transport->untaken();
  EXPECT_GT(untaken, pair.client.transport->queued());
  pair.server.transport->resume_reading();
  EXPECT_TRUE(run_until(loop_, [&] { return pair.client.transport->untaken() < untaken / 2; }));
  EXPECT_TRUE(run_until(loop_, [&] { return pair.server.received.size() == 20'000'000; }));
  EXPECT_EQ(pair.client.transport->untaken(), 0U);
}

TEST_P(SocketTransportTest, ReadsAtMostOnceAPhaseAndSixtyFourKiB) {
  PipePair pair(loop_, address());
  struct Phase final : Flushable {
    void flush() override { reads = 0; }
    int reads = 0;
  } phase;
  int most = 0;
  pair.server.on_bytes = [&] {
    most = std::max(most, ++phase.reads);
    loop_.mark(phase);
  };
  pair.client.transport->write(pattern(2'000'000));
  EXPECT_TRUE(run_until(loop_, [&] { return pair.server.received.size() == 2'000'000; }));
  EXPECT_EQ(most, 1);
  EXPECT_LE(pair.server.largest_read, size_t{64} * 1024);
}

TEST_P(SocketTransportTest, PausedItHearsNothingUntilResumed) {
  PipePair pair(loop_, address());
  pair.server.on_bytes = [&] { pair.server.transport->pause_reading(); };
  pair.client.transport->write(pattern(300'000));
  EXPECT_TRUE(run_until(loop_, [&] { return !pair.server.received.empty(); }));
  size_t received = pair.server.received.size();
  run_for(loop_, milliseconds(20));
  EXPECT_EQ(pair.server.received.size(), received);
  pair.server.on_bytes = nullptr;
  pair.server.transport->resume_reading();
  EXPECT_TRUE(run_until(loop_, [&] { return pair.server.received.size() == 300'000; }));
}

TEST_P(SocketTransportTest, PausedItHearsOfThePeersEndBeforeItReadsWhatCameWhereItWatches) {
  for (bool watches : {true, false}) {
    PipePair pair(loop_, address());
    if (watches) {
      pair.server.transport->watch_end();
    }
    pair.server.on_bytes = [&] { pair.server.transport->pause_reading(); };
    pair.client.transport->write(pattern(100'000));
    EXPECT_TRUE(run_until(loop_, [&] { return !pair.server.received.empty(); }));
    run_for(loop_, milliseconds(5));
    EXPECT_EQ(pair.server.endings, 0);
    pair.client.transport->shutdown();
    run_for(loop_, milliseconds(20));
    EXPECT_EQ(pair.server.endings, watches ? 1 : 0);
    EXPECT_EQ(pair.server.eofs + pair.server.errors, 0);
    pair.server.on_bytes = nullptr;
    pair.server.transport->resume_reading();
    EXPECT_TRUE(run_until(loop_, [&] { return pair.server.eofs == 1; }));
    EXPECT_TRUE(pair.server.received == pattern(100'000));
    EXPECT_EQ(pair.server.errors, 0);
  }
}

TEST_P(SocketTransportTest, PausedItHearsThatThePeerHasGoneWhereItWatches) {
  for (bool ends_first : {true, false}) {
    PipePair pair(loop_, address());
    pair.server.transport->watch_end();
    pair.server.on_bytes = [&] { pair.server.transport->pause_reading(); };
    pair.client.transport->write(pattern(100'000));
    EXPECT_TRUE(run_until(loop_, [&] { return !pair.server.received.empty(); }));
    if (ends_first) {
      pair.client.transport->shutdown();
      EXPECT_TRUE(run_until(loop_, [&] { return pair.server.endings == 1; }));
    }
    pair.client.transport->reset_on_close();
    pair.client.transport.reset();
    EXPECT_TRUE(run_until(loop_, [&] { return pair.server.errors == 1; }));
    EXPECT_EQ(pair.server.error.code, Code::Unavailable);
    run_for(loop_, milliseconds(5));
    EXPECT_EQ(pair.server.errors + pair.server.eofs, 1);
  }
}

TEST_P(SocketTransportTest, ShutDownItStillReadsWhatThePeerSends) {
  PipePair pair(loop_, address());
  pair.client.transport->write("question");
  pair.client.transport->shutdown();
  pair.client.transport->write("too late");
  EXPECT_TRUE(run_until(loop_, [&] { return pair.server.eofs == 1; }));
  EXPECT_EQ(pair.server.received, "question");
  EXPECT_EQ(pair.client.eofs, 0);
  pair.server.transport->write("answer");
  EXPECT_TRUE(run_until(loop_, [&] { return pair.client.received == "answer"; }));
  pair.server.transport->shutdown();
  EXPECT_TRUE(run_until(loop_, [&] { return pair.client.eofs == 1; }));
  run_for(loop_, milliseconds(10));
  EXPECT_EQ(pair.server.eofs + pair.client.eofs, 2);
  EXPECT_EQ(pair.server.errors + pair.client.errors, 0);
}

TEST_P(SocketTransportTest, APeerThatEndsMayStillReadAndOneThatHasGoneIsAnError) {
  PipePair pair(loop_, address());
  pair.client.transport->shutdown();
  EXPECT_TRUE(run_until(loop_, [&] { return pair.server.eofs == 1; }));
  pair.server.transport->write("late");
  EXPECT_TRUE(run_until(loop_, [&] { return pair.client.received == "late"; }));
  run_for(loop_, milliseconds(5));
  EXPECT_EQ(pair.server.errors, 0);
  pair.client.transport.reset();
  pair.server.transport->write("later");  // TCP finds out by it
  EXPECT_TRUE(run_until(loop_, [&] { return pair.server.errors == 1; }));
  EXPECT_EQ(pair.server.eofs, 1);
}

TEST_P(SocketTransportTest, ShutsDownAfterWhatIsQueued) {
  PipePair pair(loop_, address());
  pair.client.transport->write(pattern(6'000'000));
  EXPECT_GT(pair.client.transport->queued(), 0U);
  pair.client.transport->shutdown();
  EXPECT_TRUE(run_until(loop_, [&] { return pair.server.eofs == 1; }));
  EXPECT_TRUE(pair.server.received == pattern(6'000'000));
}

TEST_P(SocketTransportTest, DestroyedItEndsThePeersReading) {
  PipePair pair(loop_, address());
  pair.client.transport.reset();
  EXPECT_TRUE(run_until(loop_, [&] { return pair.server.eofs == 1; }));
  // TCP does not tell one that has gone from one that has only ended its side.
  if (std::string(GetParam()) == "unix") {
    EXPECT_TRUE(run_until(loop_, [&] { return pair.server.errors == 1; }));
  } else {
    EXPECT_EQ(pair.server.errors, 0);
  }
}

TEST_P(SocketTransportTest, AWriteThatFailsIsToldLaterAndOnce) {
  PipePair pair(loop_, address());
  pair.server.transport.reset();
  EXPECT_TRUE(run_until(loop_, [&] { return pair.client.eofs == 1; }));
  for (int i = 0; i < 20 && pair.client.errors == 0; ++i) {
    int before = pair.client.errors;
    pair.client.transport->write("anyone?");
    EXPECT_EQ(pair.client.errors, before);
    run_for(loop_, milliseconds(2));
  }
  EXPECT_EQ(pair.client.errors, 1);
  EXPECT_EQ(pair.client.error.code, Code::Unavailable);
  EXPECT_EQ(pair.client.transport->queued(), 0U);
  pair.client.transport->write("still?");
  pair.client.transport->shutdown();
  run_for(loop_, milliseconds(10));
  EXPECT_EQ(pair.client.errors, 1);
}

TEST_P(SocketTransportTest, APausedOneIsToldOfItsFailedWriteToo) {
  PipePair pair(loop_, address(), false);
  pair.server.transport.reset();
  for (int i = 0; i < 20 && pair.client.errors == 0; ++i) {
    pair.client.transport->write("anyone?");
    run_for(loop_, milliseconds(2));
  }
  EXPECT_EQ(pair.client.errors, 1);
  EXPECT_EQ(pair.client.eofs, 0);
}

TEST_P(SocketTransportTest, MayBeDestroyedInItsOwnCallbacks) {
  PipePair pair(loop_, address());
  int heard = 0;
  pair.server.on_bytes = [&] {
    ++heard;
    pair.server.transport.reset();
  };
  pair.client.transport->write(pattern(500'000));
  pair.client.transport->shutdown();
  EXPECT_TRUE(run_until(loop_, [&] { return heard == 1; }));
  run_for(loop_, milliseconds(10));
  EXPECT_EQ(heard, 1);
  EXPECT_EQ(pair.server.eofs + pair.server.errors, 0);
}

TEST_P(SocketTransportTest, BuriedInItsOwnCallbackItIsSilentAfterwards) {
  PipePair pair(loop_, address());
  int heard = 0;
  pair.server.on_bytes = [&] {
    ++heard;
    loop_.bury(std::move(pair.server.transport));
  };
  pair.client.transport->write(pattern(500'000));
  EXPECT_TRUE(run_until(loop_, [&] { return heard == 1; }));
  run_for(loop_, milliseconds(10));
  EXPECT_EQ(heard, 1);
}

TEST_P(SocketTransportTest, ReadsNoMoreThanItsReadMax) {
  PipePair pair(loop_, address());
  auto& server = static_cast<SocketTransport&>(*pair.server.transport);
  server.set_read_max(3);
  pair.client.transport->write("0123456789");
  EXPECT_TRUE(run_until(loop_, [&] { return pair.server.received == "0123456789"; }));
  EXPECT_EQ(pair.server.largest_read, 3U);
}

TEST(SocketTransport, ResetOnCloseShowsAsAnError) {
  Loop loop;
  PipePair pair(loop, "127.0.0.1:0");
  pair.client.transport->reset_on_close();
  pair.client.transport.reset();
  EXPECT_TRUE(run_until(loop, [&] { return pair.server.errors == 1; }));
  EXPECT_EQ(pair.server.eofs, 0);
  EXPECT_NE(pair.server.error.message.find("reset"), std::string::npos) << pair.server.error.message;
}

TEST(SocketTransport, NamesItsPeer) {
  Loop loop;
  PipePair pair(loop, "127.0.0.1:0");
  EXPECT_EQ(pair.client.transport->peer(), pair.listener->address().format());
  EXPECT_TRUE(pair.server.transport->peer().starts_with("127.0.0.1:"));
  PipePair unix_pair(loop, "unix:" + unix_socket_path("peer"));
  EXPECT_EQ(unix_pair.server.transport->peer(), "unix:");
}

}  // namespace
}  // namespace transom
