#include "server/schema_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <functional>
#include <sstream>

#include "server/options.h"
#include "support/temp_folder.h"

namespace transom {
namespace {

using testing::HasSubstr;

std::string read_file(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(SchemaWatch, AReplicaThatDoesNotTellIsLoggedAndTheOthersAreAsked) {
  const std::string folder = temp_folder();
  std::ofstream(folder + "schema_watch_test.yaml")
      << "listeners: [ { address: \"127.0.0.1:0\" } ]\nstate_dir: none\n"
         "backends:\n"
         "  - { name: one, schema: [ { reflection: true } ], replicas: [ \"127.0.0.1:1\", \"127.0.0.1:2\" ] }\n"
         "  - { name: any, replicas: [ \"127.0.0.1:3\" ] }\n";
  Blueprint blueprint(folder + "schema_watch_test.yaml");
  ASSERT_TRUE(blueprint.errors().empty());
  std::vector<std::shared_ptr<BackendState>> states;
  for (int i = 0; i < 2; ++i)
    states.push_back(BackendState::make(backend_options_of(blueprint.config(), i)));
  const std::string path = folder + "schema_watch_test.log";
  std::remove(path.c_str());
  bool has_snapshot = false;
  {
    LineThread thread;
    auto sink = LineSink::open(thread, path);
    ASSERT_TRUE(sink.ok());
    ProcessLog log(**sink, LogLevel::Info);
    Loop loop;
    {
      SchemaWatch watch(loop, blueprint, states, log, [&](SnapshotPtr) { has_snapshot = true; });
      watch.on_up(0, 0);
      watch.on_up(0, 1);
      watch.on_up(1, 0);  // has no reflection
      // Until both have been asked, or long enough for any machine.
      const TimePoint patience = Clock::now() + std::chrono::seconds(60);
      std::function<void()> look;
      Timer next(loop, [&] { look(); });
      look = [&] {
        const std::string text = read_file(path);
        const bool both = text.find("127.0.0.1:1:") != text.npos && text.find("127.0.0.1:2:") != text.npos;
        if (both || Clock::now() > patience) return loop.stop();
        next.start(std::chrono::milliseconds(20));
      };
      look();
      loop.run();
    }
  }
  const std::string text = read_file(path);
  EXPECT_THAT(text, HasSubstr("reflection of 127.0.0.1:1"));
  EXPECT_THAT(text, HasSubstr("reflection of 127.0.0.1:2"));
  EXPECT_THAT(text, testing::Not(HasSubstr("127.0.0.1:3")));
  EXPECT_FALSE(has_snapshot);
}

TEST(JoinFiles, RefusesWhatIsNoDescriptor) {
  EXPECT_FALSE(join_files({"no descriptor"}, "reflection of a:1").ok());
  EXPECT_TRUE(join_files({}, "reflection of a:1").ok());
}

}  // namespace
}  // namespace transom
