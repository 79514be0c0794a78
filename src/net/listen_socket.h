// Listening sockets, before a Listener stands on them: binding, the leftover file of a unix socket, and closing.
#pragma once

#include "base/status.h"
#include "net/address.h"

namespace transom {

struct ListenerOptions;

// Binds and listens; close-on-exec, non-blocking. UNAVAILABLE with the address and the system's reason. A unix socket's
// file is replaced when nobody answers there any more.
Result<int> open_socket(const ListenerOptions& options);

// Closes a socket made by open_socket and removes a unix socket's file.
void close_socket(int fd, const Address& address);

}  // namespace transom
