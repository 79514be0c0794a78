#include "server/config_scalar.h"

#include <charconv>
#include <optional>
#include <vector>

#include "net/address.h"
#include "server/config_reader.h"
#include "server/config_text.h"
#include "transom/config/v1/options.pb.h"

namespace transom {
namespace {

using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

Status bad(std::string message) { return client_error(Code::InvalidArgument, std::move(message)); }

Result<int64_t> parse_whole(const std::string& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  if (error == std::errc::result_out_of_range) return bad("the number " + text + " is too large");
  return bad("expected a whole number, found \"" + text + "\"");
}

// All forms of numbers as one, so that bounds can be compared.
Result<int64_t> parse_number(const std::string& text, config::v1::Form form) {
  if (form == config::v1::FORM_DURATION) {
    const auto duration = parse_duration(text);
    if (!duration.ok()) return duration.status();
    return duration->count();
  }
  if (form == config::v1::FORM_SIZE) {
    const auto size = parse_size(text);
    if (!size.ok()) return size.status();
    return static_cast<int64_t>(*size);
  }
  return parse_whole(text);
}

Result<int64_t> parse_bounded(const std::string& text, const FieldDescriptor& field) {
  const config::v1::Rule& rule = field.options().GetExtension(config::v1::rule);
  const Result<int64_t> number = parse_number(text, rule.form());
  if (!number.ok()) return number;
  const bool is_unsigned =
      field.cpp_type() == FieldDescriptor::CPPTYPE_UINT32 || field.cpp_type() == FieldDescriptor::CPPTYPE_UINT64;
  if (is_unsigned && *number < 0) return bad("must not be negative, found " + text);
  if (!rule.at_least().empty() && *number < *parse_number(rule.at_least(), rule.form())) {
    return bad("must be at least " + rule.at_least() + ", found " + text);
  }
  if (!rule.at_most().empty() && *number > *parse_number(rule.at_most(), rule.form())) {
    return bad("must be at most " + rule.at_most() + ", found " + text);
  }
  if (field.cpp_type() == FieldDescriptor::CPPTYPE_UINT32 && *number > UINT32_MAX) {
    return bad("the number " + text + " is too large");
  }
  return number;
}

Result<std::string> parse_text(const std::string& text, const FieldDescriptor& field,
                               const std::filesystem::path& folder) {
  const config::v1::Rule& rule = field.options().GetExtension(config::v1::rule);
  if (rule.required() && text.empty()) return bad("must not be empty");
  if (rule.form() == config::v1::FORM_ADDRESS) {
    const Result<Address> address = parse_address(text);
    if (!address.ok()) return bad("expected host:port, [v6]:port or unix:/path: " + address.status().message);
  }
  if (rule.form() == config::v1::FORM_PATH) {
    if (text.empty()) return bad("expected a path, found \"\"");
    return (folder / text).lexically_normal().string();
  }
  return text;
}

Result<const EnumValueDescriptor*> parse_word(const std::string& text, const FieldDescriptor& field) {
  std::vector<std::string> words;
  for (int i = 0; i < field.enum_type()->value_count(); ++i) {
    const EnumValueDescriptor* value = field.enum_type()->value(i);
    if (value->number() == 0) continue;
    if (enum_word(*value) == text) return value;
    words.push_back(enum_word(*value));
  }
  std::string list;
  for (size_t i = 0; i < words.size(); ++i) {
    list += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
  }
  return bad("expected " + list + ", found \"" + text + "\"");
}

Result<bool> parse_bool(const std::string& text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return bad("expected true or false, found \"" + text + "\"");
}

// Calls set or add, whichever the field needs, with the parsed value, or hands the failure on.
template <class Value, class Set, class Add>
Status store(const Result<Value>& value, bool is_repeated, Set set, Add add) {
  if (!value.ok()) return value.status();
  if (is_repeated) {
    add(*value);
  } else {
    set(*value);
  }
  return {};
}

}  // namespace

Status set_scalar(Message& message, const FieldDescriptor& field, const std::string& text,
                  const std::filesystem::path& folder) {
  const google::protobuf::Reflection& to = *message.GetReflection();
  const bool many = field.is_repeated();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_BOOL:
      return store(
          parse_bool(text), many, [&](bool v) { to.SetBool(&message, &field, v); },
          [&](bool v) { to.AddBool(&message, &field, v); });
    case FieldDescriptor::CPPTYPE_ENUM:
      return store(
          parse_word(text, field), many, [&](auto* v) { to.SetEnum(&message, &field, v); },
          [&](auto* v) { to.AddEnum(&message, &field, v); });
    case FieldDescriptor::CPPTYPE_STRING:
      return store(
          parse_text(text, field, folder), many, [&](const std::string& v) { to.SetString(&message, &field, v); },
          [&](const std::string& v) { to.AddString(&message, &field, v); });
    case FieldDescriptor::CPPTYPE_UINT32:
      return store(
          parse_bounded(text, field), many,
          [&](int64_t v) { to.SetUInt32(&message, &field, static_cast<uint32_t>(v)); },
          [&](int64_t v) { to.AddUInt32(&message, &field, static_cast<uint32_t>(v)); });
    case FieldDescriptor::CPPTYPE_UINT64:
      return store(
          parse_bounded(text, field), many,
          [&](int64_t v) { to.SetUInt64(&message, &field, static_cast<uint64_t>(v)); },
          [&](int64_t v) { to.AddUInt64(&message, &field, static_cast<uint64_t>(v)); });
    case FieldDescriptor::CPPTYPE_INT64:
      return store(
          parse_bounded(text, field), many, [&](int64_t v) { to.SetInt64(&message, &field, v); },
          [&](int64_t v) { to.AddInt64(&message, &field, v); });
    default:
      break;
  }
  check(false, "a configuration key of a type that the loader does not know");
  return {};
}

}  // namespace transom
