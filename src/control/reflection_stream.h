// ReflectionStream is one conversation with a replica's reflection service: a bidirectional call on which each question
// waits for its answer. Lives on a thread of its own; cancel() alone may be called from another.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "base/limits.h"
#include "base/status.h"
#include "control/reflection_messages.h"

namespace transom {

enum class ReflectionVersion { V1, V1Alpha };

class ReflectionStream {
 public:
  // Opens nothing yet. The deadline covers everything.
  ReflectionStream(const std::string& address, const ReflectionLimits& limits);
  ~ReflectionStream();

  // Leaves an open call for one of that version.
  void open(ReflectionVersion version);
  Result<ReflectionAnswer> ask(ReflectionQuery query, const std::string& argument);
  void cancel();

 private:
  struct Call;
  struct Channel;

  std::unique_ptr<Channel> channel_;
};

}  // namespace transom
