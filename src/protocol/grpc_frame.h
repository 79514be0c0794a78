// The length-prefixed messages of the gRPC HTTP/2 protocol: one flag byte, four bytes of length, the message. Writing is
// two calls around whatever appends the message; GrpcDeframer takes them apart again, however the bytes are cut, and
// holds no more than one message's bound. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace transom {

inline constexpr size_t kGrpcPrefixBytes = 5;
inline constexpr char kGrpcCompressedFlag = 1;

// Appends room for the prefix; returns where it stands.
size_t begin_grpc_frame(std::string& out);
// Fills the prefix's length in: everything after it is the message. The flag stays as it is, 0 unless set meanwhile.
void end_grpc_frame(std::string& out, size_t at);

struct GrpcFrame {
  bool is_compressed = false;
  std::string message;
};

class GrpcDeframer {
 public:
  // message_bytes_max: as it stands on the wire; a longer one is an error.
  // sender: whose fault broken framing is, the client's or the replica's.
  explicit GrpcDeframer(size_t message_bytes_max, Fault sender = Fault::Replica)
      : message_bytes_max_(message_bytes_max), sender_(sender) {}

  // A flag of neither 0 nor 1, or a message over the bound: INTERNAL of a replica, INVALID_ARGUMENT and
  // RESOURCE_EXHAUSTED (413) of a client. Nothing more may be added then.
  Status add(std::string_view bytes);
  // The next complete message, in order.
  bool next(GrpcFrame& frame);

  // Messages that are complete and not yet taken.
  size_t ready() const { return ready_count_; }
  // Messages begun so far, the unfinished one included.
  uint64_t begun() const { return begun_; }
  // Part of a message is there: the stream may not end here.
  bool is_inside_message() const { return prefix_bytes_ != 0; }
  size_t held_bytes() const { return held_bytes_; }

 private:
  // Small messages that wait are packed as they came: each by itself would cost a multiple of its bytes.
  struct Waiting {
    GrpcFrame frame;
    bool is_packed = false;
    size_t unpacked = 0;  // of frame.message, from its front
  };

  Status begin_message();
  void take_complete();
  bool pack();
  void drop_front();

  const size_t message_bytes_max_;
  const Fault sender_;
  std::array<unsigned char, kGrpcPrefixBytes> prefix_{};
  size_t prefix_bytes_ = 0;  // of the message now coming
  size_t missing_ = 0;       // bytes of it still to come
  GrpcFrame current_;
  std::vector<Waiting> ready_;
  size_t first_ = 0;         // of ready_; those before it are taken
  size_t ready_count_ = 0;   // messages in ready_
  size_t held_bytes_ = 0;
  uint64_t begun_ = 0;
};

}  // namespace transom
