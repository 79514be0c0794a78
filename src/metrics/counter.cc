#include "metrics/counter.h"

#include "base/check.h"

namespace transom {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr std::array<nanoseconds, 18> kRequestBounds{
    microseconds(100),        microseconds(250),       microseconds(500),       microseconds(1'000),
    microseconds(2'500),      microseconds(5'000),     microseconds(10'000),    microseconds(25'000),
    microseconds(50'000),     microseconds(100'000),   microseconds(250'000),   microseconds(500'000),
    microseconds(1'000'000),  microseconds(2'500'000), microseconds(5'000'000), microseconds(10'000'000),
    microseconds(30'000'000), microseconds(60'000'000)};

constexpr std::array<nanoseconds, 9> kLagBounds{microseconds(100),     microseconds(500),     microseconds(1'000),
                                                microseconds(5'000),   microseconds(10'000),  microseconds(50'000),
                                                microseconds(100'000), microseconds(500'000), microseconds(1'000'000)};

}  // namespace

Histogram::Histogram(std::span<const nanoseconds> bounds) : bounds_(bounds) {
  check(bounds.size() <= kBoundsMax, "a histogram of more bounds than it has room for");
}

std::span<const nanoseconds> request_bounds() { return kRequestBounds; }
std::span<const nanoseconds> lag_bounds() { return kLagBounds; }

}  // namespace transom
