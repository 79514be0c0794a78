// What a call of this library gives back: a value, or a Failure that says why there is none. Both are plain values,
// made and read on any thread. No function of the library throws, save std::bad_alloc.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace transom {

struct Failure {
  int32_t code = 13;           // google.rpc.Code, 1 to 16: 3 is a request that is wrong, 5 an unknown path
  uint16_t http_status = 500;  // what an HTTP server answers it with, 400 to 504
  std::string message;  // one sentence for a person, UTF-8; of bad JSON it names field, expectation and byte offset
  std::string allow;    // with status 405: the value of the header Allow, as "GET, HEAD, OPTIONS"; else empty
};

// Reading the value of a failure, or the failure of a value, throws std::bad_variant_access.
template <class T>
class [[nodiscard]] Expected {
 public:
  Expected(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Expected(Failure failure) : held_(std::in_place_index<1>, std::move(failure)) {}

  bool has_value() const { return held_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  T& value() & { return std::get<0>(held_); }
  const T& value() const& { return std::get<0>(held_); }
  T&& value() && { return std::get<0>(std::move(held_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Failure& failure() const { return std::get<1>(held_); }

 private:
  std::variant<T, Failure> held_;
};

}  // namespace transom
