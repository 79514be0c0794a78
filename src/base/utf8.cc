#include "base/utf8.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace transom {
namespace {

// Lead bytes with their length and the range of the second byte (Unicode 15, table 3-7).
struct Lead {
  uint8_t from;
  uint8_t to;
  uint8_t more;  // bytes that follow
  uint8_t second_from;
  uint8_t second_to;
};

constexpr std::array<Lead, 8> kLeads = {{
    {0xc2, 0xdf, 1, 0x80, 0xbf},
    {0xe0, 0xe0, 2, 0xa0, 0xbf},
    {0xe1, 0xec, 2, 0x80, 0xbf},
    {0xed, 0xed, 2, 0x80, 0x9f},
    {0xee, 0xef, 2, 0x80, 0xbf},
    {0xf0, 0xf0, 3, 0x90, 0xbf},
    {0xf1, 0xf3, 3, 0x80, 0xbf},
    {0xf4, 0xf4, 3, 0x80, 0x8f},
}};

// Bytes of the sequence at the front of text, whose first byte is not ASCII; 0 when it is malformed.
size_t sequence_bytes(std::string_view text) {
  const auto byte = [text](size_t at) { return static_cast<uint8_t>(text[at]); };
  for (const Lead& lead : kLeads) {
    if (byte(0) < lead.from || byte(0) > lead.to) {
      continue;
    }
    if (text.size() <= lead.more || byte(1) < lead.second_from || byte(1) > lead.second_to) {
      return 0;
    }
    for (size_t at = 2; at <= lead.more; ++at) {
      if ((byte(at) & 0xc0) != 0x80) {
        return 0;
      }
    }
    return size_t{lead.more} + 1;
  }
  return 0;
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  while (!text.empty()) {
    // Nearly all text is ASCII.
    if (uint64_t word = 0; text.size() >= sizeof(word)) {
      std::memcpy(&word, text.data(), sizeof(word));
      if ((word & kHighBits) == 0) {
        text.remove_prefix(sizeof(word));
        continue;
      }
    }
    const size_t bytes = static_cast<uint8_t>(text[0]) < 0x80 ? 1 : sequence_bytes(text);
    if (bytes == 0) {
      return false;
    }
    text.remove_prefix(bytes);
  }
  return true;
}

}  // namespace transom
