#include "http/date_text.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(DateTextTest, WritesImfFixdate) {
  struct Case {
    std::time_t when;
    const char* text;
  };
  const Case cases[] = {
      {784111777, "Sun, 06 Nov 1994 08:49:37 GMT"},  // the example of RFC 9110 section 5.6.7
      {0, "Thu, 01 Jan 1970 00:00:00 GMT"},
      {951782400, "Tue, 29 Feb 2000 00:00:00 GMT"},
      {4102444799, "Thu, 31 Dec 2099 23:59:59 GMT"},
  };
  DateText date;
  for (const Case& each : cases) {
    EXPECT_EQ(date.at(each.when), each.text);
    EXPECT_EQ(date.at(each.when), each.text) << "kept";
  }
}

}  // namespace
}  // namespace transom
