#include "control/reflection.h"

#include <thread>
#include <utility>

#include "control/reflection_stream.h"
#include "control/reflection_walk.h"

namespace transom {
namespace {

Result<std::vector<std::string>> ask_all(ReflectionStream& stream, const ReflectionLimits& limits) {
  const AskReflection ask = [&stream](ReflectionQuery query, const std::string& argument) {
    return stream.ask(query, argument);
  };
  stream.open(ReflectionVersion::V1);
  auto files = walk_reflection(ask, limits);
  if (!files.ok() && files.status().code == Code::Unimplemented) {
    stream.open(ReflectionVersion::V1Alpha);
    files = walk_reflection(ask, limits);
  }
  return files;
}

Result<std::vector<std::string>> explained(const std::string& address, Result<std::vector<std::string>> files) {
  if (files.ok()) {
    return files;
  }
  Status status = files.status();
  status.message =
      "reflection of " + address + ": " +
      (status.code == Code::Unimplemented ? "the replica has none (" + status.message + ")" : status.message);
  return status;
}

}  // namespace

// The thread touches the stream alone; its letter is dropped when the mailbox is gone.
struct SchemaReflector::Fetch {
  Fetch(const std::string& address, const ReflectionLimits& limits) : stream(address, limits) {}
  ~Fetch() {
    stream.cancel();
    if (thread.joinable()) {
      thread.join();
    }
  }

  ReflectionStream stream;
  OnDone on_done;
  std::thread thread;
};

SchemaReflector::SchemaReflector(Loop& loop, ReflectionLimits limits) : limits_(limits), mailbox_(loop) {}

SchemaReflector::~SchemaReflector() = default;

void SchemaReflector::fetch(const std::string& address, OnDone on_done) {
  auto made = std::make_unique<Fetch>(address, limits_);
  Fetch* fetch = made.get();
  fetch->on_done = std::move(on_done);
  fetch->thread = std::thread([this, fetch, address, limits = limits_, sender = mailbox_.sender()] {
    auto files = std::make_shared<Result<std::vector<std::string>>>(explained(address, ask_all(fetch->stream, limits)));
    sender.post([this, fetch, files] { finish(fetch, std::move(*files)); });
  });
  fetches_.push_back(std::move(made));
}

void SchemaReflector::finish(Fetch* fetch, Result<std::vector<std::string>> files) {
  OnDone on_done = std::move(fetch->on_done);
  std::erase_if(fetches_, [fetch](const auto& held) { return held.get() == fetch; });
  // The last thing that touches this object: its owner may destroy it in here.
  on_done(std::move(files));
}

}  // namespace transom
