#include "base/base64.h"

#include <gtest/gtest.h>

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

TEST(Base64, StrictRefusesBitsLeftOver) {
  std::string out;
  EXPECT_FALSE(decode_base64("Zh==", out, true));
  EXPECT_TRUE(decode_base64("Zh==", out, false));
}

}  // namespace
}  // namespace transom
