#include "protocol/grpc_frame.h"

#include <algorithm>

#include "base/check.h"

namespace transom {

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
  size_t length = 0;
  for (size_t i = 1; i < kGrpcPrefixBytes; ++i) {
    length = length << 8 | prefix_[i];
  }
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
  if (taken_ == ready_.size()) {
    ready_.clear();
    taken_ = 0;
  }
  ready_.push_back(std::move(current_));
  current_ = GrpcFrame{};
  prefix_bytes_ = 0;
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
  if (ready() == 0) {
    return false;
  }
  frame = std::move(ready_[taken_++]);
  held_bytes_ -= frame.message.size() + kGrpcPrefixBytes;
  return true;
}

}  // namespace transom
