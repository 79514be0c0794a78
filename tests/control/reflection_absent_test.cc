// What SchemaReflector says of replicas without reflection. In a program of its own: libgrpc++_reflection gives every
// server of its program reflection.
#include <gtest/gtest.h>

#include "control/predictor_server.h"

namespace transom {
namespace {

TEST(AbsentReflection, SaysThatAReplicaHasNoReflection) {
  PredictorServer server;
  auto files = fetch(server.address());
  ASSERT_TRUE(files.has_value());
  ASSERT_FALSE(files->ok());
  EXPECT_EQ(files->status().code, Code::Unimplemented);
  EXPECT_EQ(files->status().fault, Fault::Replica);
  EXPECT_EQ(files->status().message.rfind("reflection of " + server.address() + ": the replica has none", 0), 0u)
      << files->status().message;
}

TEST(AbsentReflection, SaysThatNobodyIsThere) {
  int port = 0;
  {
    PredictorServer gone;
    port = std::stoi(gone.address().substr(gone.address().rfind(':') + 1));
  }
  auto files = fetch("127.0.0.1:" + std::to_string(port));
  ASSERT_TRUE(files.has_value());
  EXPECT_EQ(files->ok() ? Code::Ok : files->status().code, Code::Unavailable);
}

TEST(AbsentReflection, DropsWhatIsBeingAskedWhenItGoes) {
  PredictorServer server;
  Loop loop;
  bool was_called = false;
  {
    SchemaReflector reflector(loop);
    reflector.fetch(server.address(), [&](const Files&) { was_called = true; });
  }
  run_for(loop, std::chrono::milliseconds(50));
  EXPECT_FALSE(was_called);
}

}  // namespace
}  // namespace transom
