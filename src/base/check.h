// check() ends the process when the program itself is wrong. Bad input is never a bug: it gets a Status.
#pragma once

#include <source_location>

namespace transom {

[[noreturn]] void fail_check(const char* what, const std::source_location& where);

inline void check(bool holds, const char* what, std::source_location where = std::source_location::current()) {
  if (!holds) [[unlikely]] {
    fail_check(what, where);
  }
}

}  // namespace transom
