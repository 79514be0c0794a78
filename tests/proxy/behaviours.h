// What the tests of numbered behaviours in this folder share: a Relay before a replica that answers as the test says.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>

#include "proxy/relay_bench.h"

namespace transom {

// Answers with what is set, and keeps the head it was sent.
struct ScriptedAnswer {
  Fields head;
  FieldList only;  // a trailers-only answer; empty: one message between these
  FieldList first;
  FieldList last = {{"grpc-status", "0"}};

  void give(FakeStream& stream) {
    head = stream.head();
    FieldList sent = grpc_head();
    if (!only.empty()) {
      sent.insert(sent.end(), only.begin(), only.end());
      stream.send_only(sent);
      return;
    }
    sent.insert(sent.end(), first.begin(), first.end());
    stream.send_head(sent);
    stream.send_bytes(grpc_message(text_wire("hi")));
    stream.finish(last);
  }
};

class Behaviours : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(bench_.run_until_up()); }

  FakeExchange& get(const std::string& target = "/v1/say/7", const FieldList& fields = {}) {
    FakeExchange& exchange = bench_.send("GET", target, "", fields);
    EXPECT_TRUE(bench_.run_to_end(exchange)) << target;
    return exchange;
  }
  // With an answer of the test's own.
  FakeExchange& get_from(std::function<void(FakeStream&)> answer, const std::string& target,
                         const FieldList& fields = {}) {
    answer_ = std::move(answer);
    return get(target, fields);
  }
  void use_errors(ErrorForm form) {
    bench_.snapshot.errors = form;
    for (RouteSettings& settings : bench_.snapshot.route_settings) {
      settings.errors = form;
    }
    bench_.reuse();
  }

  ScriptedAnswer replica_;
  std::function<void(FakeStream&)> answer_ = [this](FakeStream& stream) { replica_.give(stream); };
  RelayBench bench_{make_script()};

 private:
  FakeScript make_script() {
    FakeScript script;
    script.on_end = [this](FakeStream& stream) { answer_(stream); };
    return script;
  }
};

}  // namespace transom
