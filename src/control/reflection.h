// SchemaReflector asks replicas for their schema by gRPC server reflection, v1 and then v1alpha. Each question runs on
// a thread of its own through grpc++, off the request path; the answer comes back to the control loop. Owned by the
// control thread and used on it alone; destroying it cancels what is being asked, and no on_done comes after that.
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/status.h"
#include "net/loop.h"
#include "net/mailbox.h"

namespace transom {

class SchemaReflector {
 public:
  // Serialized FileDescriptorProtos for SchemaLoader::add_file_descriptor. A failure's message begins with "reflection
  // of ADDRESS: ", and its code is UNIMPLEMENTED when the replica has no reflection, UNAVAILABLE when it is not there.
  using OnDone = std::function<void(Result<std::vector<std::string>>)>;

  explicit SchemaReflector(Loop& loop, ReflectionLimits limits = {});
  ~SchemaReflector();
  SchemaReflector(const SchemaReflector&) = delete;
  SchemaReflector& operator=(const SchemaReflector&) = delete;

  // address: "host:port", "[v6]:port" or "unix:/path". on_done runs on the loop, never within this call.
  void fetch(const std::string& address, OnDone on_done);

 private:
  struct Fetch;

  void finish(Fetch* fetch, Result<std::vector<std::string>> files);

  ReflectionLimits limits_;
  std::list<std::unique_ptr<Fetch>> fetches_;
  Mailbox mailbox_;
};

}  // namespace transom
