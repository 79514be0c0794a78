#include "base/strictness.h"

namespace transom {
namespace {

constexpr std::array<std::string_view, kSlips> kNames{
    "unknown_field", "unknown_query_key", "duplicate_key",  "bound_field",
    "unused_body",   "content_type",      "trailing_slash",
};

}  // namespace

std::string_view slip_name(Slip slip) { return kNames[static_cast<size_t>(slip)]; }

std::string SlipSet::text() const {
  std::string text;
  for (size_t i = 0; i < kSlips; ++i) {
    if (has(static_cast<Slip>(i))) {
      text.append(text.empty() ? "" : ",").append(kNames[i]);
    }
  }
  return text;
}

}  // namespace transom
