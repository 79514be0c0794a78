#include "http/h2_head.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace transom {
namespace {

using FieldList = std::vector<std::pair<std::string, std::string>>;

Refusal feed(H2Head& head, const FieldList& fields, bool ends = true, const SessionLimits& limits = {}) {
  for (const auto& [name, value] : fields) {
    head.on_field(limits, name, value);
  }
  return head.on_end(ends);
}

FieldList with(FieldList more, const std::string& path = "/") {
  FieldList fields = {{":method", "GET"}, {":scheme", "http"}, {":authority", "a.example"}, {":path", path}};
  fields.insert(fields.end(), more.begin(), more.end());
  return fields;
}

TEST(H2HeadTest, GathersARequest) {
  H2Head head;
  EXPECT_FALSE(feed(
      head,
      with({{"content-length", "12"}, {"te", "trailers"}, {"cookie", "a=1"}, {"x", "y"}, {"cookie", "b=2"}}, "/p?q"),
      false));
  const RequestHead& request = head.request();
  EXPECT_EQ(request.version, HttpVersion::Http2);
  EXPECT_EQ(request.method, "GET");
  EXPECT_EQ(request.target, "/p?q");
  EXPECT_EQ(request.authority, "a.example");
  EXPECT_EQ(request.scheme, "http");
  EXPECT_EQ(request.content_length, 12);
  EXPECT_TRUE(request.has_body);
  EXPECT_TRUE(head.takes_trailers());
  EXPECT_EQ(request.fields.find("cookie"), "a=1; b=2");  // RFC 9113 section 8.2.3
  EXPECT_EQ(request.fields.find("x"), "y");
  EXPECT_FALSE(request.fields.find(":path"));
}

TEST(H2HeadTest, RefusesWhatNghttp2LetsThrough) {
  struct Case {
    const char* what;
    FieldList fields;
    uint16_t status;
  };
  const Case cases[] = {
      {"a fragment in :path", with({}, "/a#b"), 400},
      {":path without /", with({}, "a"), 400},
      {"* for GET", with({}, "*"), 400},
      {"a byte above 127 in :path", with({}, "/\xc3\xa9"), 400},
      {"another host", with({{"host", "b.example"}}), 400},
      {"a strange scheme", {{":method", "GET"}, {":scheme", "ftp"}, {":authority", "a"}, {":path", "/"}}, 400},
      {"user information", {{":method", "GET"}, {":scheme", "http"}, {":authority", "u@a"}, {":path", "/"}}, 400},
      {"no authority at all", {{":method", "GET"}, {":scheme", "http"}, {":path", "/"}}, 400},
      {"CONNECT", {{":method", "CONNECT"}, {":authority", "a:1"}}, 501},
      {"an unknown expectation", with({{"expect", "a-miracle"}}), 400},
      {"a long target", with({}, "/" + std::string(40 * kKiB, 'a')), 431},
      {"large fields", with({{"a", std::string(61 * kKiB, 'a')}}), 431},
      {"a large authority",
       {{":method", "GET"}, {":scheme", "http"}, {":authority", std::string(61 * kKiB, 'a')}, {":path", "/"}},
       431},
      {"a long method",
       {{":method", std::string(65, 'A')}, {":scheme", "http"}, {":authority", "a"}, {":path", "/"}},
       501},
      {"many fields", with(FieldList(101, {"a", "b"})), 431},
      {"many split cookies", with(FieldList(101, {"cookie", "a=b"})), 431},
  };
  for (const Case& each : cases) {
    H2Head head;
    EXPECT_EQ(feed(head, each.fields).http_status, each.status) << each.what;
  }
}

TEST(H2HeadTest, TakesTheBoundsThemselvesAndEqualHosts) {
  H2Head many;
  EXPECT_FALSE(feed(many, with(FieldList(100, {"a", "b"}))));
  H2Head same;
  EXPECT_FALSE(feed(same, with({{"host", "A.example"}})));
  H2Head host_alone;
  EXPECT_FALSE(feed(host_alone, {{":method", "GET"}, {":scheme", "https"}, {":path", "/"}, {"host", "a"}}));
  EXPECT_EQ(host_alone.request().authority, "a");
  H2Head star;
  EXPECT_FALSE(feed(star, {{":method", "OPTIONS"}, {":scheme", "http"}, {":authority", "a"}, {":path", "*"}}));
}

TEST(H2HeadTest, AnUpgradedHeadLosesWhatBelongedToHttp1) {
  RequestHead upgraded;
  upgraded.method = "GET";
  for (const char* name : {"Connection", "Upgrade", "HTTP2-Settings", "Accept"}) {
    upgraded.fields.add(name, "x");
  }
  H2Head head;
  head.take_upgraded(std::move(upgraded), true);
  EXPECT_EQ(head.request().version, HttpVersion::Http2);
  EXPECT_EQ(head.request().fields.size(), 1U);
  EXPECT_TRUE(head.takes_trailers());
}

TEST(H2HeadTest, StoresNothingMorePastABound) {
  H2Head head;
  SessionLimits limits;
  for (int i = 0; i < 100'000; ++i) {
    head.on_field(limits, "cookie", std::string(100, 'c'));
  }
  EXPECT_EQ(head.on_end(true).http_status, 431);
  EXPECT_LT(head.request().fields.bytes(), 2 * limits.header_bytes);
}

TEST(H2HeadTest, TrailersCountTowardsTheBounds) {
  H2Head head;
  SessionLimits limits;
  feed(head, with({}), false);
  head.on_trailer(limits, "grpc-status", "0");
  EXPECT_EQ(head.trailers().find("grpc-status"), "0");
  for (int i = 0; i < 1000; ++i) {
    head.on_trailer(limits, "a", "b");
  }
  EXPECT_EQ(head.refusal().http_status, 431);
  EXPECT_LE(head.trailers().size(), 100U);
}

TEST(H2HeadTest, ContinueIsExpectedOnlyWithABody) {
  H2Head with_body;
  EXPECT_FALSE(feed(with_body, with({{"expect", "100-Continue"}}), false));
  EXPECT_TRUE(with_body.expects_continue());
  H2Head without;
  EXPECT_FALSE(feed(without, with({{"expect", "100-continue"}}), true));
  EXPECT_FALSE(without.expects_continue());
}

}  // namespace
}  // namespace transom
