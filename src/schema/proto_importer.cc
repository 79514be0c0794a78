#include "schema/proto_importer.h"

#include <google/protobuf/compiler/importer.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/descriptor_database.h>
#include <google/protobuf/io/tokenizer.h>

#include <memory>
#include <set>
#include <string_view>

#include "base/check.h"
#include "schema/builtin_files.h"

namespace transom {
namespace {

using google::protobuf::DescriptorPool;
using google::protobuf::FileDescriptor;
using google::protobuf::FileDescriptorProto;
using google::protobuf::FileDescriptorSet;
using google::protobuf::SimpleDescriptorDatabase;
using google::protobuf::compiler::DiskSourceTree;
using google::protobuf::compiler::MultiFileErrorCollector;
using google::protobuf::compiler::SourceTree;
using google::protobuf::compiler::SourceTreeDescriptorDatabase;
using google::protobuf::io::ZeroCopyInputStream;

// A newer release's google/protobuf may be beyond this parser.
class FilteredTree : public SourceTree {
 public:
  explicit FilteredTree(DiskSourceTree& disk) : disk_(disk) {}

  ZeroCopyInputStream* Open(const std::string& name) override {
    return name.starts_with("google/protobuf/") ? nullptr : disk_.Open(name);
  }
  std::string GetLastErrorMessage() override { return disk_.GetLastErrorMessage(); }

 private:
  DiskSourceTree& disk_;
};

class IgnoredErrors : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int, int, const std::string&) override {}
};

bool is_in_edition(SourceTree& tree, const std::string& name) {
  std::unique_ptr<ZeroCopyInputStream> text(tree.Open(name));
  if (text == nullptr) {
    return false;
  }
  IgnoredErrors errors;
  google::protobuf::io::Tokenizer tokenizer(text.get(), &errors);
  return tokenizer.Next() && tokenizer.current().text == "edition";
}

// Keeps the first error that has a place: one without is a missing file, and its importer's error follows.
class Complaint : public MultiFileErrorCollector {
 public:
  explicit Complaint(DiskSourceTree& disk) : disk_(disk) {}

  void AddError(const std::string& name, int line, int column, const std::string& message) override {
    if (!text_.empty() && (has_place_ || line < 0)) {
      return;
    }
    has_place_ = line >= 0;
    std::string path = name;
    disk_.VirtualFileToDiskFile(name, &path);
    text_ = path + (has_place_ ? ":" + std::to_string(line + 1) + ":" + std::to_string(column + 1) : "") + ": ";
    text_ += is_in_edition(disk_, name) ? "is written in an edition; proto2 and proto3 are supported" : message;
  }
  const std::string& text() const { return text_; }

 private:
  DiskSourceTree& disk_;
  std::string text_;
  bool has_place_ = false;
};

void add_builtin_files(SimpleDescriptorDatabase& database) {
  FileDescriptorSet set;
  const std::string_view bytes = builtin_descriptor_set();
  check(set.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())), "the built-in descriptor set is sound");
  for (const FileDescriptorProto& file : set.file()) {
    database.Add(file);
  }
}

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

// Maps the import paths, and finds the name that the file has within them; its own folder is the last resort.
std::string map_paths(const std::string& path, const std::vector<std::string>& import_paths, DiskSourceTree& disk) {
  for (const std::string& folder : import_paths) {
    disk.MapPath("", folder);
  }
  std::string name;
  std::string shadowing;
  const auto found = disk.DiskFileToVirtualFile(path, &name, &shadowing);
  if (found == DiskSourceTree::SUCCESS) {
    return name;
  }
  std::string disk_path;
  if (!path.starts_with("/") && disk.VirtualFileToDiskFile(path, &disk_path)) {
    return path;
  }
  disk.MapPath("", folder_of(path));
  return path.substr(path.rfind('/') + 1);
}

void append_with_imports(const FileDescriptor* file, std::set<const FileDescriptor*>& seen,
                         std::vector<FileDescriptorProto>& files) {
  if (!seen.insert(file).second) {
    return;
  }
  for (int i = 0; i < file->dependency_count(); ++i) {
    append_with_imports(file->dependency(i), seen, files);
  }
  file->CopyTo(&files.emplace_back());
  file->CopyJsonNameTo(&files.back());
}

}  // namespace

Status import_proto_file(const std::string& path, const std::vector<std::string>& import_paths,
                         std::vector<FileDescriptorProto>& files) {
  DiskSourceTree disk;
  const std::string name = map_paths(path, import_paths, disk);
  FilteredTree tree(disk);
  SimpleDescriptorDatabase builtin;
  add_builtin_files(builtin);
  SourceTreeDescriptorDatabase database(&tree, &builtin);
  Complaint complaint(disk);
  database.RecordErrorsTo(&complaint);
  DescriptorPool pool(&database, database.GetValidationErrorCollector());
  const FileDescriptor* file = pool.FindFileByName(name);
  if (file == nullptr) {
    return proxy_error(Code::InvalidArgument,
                       complaint.text().empty() ? path + ": cannot be parsed" : complaint.text());
  }
  std::set<const FileDescriptor*> seen;
  append_with_imports(file, seen, files);
  return {};
}

}  // namespace transom
