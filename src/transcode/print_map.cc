#include "transcode/print_map.h"

#include <algorithm>
#include <vector>

#include "base/limits.h"
#include "transcode/key_set.h"
#include "transcode/print_message.h"
#include "transcode/print_scalar.h"

namespace transom {
namespace {

// Where key and value of one entry are; of each the last.
struct Entry {
  std::string_view key;     // empty when it is absent
  uint64_t key_number = 0;  // of a key that is no string: equal for equal keys
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
        key_tag_{key_.number, wire_type_of(key_.kind)},
        value_tag_{value_.number, wire_type_of(value_.kind)},
        has_text_keys_(key_.kind == Kind::String),
        has_integers_(is_integer_kind(value_.kind)),
        base_(print.slots.size()),
        prints_base_(print.key_prints.size()) {}
  ~MapPrinter() {
    print_.slots.pop_to(base_);
    print_.key_prints.pop_to(prints_base_);
  }
  MapPrinter(const MapPrinter&) = delete;
  MapPrinter& operator=(const MapPrinter&) = delete;

  // At first each key is taken to come once, and a print that finds otherwise begins anew and carefully.
  bool print(bool& is_first) {
    return print_.is_careful ? find_losers() && print_many(is_first) : print_unique(is_first);
  }

 private:
  // Keys that ascend are not remembered, and others compared once all is printed.
  bool print_unique(bool& is_first) {
    const FieldWalk::Place begin = walk_.place();
    size_t printed = 0;
    bool is_ordered = true;
    Entry entry;
    std::string_view prior;
    uint64_t prior_number = 0;
    do {
      std::string_view content = walk_.value().content;
      if (!read_usual_entry(content, entry) && !read_any_entry(content, entry)) {
        return false;
      }
      if (is_dropped(entry)) {
        continue;
      }
      if (is_ordered && printed > 0) {
        is_ordered = has_text_keys_ ? is_key_after(entry.key, prior) : entry.key_number > prior_number;
        if (!is_ordered) {
          remember_keys(begin, printed);
        }
      }
      if (!is_ordered) {
        print_.key_prints.push(fingerprint(entry));
      }
      prior = entry.key;
      prior_number = entry.key_number;
      ++printed;
      if (!print_one(entry, content, is_first)) {
        return false;
      }
    } while (walk_.next_value());
    return are_unique() || print_.fail_untidy();
  }

  bool are_unique() {
    const size_t end = print_.key_prints.size();
    KeySet set(print_.key_tables, end - prints_base_);
    bool ok = true;
    for (size_t i = prints_base_; ok && i < end; ++i) {
      ok = set.add(print_.key_prints[i]);
    }
    return ok;
  }

  uint64_t fingerprint(const Entry& entry) const {
    return has_text_keys_ ? fingerprint_of(entry.key) : fingerprint_of(entry.key_number);
  }

  // Of that many entries that were read before.
  void remember_keys(const FieldWalk::Place& begin, size_t count) {
    const FieldWalk::Place here = walk_.place();
    walk_.go_back(begin);
    while (count > 0) {
      Entry entry;
      read_entry(walk_.value().content, entry);
      if (!is_dropped(entry)) {
        print_.key_prints.push(fingerprint(entry));
        --count;
      }
      walk_.next_value();
    }
    walk_.go_back(here);
  }

  bool print_one(const Entry& entry, std::string_view content, bool& is_first) {
    const bool has_comma = !is_first;
    is_first = false;
    return print_key(entry, has_comma) && print_entry_value(entry, content);
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
    return read_usual_entry(content, entry) || read_any_entry(content, entry);
  }

  // A key and a value and nothing else, as everybody writes them; false for any other form.
  [[gnu::always_inline]] bool read_usual_entry(std::string_view content, Entry& entry) const {
    const char* at = content.data();
    const char* end = at + content.size();
    if (at == end || static_cast<uint8_t>(*at++) != key_.tag[0]) {
      return false;
    }
    if (has_text_keys_) {
      if (!read_delimited(at, end, entry.key)) {
        return false;
      }
    } else {
      uint64_t bits = 0;
      if (!read_bits(at, end, key_tag_, bits)) {
        return false;
      }
      entry.key_number = key_number(bits);
    }
    if (at == end || static_cast<uint8_t>(*at++) != value_.tag[0]) {
      return false;
    }
    entry.has_value = true;
    entry.is_split = false;
    const bool ok = value_tag_.type == WireType::Bytes ? read_delimited(at, end, entry.value.content)
                                                       : read_bits(at, end, value_tag_, entry.value.bits);
    return ok && at == end;
  }

  static bool read_bits(const char*& at, const char* end, const WireTag& tag, uint64_t& bits) {
    if (tag.type == WireType::Varint) {
      return read_varint(at, end, bits);
    }
    WireValue value;
    bool ok = read_wire_value(at, end, tag, 0, value);
    bits = value.bits;
    return ok;
  }

  [[gnu::noinline]] bool read_any_entry(std::string_view content, Entry& entry) {
    entry = Entry();
    entry.key = content.substr(0, 0);
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
      if (tag.number == key_.number && tag.type == key_tag_.type) {
        entry.key = value.content;
        entry.key_number = has_text_keys_ ? 0 : key_number(value.bits);
      } else if (tag.number == value_.number && tag.type == value_tag_.type) {
        if (entry.has_value && is_unnamed_value(value_, value.bits)) {
          continue;  // an unknown field of the entry, as in any message, which leaves the value as it is
        }
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
    std::string_view text = entry.key;
    if (text.empty()) {
      return {entry.key_number, 0, 0, entry_at};
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

  // With a comma before and a colon after it.
  bool print_key(const Entry& entry, bool has_comma) {
    JsonWriter& out = print_.out;
    if (!has_text_keys_) {
      return print_number_key(print_, key_, entry.key_number, has_comma);
    }
    if (!out.reserve(JsonWriter::kShortStringBytes + 2)) {
      return false;
    }
    *out.at() = ',';
    out.set_at(out.at() + (has_comma ? 1 : 0));
    if (out.put_short_string(entry.key, print_.wire.data() + print_.wire.size())) [[likely]] {
      out.put(':');
      return true;
    }
    return print_string(print_, entry.key) && out.write(":");
  }

  bool print_entry_value(const Entry& entry, std::string_view content) {
    if (!entry.has_value && value_.kind != Kind::Message) {
      return print_default_scalar(print_, value_);
    }
    if (value_.kind == Kind::String) {
      return print_wire_string(print_, entry.value.content);
    }
    if (has_integers_) {
      if (!print_.out.reserve(JsonWriter::kNumberBytesMax)) {
        return false;
      }
      print_.out.set_at(
          write_integer(print_.out.at(), value_.kind, !print_.options.int64_as_number, entry.value.bits));
      return true;
    }
    if (value_.kind != Kind::Message) {
      return print_scalar(print_, value_, entry.value);
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
  const WireTag key_tag_;
  const WireTag value_tag_;
  const bool has_text_keys_;
  const bool has_integers_;
  const size_t base_;
  const size_t prints_base_;
  std::vector<uint32_t> losers_;
};

}  // namespace

bool print_map_entries(JsonPrint& print, const FieldPlan& field, FieldWalk& walk, bool& is_first) {
  return MapPrinter(print, field, walk).print(is_first);
}

}  // namespace transom
