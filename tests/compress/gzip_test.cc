#include "compress/gzip.h"

#include <gtest/gtest.h>

#include <string>

#include "base/base64.h"

namespace transom {
namespace {

std::string from_base64(std::string_view text) {
  std::string bytes;
  EXPECT_TRUE(decode_base64(text, bytes));
  return bytes;
}

// "hello, model" by Python's gzip.compress(mtime=0) and zlib.compress.
constexpr std::string_view kGzipped = "H4sIAAAAAAACA8tIzcnJ11HIzU9JzQEAoBFJEgwAAAA=";

TEST(GzipTest, WhatWasPackedComesBack) {
  const std::string texts[] = {"", "a", "hello, model", std::string(300'000, 'x'), std::string("\0\xff", 2)};
  for (const std::string& text : texts) {
    std::string packed;
    gzip_bytes(text, packed);
    std::string out = "before";
    EXPECT_EQ(inflate_bytes(Coding::Gzip, packed, text.size(), out), Inflated::Ok);
    EXPECT_EQ(out, "before" + text);
  }
}

TEST(GzipTest, ReadsWhatAnotherProgramPacked) {
  std::string out;
  EXPECT_EQ(inflate_bytes(Coding::Gzip, from_base64(kGzipped), 100, out), Inflated::Ok);
  EXPECT_EQ(out, "hello, model");
  out.clear();
  EXPECT_EQ(inflate_bytes(Coding::Deflate, from_base64("eJzLSM3JyddRyM1PSc0BABzyBHI="), 100, out), Inflated::Ok);
  EXPECT_EQ(out, "hello, model");
}

TEST(GzipTest, ABombStopsAtItsBound) {
  std::string packed;
  gzip_bytes(std::string(8 << 20, '\0'), packed);
  ASSERT_LT(packed.size(), 100'000u);
  std::string out;
  EXPECT_EQ(inflate_bytes(Coding::Gzip, packed, 1 << 20, out), Inflated::TooLarge);
  EXPECT_LE(out.capacity(), size_t{4} << 20);
}

TEST(GzipTest, OneByteOverTheBoundIsTooLarge) {
  std::string packed;
  gzip_bytes("12345", packed);
  std::string out;
  EXPECT_EQ(inflate_bytes(Coding::Gzip, packed, 4, out), Inflated::TooLarge);
  EXPECT_EQ(inflate_bytes(Coding::Identity, "12345", 4, out), Inflated::TooLarge);
}

TEST(GzipTest, BrokenInputIsMalformed) {
  const std::string whole = from_base64(kGzipped);
  std::string out;
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    EXPECT_EQ(inflate_bytes(Coding::Gzip, whole.substr(0, cut), 1000, out), Inflated::Malformed) << cut;
  }
  EXPECT_EQ(inflate_bytes(Coding::Gzip, whole + "x", 1000, out), Inflated::Malformed);
  EXPECT_EQ(inflate_bytes(Coding::Gzip, "not gzip at all", 1000, out), Inflated::Malformed);
  std::string flipped = whole;
  flipped[flipped.size() - 6] ^= 1;  // the checksum
  EXPECT_EQ(inflate_bytes(Coding::Gzip, flipped, 1000, out), Inflated::Malformed);
}

TEST(GzipTest, AStreamThatIsLargerThanItSaysIsBrokenAndNotReadOn) {
  std::string packed;
  gzip_bytes(std::string(8 << 20, '\0'), packed);
  EXPECT_EQ(inflated_size(Coding::Gzip, packed), size_t{8} << 20);
  packed.replace(packed.size() - 4, 4, std::string("\1\0\0\0", 4));
  EXPECT_EQ(inflated_size(Coding::Gzip, packed), 1u);
  std::string out;
  EXPECT_EQ(inflate_bytes(Coding::Gzip, packed, 1 << 30, out), Inflated::Malformed);
  EXPECT_LE(out.capacity(), size_t{1} << 20);
}

TEST(GzipTest, TheWorkOfAPackedMessageIsKnownBeforehand) {
  std::string packed;
  gzip_bytes(std::string(1000, 'x'), packed);
  EXPECT_EQ(inflated_size(Coding::Gzip, packed), 1000u);
  EXPECT_GE(inflated_size(Coding::Deflate, from_base64("eJzLSM3JyddRyM1PSc0BABzyBHI=")), 12u);
  EXPECT_EQ(inflated_size(Coding::Identity, "abc"), 3u);
  EXPECT_GT(inflated_size(Coding::Gzip, "abc"), 3u);
}

TEST(GzipTest, CodingsAreKnownByTheirNames) {
  EXPECT_EQ(parse_coding("gzip"), Coding::Gzip);
  EXPECT_EQ(parse_coding("GZIP"), Coding::Gzip);
  EXPECT_EQ(parse_coding("deflate"), Coding::Deflate);
  EXPECT_EQ(parse_coding("identity"), Coding::Identity);
  EXPECT_EQ(parse_coding("snappy"), std::nullopt);
}

}  // namespace
}  // namespace transom
