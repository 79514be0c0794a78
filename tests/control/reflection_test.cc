#include "control/reflection.h"

#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <gtest/gtest.h>

#include "control/predictor_server.h"
#include "schema/schema_loader.h"

namespace transom {
namespace {

class Reflector : public testing::Test {
 protected:
  // Also keeps the linker from dropping the library.
  static void SetUpTestSuite() { grpc::reflection::InitProtoReflectionServerBuilderPlugin(); }
};

TEST_F(Reflector, FetchesASchemaThatLoads) {
  PredictorServer server;
  auto files = fetch(server.address());
  ASSERT_TRUE(files.has_value());
  ASSERT_TRUE(files->ok()) << files->status().message;
  SchemaLoader loader;
  for (const std::string& file : **files) {
    Status status = loader.add_file_descriptor(file, "reflection of the test's server");
    ASSERT_TRUE(status.ok()) << status.message;
  }
  auto schema = loader.load();
  ASSERT_TRUE(schema.ok()) << schema.status().message;
  const MethodPlan* predict = (*schema)->find_method("bench.v1.Predictor.Predict");
  ASSERT_NE(predict, nullptr);
  EXPECT_FALSE(predict->rules.empty());
  EXPECT_FALSE((*schema)->has_service("grpc.reflection.v1alpha.ServerReflection"));
}

TEST_F(Reflector, AsksSeveralReplicasAtOnce) {
  PredictorServer first;
  PredictorServer second;
  Loop loop;
  SchemaReflector reflector(loop);
  int done = 0;
  for (const PredictorServer* server : {&first, &second, &first}) {
    reflector.fetch(server->address(), [&](Files files) { done += files.ok() ? 1 : 100; });
  }
  run_until(loop, [&] { return done >= 3; });
  EXPECT_EQ(done, 3);
}

TEST_F(Reflector, MayBeDestroyedByItsOwnAnswer) {
  PredictorServer server;
  Loop loop;
  bool is_done = false;
  auto reflector = std::make_unique<SchemaReflector>(loop);
  reflector->fetch(server.address(), [&](const Files&) {
    reflector.reset();
    is_done = true;
  });
  run_until(loop, [&] { return is_done; });
  EXPECT_EQ(reflector, nullptr);
}

}  // namespace
}  // namespace transom
