#include "transcode/parse_message.h"

#include "transcode/parse_list.h"
#include "transcode/parse_scalar.h"
#include "transcode/parse_well_known.h"

namespace transom {
namespace {

// The bits of one open message: a field's index, and behind the fields each oneof.
class Seen {
 public:
  Seen(JsonParse& parse, const MessagePlan& plan)
      : stack_(parse.seen), base_(stack_.push_zeros((plan.fields.size() + plan.oneofs + 63) / 64)) {}
  ~Seen() { stack_.pop_to(base_); }
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;

  bool test(size_t bit) { return (stack_[base_ + bit / 64] >> bit % 64 & 1) != 0; }
  // Whether it was set before.
  bool test_and_set(size_t bit) {
    uint64_t& word = stack_[base_ + bit / 64];
    uint64_t mask = uint64_t{1} << bit % 64;
    bool was_set = (word & mask) != 0;
    word |= mask;
    return was_set;
  }

 private:
  InlineStack<uint64_t, 32>& stack_;
  const size_t base_;
};

// While the last duplicate wins: where the bytes of each field of one open message are.
class Spans {
 public:
  Spans(JsonParse& parse, const MessagePlan& plan) : parse_(parse), base_(parse.spans.size()) {
    if (parse.does_last_duplicate_win()) {
      fields_ = plan.fields.size();
      parse.spans.push_zeros(fields_);
    }
  }
  ~Spans() { parse_.spans.pop_to(base_); }
  Spans(const Spans&) = delete;
  Spans& operator=(const Spans&) = delete;

  // Takes out what the field had so far.
  void erase(const FieldPlan& field) {
    uint64_t old = parse_.spans[base_ + field.index];
    auto from = static_cast<uint32_t>(old >> 32);
    auto to = static_cast<uint32_t>(old);
    parse_.out.erase(from, to);
    for (size_t i = 0; i < fields_; ++i) {
      uint64_t& span = parse_.spans[base_ + i];
      if (static_cast<uint32_t>(span >> 32) >= to) {
        span -= static_cast<uint64_t>(to - from) << 32 | (to - from);
      }
    }
  }
  void keep(const FieldPlan& field, size_t from) {
    if (fields_ != 0) {
      parse_.spans[base_ + field.index] = static_cast<uint64_t>(from) << 32 | parse_.out.position();
    }
  }

 private:
  JsonParse& parse_;
  const size_t base_;
  size_t fields_ = 0;
};

struct BoundMatch {
  bool is_bound = false;  // the field itself, or everything in it
  bool is_rival = false;  // the path binds another member of its oneof
  Bound inner;
};

BoundMatch match_bound(const JsonParse& parse, const FieldPlan& field, Bound bound) {
  BoundMatch match;
  match.inner.depth = bound.depth + 1;
  for (uint64_t left = bound.active; left != 0; left &= left - 1) {
    auto i = static_cast<size_t>(__builtin_ctzll(left));
    const FieldPath& path = parse.path_fields[i];
    const FieldPlan* bound_field = path[bound.depth];
    if (bound_field == &field) {
      // A text like a Timestamp's says all of the message's fields at once.
      const bool has_own_form = field.message != nullptr && field.message->codec != Codec::Plain;
      match.is_bound = match.is_bound || path.size() == bound.depth + 1 || has_own_form;
      match.inner.active |= uint64_t{1} << i;
    } else if (field.oneof >= 0 && bound_field->oneof == field.oneof) {
      match.is_rival = true;
    }
  }
  return match;
}

bool skip_null(JsonParse& parse) { return parse.in.take_literal("null") || parse.in.fail_expected("a value"); }

// At the name's quote. Fails when it is unknown and must not be; field is null when it is to be passed over.
bool read_name(JsonParse& parse, const MessagePlan& plan, size_t& expected, bool& may_be_type,
               const FieldPlan*& field) {
  JsonReader& in = parse.in;
  if (expected < plan.fields.size() && in.take_name(plan.fields[expected].json_name)) {
    field = &plan.fields[expected++];
    return true;
  }
  const char* begin = in.at();
  std::string_view name;
  if (!in.read_text(name, parse.scratch)) {
    return false;
  }
  field = plan.find_field(name);
  if (field != nullptr) {
    expected = field->index + size_t{1};
    return true;
  }
  if (may_be_type && name == "@type") {
    may_be_type = parse.does_last_duplicate_win();
    return true;
  }
  if (parse.tolerates(Slip::UnknownField)) {
    return true;
  }
  in.fail(begin, "no such field in " + std::string(plan.full_name));
  return parse.leave_member(name.substr(0, 80));
}

class Members {
 public:
  Members(JsonParse& parse, const MessagePlan& plan, Bound bound)
      : parse_(parse), plan_(plan), bound_(bound), seen_(parse, plan), spans_(parse, plan) {}

