#include "server/config_reader.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "server/config_scalar.h"
#include "server/config_text.h"
#include "transom/config/v1/options.pb.h"

namespace transom {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// A path this long can only come from an alias that stands in itself.
constexpr size_t kPathBytesMax = 2000;

ConfigPlace place_of(const YAML::Mark& mark) { return {mark.line + 1, mark.column + 1}; }

const config::v1::Rule& rule_of(const FieldDescriptor& field) { return field.options().GetExtension(config::v1::rule); }

bool is_group(const FieldDescriptor& field) { return field.cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE; }

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (size_t i = 0; i < words.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == words.size() ? " and " : ", ") + words[i];
  }
  return text;
}

std::vector<std::string> keys_of(const Descriptor& type) {
  std::vector<std::string> keys;
  for (int i = 0; i < type.field_count(); ++i)
    keys.push_back(type.field(i)->name());
  return keys;
}

std::string kind_of(const YAML::Node& node) {
  if (node.IsMap()) return "a group of keys";
  if (node.IsSequence()) return "a list";
  return node.IsNull() ? "nothing" : "\"" + node.Scalar() + "\"";
}

// One walk over one file.
class Walk {
 public:
  Walk(const std::filesystem::path& folder, ConfigReport& report) : folder_(folder), report_(report) {}

  void read_group(const YAML::Node& node, const std::string& path, Message& message);

 private:
  struct Key {
    std::string path;
    ConfigPlace place;
  };
  void read_key(const Key& key, const YAML::Node& value, Message& message, const FieldDescriptor& field);
  void read_list(const Key& key, const YAML::Node& value, Message& message, const FieldDescriptor& field);
  void read_map(const Key& key, const YAML::Node& value, Message& message, const FieldDescriptor& field);
  void read_element(const Key& key, const YAML::Node& value, Message& message, const FieldDescriptor& field);
  void read_scalar(const Key& key, const YAML::Node& value, Message& message, const FieldDescriptor& field);
  bool is_second_of_oneof(const Key& key, const Message& message, const FieldDescriptor& field);
  void complain_unknown(const Key& key, const Descriptor& type);
  void fill(const std::string& path, const std::set<std::string>& written, Message& message);

  const std::filesystem::path& folder_;
  ConfigReport& report_;
};

void Walk::read_group(const YAML::Node& node, const std::string& path, Message& message) {
  const Descriptor& type = *message.GetDescriptor();
  const std::string& shorthand = type.options().GetExtension(config::v1::shorthand);
  if (node.IsScalar() && !shorthand.empty()) {
    read_scalar({path, place_of(node.Mark())}, node, message, *type.FindFieldByName(shorthand));
    fill(path, {shorthand}, message);
    return;
  }
  if (path.size() > kPathBytesMax) {
    report_.add(place_of(node.Mark()), "", "an alias that stands in itself");
    return;
  }
  if (!node.IsMap() && !node.IsNull()) {
    report_.add(place_of(node.Mark()), path, "expected a group of keys, found " + kind_of(node));
    return;
  }
  std::map<std::string, ConfigPlace> seen;
  std::set<std::string> written;
  for (const auto& entry : node) {
    const ConfigPlace place = place_of(entry.first.Mark());
    if (!entry.first.IsScalar()) {
      report_.add(place, path, "expected the name of a key, found " + kind_of(entry.first));
      continue;
    }
    const std::string name = entry.first.Scalar();
    const Key key{path.empty() ? name : path + "." + name, place};
    const auto [first, is_new] = seen.emplace(name, place);
    if (!is_new) {
      report_.add(place, key.path, "is written twice, first in line " + std::to_string(first->second.line));
      continue;
    }
    const FieldDescriptor* field = type.FindFieldByName(name);
    if (field == nullptr) {
      complain_unknown(key, type);
      continue;
    }
    written.insert(name);
    read_key(key, entry.second, message, *field);
  }
  fill(path, written, message);
}

void Walk::complain_unknown(const Key& key, const Descriptor& type) {
  const std::vector<std::string> keys = keys_of(type);
  const auto nearest = nearest_word(key.path.substr(key.path.rfind('.') + 1), keys);
  report_.add(key.place, key.path,
              nearest ? "unknown key; did you mean " + *nearest + "?" : "unknown key; known here: " + join(keys));
}

void Walk::read_key(const Key& key, const YAML::Node& value, Message& message, const FieldDescriptor& field) {
  report_.remember(key.path, value.IsNull() ? key.place : place_of(value.Mark()));
  if (field.is_map()) return read_map(key, value, message, field);
  if (field.is_repeated()) return read_list(key, value, message, field);
  if (is_second_of_oneof(key, message, field)) return;
  if (is_group(field)) {
    read_group(value, key.path, *message.GetReflection()->MutableMessage(&message, &field));
  } else {
    read_scalar(key, value, message, field);
  }
}

