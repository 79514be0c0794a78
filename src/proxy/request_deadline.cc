#include "proxy/request_deadline.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/grpc_timeout.h"

namespace transom {
namespace {

using std::chrono::nanoseconds;

constexpr double kSecondsMax = 9e9;  // about 285 years, within the clock

Result<nanoseconds> parse_seconds(std::string_view text) {
  double seconds = 0;
  const char* end = text.data() + text.size();
  const bool begins_well = !text.empty() && text[0] >= '0' && text[0] <= '9';
  const auto [stop, error] = std::from_chars(text.data(), end, seconds, std::chars_format::fixed);
  if (!begins_well || stop != end || (error != std::errc() && error != std::errc::result_out_of_range)) {
    return client_error(Code::InvalidArgument, "x-request-timeout-seconds is not a number of seconds");
  }
  if (error == std::errc::result_out_of_range) {
    seconds = text.find_first_not_of("0.") < text.find('.') ? kSecondsMax : 0;
  }
  return nanoseconds(static_cast<int64_t>(std::min(seconds, kSecondsMax) * 1e9));
}

TimePoint later(TimePoint from, nanoseconds by) {
  return by >= TimePoint::max() - from ? TimePoint::max() : from + std::chrono::duration_cast<Clock::duration>(by);
}

}  // namespace

Result<TimePoint> find_deadline(const Fields& fields, nanoseconds timeout, TimePoint arrived) {
  TimePoint deadline = timeout.count() > 0 ? later(arrived, timeout) : TimePoint::max();
  for (const Field field : fields) {
    const bool is_grpc_timeout = field.name == "grpc-timeout";
    if (!is_grpc_timeout && field.name != "x-request-timeout-seconds") {
      continue;
    }
    Result<nanoseconds> wish = is_grpc_timeout ? parse_grpc_timeout(field.value) : parse_seconds(field.value);
    if (!wish.ok()) {
      return wish.status();
    }
    deadline = std::min(deadline, later(arrived, *wish));
  }
  return deadline;
}

}  // namespace transom
