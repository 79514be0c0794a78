// ReplicaSet is the Backend of static replicas: it owns this worker's Replicas, knows which of them are up, and lets
// calls wait while none is but some may soon be. Owned by a worker; one thread.
#pragma once

#include <list>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "backend/channel.h"
#include "backend/picker.h"
#include "backend/replica.h"

namespace transom {

class RetryingCall;

class ReplicaSet final : public Backend, private ReplicaEvents {
 public:
  ReplicaSet(Loop& loop, const BackendOptions& options, std::shared_ptr<BackendState> state, MemoryAccount* account,
             BackendObserver* observer);
  ~ReplicaSet() override;

  void open() override;
  void try_now(size_t replica) override;
  std::unique_ptr<Call> start(CallHead head, CallHandler& handler) override;
  const std::string& name() const override { return options_.name; }

  // The rest is RetryingCall's.
  // One that is up and not in `tried`; null if there is none.
  Replica* pick(std::span<const size_t> tried);
  // None is up, but one is in its first attempt since it was made or lost.
  bool may_come_up() const;
  // False: too many wait already.
  bool wait(RetryingCall& call);
  void stop_waiting(RetryingCall& call);
  Status none_up() const;
  size_t replicas() const { return replicas_.size(); }
  Loop& loop() { return tools_.loop; }
  const ChannelLimits& limits() const { return options_.limits; }
  MemoryAccount* account() const { return tools_.account; }
  BackendObserver* observer() const { return observer_; }

 private:
  void on_replica_changed(Replica& replica) override;
  void place_waiting();

  const BackendOptions options_;
  const std::shared_ptr<BackendState> state_;
  BackendObserver* const observer_;
  ChannelTools tools_;
  Picker picker_;
  std::vector<std::unique_ptr<Replica>> replicas_;
  std::vector<Candidate> up_;
  std::list<RetryingCall*> waiting_;
};

}  // namespace transom
