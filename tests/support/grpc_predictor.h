// GrpcPredictor is a real gRPC server in this process, without a schema: a call's path says how it behaves, messages
// are bytes. It runs on gRPC's own threads. Paths: /test.Peer/ and
//   Echo     each message comes back as it came (unary, or streaming both ways)
//   Repeat   the one message "COUNT SIZE" is answered by COUNT messages of SIZE bytes
//   Count    at the end of the request, one message: how many bytes came, in decimal
//   Fail     status 5 with a message and details, before any message
//   FailLate one message, then status 9
//   Hang     nothing, until cancelled
// Any other: UNIMPLEMENTED. Request metadata "x-echo" comes back in the head, "x-echo-late" in the trailers; the head
// also has "x-timeout-ms": the time left by the server's own reckoning, where there is a deadline.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

namespace transom {

class GrpcPredictor {
 public:
  // port 0: any free one. streams_max 0: gRPC's own default.
  explicit GrpcPredictor(int port = 0, int streams_max = 0);
  ~GrpcPredictor();

  std::string address() const;
  int port() const;
  // Sends GOAWAY; calls that are open then are cancelled after a moment.
  void stop();
  uint64_t calls() const;  // begun
  uint64_t cancelled() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace transom
