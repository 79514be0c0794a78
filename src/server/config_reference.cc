#include "server/config_reference.h"

#include <google/protobuf/compiler/importer.h>
#include <google/protobuf/descriptor.h>

#include <map>

#include "server/config_reader.h"
#include "transom/config/v1/options.pb.h"

namespace transom {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

constexpr const char* kIntroduction = R"(# Configuration

This page is made from `proto/transom/config/v1/config.proto`; the test `ConfigReference.ThePageIsCurrent` holds it to
that file.

The configuration is one YAML file. Every key not named here is refused, and so is a key that is written twice: the
program ends with exit code 2 and tells all that is wrong, each as `file:line:column: path.to.key: what is wrong`.
`transom check --config FILE` does the same without serving.

- A **duration** is numbers with units: `250ms`, `5s`, `1h30m`. Units are `h`, `m`, `s`, `ms`, `us` and `ns`.
- A **size** is a number of bytes, with a unit if one likes: `512`, `64KiB`, `20MiB`. Units are `KiB`, `MiB`, `GiB`,
  `TiB` (powers of 1024) and `kB`, `MB`, `GB`, `TB` (powers of 1000).
- An **address** is `host:port`, `[v6]:port` or `unix:/path`.
- A **path** that is relative starts at the folder of the configuration file.
- `${NAME}` in a value is replaced by that environment variable, which must be set; `$${` stands for `${`.
)";

class ErrorText : public google::protobuf::compiler::MultiFileErrorCollector {
 public:
  void AddError(const std::string& file, int line, int column, const std::string& message) override {
    text += file + ":" + std::to_string(line + 1) + ":" + std::to_string(column + 1) + ": " + message + "\n";
  }
  std::string text;
};

// The rule of a field of an imported file: its options are of a pool that does not know our generated classes.
config::v1::Rule rule_of(const FieldDescriptor& field) {
  google::protobuf::FieldOptions options;
  options.ParseFromString(field.options().SerializeAsString());
  return options.GetExtension(config::v1::rule);
}

// A comment's lines as one.
std::string comment_of(const FieldDescriptor& field) {
  google::protobuf::SourceLocation location;
  std::string text;
  if (field.GetSourceLocation(&location)) {
    for (char c : location.leading_comments) {
      if (c == '\n') c = ' ';
      if (c == ' ' && (text.empty() || text.back() == ' ')) continue;
      if (c == '|') text += '\\';
      text += c;
    }
  }
  while (!text.empty() && text.back() == ' ')
    text.pop_back();
  return text;
}

std::string words_of(const google::protobuf::EnumDescriptor& type) {
  std::string words;
  for (int i = 0; i < type.value_count(); ++i) {
    if (type.value(i)->number() == 0) continue;
    words += (words.empty() ? "`" : ", `") + enum_word(*type.value(i)) + "`";
  }
  return words;
}

std::string scalar_kind(const FieldDescriptor& field, const config::v1::Rule& rule) {
  switch (rule.form()) {
    case config::v1::FORM_DURATION:
      return "duration";
    case config::v1::FORM_SIZE:
      return "size";
    case config::v1::FORM_ADDRESS:
      return "address";
    case config::v1::FORM_PATH:
      return "path";
    default:
      break;
  }
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return "`true`, `false`";
    case FieldDescriptor::CPPTYPE_ENUM:
      return words_of(*field.enum_type());
    case FieldDescriptor::CPPTYPE_STRING:
      return "text";
    default:
      return "number";
  }
}

std::string kind_of(const FieldDescriptor& field, const config::v1::Rule& rule) {
  if (field.is_map()) return "names and values";
  const bool is_group = field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
  const std::string kind = is_group ? "group" : scalar_kind(field, rule);
  if (!field.is_repeated()) return kind;
  return is_group ? "list of groups" : "list of " + kind;
}

std::string preset_of(const FieldDescriptor& field, const config::v1::Rule& rule) {
  if (rule.required()) return "required";
  if (!rule.preset().empty()) return "`" + rule.preset() + "`";
  const bool is_bool = field.cpp_type() == FieldDescriptor::CPPTYPE_BOOL && !field.real_containing_oneof();
  return is_bool ? "`false`" : "";
}

std::string bounds_of(const config::v1::Rule& rule) {
  if (rule.at_least().empty() && rule.at_most().empty()) return "";
  std::string text = " (";
  if (!rule.at_least().empty()) text += "at least " + rule.at_least();
  if (!rule.at_least().empty() && !rule.at_most().empty()) text += ", ";
  if (!rule.at_most().empty()) text += "at most " + rule.at_most();
  return text + ")";
}

class Page {
 public:
  void add(const std::string& heading, const Descriptor& type) {
    text_ += "\n## " + heading + "\n\n";
    if (type.file()->package() != "transom.config.v1") {
      text_ += "The fields of `" + type.full_name() + "`, as its own `.proto` file explains them.\n";
      return;
    }
    const auto [first, is_new] = headings_.emplace(type.full_name(), heading);
    if (!is_new) {
      text_ += "The same keys as " + first->second + ".\n";
      return;
    }
    text_ += "| key | value | default | |\n|---|---|---|---|\n";
    for (int i = 0; i < type.field_count(); ++i)
      add_row(*type.field(i));
    add_groups(heading, type);
  }
  std::string text() const { return kIntroduction + text_; }

 private:
  void add_row(const FieldDescriptor& field) {
    const config::v1::Rule rule = rule_of(field);
    text_ += "| `" + field.name() + "` | " + kind_of(field, rule) + bounds_of(rule) + " | " + preset_of(field, rule) +
             " | " + comment_of(field) + " |\n";
  }

  void add_groups(const std::string& heading, const Descriptor& type) {
    for (int i = 0; i < type.field_count(); ++i) {
      const FieldDescriptor& field = *type.field(i);
      if (field.cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE || field.is_map()) continue;
      const std::string outer = heading.front() == '`' ? heading.substr(1, heading.size() - 2) + "." : "";
      add("`" + outer + field.name() + (field.is_repeated() ? "[]`" : "`"), *field.message_type());
    }
  }

  std::string text_;
  std::map<std::string, std::string> headings_;  // where a type's keys are told
};

}  // namespace

Result<std::string> config_reference(const std::string& proto_root, const std::string& system_root) {
  google::protobuf::compiler::DiskSourceTree tree;
  tree.MapPath("", proto_root);
  tree.MapPath("", system_root);
  ErrorText errors;
  google::protobuf::compiler::Importer importer(&tree, &errors);
  const auto* file = importer.Import("transom/config/v1/config.proto");
  if (file == nullptr) return proxy_error(Code::Internal, errors.text);
  Page page;
  page.add("The file", *file->FindMessageTypeByName("Config"));
  return page.text();
}

}  // namespace transom
