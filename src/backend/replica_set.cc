#include "backend/replica_set.h"

#include <algorithm>
#include <random>

#include "backend/retrying_call.h"
#include "base/check.h"

namespace transom {
namespace {

constexpr size_t kReplicasNamedMax = 5;

}  // namespace

std::unique_ptr<Backend> Backend::make(Loop& loop, const BackendOptions& options, std::shared_ptr<BackendState> state,
                                       MemoryAccount* account, BackendObserver* observer) {
  return std::make_unique<ReplicaSet>(loop, options, std::move(state), account, observer);
}

ReplicaSet::ReplicaSet(Loop& loop, const BackendOptions& options, std::shared_ptr<BackendState> state,
                       MemoryAccount* account, BackendObserver* observer)
    : options_(options),
      state_(std::move(state)),
      observer_(observer),
      tools_{.loop = loop,
             .limits = options_.limits,
             .account = account,
             .user_agent = options_.user_agent,
             .scratch = {},
             .fields = {}},
      picker_(options_.policy, *state_, std::random_device()()) {
  check(state_->replicas() == options_.replicas.size(), "the state was made for these replicas");
  for (size_t i = 0; i < options_.replicas.size(); ++i) {
    replicas_.push_back(std::make_unique<Replica>(tools_, options_.replicas[i], i, *state_, observer_,
                                                  static_cast<ReplicaEvents&>(*this)));
  }
}

ReplicaSet::~ReplicaSet() = default;

void ReplicaSet::open() {
  for (const std::unique_ptr<Replica>& replica : replicas_) {
    replica->open();
  }
}

void ReplicaSet::try_now(size_t replica) { replicas_.at(replica)->try_now(); }

std::unique_ptr<Call> ReplicaSet::start(CallHead head, CallHandler& handler) {
  auto call = std::make_unique<RetryingCall>(*this, std::move(head), handler);
  call->place();
  return call;
}

Replica* ReplicaSet::pick(std::span<const size_t> tried) {
  if (up_.empty()) {
    return nullptr;
  }
  if (tried.empty()) {
    return replicas_[picker_.pick(up_)].get();
  }
  std::vector<Candidate> untried;
  std::copy_if(up_.begin(), up_.end(), std::back_inserter(untried), [&](const Candidate& candidate) {
    return std::find(tried.begin(), tried.end(), candidate.index) == tried.end();
  });
  return untried.empty() ? nullptr : replicas_[picker_.pick(untried)].get();
}

bool ReplicaSet::may_come_up() const {
  return up_.empty() && std::any_of(replicas_.begin(), replicas_.end(),
                                    [](const std::unique_ptr<Replica>& replica) { return !replica->has_failed(); });
}

bool ReplicaSet::wait(RetryingCall& call) {
  if (waiting_.size() >= options_.limits.waiting_calls) {
    return false;
  }
  state_->begin_wait();
  call.is_waiting_ = true;
  call.waiting_place_ = waiting_.insert(waiting_.end(), &call);
  return true;
}

void ReplicaSet::stop_waiting(RetryingCall& call) {
  state_->end_wait();
  call.is_waiting_ = false;
  waiting_.erase(call.waiting_place_);
}

Status ReplicaSet::none_up() const {
  std::string message = "no replica of backend " + options_.name + " is up";
  for (size_t i = 0; i < replicas_.size() && i < kReplicasNamedMax; ++i) {
    const std::string& name = replicas_[i]->name();
    const std::string& error = replicas_[i]->last_error();
    message += i == 0 ? ": " : "; ";
    message += error.find(name) == std::string::npos ? name + ": " + error : error;
  }
  if (replicas_.size() > kReplicasNamedMax) {
    message += "; and " + std::to_string(replicas_.size() - kReplicasNamedMax) + " more";
  }
  return replica_error(Code::Unavailable, std::move(message));
}

void ReplicaSet::on_replica_changed(Replica& /*replica*/) {
  up_.clear();
  for (const std::unique_ptr<Replica>& replica : replicas_) {
    if (replica->is_up()) {
      up_.push_back({replica->index(), std::max(1U, options_.replicas[replica->index()].weight)});
    }
  }
  if (!up_.empty() || !may_come_up()) {
    place_waiting();
  }
}

// No handler runs inside place(), so that no call can go while they are walked through.
void ReplicaSet::place_waiting() {
  std::list<RetryingCall*> calls = std::move(waiting_);
  waiting_.clear();
  for (RetryingCall* call : calls) {
    state_->end_wait();
    call->is_waiting_ = false;
    call->place();
  }
}

}  // namespace transom
