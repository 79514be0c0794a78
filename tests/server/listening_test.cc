#include "server/listening.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "support/temp_folder.h"

namespace transom {
namespace {

ListenerOptions at(const std::string& address) {
  ListenerOptions options;
  options.address = *parse_address(address);
  return options;
}

TEST(ListeningSockets, PortZeroIsOneRealPortForAllWorkers) {
  const auto sockets = ListeningSockets::open(at("127.0.0.1:0"), 3);
  ASSERT_TRUE(sockets.ok()) << sockets.status().message;
  EXPECT_NE(sockets->address().port, 0);
  EXPECT_NE(sockets->fd_of(0), sockets->fd_of(1));
  EXPECT_NE(sockets->fd_of(1), sockets->fd_of(2));
}

TEST(ListeningSockets, APortInUseIsToldEvenIfItIsShared) {
  const auto first = ListeningSockets::open(at("127.0.0.1:0"), 2);
  ASSERT_TRUE(first.ok());
  for (size_t workers : {1u, 2u}) {
    const auto second = ListeningSockets::open(at(first->address().format()), workers);
    ASSERT_FALSE(second.ok());
    EXPECT_THAT(second.status().message, testing::HasSubstr(first->address().format()));
    EXPECT_THAT(second.status().message, testing::HasSubstr("in use"));
  }
}

TEST(ListeningSockets, AUnixSocketIsSharedAndItsFileGoesAtTheEnd) {
  const std::string path = temp_folder() + "listening_test.sock";
  auto sockets = ListeningSockets::open(at("unix:" + path), 3);
  ASSERT_TRUE(sockets.ok()) << sockets.status().message;
  EXPECT_EQ(sockets->fd_of(0), sockets->fd_of(2));
  EXPECT_EQ(sockets->address().format(), "unix:" + path);
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0);
  sockets->close();
  sockets->remove_file();
  EXPECT_NE(stat(path.c_str(), &status), 0);
}

}  // namespace
}  // namespace transom
