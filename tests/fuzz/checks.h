// What must hold of any bytes. Each check returns "" or what is wrong, for a person; a crash is found by whoever runs
// it. They are deterministic, so that a file replays what a fuzzer found. One thread.
#pragma once

#include <string>
#include <string_view>

namespace transom {

// The first byte chooses a message type, the rest is JSON text. What is taken is JSON by simdjson's DOM, and as a
// google.protobuf.Value all of JSON is taken; protobuf's own code reads the same message out of it; printing and reading
// it again keeps it.
std::string check_json(std::string_view bytes);

// The first byte chooses a message type, the rest is wire format. What protobuf parses is printed, save what has no
// JSON form; what is printed is JSON by simdjson's DOM, and reads back as the message that protobuf parses.
std::string check_wire(std::string_view bytes);

// The bytes make a random schema and messages of it. Our JSON and protobuf's are the same values; each reads the
// other's as the same message; every option keeps it on the way out and in.
std::string check_schema(std::string_view bytes);

}  // namespace transom
