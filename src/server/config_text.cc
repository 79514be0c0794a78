#include "server/config_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace transom {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr std::array<Unit, 6> kTimeUnits{{{"h", 3600e9}, {"m", 60e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}, {"ns", 1}}};
constexpr std::array<Unit, 9> kSizeUnits{{{"B", 1},
                                          {"KiB", 1024.0},
                                          {"MiB", 1024.0 * 1024},
                                          {"GiB", 1024.0 * 1024 * 1024},
                                          {"TiB", 1024.0 * 1024 * 1024 * 1024},
                                          {"kB", 1e3},
                                          {"MB", 1e6},
                                          {"GB", 1e9},
                                          {"TB", 1e12}}};

// A number without sign or exponent, taken off the front of text; negative when there is none.
double take_number(std::string_view& text) {
  const size_t end = std::min(text.find_first_not_of("0123456789."), text.size());
  double number = -1;
  const auto [next, error] = std::from_chars(text.data(), text.data() + end, number, std::chars_format::fixed);
  if (error != std::errc() || next != text.data() + end) return -1;
  text.remove_prefix(end);
  return number;
}

std::string_view take_letters(std::string_view& text) {
  const size_t end = std::min(text.find_first_of("0123456789. "), text.size());
  const std::string_view letters = text.substr(0, end);
  text.remove_prefix(end);
  return letters;
}

template <size_t n>
const Unit* find_unit(const std::array<Unit, n>& units, std::string_view name) {
  const auto found = std::ranges::find(units, name, &Unit::name);
  return found == units.end() ? nullptr : &*found;
}

Status bad(std::string message) { return client_error(Code::InvalidArgument, std::move(message)); }

}  // namespace

Result<std::chrono::nanoseconds> parse_duration(std::string_view text) {
  const Status wrong = bad("expected a duration like 250ms, 5s or 1h30m, found \"" + std::string(text) + "\"");
  if (text == "0") return std::chrono::nanoseconds(0);
  double total = 0;
  std::string_view rest = text;
  do {
    const double number = take_number(rest);
    const Unit* unit = find_unit(kTimeUnits, take_letters(rest));
    if (number < 0 || unit == nullptr) return wrong;
    total += number * unit->factor;
  } while (!rest.empty());
  if (total > 9e18) return bad("the duration \"" + std::string(text) + "\" is longer than a clock can count");
  return std::chrono::nanoseconds(std::llround(total));
}

Result<uint64_t> parse_size(std::string_view text) {
  const Status wrong =
      bad("expected a size like 64KiB, 20MiB or a number of bytes, found \"" + std::string(text) + "\"");
  std::string_view rest = text;
  const double number = take_number(rest);
  if (!rest.empty() && rest.front() == ' ') rest.remove_prefix(1);
  const Unit* unit = rest.empty() ? &kSizeUnits[0] : find_unit(kSizeUnits, rest);
  if (number < 0 || unit == nullptr) return wrong;
  const double bytes = number * unit->factor;
  if (bytes > 9e18) return bad("the size \"" + std::string(text) + "\" is more than can be counted");
  if (bytes != std::floor(bytes)) return bad("the size \"" + std::string(text) + "\" is not a whole number of bytes");
  return static_cast<uint64_t>(bytes);
}

Result<std::string> expand_environment(std::string_view text) {
  std::string out;
  while (true) {
    const size_t at = text.find("${");
    if (at == std::string_view::npos) break;
    if (at > 0 && text[at - 1] == '$') {
      out.append(text.substr(0, at - 1)).append("${");
      text.remove_prefix(at + 2);
      continue;
    }
    const size_t end = text.find('}', at);
    if (end == std::string_view::npos) return bad("${ without its }; a plain ${ is written $${");
    const std::string name(text.substr(at + 2, end - at - 2));
    const char* value = name.empty() ? nullptr : std::getenv(name.c_str());
    if (value == nullptr) return bad("the environment variable \"" + name + "\" is not set");
    out.append(text.substr(0, at)).append(value);
    text.remove_prefix(end + 1);
  }
  return out.append(text);
}

// Damerau's distance in its simple form, over three rows of the table.
size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> before_last(b.size() + 1);
  std::vector<size_t> last(b.size() + 1);
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace transom
