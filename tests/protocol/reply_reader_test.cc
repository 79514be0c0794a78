#include "protocol/reply_reader.h"

#include <gtest/gtest.h>

#include <string>

namespace transom {
namespace {

const std::string kPlain("\0\0\0\0\2hi", 7);
const std::string kCompressed("\1\0\0\0\2hi", 7);

TEST(ReplyReaderTest, AMessageSaysHowItIsCompressed) {
  const struct {
    std::string_view encoding;
    const std::string& bytes;
    Code code;
    Coding coding;
  } cases[] = {
      {"", kPlain, Code::Ok, Coding::Identity},
      {"gzip", kPlain, Code::Ok, Coding::Identity},
      {"zstd", kPlain, Code::Ok, Coding::Identity},
      {"gzip", kCompressed, Code::Ok, Coding::Gzip},
      {"deflate", kCompressed, Code::Ok, Coding::Deflate},
      {"zstd", kCompressed, Code::Internal, Coding::Identity},
      {"identity", kCompressed, Code::Internal, Coding::Identity},
      {"", kCompressed, Code::Internal, Coding::Identity},
  };
  for (const auto& row : cases) {
    ReplyReader reader(1000);
    Fields head;
    if (!row.encoding.empty()) {
      head.add("grpc-encoding", row.encoding);
    }
    reader.on_head(head);
    ASSERT_TRUE(reader.on_bytes(row.bytes).ok());
    std::string message;
    Coding coding = Coding::Identity;
    const Result<bool> found = reader.next(message, coding);
    if (row.code != Code::Ok) {
      ASSERT_FALSE(found.ok()) << row.encoding;
      EXPECT_EQ(found.status().code, row.code);
      EXPECT_EQ(found.status().fault, Fault::Replica);
      continue;
    }
    ASSERT_TRUE(found.ok() && *found) << row.encoding;
    EXPECT_EQ(coding, row.coding);
    EXPECT_EQ(message, "hi");
    EXPECT_FALSE(*reader.next(message, coding));
  }
}

}  // namespace
}  // namespace transom
