#include "protocol/grpc_frame.h"

#include <algorithm>

#include "base/check.h"
#include "base/limits.h"

namespace transom {
namespace {

constexpr size_t kPackedMessageBytesMax = 1024;
constexpr size_t kPackBytes = 16 * kKiB;
constexpr size_t kTakenMax = 32;  // before those that wait are moved to the front

size_t length_of(const unsigned char* prefix) {
  size_t length = 0;
  for (size_t i = 1; i < kGrpcPrefixBytes; ++i) {
    length = length << 8 | prefix[i];
  }
  return length;
}

}  // namespace

size_t begin_grpc_frame(std::string& out) {
  const size_t at = out.size();
  out.append(kGrpcPrefixBytes, '\0');
  return at;
}

void end_grpc_frame(std::string& out, size_t at) {
  const size_t length = out.size() - at - kGrpcPrefixBytes;
  check(length <= UINT32_MAX, "a gRPC message is below 4 GiB");
  for (size_t i = 0; i < 4; ++i) {
    out[at + 1 + i] = static_cast<char>(length >> (24 - 8 * i));
  }
}

Status GrpcDeframer::begin_message() {
  if (prefix_[0] > 1) {
    return sender_ == Fault::Client
               ? client_error(Code::InvalidArgument, "the request has a message with an unknown flag")
               : replica_error(Code::Internal, "the replica sent a message with an unknown flag");
  }
  const size_t length = length_of(prefix_.data());
  if (length > message_bytes_max_ && sender_ == Fault::Client) {
    return client_error(Code::ResourceExhausted, "a message of " + std::to_string(length) + " bytes is over the limit of " +
                                                     std::to_string(message_bytes_max_), 413);
  }
  if (length > message_bytes_max_) {
    return proxy_error(Code::Internal, "the replica's message of " + std::to_string(length) + " bytes is over the limit of " +
                                           std::to_string(message_bytes_max_));
  }
  current_.is_compressed = prefix_[0] == 1;
  current_.message.reserve(length);  // pages are touched as the bytes come
  missing_ = length;
  return {};
}

void GrpcDeframer::take_complete() {
  if (!pack()) {
    ready_.push_back({std::move(current_), false, 0});
    current_ = GrpcFrame{};
  }
  ++ready_count_;
  prefix_bytes_ = 0;
}

// Only behind another that waits: one that is taken at once is moved, not copied.
bool GrpcDeframer::pack() {
  const size_t size = kGrpcPrefixBytes + current_.message.size();
  if (ready_count_ == 0 || size > kPackedMessageBytesMax) {
    return false;
  }
  if (!ready_.back().is_packed || ready_.back().frame.message.size() + size > kPackBytes) {
    ready_.push_back({{}, true, 0});
    ready_.back().frame.message.reserve(std::min(kPackBytes, 4 * size));
  }
  ready_.back().frame.message.append(reinterpret_cast<const char*>(prefix_.data()), kGrpcPrefixBytes);
  ready_.back().frame.message.append(current_.message);
  current_.message.clear();
  return true;
}

Status GrpcDeframer::add(std::string_view bytes) {
  held_bytes_ += bytes.size();
  while (!bytes.empty()) {
    if (prefix_bytes_ < kGrpcPrefixBytes) {
      if (prefix_bytes_ == 0) {
        ++begun_;
      }
      const size_t step = std::min(kGrpcPrefixBytes - prefix_bytes_, bytes.size());
      std::copy_n(bytes.begin(), step, prefix_.begin() + static_cast<ptrdiff_t>(prefix_bytes_));
      prefix_bytes_ += step;
      bytes.remove_prefix(step);
      if (prefix_bytes_ < kGrpcPrefixBytes) {
        return {};
      }
      if (Status status = begin_message(); !status.ok()) {
        return status;
      }
    }
    const size_t step = std::min(missing_, bytes.size());
    current_.message.append(bytes.substr(0, step));
    bytes.remove_prefix(step);
    missing_ -= step;
    if (missing_ == 0) {
      take_complete();
    }
  }
  return {};
}

bool GrpcDeframer::next(GrpcFrame& frame) {
  if (ready_count_ == 0) {
    return false;
  }
  Waiting& front = ready_[first_];
  if (front.is_packed) {
    std::string_view rest = std::string_view(front.frame.message).substr(front.unpacked);
    const size_t size = length_of(reinterpret_cast<const unsigned char*>(rest.data()));
    frame.is_compressed = rest[0] == 1;
    frame.message.assign(rest.substr(kGrpcPrefixBytes, size));
    front.unpacked += kGrpcPrefixBytes + size;
  } else {
    frame = std::move(front.frame);
  }
  --ready_count_;
  held_bytes_ -= frame.message.size() + kGrpcPrefixBytes;
  if (!front.is_packed || front.unpacked == front.frame.message.size()) {
    drop_front();
  }
  return true;
}

void GrpcDeframer::drop_front() {
  ready_[first_].frame.message = std::string();
  ++first_;
  if (first_ == ready_.size()) {
    ready_.clear();
    first_ = 0;
  } else if (first_ >= kTakenMax && first_ * 2 >= ready_.size()) {
    ready_.erase(ready_.begin(), ready_.begin() + static_cast<ptrdiff_t>(first_));
    first_ = 0;
  }
}

}  // namespace transom
