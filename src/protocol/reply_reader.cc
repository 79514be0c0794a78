#include "protocol/reply_reader.h"

#include <optional>
#include <utility>

namespace transom {

void ReplyReader::on_head(const Fields& fields) { encoding_ = std::string(fields.find("grpc-encoding").value_or("")); }

Status ReplyReader::check_end() const {
  return is_inside_message() ? replica_error(Code::Internal, "the replica's answer ended inside a message") : Status();
}

Result<bool> ReplyReader::next(std::string& message, Coding& coding) {
  GrpcFrame frame;
  if (!deframer_.next(frame)) {
    return false;
  }
  coding = Coding::Identity;
  if (frame.is_compressed) {
    const std::optional<Coding> named = parse_coding(encoding_);
    if (!named.has_value()) {
      return replica_error(Code::Internal, "the replica compressed a message with " + encoding_ + ", which is not supported");
    }
    if (*named == Coding::Identity) {
      return replica_error(Code::Internal, "the replica sent a compressed message without naming its grpc-encoding");
    }
    coding = *named;
  }
  message = std::move(frame.message);
  return true;
}

}  // namespace transom
