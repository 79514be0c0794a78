#include "schema/file_order.h"

#include <google/protobuf/descriptor.pb.h>

namespace transom {
namespace {

enum class State : char { Unseen, Open, Done };

// One walk from the roots down the imports, with its own stack: a chain of imports may be as long as a replica likes.
class Walk {
 public:
  explicit Walk(const std::map<std::string, SourcedFile>& files) : files_(files) {}

  Status visit(const SourcedFile& root) {
    if (state_[&root] == State::Unseen) {
      open(root);
    }
    while (!open_.empty()) {
      auto& [file, next_import] = open_.back();
      if (next_import == file->proto->dependency_size()) {
        state_[file] = State::Done;
        order_.push_back(file);
        open_.pop_back();
      } else if (Status status = follow(*file, file->proto->dependency(next_import++)); !status.ok()) {
        return status;
      }
    }
    return {};
  }

  std::vector<const SourcedFile*> take_order() { return std::move(order_); }

 private:
  struct Step {
    const SourcedFile* file;
    int next_import;
  };

  void open(const SourcedFile& file) {
    state_[&file] = State::Open;
    open_.push_back({&file, 0});
  }

  Status follow(const SourcedFile& file, const std::string& import) {
    auto found = files_.find(import);
    if (found == files_.end()) {
      return proxy_error(Code::InvalidArgument,
                         described(file) + " imports \"" + import + "\", which no source of this schema has");
    }
    if (state_[&found->second] == State::Open) {
      return proxy_error(Code::InvalidArgument,
                         described(file) + " imports \"" + import + "\", which imports it in turn");
    }
    if (state_[&found->second] == State::Unseen) {
      open(found->second);
    }
    return {};
  }

  const std::map<std::string, SourcedFile>& files_;
  std::map<const SourcedFile*, State> state_;
  std::vector<Step> open_;
  std::vector<const SourcedFile*> order_;
};

}  // namespace

std::string described(const SourcedFile& file) { return file.proto->name() + " (" + file.source + ")"; }

Result<std::vector<const SourcedFile*>> order_files(const std::map<std::string, SourcedFile>& files) {
  Walk walk(files);
  for (const auto& [name, file] : files) {
    if (Status status = walk.visit(file); !status.ok()) {
      return status;
    }
  }
  return walk.take_order();
}

}  // namespace transom
