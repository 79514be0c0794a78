#include "route/path_template.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

// "/a/*/** :verb {field 0-2 multi}": what was understood.
std::string dump(const PathTemplate& path) {
  std::string text;
  for (const TemplateSegment& segment : path.segments) {
    text += '/';
    text += segment.kind == TemplateSegment::Kind::Literal ? segment.text
            : segment.kind == TemplateSegment::Kind::One   ? "*"
                                                           : "**";
  }
  text += path.verb.empty() ? "" : " :" + path.verb;
  for (const TemplateVariable& variable : path.variables) {
    text += " {" + variable.field + " " + std::to_string(variable.begin) + "-" + std::to_string(variable.end) +
            (variable.is_multi ? " multi}" : "}");
  }
  return text;
}

TEST(PathTemplate, ReadsTheWholeGrammar) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"/", ""},
      {"/a", "/a"},
      {"/a/b:v", "/a/b :v"},
      {"/*", "/*"},
      {"/**", "/**"},
      {"/**:v", "/** :v"},
      {"/a/*/b/**", "/a/*/b/**"},
      {"/**/a/b", "/**/a/b"},
      {"/{x}", "/* {x 0-1}"},
      {"/{x.y.z}", "/* {x.y.z 0-1}"},
      {"/{x=*}", "/* {x 0-1}"},
      {"/{x=a}", "/a {x 0-1}"},
      {"/{x=**}", "/** {x 0-1 multi}"},
      {"/v1/{x=a/*}/b/{y}:go", "/v1/a/*/b/* :go {x 1-3 multi} {y 4-5}"},
      {"/v1/{x=a/**/z}/end", "/v1/a/**/z/end {x 1-4 multi}"},
      {"/a%20b/caf%C3%A9", "/a b/caf\xc3\xa9"},
      {"/a=b/c@d;e,f", "/a=b/c@d;e,f"},
  };
  for (const auto& [text, expected] : cases) {
    auto path = parse_path_template(text);
    ASSERT_TRUE(path.ok()) << text << ": " << path.status().message;
    EXPECT_EQ(dump(*path), expected) << text;
  }
}

TEST(PathTemplate, RefusesWhatTheGrammarDoesNotHave) {
  for (const char* text : {"",           "a",
                           "//",         "/{}",
                           "/a/",        "/a//b",
                           ":v",         "/:v",
                           "/a:",        "/a:v/b",
                           "/a:v:w",     "/a{x}",
                           "/{x}a",      "/{x",
                           "/x}",        "/{x=}",
                           "/{x=a/}",    "/{x={y}}",
                           "/{x=a/{y}}", "/{.x}",
                           "/{x.}",      "/{x..y}",
                           "/**/*",      "/**/**",
                           "/**/{x}",    "/{x=**}/{y=**}",
                           "/*a",        "/a*",
                           "/***",       "/a b",
                           "/a?b",       "/a#b",
                           "/%zz",       "/a\x01",
                           "/{x=a:b}",   "/a:{x}",
                           "/a:*"}) {
    auto path = parse_path_template(text);
    EXPECT_FALSE(path.ok()) << text;
  }
}

TEST(PathTemplate, SaysWhereItIsWrong) {
  auto path = parse_path_template("/v1/{x}/{y");
  ASSERT_FALSE(path.ok());
  EXPECT_EQ(path.status().message, "a variable lacks its } (at character 11)");
}

}  // namespace
}  // namespace transom
