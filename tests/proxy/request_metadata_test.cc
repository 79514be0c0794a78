#include "proxy/request_metadata.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "proxy/field_pairs.h"

namespace transom {
namespace {

Pairs sent(const Pairs& request, bool is_grpc = false) {
  const Fields fields = fields_of(request);
  Fields metadata;
  EXPECT_TRUE(fill_call_metadata({.fields = fields, .is_grpc = is_grpc, .request_id = "id", .client = "unix"}, metadata)
                  .ok());
  Pairs pairs = pairs_of(metadata);
  EXPECT_EQ(pairs.back(), (Pairs::value_type{"x-request-id", "id"}));
  pairs.pop_back();
  return pairs;
}

TEST(RequestMetadataTest, OrdinaryFieldsGoThroughInOrder) {
  const Pairs request = {{"authorization", "Bearer x"}, {"x_under_score", "1"}, {"foo", "1"},    {"cookie", "a=b"},
                         {"foo", "2"},                  {"accept", "*/*"},      {"user-agent", "curl"}, {"x-empty", ""},
                         {"x-request-timeout-seconds", "5"}};
  EXPECT_EQ(sent(request), request);
}

TEST(RequestMetadataTest, WhatBelongsToOneHopOrToTheCallStaysBehind) {
  for (std::string_view name :
       {"connection", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
        "proxy-authorization", "proxy-authenticate", "http2-settings", "content-length", "content-type",
        "content-encoding", "host", "expect", "accept-encoding", "x-forwarded-for", "x-request-id", "grpc-timeout",
        "grpc-status", "grpc-message", "grpc-encoding", "grpc-accept-encoding", "grpc-message-type", "grpc-anything",
        "not!metadata"}) {
    EXPECT_EQ(sent({{std::string(name), "x"}}), Pairs{}) << name;
  }
}

TEST(RequestMetadataTest, NamesThatConnectionListsStayBehind) {
  EXPECT_EQ(sent({{"connection", "close, X-Hop ,other"}, {"x-hop", "1"}, {"x-end", "2"}, {"other", "3"}}),
            (Pairs{{"x-end", "2"}}));
}

TEST(RequestMetadataTest, AGrpcClientKeepsItsCompressionAndTracing) {
  EXPECT_EQ(sent({{"grpc-encoding", "gzip"}, {"grpc-accept-encoding", "gzip"}, {"grpc-trace-bin", "AA"},
                  {"grpc-timeout", "1S"}, {"grpc-status", "0"}},
                 true),
            (Pairs{{"grpc-encoding", "gzip"}, {"grpc-accept-encoding", "gzip"}, {"grpc-trace-bin", "AA"}}));
}

// The bytes 00 01 and 00 02, as the gRPC HTTP/2 protocol says of binary metadata.
TEST(RequestMetadataTest, BinaryValuesAreSplitAndWrittenWithoutPadding) {
  EXPECT_EQ(sent({{"a-bin", "AAE="}, {"b-bin", "AAE"}, {"c-bin", "AAE,AAI="}, {"d-bin", ""}, {"e-bin", "AAE , AAI"}}),
            (Pairs{{"a-bin", "AAE"}, {"b-bin", "AAE"}, {"c-bin", "AAE"}, {"c-bin", "AAI"}, {"d-bin", ""},
                   {"e-bin", "AAE"}, {"e-bin", "AAI"}}));
}

TEST(RequestMetadataTest, BinaryValuesThatAreNotBase64AreRefused) {
  for (std::string_view value : {"!!", "A", "AAE,!!", "AA=A"}) {
    const Fields fields = fields_of({{"x-foo-bin", std::string(value)}});
    Fields metadata;
    const Status status = fill_call_metadata({.fields = fields, .is_grpc = false, .request_id = "i", .client = ""}, metadata);
    EXPECT_EQ(status.code, Code::InvalidArgument) << value;
    EXPECT_NE(status.message.find("x-foo-bin"), std::string::npos);
  }
}

TEST(RequestMetadataTest, TheClientsAddressIsSentOnUnlessItIsNone) {
  const struct {
    std::string_view client;
    bool is_sent;
  } cases[] = {{"10.0.0.1", true}, {"::1", true}, {"unix", false}, {"", false}};
  for (const auto& row : cases) {
    const Fields fields = fields_of({{"x-forwarded-for", "6.6.6.6"}});
    Fields metadata;
    ASSERT_TRUE(
        fill_call_metadata({.fields = fields, .is_grpc = false, .request_id = "i", .client = row.client}, metadata).ok());
    EXPECT_EQ(metadata.find("x-forwarded-for").value_or("none"), row.is_sent ? row.client : "none");
  }
}

TEST(RequestMetadataTest, AReplicasMetadataComesBackUnderItsOwnName) {
  const Fields metadata = fields_of({{"model_version", "3"}, {"set-cookie", "a"}, {"set-cookie", "b"}, {"x-bin", "AAE"},
                                     {"content-type", "application/grpc"}, {"content-length", "5"}, {"date", "today"},
                                     {"grpc-status", "3"}, {"grpc-encoding", "gzip"}, {"connection", "close"},
                                     {"transfer-encoding", "chunked"}, {"x-request-id", "theirs"}});
  const Pairs plain = {{"model_version", "3"}, {"set-cookie", "a"}, {"set-cookie", "b"}, {"x-bin", "AAE"}};
  Fields json;
  fill_answer_fields(metadata, false, json);
  EXPECT_EQ(pairs_of(json), plain);

  Pairs with_encoding = plain;
  with_encoding.emplace_back("grpc-encoding", "gzip");
  Fields grpc;
  fill_answer_fields(metadata, true, grpc);
  EXPECT_EQ(pairs_of(grpc), with_encoding);
}

TEST(RequestMetadataTest, CodingsAreWhatWeReadAndWhatWeSend) {
  Fields plain;
  add_codings(false, plain);
  EXPECT_EQ(plain.find("grpc-accept-encoding"), "identity,deflate,gzip");
  EXPECT_FALSE(plain.find("grpc-encoding").has_value());
  Fields packed;
  add_codings(true, packed);
  EXPECT_EQ(packed.find("grpc-encoding"), "gzip");
}

}  // namespace
}  // namespace transom
