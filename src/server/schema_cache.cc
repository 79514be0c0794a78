#include "server/schema_cache.h"

#include <array>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "control/last_good_copy.h"

namespace transom {
namespace {

// FNV-1a: only to give each configuration file a name of its own.
uint64_t hash_of(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : text)
    hash = (hash ^ c) * 0x100000001b3;
  return hash;
}

std::string hex_of(uint64_t number) {
  std::array<char, 16> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number, 16).ptr;
  return {digits.data(), end};
}

// A backend's name may hold anything; a file's name may not.
std::string safe_name(const std::string& name) {
  std::string safe;
  for (char c : name.substr(0, 64)) {
    const bool is_safe = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
    safe += is_safe ? c : '_';
  }
  return safe;
}

}  // namespace

std::filesystem::path SchemaCache::default_folder(const std::string& configured) {
  if (!configured.empty()) return configured;
  if (const char* state = std::getenv("XDG_STATE_HOME"); state != nullptr && *state == '/') {
    return std::filesystem::path(state) / "transom";
  }
  if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
    return std::filesystem::path(home) / ".local/state/transom";
  }
  return {};
}

std::filesystem::path SchemaCache::file_of(const std::string& config_file, const std::string& backend) const {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(config_file, error).lexically_normal();
  return folder_ / (safe_name(backend) + "-" + hex_of(hash_of(absolute.string() + "\n" + backend)) + ".pb");
}

std::optional<std::string> SchemaCache::load(const std::string& config_file, const std::string& backend) const {
  if (folder_.empty()) return std::nullopt;
  Result<std::string> copy = load_last_good_copy(file_of(config_file, backend).string());
  return copy.ok() ? std::optional(std::move(*copy)) : std::nullopt;
}

Status SchemaCache::save(const std::string& config_file, const std::string& backend,
                         const std::string& descriptor_set) const {
  if (folder_.empty()) return {};
  return save_last_good_copy(file_of(config_file, backend).string(), descriptor_set);
}

}  // namespace transom
