#include "net/errno_text.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace transom {
namespace {

TEST(ErrnoText, IsTheSystemsOwn) { EXPECT_EQ(errno_text(ECONNREFUSED), "Connection refused"); }

}  // namespace
}  // namespace transom
