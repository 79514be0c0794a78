// One HTTP/1.1 request over a session of its own, blocking: for tests that serve on another thread.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>

namespace transom {

// start_line: "GET /livez". The whole answer, "" when there was none.
inline std::string http_exchange(uint16_t port, const std::string& start_line) {
  const std::string request = start_line + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(port);
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  std::string answer;
  if (connect(fd, reinterpret_cast<sockaddr*>(&to), sizeof(to)) == 0 &&
      send(fd, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size())) {
    char bytes[4096];
    for (ssize_t got = 0; (got = recv(fd, bytes, sizeof(bytes), 0)) > 0;)
      answer.append(bytes, static_cast<size_t>(got));
  }
  close(fd);
  return answer;
}

}  // namespace transom
