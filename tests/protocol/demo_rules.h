// The rules of one small method, for tests of the protocols.
#pragma once

#include <string>
#include <utility>

#include "base/call_end.h"
#include "protocol/conversion.h"
#include "protocol/grpc_frame.h"
#include "schema/field_path.h"
#include "support/proto_text.h"

namespace transom {

inline SchemaPtr demo_schema() {
  static const SchemaPtr schema = schema_of(R"(
    syntax = "proto3";
    package demo;
    import "google/api/httpbody.proto";
    message Text { string text = 1; int32 count = 2; }
    message Parcel { string name = 1; google.api.HttpBody body = 20; }
  )");
  return schema;
}

struct DemoRules {
  // The body is the whole message, in and out.
  explicit DemoRules(const std::string& message = "demo.Text") {
    request.message = response.message = demo_schema()->find_message(message);
    request.body = BodyKind::Whole;
    rules = TranscodeRules{.request = &request,
                           .response = &response,
                           .json = &json,
                           .limits = &limits,
                           .schema = demo_schema().get()};
  }
  DemoRules(const DemoRules&) = delete;
  DemoRules& operator=(const DemoRules&) = delete;

  RequestShape request;
  ResponseShape response;
  JsonOptions json;
  Limits limits;
  TranscodeRules rules;
};

inline std::string framed(std::string_view message, bool is_compressed = false) {
  std::string out;
  const size_t at = begin_grpc_frame(out);
  out.append(message);
  end_grpc_frame(out, at);
  out[0] = is_compressed ? 1 : 0;
  return out;
}

// demo.Text{text: "hi"} and {text: "ho"} on the wire.
inline const std::string kHi = "\x0a\x02hi";
inline const std::string kHo = "\x0a\x02ho";

inline CallEnd ended(Status status = {}) {
  CallEnd end;
  end.status = std::move(status);
  return end;
}

}  // namespace transom
