// What a scalar of the configuration may say: durations, sizes, and names of environment variables in it. Pure text in,
// value or a sentence out; used at load alone.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"

namespace transom {

// "250ms", "1.5s", "1h30m": numbers with a unit of h, m, s, ms, us, ns; "0" needs none. INVALID_ARGUMENT else.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);

// "64KiB", "20MiB", "1.5GiB", "100kB", "512": a unit of B, KiB, MiB, GiB, TiB, kB, MB, GB, TB, or bytes.
Result<uint64_t> parse_size(std::string_view text);

// Replaces ${NAME} by the environment's value; $${ stands for ${. INVALID_ARGUMENT names a variable that is not set.
Result<std::string> expand_environment(std::string_view text);

// The one of the words that is nearest to a mistyped one, if any is near.
template <class Words>
std::optional<std::string> nearest_word(std::string_view wrong, const Words& words);

// How many letters must be put in, left out, changed or swapped with their neighbour.
size_t edit_distance(std::string_view a, std::string_view b);

template <class Words>
std::optional<std::string> nearest_word(std::string_view wrong, const Words& words) {
  std::optional<std::string> nearest;
  size_t least = wrong.size() / 3 + 2;
  for (const auto& word : words) {
    const size_t distance = edit_distance(wrong, word);
    if (distance < least && distance < word.size()) {
      least = distance;
      nearest = std::string(word);
    }
  }
  return nearest;
}

}  // namespace transom