  // At the value of that field.
  bool read(const FieldPlan& field, const char* name_at) {
    if (bound_.active == 0) {
      return check_and_parse(field, name_at, Bound());
    }
    BoundMatch match = match_bound(parse_, field, bound_);
    if (match.is_bound) {
      return parse_.tolerates(Slip::BoundField) ? parse_.in.skip_value()
                                                : parse_.in.fail(name_at, "the path sets this field");
    }
    if (match.is_rival && parse_.in.peek() != 'n') {
      return parse_.in.fail(name_at, "the path sets another member of the same oneof");
    }
    return check_and_parse(field, name_at, match.inner);
  }

  // A message without one of these would be refused by whoever parses it (proto2).
  bool has_required() {
    for (const FieldPlan& field : plan_.fields) {
      if (field.is_required && !seen_.test(field.index)) {
        BoundMatch match = match_bound(parse_, field, bound_);
        if (match.inner.active == 0) {
          parse_.in.fail(parse_.in.at() - 1, "this field is required");
          return parse_.leave_member(field.json_name);
        }
      }
    }
    return true;
  }

 private:
  bool check_and_parse(const FieldPlan& field, const char* name_at, Bound inner) {
    if (seen_.test_and_set(field.index)) {
      if (!parse_.tolerates(Slip::DuplicateKey)) {
        return parse_.in.fail(name_at, "this field is given twice");
      }
      spans_.erase(field);
    }
    if (field.oneof >= 0) {
      bool is_absent = parse_.in.peek() == 'n' && !takes_null(field);
      if (!is_absent && seen_.test_and_set(plan_.fields.size() + static_cast<size_t>(field.oneof)) &&
          !is_own_oneof(field)) {
        return parse_.in.fail(name_at, "another member of the same oneof is given too");
      }
    }
    size_t from = parse_.out.position();
    bool ok = parse_field(parse_, field, inner);
    spans_.keep(field, from);
    return ok;
  }

  // Whether the oneof's bit was set by an earlier duplicate of the field alone.
  bool is_own_oneof(const FieldPlan& field) {
    if (!parse_.does_last_duplicate_win()) {
      return false;
    }
    for (const FieldPlan& other : plan_.fields) {
      if (other.oneof == field.oneof && &other != &field && seen_.test(other.index)) {
        return false;
      }
    }
    return true;
  }

  JsonParse& parse_;
  const MessagePlan& plan_;
  const Bound bound_;
  Seen seen_;
  Spans spans_;
};

}  // namespace

bool parse_members(JsonParse& parse, const MessagePlan& plan, Bound bound, bool is_any) {
  JsonReader& in = parse.in;
  Members members(parse, plan, bound);
  size_t expected = 0;
  bool may_be_type = is_any;
  for (bool is_first = true; !in.take('}'); is_first = false) {
    if (!is_first && !in.take(',')) {
      return in.fail_expected("',' or '}'");
    }
    if (in.peek() != '"') {
      return in.fail_expected("a member name");
    }
    const char* name_at = in.at();
    const FieldPlan* field = nullptr;
    if (!read_name(parse, plan, expected, may_be_type, field)) {
      return false;
    }
    if (!in.take(':')) {
      return in.fail_expected("':'");
    }
    in.peek();
    if (field == nullptr) {
      if (!in.skip_value()) {
        return false;
      }
    } else if (!members.read(*field, name_at)) {
      return parse.leave_member(field->json_name);
    }
  }
  return !plan.has_required || members.has_required();
}

bool parse_message(JsonParse& parse, const MessagePlan& plan, Bound bound) {
  if (plan.codec != Codec::Plain) {
    return parse_well_known(parse, plan);
  }
  JsonReader& in = parse.in;
  if (in.peek() != '{') {
    return in.fail_expected("an object");
  }
  if (!in.enter() || !parse.go_on()) {
    return false;
  }
  in.skip();
  ++parse.message_levels;
  bool ok = parse_members(parse, plan, bound, false);
  --parse.message_levels;
  in.leave();
  return ok;
}

bool parse_field(JsonParse& parse, const FieldPlan& field, Bound bound) {
  JsonReader& in = parse.in;
  if (in.peek() == 'n' && (field.is_repeated || !takes_null(field))) {
    return skip_null(parse);
  }
  if (field.is_map) {
    return parse_map(parse, field);
  }
  if (field.is_repeated) {
    return parse_list(parse, field);
  }
  if (field.kind == Kind::Group) {
    return in.fail(in.at(), "groups have no JSON form");
  }
  if (field.kind != Kind::Message) {
    bool ok = parse_scalar(parse, field, field.has_presence);
    parse.is_dropped = false;
    return ok;
  }
  if (!parse.out.reserve(kScalarBytesMax)) {
    return false;
  }
  parse.out.tag(field);
  size_t mark = parse.out.begin();
  if (!parse_message(parse, *field.message, bound)) {
    return false;
  }
  parse.out.end(mark);
  return true;
}

}  // namespace transom
