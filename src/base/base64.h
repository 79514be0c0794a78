// Base64 (RFC 4648) for `-bin` metadata and bytes fields. Decoding takes the standard and the URL alphabet, with or
// without padding; encoding writes the standard alphabet.
#pragma once

#include <string>
#include <string_view>

namespace transom {

// Appends; false (and out unchanged) when the text is not base64: a character of neither alphabet, padding in the wrong
// place, a length that cannot be, or bits left over that are not zero when `strict`.
bool decode_base64(std::string_view text, std::string& out, bool strict = false);
void encode_base64(std::string_view bytes, bool padded, std::string& out);

}  // namespace transom
