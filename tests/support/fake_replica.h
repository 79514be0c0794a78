// FakeReplica is a scripted HTTP/2 server for tests: it says what real gRPC servers only say when something is wrong.
// It runs on the test's own Loop and tells the script of each stream's head and end; the script answers through the
// FakeStream. Must be gone before its Loop.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fields.h"
#include "net/loop.h"

namespace transom {

using FieldList = std::vector<std::pair<std::string, std::string>>;

// Valid until its session ends or the stream was closed.
class FakeStream {
 public:
  virtual int32_t id() const = 0;
  virtual const Fields& head() const = 0;       // with pseudo-fields
  virtual const std::string& body() const = 0;  // as far as it came
  // Takes body bytes off: the window opens by as many (with FakeOptions::consumes off).
  virtual void consume(size_t bytes) = 0;

  // A 1xx answer before the real one.
  virtual void send_interim(const FieldList& fields) = 0;
  virtual void send_head(const FieldList& fields) = 0;
  virtual void send_bytes(std::string_view bytes) = 0;
  virtual void finish(const FieldList& trailers) = 0;
  // Ends with a DATA frame, without trailers.
  virtual void finish_bare() = 0;
  // One HEADERS frame with END_STREAM.
  virtual void send_only(const FieldList& fields) = 0;
  virtual void reset(uint32_t h2_error) = 0;
  // Bytes of send_bytes that flow control still holds back.
  virtual size_t unsent() const = 0;

 protected:
  ~FakeStream() = default;
};

struct FakeOptions {
  uint32_t streams_max = std::numeric_limits<uint32_t>::max();  // MAX_CONCURRENT_STREAMS; the largest: not said
  bool says_settings = true;
  bool reads = true;        // false: never reads from the socket after the preface
  bool consumes = true;     // false: the script opens windows
  uint32_t window = 65535;  // per stream
  bool answers_pings = true;
  uint16_t port = 0;
  std::string unix_path;  // listen there instead
};

struct FakeScript {
  std::function<void(FakeStream&)> on_head = [](FakeStream&) {};
  std::function<void(FakeStream&)> on_end = [](FakeStream&) {};
};

class FakeReplica {
 public:
  FakeReplica(Loop& loop, const FakeOptions& options, FakeScript script);
  ~FakeReplica();

  uint16_t port() const;
  std::string address() const;  // "127.0.0.1:port" or "unix:/path"
  FakeScript& script();

  // To every open session.
  void goaway(int32_t last_stream_id, uint32_t h2_error, const std::string& debug = "");
  // Resets every session and refuses new ones, as if the process had been killed.
  void kill();
  // Closes every session in order, and goes on listening.
  void close_sessions();
  // Again on the same port.
  void listen();

  size_t sessions_open() const;
  size_t sessions_made() const;
  size_t streams_open() const;
  size_t streams_open_max() const;  // at once, ever
  size_t streams_made() const;
  const std::vector<uint32_t>& resets() const;  // error codes of RST_STREAM frames that came
  size_t pings() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

// ":status 200", "content-type application/grpc".
FieldList grpc_head();
// A length-prefixed message.
std::string grpc_message(std::string_view payload);
// Answers every call at its end with its own body and grpc-status 0.
FakeScript echo_script();

}  // namespace transom
