#include "control/reflection_walk.h"

#include <deque>
#include <set>

namespace transom {
namespace {

class Walk {
 public:
  Walk(const AskReflection& ask, const ReflectionLimits& limits) : ask_(ask), limits_(limits) {}

  Result<std::vector<std::string>> run() {
    auto listed = ask("list_services", ReflectionQuery::ListServices, "");
    if (!listed.ok()) {
      return listed.status();
    }
    if (!listed->refusal.ok()) {
      return listed->refusal;
    }
    for (const std::string& service : listed->services) {
      if (Status status = add_service(service); !status.ok()) {
        return status;
      }
    }
    if (Status status = add_missing_imports(); !status.ok()) {
      return status;
    }
    if (files_.empty()) {
      return replica_error(Code::NotFound, "lists no service but gRPC's own");
    }
    return std::move(files_);
  }

 private:
  // Failure and refusal alike say what was asked.
  Result<ReflectionAnswer> ask(const char* question, ReflectionQuery query, const std::string& argument) {
    const auto explain = [&](Status& status) {
      const std::string why = status.message.empty() ? std::string(code_name(status.code)) : status.message;
      status.message = question + (argument.empty() ? "" : " " + argument) + ": " + why;
    };
    auto answer = ask_(query, argument);
    if (!answer.ok()) {
      Status status = answer.status();
      explain(status);
      return status;
    }
    if (!answer->refusal.ok()) {
      explain(answer->refusal);
    }
    return answer;
  }

  Status add_service(const std::string& service) {
    if (service.starts_with("grpc.")) {
      return {};
    }
    auto answer = ask("file_containing_symbol", ReflectionQuery::FileContainingSymbol, service);
    if (!answer.ok() || !answer->refusal.ok()) {
      return answer.ok() ? answer->refusal : answer.status();
    }
    if (answer->files.empty()) {
      return replica_error(Code::Internal, "file_containing_symbol " + service + ": the answer has no file");
    }
    return add_files(answer->files);
  }

  Status add_missing_imports() {
    std::set<std::string> asked;
    for (; !wanted_.empty(); wanted_.pop_front()) {
      const std::string name = wanted_.front();
      if (names_.contains(name) || !asked.insert(name).second) {
        continue;
      }
      auto answer = ask("file_by_filename", ReflectionQuery::FileByName, name);
      if (!answer.ok()) {
        return answer.status();
      }
      if (Status status = add_files(answer->files); !status.ok()) {
        return status;
      }
    }
    return {};
  }

  Status add_files(std::vector<std::string>& files) {
    for (std::string& file : files) {
      auto head = parse_file_head(file);
      if (!head.ok()) {
        return head.status();
      }
      if (!names_.insert(head->name).second) {
        continue;
      }
      bytes_ += file.size();
      if (bytes_ > limits_.bytes || files_.size() == limits_.files) {
        return replica_error(Code::ResourceExhausted, "describes itself by more than " + std::to_string(limits_.files) +
                                                          " files or " + std::to_string(limits_.bytes) + " bytes");
      }
      wanted_.insert(wanted_.end(), head->imports.begin(), head->imports.end());
      files_.push_back(std::move(file));
    }
    return {};
  }

  const AskReflection& ask_;
  const ReflectionLimits& limits_;
  std::vector<std::string> files_;
  std::set<std::string> names_;     // of files_
  std::deque<std::string> wanted_;  // imports
  size_t bytes_ = 0;
};

}  // namespace

Result<std::vector<std::string>> walk_reflection(const AskReflection& ask, const ReflectionLimits& limits) {
  return Walk(ask, limits).run();
}

}  // namespace transom
