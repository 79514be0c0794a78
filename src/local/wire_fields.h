// The few protobuf messages of the proxy's own services, read and written by field numbers: protobuf ends a process in
// which two libraries bring the same generated file, as those of gRPC's health and reflection would be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace transom {

// One field as it stood on the wire: a varint's value, or the content of a string, bytes or message field.
struct WireField {
  uint32_t number = 0;
  bool is_text = false;
  uint64_t value = 0;
  std::string_view text;
};

// In order, those of other wire types left out. False: no protobuf message.
bool read_wire_fields(std::string_view message, std::vector<WireField>& fields);

void append_text_field(std::string& out, uint32_t number, std::string_view text);
void append_varint_field(std::string& out, uint32_t number, uint64_t value);

}  // namespace transom
