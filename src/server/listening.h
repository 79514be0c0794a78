// The listening sockets of the process, opened before any worker runs, so that a port in use is told at start and port
// 0 becomes the same real port for all. TCP: one socket per worker (SO_REUSEPORT). unix: one that all workers share.
// Owned by the Server; listeners duplicate what they use, so this may close once they stand.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "net/address.h"
#include "net/listener.h"

namespace transom {

class ListeningSockets {
 public:
  // UNAVAILABLE with the address and the system's reason. A port that another process listens on is in use even if that
  // process shares it.
  static Result<ListeningSockets> open(const ListenerOptions& options, size_t workers);
  ListeningSockets(ListeningSockets&& other) noexcept;
  ListeningSockets& operator=(ListeningSockets&&) = delete;
  ~ListeningSockets();

  // With the real port; the host as it was written.
  const Address& address() const { return address_; }
  int fd_of(size_t worker) const { return fds_[worker % fds_.size()]; }
  // Closes ours; what workers have duplicated stays.
  void close();
  // A unix socket's file goes with its process.
  void remove_file() const;

 private:
  ListeningSockets() = default;
  Address address_;
  std::vector<int> fds_;
};

}  // namespace transom
