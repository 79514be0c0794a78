#include "transcode/json_reader.h"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <iterator>
#include <random>

#include "base/padded_text.h"

namespace transom {
namespace {

// The problem, or "".
std::string skipped(std::string text, int depth_max = 100) {
  pad_for_json(text);
  JsonReader in(text, depth_max);
  if (in.skip_value() && !in.is_at_end()) {
    in.fail_expected("nothing more");
  }
  return in.problem() + (in.has_failed() ? " @" + std::to_string(in.problem_offset()) : "");
}

const char* const kGood[] = {
    "{}",
    "[]",
    "0",
    "-0.0e-1",
    "\"\"",
    "true",
    "false",
    "null",
    " [ 1 , {\"a\" : [ ] } ]\n\r\t ",
    R"(["\u0000\ud83d\ude00"])",
    R"({"a":1,"a":2})",
    "[[[[]]]]",
    R"({"":0})",
    "\"\x7f\"",
    R"([1,"2",true,null,{"x":{}}])",
};

const char* const kBad[] = {
    "",
    " ",
    "[1,]",
    "[,1]",
    "[1,,2]",
    "[1 2]",
    "{\"a\":1,}",
    "{,}",
    "{a:1}",
    "{'a':1}",
    "{\"a\" 1}",
    "{\"a\":}",
    "{\"a\"}",
    "{1:1}",
    "[",
    "{",
    "]",
    "}",
    "[}",
    "{]",
    "01",
    "-01",
    "+1",
    ".5",
    "1.",
    "1e",
    "1e+",
    "0x10",
    "NaN",
    "Infinity",
    "nul",
    "nulll",
    "True",
    "tru",
    "truee",
    "'a'",
    "\"a",
    "\"\\",
    "\"\\x\"",
    "\"\\ud800\"",
    "\"\t\"",
    "\"\n\"",
    "[1]x",
    "[1][2]",
    "1 2",
    "// c\n1",
    "/* c */ 1",
    "[1] // c",
    "\xef\xbb\xbf[]",
    "\v1",
    "\f1",
    "[1\v]",
    "\"\\u12\"",
    "\"\\udc00\"",
    "{\"a\":1 \"b\":2}",
    "-",
    "--1",
    "1..2",
    "1e1.5",
    "[-]",
    "{\"a\":1:2}",
    "[\"a\":1]",
    "undefined",
    "\"\\u00zz\"",
};

TEST(JsonReader, StrictJsonIsTakenAndNothingElse) {
  for (const char* text : kGood) {
    EXPECT_EQ(skipped(text), "") << text;
  }
  for (const char* text : kBad) {
    EXPECT_NE(skipped(text), "") << text;
  }
  EXPECT_NE(skipped(std::string("[1\0]", 4)), "");
  EXPECT_NE(skipped(std::string("1\0", 2)), "");
  EXPECT_NE(skipped(std::string("\"a\0b\"", 5)), "");
}

// simdjson's DOM is a strict parser that nobody here wrote. It takes any depth up to its own bound, and half surrogates
// are refused by it too.
TEST(JsonReader, AgreesWithSimdjsonOnMutatedText) {
  std::mt19937 random(3);
  simdjson::dom::parser parser;
  const std::string alphabet = "{}[]\",:0123456789eE+-.\\u tfnrals\n\x01";
  int refused = 0;
  for (int i = 0; i < 60'000; ++i) {
    std::string text = kGood[random() % std::size(kGood)];
    for (uint32_t edits = random() % 3; edits > 0; --edits) {
      size_t at = random() % (text.size() + 1);
      char c = alphabet[random() % alphabet.size()];
      switch (random() % 3) {
        case 0:
          text.insert(at, 1, c);
          break;
        case 1:
          text.erase(at, 1);
          break;
        default:
          if (at < text.size()) text[at] = c;
          break;
      }
    }
    bool is_valid = parser.parse(text).error() == simdjson::SUCCESS;
    // A number too large for a double is none to simdjson; here it depends on the field.
    refused += is_valid ? 0 : 1;
    std::string problem = skipped(text);
    if (is_valid) {
      EXPECT_EQ(problem, "") << text;
    } else if (problem.empty()) {
      EXPECT_EQ(parser.parse(text).error(), simdjson::NUMBER_ERROR) << text;
    }
  }
  EXPECT_GT(refused, 1000);
}

TEST(JsonReader, DepthIsBoundedAndTheOutermostIsOne) {
  std::string deep(100, '[');
  EXPECT_EQ(skipped(deep + std::string(100, ']')), "");
  EXPECT_EQ(skipped("[" + deep + std::string(101, ']')), "nested deeper than 100 objects and arrays @101");
  EXPECT_NE(skipped(std::string(5'000'000, '[')), "");
}

TEST(JsonReader, ProblemsNameWhatStandsThere) {
  EXPECT_EQ(skipped("[1,]"), "expected a value, found ']' @3");
  EXPECT_EQ(skipped("{\"a\":tru}"), "expected a value, found a character that begins no JSON value @5");
  EXPECT_EQ(skipped("[1 true]"), "expected ',' or ']', found a boolean @3");
  EXPECT_EQ(skipped("[\"a"), "the text ends inside a string @3");
  EXPECT_EQ(skipped("[\"a\x02\"]"), "a control character in a string must be escaped @3");
}

TEST(JsonReader, TypeMembersAreNotedByTheirObject) {
  std::string text = R"([{"a":{"@type":1}, "\u0040type" : 2},{"b":"@type"}])";
  pad_for_json(text);
  std::vector<JsonReader::TypeMember> types;
  JsonReader in(text, 100);
  in.note_types(&types);
  ASSERT_TRUE(in.skip_value());
  ASSERT_EQ(types.size(), 2U);
  EXPECT_EQ(types[0].object, 6U);
  EXPECT_EQ(text[types[0].value], '1');
  EXPECT_EQ(types[1].object, 1U);
  EXPECT_EQ(text[types[1].value], '2');
}

}  // namespace
}  // namespace transom
