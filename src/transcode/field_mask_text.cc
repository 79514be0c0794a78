#include "transcode/field_mask_text.h"

namespace transom {
namespace {

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

}  // namespace

bool append_mask_path_from_json(std::string_view camel, std::string& out) {
  for (char c : camel) {
    if (c == '_') {
      return false;
    }
    if (is_upper(c)) {
      out += '_';
      c = static_cast<char>(c | 0x20);
    }
    out += c;
  }
  return !camel.empty();
}

bool append_mask_path_to_json(std::string_view snake, std::string& out) {
  for (size_t i = 0; i < snake.size(); ++i) {
    char c = snake[i];
    if (is_upper(c) || c == ',') {
      return false;
    }
    if (c == '_') {
      if (++i == snake.size() || !is_lower(snake[i])) {
        return false;
      }
      c = static_cast<char>(snake[i] & ~0x20);
    }
    out += c;
  }
  return !snake.empty();
}

}  // namespace transom
