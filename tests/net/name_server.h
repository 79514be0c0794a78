// A name server on a Loop for the tests of names: answers A and AAAA questions (RFC 1035) from a table over UDP.
#pragma once

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "net/socket_address.h"
#include "net/watch.h"

namespace transom {

class NameServer final : private WatchTarget {
 public:
  explicit NameServer(Loop& loop) {
    int fd = ::socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    SocketAddress own = to_socket_address(parse_address("127.0.0.1:0").value()).value();
    EXPECT_EQ(::bind(fd, own.raw(), own.size), 0);
    EXPECT_EQ(getsockname(fd, own.raw(), &own.size), 0);
    address = own.format();
    watch_ = std::move(*Watch::make(loop, fd));
    watch_->set_target(this);
    watch_->want(true, false);
  }

  std::string address;
  std::map<std::string, std::vector<std::string>> table;  // addresses by name; a name that is not there is unknown
  bool is_silent = false;
  int questions = 0;

 private:
  void on_ready(bool, bool) override {
    char query[512];
    SocketAddress client;
    client.size = sizeof(client.storage);
    ssize_t got = ::recvfrom(watch_->fd(), query, sizeof(query), 0, client.raw(), &client.size);
    if (got <= 12) {
      return;
    }
    ++questions;
    if (!is_silent) {
      std::string reply = answer(std::string(query, static_cast<size_t>(got)));
      ::sendto(watch_->fd(), reply.data(), reply.size(), 0, client.raw(), client.size);
    }
  }

  std::string answer(const std::string& query) const {
    std::string name;
    size_t at = 12;
    while (query[at] != 0) {
      size_t bytes = static_cast<uint8_t>(query[at]);
      name += (name.empty() ? "" : ".") + query.substr(at + 1, bytes);
      at += bytes + 1;
    }
    std::string question = query.substr(12, at + 5 - 12);
    int family = query[at + 2] == 1 ? AF_INET : AF_INET6;  // type A or AAAA
    auto found = table.find(name);
    std::string records;
    char count = 0;
    if (found != table.end()) {
      for (const std::string& text : found->second) {
        char ip[16];
        if (inet_pton(family, text.c_str(), ip) == 1) {
          char bytes = family == AF_INET ? 4 : 16;
          records +=
              std::string("\xc0\x0c\x00", 3) + query[at + 2] + std::string("\x00\x01\x00\x00\x00\x3c\x00", 7) + bytes;
          records += std::string(ip, static_cast<size_t>(bytes));
          ++count;
        }
      }
    }
    char outcome = found == table.end() ? '\x83' : '\x80';  // NXDOMAIN, or no error
    return query.substr(0, 2) + '\x81' + outcome + std::string("\x00\x01\x00", 3) + count + std::string(4, '\0') +
           question + records;
  }

  std::unique_ptr<Watch> watch_;
};

}  // namespace transom
