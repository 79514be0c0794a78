// Status is the one way a failure is told: a canonical gRPC code, whose fault it was, and a sentence for a person.
// Result<T> is a value or a Status. Both are plain values, made and read on any thread. The HTTP status of an answer is
// looked up from the code in one table (http_status_of), save where the proxy's own refusal names another.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/check.h"

namespace transom {

// google.rpc.Code. A replica may send any number; those above 16 are kept as they came.
enum class Code : int32_t {
  Ok = 0,
  Cancelled = 1,
  Unknown = 2,
  InvalidArgument = 3,
  DeadlineExceeded = 4,
  NotFound = 5,
  AlreadyExists = 6,
  PermissionDenied = 7,
  ResourceExhausted = 8,
  FailedPrecondition = 9,
  Aborted = 10,
  OutOfRange = 11,
  Unimplemented = 12,
  Internal = 13,
  Unavailable = 14,
  DataLoss = 15,
  Unauthenticated = 16,
};

enum class Fault : uint8_t { None, Client, Replica, Proxy };

struct Status {
  Code code = Code::Ok;
  Fault fault = Fault::None;
  uint16_t http_status = 0;  // 0: by http_status_of(code); else the refusal's own (405, 413, 415, 431, 408 ...)
  std::string message;       // UTF-8, without control characters other than \n and \t
  std::string details;       // a serialized google.rpc.Status as in grpc-status-details-bin (decoded), or empty

  bool ok() const { return code == Code::Ok; }
};

// The canonical table of google/rpc/code.proto; a code above 16 is 500.
uint16_t http_status_of(Code code);
uint16_t http_status_of(const Status& status);

// "INVALID_ARGUMENT"; "" for a code above 16.
std::string_view code_name(Code code);

Status client_error(Code code, std::string message, uint16_t http_status = 0);
Status replica_error(Code code, std::string message);
Status proxy_error(Code code, std::string message, uint16_t http_status = 0);

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : held_(std::in_place_index<0>, std::move(value)) {}
  Result(Status status) : held_(std::in_place_index<1>, std::move(status)) {
    check(!std::get<1>(held_).ok(), "a Result without a value needs a failure");
  }

  bool ok() const { return held_.index() == 0; }
  T& value() { return std::get<0>(held_); }
  const T& value() const { return std::get<0>(held_); }
  T& operator*() { return value(); }
  const T& operator*() const { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const Status& status() const { return std::get<1>(held_); }

 private:
  std::variant<T, Status> held_;
};

}  // namespace transom
