// Strictness says what becomes of a request that breaks a rule which could be let pass: each Slip is rejected, ignored,
// or ignored and reported. tolerates() is the one place where that is decided; whoever meets a slip asks it and hands
// the SlipSet on to whoever counts. Plain values, made at load and read by any thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace transom {

enum class Slip : uint8_t {
  UnknownField,     // a member of the body that names no field
  UnknownQueryKey,  // a query key that names no field
  DuplicateKey,     // a member given twice; ignored: the last one counts
  BoundField,       // a member or query key that names what the path, or the body, says already
  UnusedBody,       // a body where the rule takes none
  ContentType,      // a body under a type that is not JSON; ignored: it is read as JSON
  TrailingSlash,    // one slash too many at the path's end
};
inline constexpr size_t kSlips = 7;

// "unknown_field": the configuration's key, and what metrics and access log say.
std::string_view slip_name(Slip slip);

// The slips of one request that are to be reported.
class SlipSet {
 public:
  void add(Slip slip) { bits_ |= static_cast<uint8_t>(1u << static_cast<unsigned>(slip)); }
  void add(SlipSet other) { bits_ |= other.bits_; }
  bool has(Slip slip) const { return (bits_ >> static_cast<unsigned>(slip) & 1u) != 0; }
  bool empty() const { return bits_ == 0; }
  // "unknown_field,duplicate_key"
  std::string text() const;

 private:
  uint8_t bits_ = 0;
};

enum class Verdict : uint8_t { Reject, Ignore, Report };

class Strictness {
 public:
  Strictness& set(Slip slip, Verdict verdict) {
    verdicts_[static_cast<size_t>(slip)] = verdict;
    return *this;
  }
  Verdict of(Slip slip) const { return verdicts_[static_cast<size_t>(slip)]; }

  // False: the request is to be refused. What is to be reported is added to the set.
  bool tolerates(Slip slip, SlipSet& reported) const {
    const Verdict verdict = of(slip);
    if (verdict == Verdict::Report) {
      reported.add(slip);
    }
    return verdict != Verdict::Reject;
  }

 private:
  std::array<Verdict, kSlips> verdicts_{Verdict::Reject, Verdict::Reject, Verdict::Reject, Verdict::Ignore,
                                        Verdict::Ignore, Verdict::Reject, Verdict::Ignore};
};

}  // namespace transom
