#include "route/path_template.h"

#include <algorithm>

#include "route/percent.h"

namespace transom {
namespace {

using Kind = TemplateSegment::Kind;

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  Result<PathTemplate> parse() {
    if (!parse_template()) {
      return proxy_error(Code::InvalidArgument, error_ + " (at character " + std::to_string(at_ + 1) + ")");
    }
    const auto many = std::ranges::find(parsed_.segments, Kind::Many, &TemplateSegment::kind);
    parsed_.many_at = static_cast<size_t>(many - parsed_.segments.begin());
    return std::move(parsed_);
  }

 private:
  bool fail(const char* what) {
    error_ = what;
    return false;
  }
  bool at_end() const { return at_ == text_.size(); }
  bool is_next(char c) const { return !at_end() && text_[at_] == c; }
  bool take(char c) {
    if (!is_next(c)) {
      return false;
    }
    ++at_;
    return true;
  }

  bool parse_template() {
    if (!take('/')) {
      return fail("a path template begins with /");
    }
    if (at_end()) {
      return true;
    }
    if (!parse_segments(false)) {
      return false;
    }
    if (take(':') && !parse_verb()) {
      return false;
    }
    return at_end() ||
           fail("nothing may follow here: a segment is a text, *, ** or one variable, and a verb comes last");
  }

  bool parse_verb() {
    const size_t begin = at_;
    if (!parse_literal(parsed_.verb)) {
      return false;
    }
    return at_ > begin || fail("a verb is missing after :");
  }

  bool parse_segments(bool is_inside) {
    do {
      if (is_next('{')) {
        if (is_inside) {
          return fail("a variable may not stand in another");
        }
        if (!parse_variable()) {
          return false;
        }
      } else if (!parse_segment()) {
        return false;
      }
    } while (take('/'));
    return true;
  }

  bool parse_segment() {
    if (take('*')) {
      return add_wildcard(take('*') ? Kind::Many : Kind::One);
    }
    TemplateSegment segment;
    const size_t begin = at_;
    if (!parse_literal(segment.text)) {
      return false;
    }
    if (at_ == begin) {
      return fail("a segment is missing");
    }
    parsed_.segments.push_back(std::move(segment));
    return true;
  }

  bool add_wildcard(Kind kind) {
    if (has_many_) {
      return fail("no wildcard may follow **");
    }
    has_many_ = kind == Kind::Many;
    parsed_.segments.push_back({kind, ""});
    return true;
  }

  bool parse_variable() {
    ++at_;  // the brace
    TemplateVariable variable;
    variable.begin = parsed_.segments.size();
    const size_t begin = at_;
    at_ = std::min(text_.find_first_of("=}/{*:?#", at_), text_.size());
    variable.field = text_.substr(begin, at_ - begin);
    if (!is_field_path(variable.field)) {
      at_ = begin;
      return fail("a variable begins with the path of a field");
    }
    if (take('=') ? !parse_segments(true) : !add_wildcard(Kind::One)) {
      return false;
    }
    if (!take('}')) {
      return fail("a variable lacks its }");
    }
    variable.end = parsed_.segments.size();
    variable.is_multi = variable.end - variable.begin > 1 || parsed_.segments.back().kind == Kind::Many;
    parsed_.variables.push_back(std::move(variable));
    return true;
  }

  static bool is_field_path(std::string_view field) {
    return !field.empty() && field.front() != '.' && field.back() != '.' && field.find("..") == std::string_view::npos;
  }

  // Up to what ends a literal; the text may come out empty.
  bool parse_literal(std::string& literal) {
    const size_t begin = at_;
    while (!at_end() && std::string_view("/{}*:").find(text_[at_]) == std::string_view::npos) {
      const char c = text_[at_];
      if (static_cast<unsigned char>(c) <= ' ' || c == 0x7f || c == '?' || c == '#') {
        return fail("this character may not stand in a path; escape it");
      }
      ++at_;
    }
    const std::string_view raw = text_.substr(begin, at_ - begin);
    if (!has_valid_escapes(raw)) {
      at_ = begin;
      return fail("a % is not followed by two hexadecimal digits");
    }
    literal = decode_percent(raw);
    return true;
  }

  std::string_view text_;
  size_t at_ = 0;
  bool has_many_ = false;
  std::string error_;
  PathTemplate parsed_;
};

}  // namespace

Result<PathTemplate> parse_path_template(std::string_view text) { return Parser(text).parse(); }

}  // namespace transom
