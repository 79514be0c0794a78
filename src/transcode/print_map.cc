#include "transcode/print_map.h"

#include <algorithm>
#include <vector>

#include "base/limits.h"
#include "transcode/print_message.h"
#include "transcode/print_scalar.h"

namespace transom {
namespace {

// Where key and value of one entry are; of each the last.
struct Entry {
  WireValue key;  // 0 and empty when it is absent
  WireValue value;
  bool has_value = false;
  bool is_split = false;  // the value is a message in more than one part
};

// Equal for equal keys, and seldom for others: keys often begin alike, so that the end counts as well.
uint64_t prefix_of(std::string_view text) {
  constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;
  if (text.size() >= sizeof(uint64_t)) {
    const uint64_t tail = read_fixed64(text.data() + text.size() - sizeof(uint64_t));
    return (read_fixed64(text.data()) * kMultiplier ^ tail) * kMultiplier ^ text.size();
  }
  uint64_t prefix = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    prefix |= uint64_t{static_cast<uint8_t>(text[i])} << 8 * i;
  }
  return prefix;
}

class MapPrinter {
 public:
  MapPrinter(JsonPrint& print, const FieldPlan& field, FieldWalk& walk)
      : print_(print),
        walk_(walk),
        key_(field.message->fields[0]),
        value_(field.message->fields[1]),
        base_(print.slots.size()) {}
  ~MapPrinter() { print_.slots.pop_to(base_); }
  MapPrinter(const MapPrinter&) = delete;
  MapPrinter& operator=(const MapPrinter&) = delete;

  bool print(bool& is_first) {
    FieldWalk::Place begin = walk_.place();
    if (!read_few(is_first)) {
      return false;
    }
    if (is_done_) {
      return true;
    }
    walk_.go_back(begin);
    return find_losers() && print_many(is_first);
  }

 private:
  static constexpr size_t kFew = 4;

  struct Few {
    Entry entry;
    std::string_view content;
    MapSlot slot;
  };

  // Most maps have few entries, and no key twice: those are read once and need no order.
  bool read_few(bool& is_first) {
    Few few[kFew];
    size_t count = 0;
    do {
      if (count == kFew) {
        return true;
      }
      Few& last = few[count];
      last.entry = Entry();
      last.content = walk_.value().content;
      if (!read_entry(last.content, last.entry)) {
        return false;
      }
      if (is_dropped(last.entry)) {
        continue;
      }
      last.slot = slot_of(last.entry, offset(last.content.data()));
      for (size_t i = 0; i < count; ++i) {
        if (have_one_key(few[i].slot, last.slot)) {
          return true;
        }
      }
      ++count;
    } while (walk_.next_value());
    is_done_ = true;
    for (size_t i = 0; i < count; ++i) {
      if (!print_one(few[i].entry, few[i].content, is_first)) {
        return false;
      }
    }
    return true;
  }

  bool print_one(const Entry& entry, std::string_view content, bool& is_first) {
    if ((!is_first && !print_.out.write(",")) || !print_entry(entry, content)) {
      return false;
    }
    is_first = false;
    return true;
  }

  bool print_many(bool& is_first) {
    do {
      std::string_view content = walk_.value().content;
      Entry entry;
      if (!read_entry(content, entry)) {
        return false;
      }
      bool is_lost = !losers_.empty() && std::binary_search(losers_.begin(), losers_.end(), offset(content.data()));
      if (!is_lost && !is_dropped(entry) && !print_one(entry, content, is_first)) {
        return false;
      }
    } while (walk_.next_value());
    return true;
  }

  uint32_t offset(const char* at) const { return static_cast<uint32_t>(at - print_.wire.data()); }

  bool is_dropped(const Entry& entry) const { return entry.has_value && is_unnamed_value(value_, entry.value.bits); }

  bool read_entry(std::string_view content, Entry& entry) {
    const char* at = content.data();
    const char* end = at + content.size();
    while (at < end) {
      WireTag tag;
      if (!read_tag(at, end, tag)) {
        return print_.fail_malformed();
      }
      WireValue value;
      if (!read_wire_value(at, end, tag, kUnknownGroupDepthMax, value)) {
        return print_.fail_malformed();
      }
      if (tag.number == key_.number && tag.type == wire_type_of(key_.kind)) {
        entry.key = value;
      } else if (tag.number == value_.number && tag.type == wire_type_of(value_.kind)) {
        entry.is_split = entry.has_value && value_.kind == Kind::Message;
        entry.has_value = true;
        entry.value = value;
      }
    }
    return true;
  }

