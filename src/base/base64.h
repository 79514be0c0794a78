// base64 (RFC 4648), both alphabets in, the standard one out, by vectors of 16 characters where the processor has the
// instruction for it. Free functions, any thread.
#pragma once

#include <string>
#include <string_view>

namespace transom {

// Appends; false (and out unchanged) when the text is not base64: a character of neither alphabet, padding in the wrong
// place, a length that cannot be, or bits left over that are not zero when `strict`.
bool decode_base64(std::string_view text, std::string& out, bool strict = false);
void encode_base64(std::string_view bytes, bool padded, std::string& out);

// The same into room that the caller has: as much as the function beside says, exactly what will be written. Decoding
// returns the end of what it wrote, or null when the text is not base64.
size_t decoded_base64_bytes(std::string_view text);
char* decode_base64_to(std::string_view text, char* to);
size_t encoded_base64_bytes(size_t bytes, bool padded);
char* encode_base64_to(std::string_view bytes, bool padded, char* to);

}  // namespace transom
