// Percent-decoding of paths and queries (RFC 3986 section 2.1), once and never twice.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace transom {

// Whether each '%' is followed by two hexadecimal digits.
bool has_valid_escapes(std::string_view text);

// Which escapes a value of several segments keeps as they came, so that its borders can be told from its text.
enum class Escapes : uint8_t {
  Reserved,  // ! # $ & ' ( ) * + , / : ; = ? @ [ ]
  Slash,
  None,
};

// These take text with valid escapes only.
std::string decode_percent(std::string_view text);
std::string decode_percent_except(std::string_view text, Escapes kept);

// Into target, which has room for text.size() bytes; returns how many were written.
size_t decode_percent_into(std::string_view text, char* target);

}  // namespace transom
