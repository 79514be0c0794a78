// PlanArena is the one piece of memory that a Schema's plans, tables and names stand in. It only grows, while the plans
// are compiled, and goes with its Schema, which owns it.
#pragma once

#include <algorithm>
#include <memory>
#include <memory_resource>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace transom {

class PlanArena {
 public:
  // Default-made elements; nothing is ever destroyed, so none may need it.
  template <class T>
  std::span<T> make(size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    if (count == 0) {
      return {};
    }
    T* first = static_cast<T*>(memory_.allocate(count * sizeof(T), alignof(T)));
    std::uninitialized_default_construct_n(first, count);
    return {first, count};
  }

  template <class T>
  std::span<T> copy(const std::vector<T>& from) {
    std::span<T> made = make<T>(from.size());
    std::ranges::copy(from, made.begin());
    return made;
  }

  std::string_view copy(std::string_view text) {
    std::span<char> made = make<char>(text.size());
    std::ranges::copy(text, made.begin());
    return {made.data(), made.size()};
  }

 private:
  std::pmr::monotonic_buffer_resource memory_;
};

}  // namespace transom
