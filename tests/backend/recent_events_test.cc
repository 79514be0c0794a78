#include "backend/recent_events.h"

#include <gtest/gtest.h>

#include <vector>

namespace transom {
namespace {

using std::chrono::seconds;

struct Case {
  const char* what;
  size_t events_max;
  std::vector<int> at;  // seconds
  std::vector<bool> reached;
};

TEST(RecentEvents, SayWhenAsManyFellWithinTheSpan) {
  for (const Case& c :
       std::vector<Case>{{"the bound is reached with the last of them", 3, {0, 1, 2}, {false, false, true}},
                         {"the span's end is in it", 2, {0, 30}, {false, true}},
                         {"those before the span do not count", 2, {0, 31, 62}, {false, false, false}},
                         {"the window moves", 3, {0, 20, 40, 45, 50, 90}, {false, false, false, true, true, false}},
                         {"one is enough", 1, {5, 500}, {true, true}},
                         {"no bound", 0, {0, 0, 0}, {false, false, false}}}) {
    RecentEvents events(c.events_max, seconds(30));
    std::vector<bool> reached;
    for (int at : c.at) {
      reached.push_back(events.add(TimePoint(seconds(at))));
    }
    EXPECT_EQ(reached, c.reached) << c.what;
  }
}

}  // namespace
}  // namespace transom
