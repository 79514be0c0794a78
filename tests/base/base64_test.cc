#include "base/base64.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace transom {
namespace {

// RFC 4648 section 10.
constexpr struct {
  const char* bytes;
  const char* text;
} kVectors[] = {{"", ""},           {"f", "Zg=="},       {"fo", "Zm8="},        {"foo", "Zm9v"},
                {"foob", "Zm9vYg=="}, {"fooba", "Zm9vYmE="}, {"foobar", "Zm9vYmFy"}};

TEST(Base64, EncodesTheRfcVectors) {
  for (const auto& row : kVectors) {
    std::string out;
    encode_base64(row.bytes, true, out);
    EXPECT_EQ(out, row.text);
  }
}

TEST(Base64, DecodesTheRfcVectorsWithAndWithoutPadding) {
  for (const auto& row : kVectors) {
    std::string text = row.text;
    std::string out;
    EXPECT_TRUE(decode_base64(text, out));
    EXPECT_EQ(out, row.bytes);
    out.clear();
    EXPECT_TRUE(decode_base64(text.substr(0, text.find('=')), out));
    EXPECT_EQ(out, row.bytes);
  }
}

TEST(Base64, TakesBothAlphabets) {
  for (const char* text : {"__8", "__8=", "//8", "//8="}) {
    std::string out;
    EXPECT_TRUE(decode_base64(text, out)) << text;
    EXPECT_EQ(out, "\xff\xff") << text;
  }
}

TEST(Base64, RefusesWhatIsNotBase64AndLeavesTheOutputAlone) {
  for (const char* text : {"!!", "a", "ab=c", "=", "====", "Zg=", "Zm9vY", "Zg== "}) {
    std::string out = "kept";
    EXPECT_FALSE(decode_base64(text, out)) << text;
    EXPECT_EQ(out, "kept") << text;
  }
}

// One bit after the other, for what is done by vectors: RFC 4648 section 4 read aloud.
std::string plain_base64(const std::string& bytes) {
  const std::string alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (size_t bit = 0; bit < bytes.size() * 8; bit += 6) {
    unsigned value = 0;
    for (size_t i = bit; i < bit + 6; ++i) {
      const unsigned byte = i / 8 < bytes.size() ? static_cast<unsigned char>(bytes[i / 8]) : 0;
      value = value << 1 | (byte >> (7 - i % 8) & 1);
    }
    text += alphabet[value];
  }
  return text.append((4 - text.size() % 4) % 4, '=');
}

TEST(Base64, OfAnyLengthIsWhatOneBitAfterTheOtherGives) {
  std::mt19937 random(1);
  for (size_t size = 0; size < 200; ++size) {
    std::string bytes;
    for (size_t i = 0; i < size; ++i) {
      bytes += static_cast<char>(random());
    }
    std::string text;
    encode_base64(bytes, true, text);
    ASSERT_EQ(text, plain_base64(bytes));
    EXPECT_EQ(encoded_base64_bytes(size, true), text.size());
    EXPECT_EQ(decoded_base64_bytes(text), size);
    std::string back;
    ASSERT_TRUE(decode_base64(text, back));
    ASSERT_EQ(back, bytes);
    std::ranges::replace(text, '+', '-');
    std::ranges::replace(text, '/', '_');
    back.clear();
    ASSERT_TRUE(decode_base64(text, back));
    ASSERT_EQ(back, bytes);
  }
}

TEST(Base64, EveryWrongCharacterIsSeenAtEveryPlace) {
  const std::string right = plain_base64(std::string(60, '\x5a'));
  for (int wrong = 0; wrong < 256; ++wrong) {
    const char c = static_cast<char>(wrong);
    const bool is_right = (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' ||
                          c == '/' || c == '-' || c == '_';
    for (size_t at = 0; at + 1 < right.size(); ++at) {
      std::string text = right;
      text[at] = c;
      std::string out;
      ASSERT_EQ(decode_base64(text, out), is_right) << wrong << " at " << at;
    }
  }
}

TEST(Base64, StrictRefusesBitsLeftOver) {
  std::string out;
  EXPECT_FALSE(decode_base64("Zh==", out, true));
  EXPECT_TRUE(decode_base64("Zh==", out, false));
}

}  // namespace
}  // namespace transom
