// libFuzzer's entry (https://llvm.org/docs/LibFuzzer.html): built with clang only.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz/target.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const transom::FuzzCheck check = [] {
    const char* name = std::getenv("TRANSOM_FUZZ");
    const transom::FuzzCheck found = transom::find_check(name == nullptr ? "" : name);
    if (found == nullptr) {
      std::fputs("TRANSOM_FUZZ must be json, wire or schema\n", stderr);
      std::exit(2);
    }
    return found;
  }();
  const std::string problem = check({reinterpret_cast<const char*>(data), size});
  if (!problem.empty()) {
    std::fprintf(stderr, "FOUND: %s\n", problem.c_str());
    std::abort();
  }
  return 0;
}
