// Text handed to the JSON parser must be followed by readable bytes: the parser loads whole vectors past its end.
#pragma once

#include <cstddef>
#include <string>

namespace transom {

inline constexpr size_t kJsonPaddingBytes = 64;

// Makes sure that the string may be parsed in place; its content does not change. Inlined, GCC 12 takes a move of the
// string that follows for a copy onto itself, and warns.
[[gnu::noinline]] inline void pad_for_json(std::string& text) { text.reserve(text.size() + kJsonPaddingBytes); }

}  // namespace transom
