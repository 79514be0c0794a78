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
    for (const char* name :
         {"google.rpc.ErrorInfo", "google.rpc.Status", "google.api.HttpBody", "google.protobuf.Any"}) {
      ASSERT_NE(schema->find_message(name), nullptr) << name;
    }
    EXPECT_EQ(schema->find_message("google.protobuf.Any")->schema, schema.get());
    EXPECT_NE(schema->find_enum("google.protobuf.NullValue"), nullptr);
  }
}

TEST(SchemaLoader, NamesTheSourceOfBytesThatAreNoDescriptors) {
  EXPECT_EQ(SchemaLoader().add_descriptor_set("\xff", "a.pb").message, "a.pb: is no serialized FileDescriptorSet");
  EXPECT_EQ(SchemaLoader().add_file_descriptor("\xff", "reflection of h:1").message,
            "reflection of h:1: sent what is no serialized FileDescriptorProto");
  EXPECT_EQ(SchemaLoader().add_descriptor_set_file("/nowhere/a.pb").message,
            "/nowhere/a.pb: cannot be read, or is empty");
}

TEST(SchemaLoader, MergesSourcesAndGivesThemBackAsOneSet) {
  SchemaLoader loader;
  ASSERT_TRUE(loader.add_descriptor_set(descriptor_set_of({{"test.proto", kPredictor}}), "a.pb").ok());
  ASSERT_TRUE(
      loader.add_descriptor_set(descriptor_set_of({{"u.proto", "syntax = \"proto3\"; message N {}"}}), "b.pb").ok());
  SchemaLoader again;
  ASSERT_TRUE(again.add_descriptor_set(loader.descriptor_set(), "last good copy").ok());
  auto first = loader.load();
  auto second = again.load();
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ((*first)->digest(), (*second)->digest());
  EXPECT_NE((*first)->digest(), schema_of(kPredictor)->digest());
  EXPECT_NE((*second)->find_message("N"), nullptr);
  EXPECT_EQ((*second)->methods().size(), 3u);
}

TEST(SchemaLoader, SurvivesItsLoaderAndDescriptors) {
  SchemaPtr schema;
  {
    SchemaLoader loader;
    ASSERT_TRUE(loader.add_descriptor_set(descriptor_set_of({{"test.proto", kPredictor}}), "a.pb").ok());
    schema = *loader.load();
  }
  EXPECT_EQ(schema->find_message("bench.v1.Request")->find_field("modelName")->proto_name, "model_name");
}

}  // namespace
}  // namespace transom
