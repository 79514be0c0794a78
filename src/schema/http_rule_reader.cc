#include "schema/http_rule_reader.h"

#include <google/protobuf/unknown_field_set.h>

namespace transom {
namespace {

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

constexpr int kHttpExtension = 72295728;  // google/api/annotations.proto

// Fields of google.api.HttpRule and CustomHttpPattern.
enum RuleField {
  kGet = 2,
  kPut = 3,
  kPost = 4,
  kDelete = 5,
  kPatch = 6,
  kBody = 7,
  kCustom = 8,
  kAdditional = 11,
  kResponseBody = 12
};
enum CustomField { kKind = 1, kPath = 2 };

struct ParsedRule {
  HttpRule rule;
  std::vector<std::string> additional;  // serialized HttpRules
};

void set_pattern(HttpRule& rule, const char* method, const std::string& path) {
  rule.method = method;
  rule.path = path;
}

bool parse_custom(const std::string& bytes, HttpRule& rule) {
  UnknownFieldSet fields;
  if (!fields.ParseFromString(bytes)) {
    return false;
  }
  rule.method.clear();
  rule.path.clear();
  for (int i = 0; i < fields.field_count(); ++i) {
    const UnknownField& field = fields.field(i);
    if (field.type() == UnknownField::TYPE_LENGTH_DELIMITED && field.number() == kKind) {
      rule.method = field.length_delimited();
    } else if (field.type() == UnknownField::TYPE_LENGTH_DELIMITED && field.number() == kPath) {
      rule.path = field.length_delimited();
    }
  }
  return true;
}

bool parse_field(int number, const std::string& bytes, ParsedRule& parsed) {
  switch (number) {
    case kGet:
      set_pattern(parsed.rule, "GET", bytes);
      break;
    case kPut:
      set_pattern(parsed.rule, "PUT", bytes);
      break;
    case kPost:
      set_pattern(parsed.rule, "POST", bytes);
      break;
    case kDelete:
      set_pattern(parsed.rule, "DELETE", bytes);
      break;
    case kPatch:
      set_pattern(parsed.rule, "PATCH", bytes);
      break;
    case kBody:
      parsed.rule.body = bytes;
      break;
    case kCustom:
      return parse_custom(bytes, parsed.rule);
    case kAdditional:
      parsed.additional.push_back(bytes);
      break;
    case kResponseBody:
      parsed.rule.response_body = bytes;
      break;
    default:
      break;
  }
  return true;
}

bool parse_rule(const std::string& bytes, ParsedRule& parsed) {
  UnknownFieldSet fields;
  if (!fields.ParseFromString(bytes)) {
    return false;
  }
  for (int i = 0; i < fields.field_count(); ++i) {
    const UnknownField& field = fields.field(i);
    if (field.type() == UnknownField::TYPE_LENGTH_DELIMITED &&
        !parse_field(field.number(), field.length_delimited(), parsed)) {
      return false;
    }
  }
  return true;
}

// The option's bytes; a repeated occurrence of a message field merges, and concatenating merges.
bool find_option(const std::string& method_options, std::string& option) {
  UnknownFieldSet fields;
  bool found = false;
  if (!fields.ParseFromString(method_options)) {
    return false;
  }
  for (int i = 0; i < fields.field_count(); ++i) {
    const UnknownField& field = fields.field(i);
    if (field.number() == kHttpExtension && field.type() == UnknownField::TYPE_LENGTH_DELIMITED) {
      option += field.length_delimited();
      found = true;
    }
  }
  return found;
}

Status bad_rule(std::string_view selector, const char* what) {
  return proxy_error(Code::InvalidArgument, std::string(selector) + ": google.api.http: " + what);
}

}  // namespace

Result<std::vector<HttpRule>> read_http_rules(const std::string& method_options, std::string_view selector) {
  std::vector<HttpRule> rules;
  std::string option;
  if (!find_option(method_options, option)) {
    return rules;
  }
  ParsedRule first;
  if (!parse_rule(option, first)) {
    return bad_rule(selector, "is no google.api.HttpRule");
  }
  first.rule.selector = selector;
  rules.push_back(std::move(first.rule));
  for (const std::string& bytes : first.additional) {
    ParsedRule parsed;
    if (!parse_rule(bytes, parsed)) {
      return bad_rule(selector, "an additional binding is no google.api.HttpRule");
    }
    if (!parsed.additional.empty()) {
      return bad_rule(selector, "an additional binding may not have additional_bindings of its own");
    }
    parsed.rule.selector = selector;
    rules.push_back(std::move(parsed.rule));
  }
  return rules;
}

}  // namespace transom
