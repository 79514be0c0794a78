#include "log/process_log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "support/temp_folder.h"

namespace transom {
namespace {

// What a log of that level writes when all levels are used.
std::string written_at(LogLevel level) {
  const std::string path = temp_folder() + "process_log_test.log";
  std::remove(path.c_str());
  {
    LineThread thread;
    auto sink = LineSink::open(thread, path);
    EXPECT_TRUE(sink.ok());
    ProcessLog log(**sink, level);
    log.debug("d");
    log.info("i", {{"address", "a\"b"}});
    log.warning("w");
    log.error("e");
  }
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

TEST(ProcessLog, ALineIsAJsonObjectWithTheNamedValues) {
  EXPECT_THAT(written_at(LogLevel::Info),
              testing::MatchesRegex("\\{\"time\":\"[-0-9T:.]+Z\",\"level\":\"info\",\"message\":\"i\","
                                    "\"address\":\"a\\\\\"b\"\\}\n(.*\n)*"));
}

TEST(ProcessLog, WhatIsBelowTheLevelIsNotWritten) {
  const struct {
    LogLevel level;
    int lines;
  } cases[] = {{LogLevel::Debug, 4}, {LogLevel::Info, 3}, {LogLevel::Warning, 2}, {LogLevel::Error, 1}};
  for (const auto& c : cases) {
    const std::string text = written_at(c.level);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), c.lines) << log_level_name(c.level);
  }
}

}  // namespace
}  // namespace transom
