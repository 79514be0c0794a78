#include "schema/file_set.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <array>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <set>

#include "base/check.h"
#include "schema/builtin_files.h"
#include "schema/file_compare.h"

namespace transom {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;
using google::protobuf::FileDescriptorProto;
using google::protobuf::FileDescriptorSet;

namespace {

constexpr const char* kDescriptorFile = "google/protobuf/descriptor.proto";

Status refused(std::string message) { return proxy_error(Code::InvalidArgument, std::move(message)); }

std::vector<FileDescriptorProto> parse_builtin_files() {
  FileDescriptorSet set;
  const std::string_view bytes = builtin_descriptor_set();
  check(set.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())), "the built-in descriptor set is sound");
  std::vector<FileDescriptorProto> files(set.file().begin(), set.file().end());
  for (FileDescriptorProto& file : files) {
    normalize_file(file);
  }
  return files;
}

// Parsed once; constant from then on.
const std::vector<FileDescriptorProto>& builtin_files() {
  static const std::vector<FileDescriptorProto> files = parse_builtin_files();
  return files;
}

const FileDescriptorProto* find_builtin(const std::string& name) {
  for (const FileDescriptorProto& file : builtin_files()) {
    if (file.name() == name) {
      return &file;
    }
  }
  return nullptr;
}

Status check_syntax(const FileDescriptorProto& file, const std::string& source) {
  if (file.name().empty()) {
    return refused("a descriptor file of " + source + " has no name");
  }
  if (file.syntax() == "editions") {
    return refused(described({&file, source}) + " is written in an edition; proto2 and proto3 are supported");
  }
  if (!file.syntax().empty() && file.syntax() != "proto2" && file.syntax() != "proto3") {
    return refused(described({&file, source}) + " has the unknown syntax \"" + file.syntax() + "\"");
  }
  return {};
}

enum class Winner { Builtin, Added, Neither };

Winner compare_with_builtin(const FileDescriptorProto& builtin, const FileDescriptorProto& file, std::string& lacking) {
  // Newer releases of protobuf both add to this file and take from it; others need nothing of it but the option types.
  if (file.name() == kDescriptorFile) {
    return Winner::Builtin;
  }
  lacking = find_lacking(builtin, file);
  if (lacking.empty()) {
    return Winner::Builtin;
  }
  return find_lacking(file, builtin).empty() ? Winner::Added : Winner::Neither;
}

// Every name that a file puts into its package; the values of an enum stand beside it.
void for_each_symbol(const FileDescriptorProto& file, const std::function<void(const std::string&)>& visit) {
  const std::string scope = file.package().empty() ? "" : file.package() + ".";
  for (const auto& message : file.message_type()) {
    visit(scope + message.name());
  }
  for (const auto& extension : file.extension()) {
    visit(scope + extension.name());
  }
  for (const auto& service : file.service()) {
    visit(scope + service.name());
  }
  for (const auto& type : file.enum_type()) {
    visit(scope + type.name());
    for (const auto& value : type.value()) {
      visit(scope + value.name());
    }
  }
}

using SymbolOwners = std::map<std::string, const SourcedFile*>;

// The first symbol of the file that another has already, "" if there is none; then all are its own.
std::string claim_symbols(const SourcedFile& file, SymbolOwners& owners) {
  std::string taken;
  for_each_symbol(*file.proto, [&](const std::string& symbol) {
    if (auto owner = owners.find(symbol); taken.empty() && owner != owners.end() && owner->second != &file) {
      taken = symbol;
    }
  });
  if (taken.empty()) {
    for_each_symbol(*file.proto, [&](const std::string& symbol) { owners.emplace(symbol, &file); });
  }
  return taken;
}

