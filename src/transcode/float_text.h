// The shortest decimal text that reads back as the same float: what a tensor's answer is made of, and about twice as
// fast as std::to_chars. The digits are found by the Schubfach method (R. Giulietti, "The Schubfach way to render
// doubles", 2020), whose 77 powers of ten for binary32 are computed by the compiler. Pure.
#pragma once

#include <cstddef>

namespace transom {

inline constexpr size_t kFloatTextBytesMax = 24;

// Writes a finite value other than zero; returns the end. Plain decimals from 0.00001 to below 10^16, else d.ddde-38.
char* write_float(char* to, float value);

}  // namespace transom
