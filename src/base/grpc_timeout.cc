#include "base/grpc_timeout.h"

#include <array>
#include <charconv>
#include <limits>

namespace transom {
namespace {

struct Unit {
  char letter;
  int64_t nanoseconds;
};

constexpr std::array<Unit, 6> kUnits{{{'n', 1},
                                      {'u', 1'000},
                                      {'m', 1'000'000},
                                      {'S', 1'000'000'000},
                                      {'M', 60'000'000'000},
                                      {'H', 3'600'000'000'000}}};
constexpr int64_t kDigitsMax = 99'999'999;

}  // namespace

Result<std::chrono::nanoseconds> parse_grpc_timeout(std::string_view text) {
  const Status malformed = client_error(
      Code::InvalidArgument, "grpc-timeout: expected 1 to 8 digits and one of H M S m u n, found \"" +
                                 std::string(text.substr(0, 32)) + "\"");
  if (text.size() < 2 || text.size() > 9) {
    return malformed;
  }
  int64_t count = 0;
  for (char c : text.substr(0, text.size() - 1)) {
    if (c < '0' || c > '9') {
      return malformed;
    }
    count = count * 10 + (c - '0');
  }
  for (const Unit& unit : kUnits) {
    if (unit.letter == text.back()) {
      int64_t most = std::numeric_limits<int64_t>::max() / unit.nanoseconds;
      return std::chrono::nanoseconds(count > most ? std::numeric_limits<int64_t>::max() : count * unit.nanoseconds);
    }
  }
  return malformed;
}

std::string format_grpc_timeout(std::chrono::nanoseconds timeout) {
  int64_t left = timeout.count();
  if (left <= 0) {
    return "0n";
  }
  for (const Unit& unit : kUnits) {
    if (left / unit.nanoseconds <= kDigitsMax) {
      return std::to_string(left / unit.nanoseconds) + unit.letter;
    }
  }
  return std::to_string(kDigitsMax) + 'H';
}

}  // namespace transom