  // Equal for equal keys.
  uint64_t key_number(uint64_t bits) const {
    bool is_narrow = key_.kind == Kind::Int32 || key_.kind == Kind::Uint32 || key_.kind == Kind::Sint32;
    return key_.kind == Kind::Bool ? bits != 0 : is_narrow ? bits & 0xffffffff : bits;
  }

  MapSlot slot_of(const Entry& entry, uint32_t entry_at) const {
    std::string_view text = entry.key.content;
    if (text.empty()) {
      return {key_number(entry.key.bits), 0, 0, entry_at};
    }
    return {prefix_of(text), offset(text.data()), static_cast<uint32_t>(text.size()), entry_at};
  }

  std::string_view key_text(const MapSlot& slot) const { return print_.wire.substr(slot.key_at, slot.key_bytes); }

  bool have_one_key(const MapSlot& a, const MapSlot& b) const {
    return a.prefix == b.prefix && key_text(a) == key_text(b);
  }

  // Looks through the entries for keys that come again; only the last of them is printed.
  bool find_losers() {
    FieldWalk::Place begin = walk_.place();
    do {
      std::string_view content = walk_.value().content;
      Entry entry;
      if (!read_entry(content, entry)) {
        return false;
      }
      if (!is_dropped(entry)) {
        print_.slots.push(slot_of(entry, offset(content.data())));
      }
    } while (walk_.next_value());
    walk_.go_back(begin);
    sort_slots();
    return true;
  }

  void sort_slots() {
    MapSlot* first = print_.slots.begin() + base_;
    MapSlot* last = print_.slots.end();
    std::sort(first, last, [&](const MapSlot& a, const MapSlot& b) {
      if (a.prefix != b.prefix) {
        return a.prefix < b.prefix;
      }
      int order = key_text(a).compare(key_text(b));
      return order != 0 ? order < 0 : a.entry_at < b.entry_at;
    });
    for (MapSlot* slot = first; slot + 1 < last; ++slot) {
      if (have_one_key(slot[0], slot[1])) {
        losers_.push_back(slot->entry_at);
      }
    }
    std::sort(losers_.begin(), losers_.end());
  }

  bool print_key(const WireValue& key) {
    return key_.kind == Kind::String ? print_string(print_, key.content)
                                     : print_number_key(print_, key_, key_number(key.bits));
  }

  bool print_entry(const Entry& entry, std::string_view content) {
    if (!print_key(entry.key) || !print_.out.write(":")) {
      return false;
    }
    if (value_.kind != Kind::Message) {
      return entry.has_value ? print_scalar(print_, value_, entry.value) : print_default_scalar(print_, value_);
    }
    ++print_.message_levels;
    bool ok = entry.is_split ? print_split_value(content)
                             : print_message(print_, *value_.message, Parts(&entry.value.content, 1));
    --print_.message_levels;
    return ok;
  }

  bool print_split_value(std::string_view content) {
    std::vector<std::string_view> parts;
    const char* at = content.data();
    const char* end = at + content.size();
    WireTag tag;
    WireValue value;
    while (at < end && read_tag(at, end, tag) && read_wire_value(at, end, tag, kUnknownGroupDepthMax, value)) {
      if (tag.number == value_.number && tag.type == WireType::Bytes) {
        parts.push_back(value.content);
      }
    }
    return print_message(print_, *value_.message, parts);
  }

  JsonPrint& print_;
  FieldWalk& walk_;
  const FieldPlan& key_;
  const FieldPlan& value_;
  const size_t base_;
  std::vector<uint32_t> losers_;
  bool is_done_ = false;
};

}  // namespace

bool print_map_entries(JsonPrint& print, const FieldPlan& field, FieldWalk& walk, bool& is_first) {
  return MapPrinter(print, field, walk).print(is_first);
}

}  // namespace transom
