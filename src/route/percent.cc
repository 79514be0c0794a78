#include "route/percent.h"

namespace transom {
namespace {

std::string_view kept_characters(Escapes kept) {
  switch (kept) {
    case Escapes::Reserved:
      return "!#$&'()*+,/:;=?@[]";
    case Escapes::Slash:
      return "/";
    case Escapes::None:
      break;
  }
  return "";
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') {
    return c - '0';
  }
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

char decoded_at(std::string_view text, size_t at) {
  return static_cast<char>(hex_value(text[at + 1]) << 4 | hex_value(text[at + 2]));
}

}  // namespace

bool has_valid_escapes(std::string_view text) {
  for (size_t at = text.find('%'); at != std::string_view::npos; at = text.find('%', at + 3)) {
    if (text.size() - at < 3 || hex_value(text[at + 1]) < 0 || hex_value(text[at + 2]) < 0) {
      return false;
    }
  }
  return true;
}

size_t decode_percent_into(std::string_view text, char* target) {
  size_t written = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%') {
      target[written++] = decoded_at(text, at);
      at += 2;
    } else {
      target[written++] = text[at];
    }
  }
  return written;
}

std::string decode_percent(std::string_view text) {
  std::string decoded(text);
  if (text.find('%') != std::string_view::npos) {
    decoded.resize(decode_percent_into(text, decoded.data()));
  }
  return decoded;
}

std::string decode_percent_except(std::string_view text, Escapes kept) {
  const std::string_view characters = kept_characters(kept);
  std::string decoded;
  decoded.reserve(text.size());
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '%') {
      decoded += text[at];
      continue;
    }
    if (const char c = decoded_at(text, at); characters.find(c) == std::string_view::npos) {
      decoded += c;
    } else {
      decoded += text.substr(at, 3);
    }
    at += 2;
  }
  return decoded;
}

}  // namespace transom
