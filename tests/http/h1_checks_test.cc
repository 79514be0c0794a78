#include "http/h1_checks.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace transom {
namespace {

using FieldList = std::vector<std::pair<std::string, std::string>>;

struct Checked {
  RequestHead head;
  H1Facts facts;
  Refusal refusal;
};

Checked check_head(const std::string& method, const std::string& target, int minor, const FieldList& fields,
                   const SessionLimits& limits = {}) {
  Checked result;
  H1Checks checks(limits, result.head);
  result.refusal = checks.on_request_line(method, target, minor);
  for (const auto& [name, value] : fields) {
    if (!result.refusal) {
      result.refusal = checks.on_field(name, value);
    }
  }
  if (!result.refusal) {
    result.refusal = checks.on_head_end();
  }
  result.facts = checks.facts();
  return result;
}

TEST(H1ChecksTest, RefusesAmbiguousFraming) {
  struct Case {
    const char* what;
    int minor;
    FieldList fields;
    uint16_t status;
  };
  const Case cases[] = {
      {"both", 1, {{"Host", "a"}, {"Content-Length", "5"}, {"Transfer-Encoding", "chunked"}}, 400},
      {"both, the other way round", 1, {{"Host", "a"}, {"Transfer-Encoding", "chunked"}, {"Content-Length", "5"}}, 400},
      {"equal lengths", 1, {{"Host", "a"}, {"Content-Length", "5"}, {"Content-Length", "5"}}, 400},
      {"a list of lengths", 1, {{"Host", "a"}, {"Content-Length", "5, 5"}}, 400},
      {"plus", 1, {{"Host", "a"}, {"Content-Length", "+5"}}, 400},
      {"minus", 1, {{"Host", "a"}, {"Content-Length", "-0"}}, 400},
      {"hexadecimal", 1, {{"Host", "a"}, {"Content-Length", "0x5"}}, 400},
      {"empty", 1, {{"Host", "a"}, {"Content-Length", ""}}, 400},
      {"2^63", 1, {{"Host", "a"}, {"Content-Length", "9223372036854775808"}}, 400},
      {"xchunked", 1, {{"Host", "a"}, {"Transfer-Encoding", "xchunked"}}, 501},
      {"gzip, chunked", 1, {{"Host", "a"}, {"Transfer-Encoding", "gzip, chunked"}}, 501},
      {"chunked twice", 1, {{"Host", "a"}, {"Transfer-Encoding", "chunked"}, {"Transfer-Encoding", "chunked"}}, 400},
      {"identity", 1, {{"Host", "a"}, {"Transfer-Encoding", "identity"}}, 501},
      {"in HTTP/1.0", 0, {{"Host", "a"}, {"Transfer-Encoding", "chunked"}}, 400},
      {"no host", 1, {}, 400},
      {"two hosts", 1, {{"Host", "a"}, {"Host", "a"}}, 400},
      {"a space in the host", 1, {{"Host", "a b"}}, 400},
      {"an empty host", 1, {{"Host", ""}}, 400},
      {"an unknown expectation", 1, {{"Host", "a"}, {"Expect", "200-ok"}}, 400},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(check_head("POST", "/", each.minor, each.fields).refusal.http_status, each.status) << each.what;
  }
}

TEST(H1ChecksTest, TakesTargetsInAllServedForms) {
  struct Case {
    const char* method;
    const char* target;
    const char* path;
    const char* authority;
  };
  const Case cases[] = {
      {"GET", "/a%2Fb?x=1", "/a%2Fb?x=1", "a"},
      {"GET", "http://b.example:80/p?q", "/p?q", "b.example:80"},
      {"GET", "HTTPS://b", "/", "b"},
      {"GET", "http://b?q", "/?q", "b"},
      {"OPTIONS", "*", "*", "a"},
      {"OPTIONS", "http://b", "*", "b"},
  };
  for (const Case& each : cases) {
    Checked checked = check_head(each.method, each.target, 1, {{"Host", "a"}});
    EXPECT_FALSE(checked.refusal) << each.target << ": " << checked.refusal.reason;
    EXPECT_EQ(checked.head.target, each.path);
    EXPECT_EQ(checked.head.authority, each.authority);
  }
}

TEST(H1ChecksTest, RefusesOtherTargets) {
  struct Case {
    const char* method;
    std::string target;
    uint16_t status;
  };
  const Case cases[] = {
      {"GET", "*", 400},           {"GET", "a", 400},         {"GET", "/a#b", 400},
      {"GET", "ftp://a/", 400},    {"GET", "http:///a", 400}, {"GET", "http://u@a/", 400},
      {"GET", "/\xc3\xa9", 400},   {"CONNECT", "a:80", 501},  {"GET", "/" + std::string(40 * kKiB, 'a'), 431},
      {"GET", "http://a/#f", 400}, {"GET", "a:80", 400},
  };
  for (const Case& each : cases) {
    EXPECT_EQ(check_head(each.method, each.target, 1, {{"Host", "a"}}).refusal.http_status, each.status) << each.target;
  }
}

TEST(H1ChecksTest, KnowsWhenTheSessionGoesOn) {
  struct Case {
    int minor;
    const char* option;
    bool closes;
  };
  const Case cases[] = {
      {1, "x", false}, {1, "close", true},       {1, "Keep-Alive , CLOSE", true}, {1, "content-length", false},
      {0, "x", true},  {0, "keep-alive", false}, {0, "keep-alive, close", true},
  };
  for (const Case& each : cases) {
    Checked checked = check_head("GET", "/", each.minor, {{"Host", "a"}, {"Connection", each.option}});
    EXPECT_FALSE(checked.refusal);
    EXPECT_EQ(checked.facts.wants_close, each.closes) << each.option;
  }
}

TEST(H1ChecksTest, AnOptionThatNamesContentLengthIsIgnored) {
  Checked checked =
      check_head("POST", "/", 1, {{"Host", "a"}, {"Connection", "content-length"}, {"Content-Length", "5"}});
  EXPECT_FALSE(checked.refusal);
  EXPECT_EQ(checked.head.content_length, 5);
  EXPECT_TRUE(checked.head.has_body);
}

TEST(H1ChecksTest, UpgradesOnlyWithoutABodyAndWithAllThatBelongsToIt) {
  const FieldList whole = {
      {"Host", "a"}, {"Connection", "Upgrade, HTTP2-Settings"}, {"Upgrade", "h2c"}, {"HTTP2-Settings", "AAMAAABk"}};
  EXPECT_TRUE(check_head("GET", "/", 1, whole).facts.upgrades_to_h2c);
  FieldList with_body = whole;
  with_body.emplace_back("Content-Length", "5");
  EXPECT_FALSE(check_head("POST", "/", 1, with_body).facts.upgrades_to_h2c);
  FieldList twice = whole;
  twice.emplace_back("HTTP2-Settings", "AAMAAABk");
  EXPECT_FALSE(check_head("GET", "/", 1, twice).facts.upgrades_to_h2c);
  EXPECT_FALSE(check_head("GET", "/", 0, whole).facts.upgrades_to_h2c);
  FieldList unnamed = whole;
  unnamed[1].second = "Upgrade";
  EXPECT_FALSE(check_head("GET", "/", 1, unnamed).facts.upgrades_to_h2c);
}

TEST(H1ChecksTest, BoundsTheHeadAndTheTrailersTogether) {
  EXPECT_EQ(check_head("GET", "/", 1, FieldList(101, {"a", "b"})).refusal.http_status, 431);
  EXPECT_EQ(check_head("GET", "/", 1, {{"Host", "a"}, {"a", std::string(61 * kKiB, 'a')}}).refusal.http_status, 431);
  SessionLimits limits;
  RequestHead head;
  H1Checks checks(limits, head);
  EXPECT_FALSE(checks.on_request_line("POST", "/", 1));
  for (int i = 0; i < 60; ++i) {
    EXPECT_FALSE(checks.on_field("a", "b"));
  }
  for (int i = 0; i < 40; ++i) {
    EXPECT_FALSE(checks.on_trailer("a", "b"));
  }
  EXPECT_EQ(checks.on_trailer("a", "b").http_status, 431);
}

TEST(H1ChecksTest, ReadsTe) {
  EXPECT_TRUE(te_names_trailers("trailers"));
  EXPECT_TRUE(te_names_trailers("gzip;q=0.5, Trailers"));
  EXPECT_FALSE(te_names_trailers("gzip"));
  EXPECT_FALSE(te_names_trailers("xtrailers"));
}

}  // namespace
}  // namespace transom
