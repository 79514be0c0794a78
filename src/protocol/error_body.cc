#include "protocol/error_body.h"

#include "base/reason_phrase.h"
#include "schema/schema_loader.h"
#include "transcode/wire_to_json.h"

namespace transom {
namespace {

void append_name(std::string_view name, std::string& out) {
  out.append(out.ends_with('{') ? "\"" : ",\"").append(name).append("\":");
}

void append_text(std::string_view name, std::string_view text, std::string& out) {
  append_name(name, out);
  append_json_string(text, out);
}

void append_number(std::string_view name, int64_t number, std::string& out) {
  append_name(name, out);
  out += std::to_string(number);
}

void append_details(const Status& status, const Schema* schema, const JsonOptions& options, std::string& out) {
  append_name("details", out);
  out += "[";
  if (!status.details.empty()) {
    out += details_to_json(status.details, schema != nullptr ? *schema : *builtin_schema(), options);
  }
  out += "]";
}

int32_t number_of(const Status& status) { return static_cast<int32_t>(status.code); }

// The name, or the number of a code that has none.
std::string name_of(const Status& status) {
  const std::string_view name = code_name(status.code);
  return name.empty() ? std::to_string(number_of(status)) : std::string(name);
}

// 499 has no phrase of RFC 9110's, and any code may come with its own status.
std::string title_of(const Status& status) {
  const std::string_view phrase = reason_phrase(http_status_of(status));
  return phrase.empty() ? name_of(status) : std::string(phrase);
}

}  // namespace

std::string_view content_type_of(ErrorForm form) {
  return form == ErrorForm::Problem ? "application/problem+json" : "application/json";
}

std::string error_body(const Status& status, ErrorForm form, const Schema* schema, const JsonOptions& options) {
  std::string out = "{";
  if (form == ErrorForm::Problem) {
    append_text("type", "about:blank", out);
    append_text("title", title_of(status), out);
    append_number("status", http_status_of(status), out);
    append_text("detail", status.message, out);
    append_number("code", number_of(status), out);
  } else if (form == ErrorForm::Envelope) {
    append_name("error", out);
    out += "{";
    append_number("code", http_status_of(status), out);
    append_text("message", status.message, out);
    append_text("status", name_of(status), out);
  } else {
    append_number("code", number_of(status), out);
    append_text("message", status.message, out);
  }
  append_details(status, schema, options, out);
  return out + (form == ErrorForm::Envelope ? "}}" : "}");
}

std::string error_body(const Status& status, ErrorForm form) {
  return error_body(status, form, nullptr, JsonOptions{});
}

}  // namespace transom
