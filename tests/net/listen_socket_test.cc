#include "net/listen_socket.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "net/pipe_end.h"

namespace transom {
namespace {

ListenerOptions options_for(const std::string& address) {
  ListenerOptions options;
  options.address = parse_address(address).value();
  return options;
}

bool exists(const std::string& path) {
  struct stat status {};
  return lstat(path.c_str(), &status) == 0;
}

TEST(ListenSocket, IsNonBlockingAndClosedOnExec) {
  for (const std::string& address :
       {std::string("127.0.0.1:0"), std::string("localhost:0"), "unix:" + unix_socket_path("flags")}) {
    ListenerOptions options = options_for(address);
    Result<int> fd = open_socket(options);
    ASSERT_TRUE(fd.ok()) << fd.status().message;
    EXPECT_NE(fcntl(*fd, F_GETFL) & O_NONBLOCK, 0);
    EXPECT_NE(fcntl(*fd, F_GETFD) & FD_CLOEXEC, 0);
    close_socket(*fd, options.address);
  }
}

TEST(ListenSocket, RemovesItsFile) {
  ListenerOptions options = options_for("unix:" + unix_socket_path("own"));
  Result<int> fd = open_socket(options);
  ASSERT_TRUE(fd.ok());
  EXPECT_TRUE(exists(options.address.path));
  close_socket(*fd, options.address);
  EXPECT_FALSE(exists(options.address.path));
}

TEST(ListenSocket, ReplacesAFileOfTheDeadOnly) {
  ListenerOptions options = options_for("unix:" + unix_socket_path("stale"));
  Result<int> alive = open_socket(options);
  ASSERT_TRUE(alive.ok());
  Result<int> second = open_socket(options);
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.status().code, Code::Unavailable);
  EXPECT_NE(second.status().message.find(options.address.format()), std::string::npos) << second.status().message;
  EXPECT_NE(second.status().message.find("in use"), std::string::npos) << second.status().message;
  close(*alive);  // died without removing its file
  EXPECT_TRUE(exists(options.address.path));
  Result<int> third = open_socket(options);
  ASSERT_TRUE(third.ok()) << third.status().message;
  close_socket(*third, options.address);
}

TEST(ListenSocket, NeverRemovesWhatIsNoSocket) {
  ListenerOptions options = options_for("unix:" + unix_socket_path("file"));
  std::ofstream(options.address.path) << "precious";
  EXPECT_FALSE(open_socket(options).ok());
  EXPECT_TRUE(exists(options.address.path));
  unlink(options.address.path.c_str());
}

TEST(ListenSocket, SaysWhyItCannotListen) {
  struct Case {
    std::string address;
    std::string reason;
  };
  for (const Case& each : {Case{"192.0.2.1:0", "assign"}, Case{"no-such-host.invalid:80", "no-such-host.invalid:80: "},
                           Case{"unix:/no/such/folder/s", "No such file"}}) {
    Result<int> fd = open_socket(options_for(each.address));
    ASSERT_FALSE(fd.ok()) << each.address;
    EXPECT_EQ(fd.status().code, Code::Unavailable);
    EXPECT_NE(fd.status().message.find(each.reason), std::string::npos) << fd.status().message;
  }
}

}  // namespace
}  // namespace transom
