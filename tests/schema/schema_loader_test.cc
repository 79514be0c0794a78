#include "schema/schema_loader.h"

#include <gtest/gtest.h>

#include "support/proto_text.h"

namespace transom {
namespace {

constexpr const char* kPredictor = R"(
  syntax = "proto3";
  package bench.v1;
  import "google/api/annotations.proto";
  message Request { string model_name = 1; repeated float features = 2; }
  message Reply { string model_name = 1; }
  service Predictor {
    rpc Predict(Request) returns (Reply) {
      option idempotency_level = IDEMPOTENT;
      option (google.api.http) = {
        post: "/v1/models/{model_name}:predict" body: "*"
        additional_bindings { get: "/v1/models/{model_name}" response_body: "model_name" }
      };
    }
    rpc Generate(Request) returns (stream Reply);
    rpc Collect(stream Request) returns (Reply);
  }
)";

TEST(SchemaLoader, MakesMethodsWithTheirKindsAndRules) {
  SchemaPtr schema = schema_of(kPredictor);
  ASSERT_EQ(schema->methods().size(), 3u);
  EXPECT_TRUE(schema->has_service("bench.v1.Predictor"));
  EXPECT_FALSE(schema->has_service("bench.v1.Request"));
  const MethodPlan* predict = schema->find_method("bench.v1.Predictor.Predict");
  ASSERT_NE(predict, nullptr);
  EXPECT_EQ(predict->path, "/bench.v1.Predictor/Predict");
  EXPECT_EQ(predict->service, "bench.v1.Predictor");
  EXPECT_EQ(predict->input, schema->find_message("bench.v1.Request"));
  EXPECT_EQ(predict->output, schema->find_message("bench.v1.Reply"));
  EXPECT_TRUE(predict->is_idempotent);
  ASSERT_EQ(predict->rules.size(), 2u);
  EXPECT_EQ(predict->rules[0].method, "POST");
  EXPECT_EQ(predict->rules[0].path, "/v1/models/{model_name}:predict");
  EXPECT_EQ(predict->rules[0].body, "*");
  EXPECT_EQ(predict->rules[1].method, "GET");
  EXPECT_EQ(predict->rules[1].response_body, "model_name");
  const MethodPlan* generate = schema->find_method("bench.v1.Predictor.Generate");
  EXPECT_TRUE(generate->is_server_streaming && !generate->is_client_streaming && generate->rules.empty());
  EXPECT_TRUE(schema->find_method("bench.v1.Predictor.Collect")->is_client_streaming);
}

TEST(SchemaLoader, HasTheBuiltInTypesInEverySchema) {
  for (const SchemaPtr& schema : {builtin_schema(), schema_of(kPredictor)}) {
    for (const char* name : {"google.rpc.ErrorInfo", "google.rpc.Status", "google.api.HttpBody", "google.protobuf.Any"}) {
      ASSERT_NE(schema->find_message(name), nullptr) << name;
    }
    EXPECT_EQ(schema->find_message("google.protobuf.Any")->schema, schema.get());
    EXPECT_NE(schema->find_enum("google.protobuf.NullValue"), nullptr);
  }
}

}  // namespace
}  // namespace transom
