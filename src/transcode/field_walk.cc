#include "transcode/field_walk.h"

#include <algorithm>

#include "base/limits.h"

namespace transom {
namespace {

constexpr uint16_t kLost = 0xffff;

bool accepts(const FieldPlan& field, WireType type) {
  WireType own = wire_type_of(field.kind);
  return type == own || (field.is_repeated && type == WireType::Bytes && is_packable_type(own));
}

// A number that a closed enum has no name for is an unknown field (proto2).
bool is_unknown(const FieldPlan& field, const WireValue& value) {
  return field.kind == Kind::Enum && !field.is_repeated && field.enumeration->is_closed &&
         field.enumeration->find(static_cast<int32_t>(value.bits)) == nullptr;
}

}  // namespace

FieldWalk::FieldWalk(JsonPrint& print, const MessagePlan& plan, Parts parts)
    : print_(print),
      plan_(plan),
      parts_(parts),
      seen_base_(print.seen.push_zeros((plan.fields.size() + plan.oneofs + 63) / 64)),
      index_base_(print.index.size()) {
  is_indexed_ = parts.size() > 1;
  if ((print.is_careful || is_indexed_) && !survey()) {
    print_.fail_malformed();
  } else if (is_indexed_) {
    build_index();
  } else if (!parts.empty()) {
    at_ = parts[0].data();
    end_ = at_ + parts[0].size();
  }
}

FieldWalk::~FieldWalk() {
  print_.seen.pop_to(seen_base_);
  print_.index.pop_to(index_base_);
}

bool FieldWalk::has(const FieldPlan& field) const {
  return (print_.seen[seen_base_ + field.index / 64] >> field.index % 64 & 1) != 0;
}

// Messages are mostly written in the order of their fields, and most tags are one byte.
inline const FieldPlan* FieldWalk::take_expected(const char*& p) {
  if (expected_ >= plan_.fields.size()) {
    return nullptr;
  }
  const FieldPlan& field = plan_.fields[expected_];
  if (field.tag_bytes != 1 || static_cast<uint8_t>(*p) != field.tag[0]) {
    return nullptr;
  }
  ++p;
  expected_ += field.is_repeated ? 0 : 1;
  return &field;
}

const FieldPlan* FieldWalk::look_up(const WireTag& tag) {
  const FieldPlan* field = nullptr;
  if (expected_ < plan_.fields.size() && plan_.fields[expected_].number == tag.number) {
    field = &plan_.fields[expected_];
  } else {
    field = plan_.find_field(tag.number);
  }
  if (field == nullptr || !accepts(*field, tag.type)) {
    return nullptr;
  }
  expected_ = field->index + (field->is_repeated ? size_t{0} : size_t{1});
  return field;
}

inline bool FieldWalk::mark(const FieldPlan& field) {
  uint64_t& word = print_.seen[seen_base_ + field.index / 64];
  uint64_t bit = uint64_t{1} << field.index % 64;
  bool is_new = (word & bit) == 0;
  word |= bit;
  if (field.oneof >= 0) {
    size_t oneof = plan_.fields.size() + static_cast<size_t>(field.oneof);
    uint64_t& oneof_word = print_.seen[seen_base_ + oneof / 64];
    uint64_t oneof_bit = uint64_t{1} << oneof % 64;
    is_new = is_new && (oneof_word & oneof_bit) == 0;
    oneof_word |= oneof_bit;
  }
  return is_new;
}

bool FieldWalk::survey_part(std::string_view part, const FieldPlan*& run) {
  const char* p = part.data();
  const char* end = p + part.size();
  while (p < end) {
    WireTag tag;
    if (!read_tag(p, end, tag)) {
      return false;
    }
    const FieldPlan* field = look_up(tag);
    WireValue value;
    if (!read_wire_value(p, end, tag, kUnknownGroupDepthMax, value)) {
      return false;
    }
    if (field == nullptr || is_unknown(*field, value)) {
      run = nullptr;
      continue;
    }
    bool goes_on = field == run && field->is_repeated;
    is_indexed_ = (!goes_on && !mark(*field)) || is_indexed_;
    run = field;
  }
  return true;
}

bool FieldWalk::survey() {
  const FieldPlan* run = nullptr;
  for (std::string_view part : parts_) {
    if (!survey_part(part, run)) {
      return false;
    }
  }
  expected_ = 0;
  return true;
}

void FieldWalk::build_index() {
  for (std::string_view part : parts_) {
    const char* p = part.data();
    const char* end = p + part.size();
    while (p < end) {
      WireTag tag;
      read_tag(p, end, tag);
      const FieldPlan* field = look_up(tag);
      auto offset = static_cast<uint32_t>(p - print_.wire.data());
      WireValue value;
      read_wire_value(p, end, tag, kUnknownGroupDepthMax, value);
      if (field != nullptr && !is_unknown(*field, value)) {
        print_.index.push({offset, field->index, static_cast<uint16_t>(tag.type)});
      }
    }
  }
  if (plan_.oneofs != 0) {
    drop_lost_oneof_members(print_.seen.push_zeros(plan_.oneofs));
  }
  std::sort(print_.index.begin() + index_base_, print_.index.end(), [](const IndexEntry& a, const IndexEntry& b) {
    return a.field != b.field ? a.field < b.field : a.at < b.at;
  });
  index_end_ = print_.index.size();
  while (index_end_ > index_base_ && print_.index[index_end_ - 1].field == kLost) {
    --index_end_;
  }
  entry_ = index_base_;
}

// From the end: the last member of each oneof stays, back to where another one stood.
void FieldWalk::drop_lost_oneof_members(size_t base) {
  constexpr uint64_t kClosed = uint64_t{1} << 32;
  for (size_t i = print_.index.size(); i-- > index_base_;) {
    IndexEntry& entry = print_.index[i];
    const FieldPlan& field = plan_.fields[entry.field];
    if (field.oneof < 0) {
      continue;
    }
    uint64_t& winner = print_.seen[base + static_cast<size_t>(field.oneof)];
    uint64_t self = field.index + uint64_t{1};
    if (winner == 0) {
      winner = self;
    } else if (winner != self) {
      winner |= kClosed;
      entry.field = kLost;
    }
  }
  print_.seen.pop_to(base);
}

// The survey has seen that all is well there.
void FieldWalk::load_entry() {
  const IndexEntry& entry = print_.index[entry_];
  const char* at = print_.wire.data() + entry.at;
  WireTag tag{plan_.fields[entry.field].number, static_cast<WireType>(entry.type)};
  read_wire_value(at, print_.wire.data() + print_.wire.size(), tag, kUnknownGroupDepthMax, value_);
}

inline bool FieldWalk::read_value(const WireTag& tag) {
  return read_wire_value(at_, end_, tag, kUnknownGroupDepthMax, value_) || print_.fail_malformed();
}

const FieldPlan* FieldWalk::next_field() {
  if (print_.problem != nullptr) {
    return nullptr;
  }
  if (is_indexed_) {
    while (is_started_ && entry_ < index_end_ && &plan_.fields[print_.index[entry_].field] == field_) {
      ++entry_;
    }
    is_started_ = true;
    if (entry_ >= index_end_) {
      return nullptr;
    }
    load_entry();
    return field_ = &plan_.fields[print_.index[entry_].field];
  }
  while (at_ < end_) {
    WireTag tag;
    tag.type = static_cast<WireType>(*at_ & 7);
    field_ = take_expected(at_);
    if (field_ != nullptr) {
      tag.number = field_->number;
    } else {
      if (!read_tag(at_, end_, tag)) {
        print_.fail_malformed();
        return nullptr;
      }
      field_ = look_up(tag);
    }
    if (!read_value(tag)) {
      return nullptr;
    }
    if (field_ != nullptr && !is_unknown(*field_, value_)) {
      if (!print_.is_careful && !mark(*field_)) {
        print_.fail_untidy();
        return nullptr;
      }
      return field_;
    }
  }
  return nullptr;
}

bool FieldWalk::find_next_value() {
  if (is_indexed_) {
    if (entry_ + 1 >= index_end_ || &plan_.fields[print_.index[entry_ + 1].field] != field_) {
      return false;
    }
    ++entry_;
    load_entry();
    return true;
  }
  if (at_ >= end_) {
    return false;
  }
  auto first = static_cast<uint8_t>(*at_);
  const char* at = at_;
  WireTag tag;
  if (first == field_->tag[0] && field_->tag_bytes == 1) {
    tag = {field_->number, static_cast<WireType>(first & 7)};
    ++at;
  } else if ((first < 0x80 && first >> 3 != field_->number) || !read_tag(at, end_, tag) ||
             tag.number != field_->number || !accepts(*field_, tag.type)) {
    return false;
  }
  // What is wrong here is told by next_field, which comes upon it again.
  WireValue value;
  if (!read_wire_value(at, end_, tag, kUnknownGroupDepthMax, value)) {
    return false;
  }
  at_ = at;
  value_ = value;
  return true;
}

bool FieldWalk::finish() {
  while (!is_indexed_ && next_field() != nullptr) {
    while (next_value()) {
    }
  }
  return print_.problem == nullptr;
}

void FieldWalk::to_last_value() {
  while (is_indexed_ && next_value()) {
  }
}

}  // namespace transom
