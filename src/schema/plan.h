// A MessagePlan is one message type, compiled once at load into what the transcoder needs: fields by JSON name and by
// number, tag bytes, child plans, special codecs. Plans live in their Schema's arena, never change, and are read by any
// thread; a pointer to one is valid as long as its Schema. Nothing here knows protobuf's own classes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

namespace transom {

class Schema;
struct MessagePlan;

// The wire and value type of a field (descriptor.proto, FieldDescriptorProto.Type).
enum class Kind : uint8_t {
  Double, Float, Int32, Int64, Uint32, Uint64, Sint32, Sint64, Fixed32, Fixed64, Sfixed32, Sfixed64,
  Bool, String, Bytes, Enum, Message, Group,
};

// How a message type is written in JSON: Plain is an object of its fields; the rest are the well-known types.
enum class Codec : uint8_t {
  Plain, Timestamp, Duration, FieldMask, Struct, Value, ListValue, Any, Wrapper,
};

struct EnumEntry {
  std::string_view name;
  int32_t number;
};

struct EnumPlan {
  std::string_view full_name;
  std::span<const EnumEntry> by_name;    // sorted by name, aliases included
  std::span<const EnumEntry> by_number;  // sorted by number, the first declared name of each
  bool is_closed = false;                // proto2: a number without a name is an unknown field
  bool is_null_value = false;            // google.protobuf.NullValue

  const EnumEntry* find(std::string_view name) const;
  // The exact name first, then any that differs in ASCII case alone.
  const EnumEntry* find_ignoring_case(std::string_view name) const;
  // Most enums are numbered without gaps: then the number says where it stands.
  const EnumEntry* find(int32_t number) const {
    if (by_number.empty()) {
      return nullptr;
    }
    const size_t guess = static_cast<uint32_t>(number) - static_cast<uint32_t>(by_number[0].number);
    return guess < by_number.size() && by_number[guess].number == number ? &by_number[guess] : find_by_search(number);
  }

  // Filled by the compiler of plans and private to it and to find().
  std::span<const uint16_t> name_table;  // open addressing by hash of the name; 0xffff is empty

 private:
  const EnumEntry* find_by_search(int32_t number) const;
};

struct FieldPlan {
  std::string_view json_name;
  std::string_view proto_name;
  uint32_t number = 0;
  uint16_t index = 0;           // position in MessagePlan::fields
  int16_t oneof = -1;           // index of a real oneof (synthetic ones of proto3 optional do not count)
  Kind kind = Kind::Int32;
  bool is_repeated = false;     // lists and maps
  bool is_packed = false;       // how we write it; both forms are read
  bool is_map = false;          // message is then the entry type: fields[0] key, fields[1] value
  bool has_presence = false;    // message, oneof, optional, proto2 singular
  bool is_required = false;     // proto2
  bool is_extension = false;    // json_name is then "[full.name]"
  uint8_t tag_bytes = 0;        // how many of tag are used
  std::array<uint8_t, 5> tag{};  // as we write it: length-delimited for packed lists
  const MessagePlan* message = nullptr;   // Message and Group
  const EnumPlan* enumeration = nullptr;  // Enum
};

struct MessagePlan {
  std::string_view full_name;
  std::span<const FieldPlan> fields;  // declaration order, then known extensions
  const Schema* schema = nullptr;     // where Any looks types up
  Codec codec = Codec::Plain;
  bool is_map_entry = false;
  bool has_required = false;          // itself, not its children
  uint16_t oneofs = 0;                // real oneofs

  // By json_name or by proto_name, exactly.
  const FieldPlan* find_field(std::string_view name) const;
  const FieldPlan* find_field(uint32_t number) const;

  // Lookup tables, filled by the compiler of plans and private to it and to the two functions above.
  std::span<const uint16_t> name_table;    // open addressing by hash of the name; 0xffff is empty
  std::span<const uint16_t> dense_table;   // number -> index for numbers below its size; 0xffff is none
  std::span<const uint16_t> sorted_table;  // indices of the other fields by ascending number
};

// Hash used by name_table; also for callers that want to hash once.
uint32_t hash_field_name(std::string_view name);

}  // namespace transom