bool Walk::is_second_of_oneof(const Key& key, const Message& message, const FieldDescriptor& field) {
  const auto* oneof = field.real_containing_oneof();
  if (oneof == nullptr || !message.GetReflection()->HasOneof(message, oneof)) return false;
  std::vector<std::string> names;
  for (int i = 0; i < oneof->field_count(); ++i)
    names.push_back(oneof->field(i)->name());
  report_.add(key.place, key.path, "only one of " + join(names) + " may be written");
  return true;
}

void Walk::read_list(const Key& key, const YAML::Node& value, Message& message, const FieldDescriptor& field) {
  if (!value.IsSequence() && !value.IsNull()) {
    report_.add(place_of(value.Mark()), key.path, "expected a list, found " + kind_of(value));
    return;
  }
  for (size_t i = 0; i < value.size(); ++i) {
    const Key element{key.path + "[" + std::to_string(i) + "]", place_of(value[i].Mark())};
    report_.remember(element.path, element.place);
    read_element(element, value[i], message, field);
  }
  if (value.size() == 0 && rule_of(field).required()) report_.add(key.place, key.path, "needs at least one element");
}

void Walk::read_element(const Key& key, const YAML::Node& value, Message& message, const FieldDescriptor& field) {
  if (is_group(field)) {
    read_group(value, key.path, *message.GetReflection()->AddMessage(&message, &field));
  } else {
    read_scalar(key, value, message, field);
  }
}

// Maps are of text to text.
void Walk::read_map(const Key& key, const YAML::Node& value, Message& message, const FieldDescriptor& field) {
  if (!value.IsMap() && !value.IsNull()) {
    report_.add(place_of(value.Mark()), key.path, "expected names and values, found " + kind_of(value));
    return;
  }
  std::set<std::string> seen;
  for (const auto& entry : value) {
    const std::string name = entry.first.IsScalar() ? entry.first.Scalar() : "";
    const Key of_entry{key.path + "." + name, place_of(entry.first.Mark())};
    if (!seen.insert(name).second) {
      report_.add(of_entry.place, of_entry.path, "is written twice");
      continue;
    }
    report_.remember(of_entry.path, of_entry.place);
    Message* made = message.GetReflection()->AddMessage(&message, &field);
    made->GetReflection()->SetString(made, made->GetDescriptor()->map_key(), name);
    read_scalar(of_entry, entry.second, *made, *made->GetDescriptor()->map_value());
  }
}

void Walk::read_scalar(const Key& key, const YAML::Node& value, Message& message, const FieldDescriptor& field) {
  const ConfigPlace place = value.IsNull() ? key.place : place_of(value.Mark());
  if (!value.IsScalar()) {
    report_.add(place, key.path, "expected a single value, found " + kind_of(value));
    return;
  }
  const Result<std::string> text = expand_environment(value.Scalar());
  const Status status = text.ok() ? set_scalar(message, field, *text, folder_) : text.status();
  if (!status.ok()) report_.add(place, key.path, status.message);
}

// Presets of what is not written, and complaints about what must be.
void Walk::fill(const std::string& path, const std::set<std::string>& written, Message& message) {
  const Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    const config::v1::Rule& rule = rule_of(field);
    if (written.contains(field.name())) continue;
    const std::string of_field = path.empty() ? field.name() : path + "." + field.name();
    if (rule.required()) report_.add(of_field, "is missing");
    if (rule.always()) fill(of_field, {}, *message.GetReflection()->MutableMessage(&message, &field));
    if (!rule.preset().empty()) {
      check(set_scalar(message, field, rule.preset(), folder_).ok(), "a preset that its own rule refuses");
    }
  }
}

}  // namespace

std::string enum_word(const google::protobuf::EnumValueDescriptor& value) {
  // The prefix is the name of the type; all our enums have names of one word.
  std::string word = value.name().substr(value.type()->name().size() + 1);
  std::ranges::transform(word, word.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return word;
}

void read_config(const std::string& yaml, const std::filesystem::path& folder, Message& message, ConfigReport& report) {
  try {
    const std::vector<YAML::Node> documents = YAML::LoadAll(yaml);
    if (documents.size() > 1) {
      report.add(place_of(documents[1].Mark()), "", "a second YAML document; there must be one");
      return;
    }
    report.remember("", {1, 1});
    Walk(folder, report).read_group(documents.empty() ? YAML::Node() : documents[0], "", message);
  } catch (const YAML::Exception& failure) {
    report.add(place_of(failure.mark), "", failure.msg);
  }
}

}  // namespace transom
