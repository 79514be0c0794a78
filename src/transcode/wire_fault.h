// Where a message in wire format is broken, for a person who debugs it. The transcoder itself keeps no path on the way
// to JSON, since a replica's answer is seldom broken; this looks the message over a second time. Pure, any thread.
#pragma once

#include <string>
#include <string_view>

#include "schema/plan.h"

namespace transom {

// `items[3].name: expected UTF-8, found the byte 0xff (at byte 57)`; "" when nothing is found. It finds what is cut
// off, tags and lengths that cannot be, strings that are not UTF-8, and well-known types without a JSON form.
std::string find_wire_fault(const MessagePlan& message, std::string_view wire);

}  // namespace transom
