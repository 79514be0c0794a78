// JSON scalars of every kind -> their bytes on the wire. Numbers may stand in strings, and integers may be written with
// a fraction of zeros or an exponent, as ProtoJSON allows; nothing is read through a double that does not fit one.
// Free functions over one JsonParse.
#pragma once

#include <cstdint>

#include "transcode/json_parse.h"

namespace transom {

inline bool is_fixed32(Kind kind) { return kind == Kind::Float || kind == Kind::Fixed32 || kind == Kind::Sfixed32; }
inline bool is_fixed64(Kind kind) { return kind == Kind::Double || kind == Kind::Fixed64 || kind == Kind::Sfixed64; }
inline bool is_packable(Kind kind) {
  return kind != Kind::String && kind != Kind::Bytes && kind != Kind::Message && kind != Kind::Group;
}

bool read_float(JsonParse& parse, float& value);
bool read_double(JsonParse& parse, double& value);
bool read_enum(JsonParse& parse, const EnumPlan& plan, int32_t& value);

// The wire's bits of any packable kind: a varint's value or a fixed field's bytes.
bool read_bits(JsonParse& parse, const FieldPlan& field, uint64_t& bits);
// Needs reserve(kScalarBytesMax).
inline void write_bits(WireWriter& out, Kind kind, uint64_t bits) {
  if (is_fixed32(kind)) {
    out.fixed32(static_cast<uint32_t>(bits));
  } else if (is_fixed64(kind)) {
    out.fixed64(bits);
  } else {
    out.varint(bits);
  }
}

// Tag and value of one scalar that is no element of a packed list. A default value is left out unless always.
bool parse_scalar(JsonParse& parse, const FieldPlan& field, bool always);

// Length and bytes of a string or bytes value, without a tag.
bool write_length_and_bytes(JsonParse& parse, std::string_view bytes);

// The largest magnitudes of a kind of integer.
struct IntegerLimits {
  uint64_t positive;
  uint64_t negative;
};
IntegerLimits integer_limits(Kind kind);
inline uint64_t zigzag(uint64_t bits) { return bits << 1 ^ static_cast<uint64_t>(static_cast<int64_t>(bits) >> 63); }

// The integer in the number, if it has the sign and size of that kind (as it stands on the wire); null when it has,
// else what is wrong ("expected an int32").
const char* integer_bits(const Number& number, Kind kind, uint64_t& bits);
// A number that makes up the whole text, which may be scanned; false otherwise.
bool scan_whole_number(std::string_view text, Number& number);
// "NaN", "Infinity" and "-Infinity".
bool parse_named_double(std::string_view text, double& value);

}  // namespace transom
