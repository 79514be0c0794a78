#include "server/online_check.h"

#include <utility>

#include "control/reflection.h"
#include "net/loop.h"
#include "server/options.h"
#include "server/schema_watch.h"

namespace transom {
namespace {

// Goes through backends and their replicas one after the other.
class OnlineCheck {
 public:
  explicit OnlineCheck(Blueprint& blueprint)
      : blueprint_(blueprint), reflector_(loop_, reflection_limits_of(blueprint.config().limits())) {}

  std::vector<std::string> run() {
    ask();
    if (backend_ < blueprint_.config().backends_size()) loop_.run();
    return std::move(complaints_);
  }

 private:
  void ask() {
    while (backend_ < blueprint_.config().backends_size() && !blueprint_.builder().wants_reflection(backend_))
      ++backend_;
    if (backend_ == blueprint_.config().backends_size()) return loop_.stop();
    reflector_.fetch(replica(), [this](Result<std::vector<std::string>> files) { on_answer(files); });
  }

  void on_answer(const Result<std::vector<std::string>>& files) {
    const Status status = files.ok() ? take(*files) : files.status();
    if (!status.ok()) failures_.push_back(status.message);
    const bool is_last = replica_ + 1 == blueprint_.config().backends(backend_).replicas_size();
    if (status.ok() || is_last) {
      if (!status.ok()) complaints_.insert(complaints_.end(), failures_.begin(), failures_.end());
      failures_.clear();
      replica_ = 0;
      ++backend_;
    } else {
      ++replica_;
    }
    ask();
  }

  Status take(const std::vector<std::string>& files) {
    const std::string source = "reflection of " + replica();
    Result<std::string> set = join_files(files, source);
    if (!set.ok()) return set.status();
    blueprint_.take_reflected(backend_, {std::move(*set), source}, complaints_);
    for (const std::string& sentence : blueprint_.builder().missing()) {
      // Backends that come later are still to be asked.
      if (sentence.find("do not tell of") != std::string::npos) complaints_.push_back(sentence);
    }
    return {};
  }

  const std::string& replica() const { return blueprint_.config().backends(backend_).replicas(replica_).address(); }

  Blueprint& blueprint_;
  Loop loop_;
  SchemaReflector reflector_;
  int backend_ = 0;
  int replica_ = 0;
  std::vector<std::string> failures_;  // of this backend's replicas so far
  std::vector<std::string> complaints_;
};

}  // namespace

std::vector<std::string> check_online(Blueprint& blueprint) { return OnlineCheck(blueprint).run(); }

}  // namespace transom
