// FieldWalk finds the fields of one message in its wire bytes. As long as each field is one run, which is how everybody
// writes, they are read where they stand, and the print is given up as untidy when one comes again. A careful print
// first looks over each message's own tags (what is inside a field costs nothing there) and reads such a message
// through an index, by the wire's rules: the last of a singular field wins, lists are joined, the parts of a message
// are merged, of a oneof only the last member counts. So no message is printed more than twice. A local variable of a
// print_ function.
#pragma once

#include <cstdint>

#include "schema/plan.h"
#include "transcode/json_print.h"
#include "transcode/wire_reader.h"

namespace transom {

inline bool is_packable_type(WireType type) { return type != WireType::Bytes && type != WireType::GroupBegin; }

class FieldWalk {
 public:
  // plan and parts must outlive it.
  FieldWalk(JsonPrint& print, const MessagePlan& plan, Parts parts);
  ~FieldWalk();
  FieldWalk(const FieldWalk&) = delete;
  FieldWalk& operator=(const FieldWalk&) = delete;

  // The next field that is there, nullptr at the end or when the print has failed.
  const FieldPlan* next_field();
  // The value at hand.
  const WireValue& value() const { return value_; }
  // The next value of the same field, if there is one.
  bool next_value() {
    // Most are as the last one was: a short string or message under a tag of one byte.
    if (!is_indexed_ && end_ - at_ >= 2 && static_cast<uint8_t>(*at_) == field_->tag[0] && field_->tag_bytes == 1 &&
        (*at_ & 7) == static_cast<int>(WireType::Bytes)) {
      const auto bytes = static_cast<int8_t>(at_[1]);
      if (bytes >= 0 && bytes <= end_ - at_ - 2) {
        value_.type = WireType::Bytes;
        value_.content = {at_ + 2, static_cast<size_t>(bytes)};
        at_ += 2 + bytes;
        return true;
      }
    }
    return find_next_value();
  }
  // Passes over what is left; false when the print has failed.
  bool finish();
  // The field's last value, for singular scalars.
  void to_last_value();

  // Whether a field was there at all.
  bool has(const FieldPlan& field) const;
  // Whether there may be more than one value of a singular field.
  bool is_indexed() const { return is_indexed_; }

  // A way back, to read the values of the field at hand twice.
  struct Place {
    const char* at;
    WireValue value;
    size_t entry;
  };
  Place place() const { return {at_, value_, entry_}; }
  void go_back(const Place& place) {
    at_ = place.at;
    value_ = place.value;
    entry_ = place.entry;
  }

 private:
  bool find_next_value();
  const FieldPlan* take_expected(const char*& p);
  const FieldPlan* look_up(const WireTag& tag);
  bool survey();
  bool survey_part(std::string_view part, const FieldPlan*& run);
  // False when the field, or another member of its oneof, was marked before.
  bool mark(const FieldPlan& field);
  void build_index();
  void drop_lost_oneof_members(size_t base);
  void load_entry();
  bool read_value(const WireTag& tag);

  JsonPrint& print_;
  const MessagePlan& plan_;
  const Parts parts_;
  const size_t seen_base_;
  const size_t index_base_;
  size_t index_end_ = 0;
  size_t entry_ = 0;          // in print_.index
  const char* at_ = nullptr;  // behind the value at hand, in the only part
  const char* end_ = nullptr;
  WireValue value_;
  const FieldPlan* field_ = nullptr;
  size_t expected_ = 0;  // position of the field that probably comes next
  bool is_indexed_ = false;
  bool is_started_ = false;
};

}  // namespace transom
