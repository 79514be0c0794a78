#include "server/schema_watch.h"

#include <algorithm>
#include <utility>

#include "schema/schema_loader.h"
#include "server/options.h"

namespace transom {

Result<std::string> join_files(const std::vector<std::string>& files, const std::string& source) {
  SchemaLoader loader;
  for (const std::string& file : files) {
    if (Status status = loader.add_file_descriptor(file, source); !status.ok()) return status;
  }
  return loader.descriptor_set();
}

SchemaWatch::SchemaWatch(Loop& loop, Blueprint& blueprint, const std::vector<std::shared_ptr<BackendState>>& states,
                         ProcessLog& log, OnSnapshot on_snapshot)
    : loop_(loop),
      blueprint_(blueprint),
      states_(states),
      log_(log),
      on_snapshot_(std::move(on_snapshot)),
      limits_(reflection_limits_of(blueprint.config().limits())),
      reflector_(loop, limits_) {
  for (int i = 0; i < blueprint.config().backends_size(); ++i) {
    if (blueprint.builder().wants_reflection(i)) backends_[i];
  }
}

void SchemaWatch::on_up(int backend, size_t replica) {
  const auto found = backends_.find(backend);
  if (found == backends_.end()) return;
  if (found->second.is_asking) {
    found->second.waiting.insert(replica);
  } else {
    ask(backend, replica);
  }
}

void SchemaWatch::ask(int backend, size_t replica) {
  Backend& of = backends_[backend];
  of.is_asking = true;
  of.waiting.erase(replica);
  const std::string& address = blueprint_.config().backends(backend).replicas(static_cast<int>(replica)).address();
  reflector_.fetch(address, [this, backend, replica](Result<std::vector<std::string>> files) {
    on_answer(backend, replica, std::move(files));
  });
}

void SchemaWatch::on_answer(int backend, size_t replica, Result<std::vector<std::string>> files) {
  Backend& of = backends_[backend];
  of.is_asking = false;
  const config::v1::Backend& config = blueprint_.config().backends(backend);
  const Status status =
      files.ok() ? take(backend, config.replicas(static_cast<int>(replica)).address(), *files) : files.status();
  if (status.ok()) {
    of.pause = {};
    if (of.retry != nullptr) of.retry->stop();
  } else {
    log_.warning("a schema could not be reflected", {{"backend", config.name()}, {"reason", status.message}});
    ask_again_later(backend);
  }
  if (!of.waiting.empty()) ask(backend, *of.waiting.begin());
}

Status SchemaWatch::take(int backend, const std::string& replica, const std::vector<std::string>& files) {
  const std::string source = "reflection of " + replica;
  Result<std::string> set = join_files(files, source);
  if (!set.ok()) return set.status();
  const auto before = blueprint_.builder().reflected(backend);
  if (before && before->bytes == *set) return {};
  const std::string& name = blueprint_.config().backends(backend).name();
  std::vector<std::string> complaints;
  SnapshotPtr snapshot = blueprint_.take_reflected(backend, {*set, source}, complaints);
  // It was told well, but does not fit; another answer can only come from another replica, or after a restart.
  for (const std::string& complaint : complaints) {
    log_.error("a reflected schema is not taken up", {{"backend", name}, {"reason", complaint}});
  }
  if (snapshot == nullptr) return {};
  log_.info("a reflected schema is taken up", {{"backend", name}, {"replica", replica}});
  for (const std::string& sentence : blueprint_.builder().missing())
    log_.warning(sentence);
  if (Status status = blueprint_.cache().save(blueprint_.config_file(), name, *set); !status.ok()) {
    log_.warning("the schema's copy could not be kept", {{"backend", name}, {"reason", status.message}});
  }
  on_snapshot_(std::move(snapshot));
  return {};
}

void SchemaWatch::ask_again_later(int backend) {
  Backend& of = backends_[backend];
  of.pause = std::clamp(of.pause * 2, limits_.pause_min, limits_.pause_max);
  of.retry = std::make_unique<Timer>(loop_, [this, backend] {
    const BackendState& state = *states_[static_cast<size_t>(backend)];
    for (size_t i = 0; i < state.replicas(); ++i) {
      if (state.is_up(i)) on_up(backend, i);
    }
  });
  of.retry->start(of.pause);
}

}  // namespace transom