// Keeps the first complaint; the rest usually follow from it.
class FirstError : public DescriptorPool::ErrorCollector {
 public:
  void AddError(const std::string&, const std::string& element, const google::protobuf::Message*, ErrorLocation,
                const std::string& message) override {
    if (text_.empty()) {
      text_ = element + ": " + message;
    }
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

// Two rounds of multiply and shift over each byte: a digest tells schemas apart, it does not defend against forgery.
class Digest {
 public:
  void add(std::string_view bytes) {
    for (unsigned char byte : bytes) {
      for (size_t i = 0; i < state_.size(); ++i) {
        state_[i] = (state_[i] ^ byte) * 0x100000001b3;
        state_[i] ^= state_[i] >> (29 + i);
      }
    }
  }
  std::string hex() const {
    std::array<char, 33> text{};
    std::snprintf(text.data(), text.size(), "%016llx%016llx", static_cast<unsigned long long>(state_[0]),
                  static_cast<unsigned long long>(state_[1]));
    return text.data();
  }

 private:
  std::array<uint64_t, 2> state_ = {0xcbf29ce484222325, 0x9ae16a3b2f90404f};
};

// The files that are added, and the built-in ones that they import, directly or not.
std::set<const SourcedFile*> find_needed(const std::vector<const SourcedFile*>& order,
                                         const std::map<std::string, SourcedFile>& files,
                                         const std::function<bool(const SourcedFile&)>& is_added) {
  std::set<const SourcedFile*> needed;
  for (auto file = order.rbegin(); file != order.rend(); ++file) {
    if (is_added(**file)) {
      needed.insert(*file);
    }
    if (needed.contains(*file)) {
      for (const std::string& import : (*file)->proto->dependency()) {
        needed.insert(&files.at(import));
      }
    }
  }
  return needed;
}

}  // namespace

FileSet::FileSet() = default;
FileSet::~FileSet() = default;

Status FileSet::add(const FileDescriptorProto& file, const std::string& source) {
  if (Status status = check_syntax(file, source); !status.ok()) {
    return status;
  }
  auto proto = std::make_unique<FileDescriptorProto>(file);
  normalize_file(*proto);
  if (const FileDescriptorProto* builtin = find_builtin(file.name()); builtin != nullptr) {
    std::string lacking;
    const Winner winner = compare_with_builtin(*builtin, *proto, lacking);
    if (winner == Winner::Builtin) {
      return {};
    }
    if (winner == Winner::Neither) {
      return refused(described({&file, source}) + " defines " + lacking + " otherwise than the built-in " +
                     file.name());
    }
  }
  Added& held = added_[file.name()];
  if (held.proto == nullptr) {
    held = {std::move(proto), source};
  } else if (proto->SerializeAsString() != held.proto->SerializeAsString()) {
    return refused(file.name() + " of " + source + " is not the same as that of " + held.source);
  }
  return {};
}

std::map<std::string, SourcedFile> FileSet::with_builtin_files() const {
  std::map<std::string, SourcedFile> files;
  for (const auto& [name, file] : added_) {
    files[name] = {file.proto.get(), file.source};
  }
  for (const FileDescriptorProto& file : builtin_files()) {
    files.try_emplace(file.name(), SourcedFile{&file, "built in"});
  }
  return files;
}

Result<std::vector<const FileDescriptor*>> FileSet::build(DescriptorPool& pool) const {
  const std::map<std::string, SourcedFile> files = with_builtin_files();
  auto order = order_files(files);
  if (!order.ok()) {
    return order.status();
  }
  const auto needed =
      find_needed(*order, files, [this](const SourcedFile& file) { return added_.contains(file.proto->name()); });
  SymbolOwners owners;
  for (const SourcedFile* file : *order) {
    if (const std::string symbol = needed.contains(file) ? claim_symbols(*file, owners) : ""; !symbol.empty()) {
      return refused(described(*owners[symbol]) + " and " + described(*file) + " both define " + symbol);
    }
  }
  std::vector<const FileDescriptor*> built;
  for (const SourcedFile* file : *order) {
    // A built-in file that nothing needs steps aside.
    if (!needed.contains(file) && !claim_symbols(*file, owners).empty()) {
      continue;
    }
    FirstError error;
    const FileDescriptor* descriptor = pool.BuildFileCollectingErrors(*file->proto, &error);
    if (descriptor == nullptr && needed.contains(file)) {
      return refused(described(*file) + ": " + error.text());
    }
    if (descriptor != nullptr) {
      built.push_back(descriptor);
    }
  }
  return built;
}

std::string FileSet::digest() const {
  Digest digest;
  for (const auto& [name, file] : added_) {
    const std::string bytes = file.proto->SerializeAsString();
    digest.add(std::to_string(bytes.size()) + ":");
    digest.add(bytes);
  }
  return digest.hex();
}

std::string FileSet::serialized() const {
  FileDescriptorSet set;
  for (const auto& [name, file] : added_) {
    *set.add_file() = *file.proto;
  }
  return set.SerializeAsString();
}

}  // namespace transom
