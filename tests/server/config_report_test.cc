#include "server/config_report.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(ConfigReport, TellsErrorsInTheOrderOfTheFile) {
  ConfigReport report("a.yaml");
  report.add({7, 3}, "b", "late");
  report.add({2, 9}, "a.c", "early");
  report.add({7, 1}, "", "the file itself");
  EXPECT_EQ(report.lines(),
            (std::vector<std::string>{"a.yaml:2:9: a.c: early", "a.yaml:7:1: the file itself", "a.yaml:7:3: b: late"}));
}

TEST(ConfigReport, AKeyThatIsNotWrittenStandsWhereItsGroupDoes) {
  ConfigReport report("a.yaml");
  report.remember("", {1, 1});
  report.remember("backends[0]", {4, 5});
  report.remember("backends[0].name", {4, 11});
  EXPECT_EQ(report.format_place("backends[0].name"), "a.yaml:4:11");
  EXPECT_EQ(report.format_place("backends[0].replicas[2].address"), "a.yaml:4:5");
  EXPECT_EQ(report.format_place("admin.address"), "a.yaml:1:1");
}

TEST(ConfigReport, ATextWithAPlaceOfItsOwnGetsNoSecondOne) {
  ConfigReport report("a.yaml");
  report.add_placed({3, 1}, "a.yaml:3:1: routes[0]: x");
  EXPECT_EQ(report.lines(), std::vector<std::string>{"a.yaml:3:1: routes[0]: x"});
}

TEST(ConfigReport, TheSameErrorIsToldOnce) {
  ConfigReport report("a.yaml");
  report.add({2, 9}, "a.c", "bad");
  report.add({2, 9}, "a.c", "bad");
  EXPECT_EQ(report.lines(), std::vector<std::string>{"a.yaml:2:9: a.c: bad"});
}

TEST(ConfigReport, ForgetsErrorsAndKeepsPlaces) {
  ConfigReport report("a.yaml");
  report.remember("admin", {2, 1});
  report.add("admin", "x");
  EXPECT_TRUE(report.has_errors());
  report.clear();
  EXPECT_FALSE(report.has_errors());
  EXPECT_EQ(report.format_place("admin"), "a.yaml:2:1");
}

}  // namespace
}  // namespace transom
