#include "protocol/grpc_message.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

// The examples of the gRPC HTTP/2 protocol's Percent-Encoded, and the edges of printable ASCII.
TEST(GrpcMessageTest, OnlyPrintableAsciiStays) {
  const struct {
    std::string_view text;
    std::string_view encoded;
  } cases[] = {
      {"plain text, with ~ and space", "plain text, with ~ and space"},
      {"100%", "100%25"},
      {"a\nb\tc\x7f", "a%0Ab%09c%7F"},
      {"\xc3\xa9", "%C3%A9"},
      {"", ""},
  };
  for (const auto& row : cases) {
    EXPECT_EQ(encode_grpc_message(row.text), row.encoded);
  }
}

TEST(GrpcMessageTest, StatusFieldsSayOnlyWhatThereIs) {
  Fields bare;
  add_grpc_status(Status{}, bare);
  ASSERT_EQ(bare.size(), 1u);
  EXPECT_EQ(bare.find("grpc-status"), "0");

  Fields full;
  Status status = replica_error(Code::NotFound, "no such model: \xc3\xa9");
  status.details = std::string("\x08\x05", 2);
  add_grpc_status(status, full);
  EXPECT_EQ(full.find("grpc-status"), "5");
  EXPECT_EQ(full.find("grpc-message"), "no such model: %C3%A9");
  EXPECT_EQ(full.find("grpc-status-details-bin"), "CAU");  // unpadded
}

}  // namespace
}  // namespace transom
