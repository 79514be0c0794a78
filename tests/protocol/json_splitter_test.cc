#include "protocol/json_splitter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace transom {
namespace {

struct Cut {
  std::vector<std::string> elements;
  Status status;
  bool is_done = false;
};

// The body handed over in pieces of that size, each looked through before the next comes.
Cut cut(JsonForm form, std::string_view body, size_t piece, size_t bytes_max = 1000) {
  Cut result;
  JsonSplitter splitter(form, bytes_max);
  for (size_t at = 0;; at += piece) {
    if (at < body.size()) {
      splitter.add(body.substr(at, piece));
    } else {
      splitter.end();
    }
    while (true) {
      std::string element;
      const Result<bool> found = splitter.next(element);
      if (!found.ok()) {
        result.status = found.status();
        return result;
      }
      if (!*found) {
        break;
      }
      result.elements.push_back(element);
    }
    if (at >= body.size()) {
      result.is_done = splitter.is_done();
      return result;
    }
  }
}

struct GoodCase {
  JsonForm form;
  std::string body;
  std::vector<std::string> elements;
};

TEST(JsonSplitterTest, ElementsAreTheSameHoweverTheBytesAreCut) {
  const std::vector<GoodCase> cases = {
      {JsonForm::Lines, "", {}},
      {JsonForm::Lines, "\n\r\n  \n", {}},
      {JsonForm::Lines, "{\"a\":1}\n{\"a\":2}\n", {"{\"a\":1}", "{\"a\":2}"}},
      {JsonForm::Lines, "{\"a\":1}\r\n\n{\"a\":2}", {"{\"a\":1}\r", "{\"a\":2}"}},
      {JsonForm::Lines, "[1,2]\n[3]\n", {"[1,2]", "[3]"}},
      {JsonForm::Lines, "1 2\n", {"1 2"}},
      {JsonForm::Values, "", {}},
      {JsonForm::Values, " \n", {}},
      {JsonForm::Values, "[]", {}},
      {JsonForm::Values, " [ ] \n", {}},
      {JsonForm::Values, "[1]", {"1"}},
      {JsonForm::Values, "[ {\"a\":[1,{}]} , \"x\" , -1.5e3,true , null ]",
       {"{\"a\":[1,{}]}", "\"x\"", "-1.5e3", "true", "null"}},
      {JsonForm::Values, "[[1],[2,[3]]]", {"[1]", "[2,[3]]"}},
      {JsonForm::Values, "{\"a\":\"]}\\\"\\\\\"}{\"b\":2}", {"{\"a\":\"]}\\\"\\\\\"}", "{\"b\":2}"}},
      {JsonForm::Values, "{} {}\n{}", {"{}", "{}", "{}"}},
      {JsonForm::Values, "1 2 \"a\"\"b\"3", {"1", "2", "\"a\"", "\"b\"", "3"}},
      {JsonForm::Values, "\"\\u005d\\\"[\"", {"\"\\u005d\\\"[\""}},
  };
  for (const GoodCase& row : cases) {
    for (size_t piece = 1; piece <= row.body.size() + 1; ++piece) {
      const Cut result = cut(row.form, row.body, piece);
      EXPECT_TRUE(result.status.ok()) << row.body << ": " << result.status.message;
      EXPECT_EQ(result.elements, row.elements) << row.body << " in pieces of " << piece;
      EXPECT_TRUE(result.is_done) << row.body;
    }
  }
}

TEST(JsonSplitterTest, WhatStandsBetweenElementsIsChecked) {
  const struct {
    const char* body;
    const char* message;
  } cases[] = {
      {"[1,]", "after message 1: expected a value, found `]` (at byte 3 of the body)"},
      {"[,1]", "after message 0: expected a value, found `,` (at byte 1 of the body)"},
      {"[1,,2]", "after message 1: expected a value, found `,` (at byte 3 of the body)"},
      {"[1 2]", "after message 1: expected `,` or `]`, found `2` (at byte 3 of the body)"},
      {"[{}{}]", "after message 1: expected `,` or `]`, found `{` (at byte 3 of the body)"},
      {"[1] 2", "after message 1: expected nothing after the array, found `2` (at byte 4 of the body)"},
      {"[1]\x01", "after message 1: expected nothing after the array, found byte 0x01 (at byte 3 of the body)"},
      {"[1", "the body ends inside its array, after 1 message"},
      {"[", "the body ends inside its array, after 0 messages"},
      {"[1,2,", "the body ends inside its array, after 2 messages"},
      {"[{\"a\":", "the body ends inside a value (message 1)"},
      {"{\"a\":1", "the body ends inside a value (message 1)"},
      {"{} \"abc", "the body ends inside a value (message 2)"},
      {"\"a\\\"", "the body ends inside a value (message 1)"},
  };
  for (const auto& row : cases) {
    for (size_t piece : {size_t{1}, size_t{2}, size_t{100}}) {
      const Cut result = cut(JsonForm::Values, row.body, piece);
      EXPECT_EQ(result.status.code, Code::InvalidArgument) << row.body;
      EXPECT_EQ(result.status.message, row.message) << row.body << " in pieces of " << piece;
    }
  }
}

TEST(JsonSplitterTest, AnElementIsBoundedButNotTheBody) {
  std::string body = "[";
  for (int i = 0; i < 1000; ++i) {
    body += i == 0 ? "\"12345678\"" : ",\"12345678\"";
  }
  body += "]";
  EXPECT_EQ(cut(JsonForm::Values, body, 7, 10).elements.size(), 1000u);
  for (const std::string& large : {std::string("[\"123456789\"]"), std::string("\"123456789\""), std::string("{\"a\":12345}"),
                                   std::string("12345678901"), std::string("\"no end to it")}) {
    const Cut result = cut(JsonForm::Values, large, 3, 10);
    EXPECT_EQ(result.status.code, Code::ResourceExhausted) << large;
    EXPECT_EQ(result.status.http_status, 413) << large;
  }
  EXPECT_EQ(cut(JsonForm::Lines, "{\"a\":123456", 3, 10).status.http_status, 413);
}

TEST(JsonSplitterTest, WhatWasTakenIsNotHeld) {
  JsonSplitter splitter(JsonForm::Lines, 1000);
  std::string element;
  splitter.add("{}\n{\"a\":");
  EXPECT_TRUE(*splitter.next(element));
  EXPECT_FALSE(*splitter.next(element));
  EXPECT_EQ(splitter.held_bytes(), 5u);
  EXPECT_EQ(splitter.taken(), 1u);
  EXPECT_FALSE(splitter.is_done());
}

TEST(JsonSplitterTest, LargeElementsComeWholeAmongSmallOnes) {
  const std::string large = "\"" + std::string(200'000, 'x') + "\"";
  const std::string body = "[1," + large + ",2," + large + "]";
  const Cut result = cut(JsonForm::Values, body, 65'536, 1'000'000);
  ASSERT_TRUE(result.status.ok());
  EXPECT_EQ(result.elements, (std::vector<std::string>{"1", large, "2", large}));
  const Cut lines = cut(JsonForm::Lines, large + "\n1\n" + large, 65'536, 1'000'000);
  EXPECT_EQ(lines.elements, (std::vector<std::string>{large, "1", large}));
}

}  // namespace
}  // namespace transom
