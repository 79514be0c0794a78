// Whose request it is: the transport's peer, or what trusted proxies in front of us say in X-Forwarded-For.
#pragma once

#include <cstddef>
#include <string_view>

#include "http/exchange.h"

namespace transom {

// An address without port or brackets; a view into head. With trusted hops it is that many entries from the right of
// X-Forwarded-For (all of its fields as one list); the peer when there are fewer or the entry is not an address.
// "unix" for a unix socket's peer.
std::string_view client_address(const RequestHead& head, size_t trusted_hops);

// "10.0.0.1" of "10.0.0.1:5000" and "::1" of "[::1]:5000"; also of the bare forms.
std::string_view address_of_peer(std::string_view peer);

}  // namespace transom
