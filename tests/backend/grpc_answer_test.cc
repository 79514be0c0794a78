#include "backend/grpc_answer.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(GrpcAnswer, KnowsTheContentTypesOfGrpc) {
  struct Case {
    std::string_view text;
    bool is_grpc;
  };
  for (const Case& c : std::vector<Case>{{"application/grpc", true},
                                         {"application/grpc+proto", true},
                                         {"application/grpc+json", true},
                                         {"application/grpc;charset=utf-8", true},
                                         {"application/grpc ; x", true},
                                         {"Application/GRPC", true},
                                         {"application/grpc-web", false},
                                         {"application/grpcx", false},
                                         {"application/json", false},
                                         {"text/html", false},
                                         {"application/grp", false},
                                         {"", false}}) {
    EXPECT_EQ(is_grpc_content_type(c.text), c.is_grpc) << c.text;
  }
}

// http-grpc-status-mapping.md of gRPC.
TEST(GrpcAnswer, MapsHttpStatuses) {
  struct Case {
    int http_status;
    Code code;
  };
  for (const Case& c : std::vector<Case>{{400, Code::Internal},
                                         {401, Code::Unauthenticated},
                                         {403, Code::PermissionDenied},
                                         {404, Code::Unimplemented},
                                         {429, Code::Unavailable},
                                         {431, Code::Internal},
                                         {502, Code::Unavailable},
                                         {503, Code::Unavailable},
                                         {504, Code::Unavailable},
                                         {200, Code::Unknown},
                                         {301, Code::Unknown},
                                         {500, Code::Unknown},
                                         {0, Code::Unknown}}) {
    EXPECT_EQ(code_of_answer_status(c.http_status), c.code) << c.http_status;
  }
}

// "HTTP2 Transport Mapping, Errors" of the gRPC HTTP/2 protocol.
TEST(GrpcAnswer, MapsResets) {
  struct Case {
    uint32_t h2_error;
    Code code;
    std::string_view name;
  };
  for (const Case& c : std::vector<Case>{{0, Code::Internal, "NO_ERROR"},
                                         {1, Code::Internal, "PROTOCOL_ERROR"},
                                         {2, Code::Internal, "INTERNAL_ERROR"},
                                         {3, Code::Internal, "FLOW_CONTROL_ERROR"},
                                         {4, Code::Internal, "SETTINGS_TIMEOUT"},
                                         {6, Code::Internal, "FRAME_SIZE_ERROR"},
                                         {7, Code::Unavailable, "REFUSED_STREAM"},
                                         {8, Code::Cancelled, "CANCEL"},
                                         {9, Code::Internal, "COMPRESSION_ERROR"},
                                         {10, Code::Internal, "CONNECT_ERROR"},
                                         {11, Code::ResourceExhausted, "ENHANCE_YOUR_CALM"},
                                         {12, Code::PermissionDenied, "INADEQUATE_SECURITY"},
                                         {77, Code::Internal, "77"}}) {
    EXPECT_EQ(code_of_reset(c.h2_error), c.code) << c.h2_error;
    EXPECT_EQ(reset_name(c.h2_error), c.name);
  }
}

TEST(GrpcAnswer, DecodesMessagesAndKeepsInvalidEscapes) {
  struct Case {
    std::string_view text;
    std::string_view decoded;
  };
  for (const Case& c : std::vector<Case>{{"", ""},
                                         {"boom %C3%A9 %25%0Ax", "boom é %\nx"},
                                         {"%", "%"},
                                         {"%4", "%4"},
                                         {"%41", "A"},
                                         {"%zz%4z", "%zz%4z"},
                                         {"100%", "100%"},
                                         {"%e2%82%ac", "€"},
                                         {"%f0%9f%98%80", "😀"},
                                         {"%0D%0Aa%07b%7f", "\r\na\ab\x7f"},
                                         {"tab%09", "tab\t"},
                                         {"%ff", "\xEF\xBF\xBD"},
                                         {"%c0%80", "\xEF\xBF\xBD\xEF\xBF\xBD"},
                                         {"%ed%a0%80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
                                         {"%f4%90%80%80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
                                         {"%e2%82", "\xEF\xBF\xBD\xEF\xBF\xBD"},
                                         {"raw é", "raw é"}}) {
    EXPECT_EQ(decode_grpc_message(c.text), c.decoded) << c.text;
  }
}

TEST(GrpcAnswer, WhatIsToldOfAPeerHasNoControlCharacters) {
  EXPECT_EQ(legible_text("a%00b%07c%7f%0A\x1B[31m"), "abc\n[31m");
  EXPECT_EQ(legible_text("text/\xff"), "text/\xEF\xBF\xBD");
}

TEST(GrpcAnswer, TakesTheStatusOutOfTheTrailers) {
  Fields trailers;
  trailers.add("x-before", "1");
  trailers.add("grpc-status", "5");
  trailers.add("grpc-message", "no%20such%20model");
  trailers.add("grpc-status-details-bin", "CAUSA2Jhcg");
  trailers.add("x-after", "2");
  Status status = take_grpc_status(trailers, "r");
  EXPECT_EQ(status.code, Code::NotFound);
  EXPECT_EQ(status.fault, Fault::Replica);
  EXPECT_EQ(status.message, "no such model");
  EXPECT_EQ(status.details, std::string("\x08\x05\x12\x03"
                                        "bar"));
  ASSERT_EQ(trailers.size(), 2U);
  EXPECT_EQ(trailers[0].name, "x-before");
  EXPECT_EQ(trailers[1].name, "x-after");
}

TEST(GrpcAnswer, SuccessHasNoMessage) {
  Fields trailers;
  trailers.add("grpc-status", "0");
  trailers.add("grpc-message", "ignored");
  Status status = take_grpc_status(trailers, "r");
  EXPECT_TRUE(status.ok());
  EXPECT_EQ(status.message, "");
  EXPECT_TRUE(trailers.empty());
}

TEST(GrpcAnswer, KeepsNumbersThatNoCodeHas) {
  Fields trailers;
  trailers.add("grpc-status", "77");
  EXPECT_EQ(static_cast<int>(take_grpc_status(trailers, "r").code), 77);
}

TEST(GrpcAnswer, AMissingOrMalformedStatusIsUnknown) {
  for (std::string_view text : {"", "abc", "-1", "5x", "0x5", " 5", "99999999999", "1.0"}) {
    Fields trailers;
    trailers.add("grpc-status", text);
    Status status = take_grpc_status(trailers, "10.0.0.1:5");
    EXPECT_EQ(status.code, Code::Unknown) << text;
    EXPECT_NE(status.message.find("10.0.0.1:5"), std::string::npos);
    EXPECT_TRUE(trailers.empty());
  }
  Fields none;
  EXPECT_EQ(take_grpc_status(none, "10.0.0.1:5").code, Code::Unknown);
}

TEST(GrpcAnswer, IgnoresDetailsThatAreNotBase64) {
  Fields trailers;
  trailers.add("grpc-status", "3");
  trailers.add("grpc-status-details-bin", "!!");
  Status status = take_grpc_status(trailers, "r");
  EXPECT_EQ(status.code, Code::InvalidArgument);
  EXPECT_EQ(status.details, "");
}

}  // namespace
}  // namespace transom
