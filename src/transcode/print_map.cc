#include "transcode/print_map.h"

#include <algorithm>
#include <vector>

#include "transcode/print_message.h"
#include "transcode/print_scalar.h"

namespace transom {
namespace {

constexpr int kUnknownGroupDepthMax = 100;

std::string_view content_of(const char*& at) {
  uint64_t bytes = read_valid_varint(at);
  at += bytes;
  return {at - bytes, static_cast<size_t>(bytes)};
}

// Where key and value of one entry are; of each the last.
struct Entry {
  const char* key = nullptr;
  const char* value = nullptr;
  bool is_split = false;  // the value is a message in more than one part
};

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
    if (!find_losers()) {
      return false;
    }
    do {
      uint32_t at = offset(walk_.at);
      std::string_view content = content_of(walk_.at);
      Entry entry;
      read_entry(content, entry);
      bool is_lost = !losers_.empty() && std::binary_search(losers_.begin(), losers_.end(), at);
      if (is_lost || is_dropped(entry)) {
        continue;
      }
      if ((!is_first && !print_.out.write(",")) || !print_entry(entry, content)) {
        return false;
      }
      is_first = false;
    } while (walk_.next_value());
    return true;
  }

 private:
  uint32_t offset(const char* at) const { return static_cast<uint32_t>(at - print_.wire.data()); }

  bool is_dropped(const Entry& entry) const { return entry.value != nullptr && is_unnamed_value(value_, entry.value); }

  bool read_entry(std::string_view content, Entry& entry) {
    const char* at = content.data();
    const char* end = at + content.size();
    while (at < end) {
      WireTag tag;
      if (!read_tag(at, end, tag)) {
        return print_.fail_malformed();
      }
      const char* begin = at;
      if (!skip_wire_value(at, end, tag, kUnknownGroupDepthMax)) {
        return print_.fail_malformed();
      }
      if (tag.number == key_.number && tag.type == wire_type_of(key_.kind)) {
        entry.key = begin;
      } else if (tag.number == value_.number && tag.type == wire_type_of(value_.kind)) {
        entry.is_split = entry.value != nullptr && value_.kind == Kind::Message;
        entry.value = begin;
      }
    }
    return true;
  }

  uint64_t key_number(const char* at) const {
    switch (wire_type_of(key_.kind)) {
      case WireType::Fixed32:
        return read_fixed32(at);
      case WireType::Fixed64:
        return read_fixed64(at);
      default:
        break;
    }
    uint64_t value = read_valid_varint(at);
    bool is_narrow = key_.kind == Kind::Int32 || key_.kind == Kind::Uint32 || key_.kind == Kind::Sint32;
    return key_.kind == Kind::Bool ? value != 0 : is_narrow ? value & 0xffffffff : value;
  }

  MapSlot slot_of(const Entry& entry, uint32_t entry_at) const {
    if (entry.key == nullptr) {
      return {0, 0, entry_at};
    }
    if (key_.kind != Kind::String) {
      return {key_number(entry.key), 0, entry_at};
    }
    const char* at = entry.key;
    std::string_view text = content_of(at);
    uint64_t prefix = 0;
    copy_bytes(reinterpret_cast<char*>(&prefix), text.data(), std::min(text.size(), sizeof prefix));
    return {prefix, offset(entry.key), entry_at};
  }

  // 0 for an entry without a key, which is the start of the wire and so the length of no key.
  std::string_view key_text(const MapSlot& slot) const {
    if (slot.key_at == 0) {
      return {};
    }
    const char* at = print_.wire.data() + slot.key_at;
    return content_of(at);
  }

  bool have_one_key(const MapSlot& a, const MapSlot& b) const {
    return a.prefix == b.prefix && key_text(a) == key_text(b);
  }

  // Looks through the entries for keys that come again; only the last of them is printed.
  bool find_losers() {
    FieldWalk::Place begin = walk_.place();
    bool may_clash = false;
    do {
      uint32_t at = offset(walk_.at);
      Entry entry;
      if (!read_entry(content_of(walk_.at), entry)) {
        return false;
      }
      if (is_dropped(entry)) {
        continue;
      }
      MapSlot slot = slot_of(entry, at);
      size_t count = print_.slots.size() - base_;
      for (size_t i = 0; i < count && count < kFewSlots; ++i) {
        may_clash = may_clash || print_.slots[base_ + i].prefix == slot.prefix;
      }
      print_.slots.push(slot);
    } while (walk_.next_value());
    walk_.go_back(begin);
    if (may_clash || print_.slots.size() - base_ > kFewSlots) {
      sort_slots();
    }
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

  bool print_key(const char* at) {
    if (key_.kind != Kind::String) {
      return print_number_key(print_, key_, at == nullptr ? 0 : key_number(at));
    }
    return print_string(print_, at == nullptr ? std::string_view() : content_of(at));
  }

  bool print_entry(const Entry& entry, std::string_view content) {
    if (!print_key(entry.key) || !print_.out.write(":")) {
      return false;
    }
    const char* at = entry.value;
    if (value_.kind != Kind::Message) {
      return at == nullptr ? print_default_scalar(print_, value_) : print_scalar(print_, value_, at);
    }
    ++print_.message_levels;
    std::string_view message = at == nullptr ? std::string_view() : content_of(at);
    bool ok = entry.is_split ? print_split_value(content) : print_message(print_, *value_.message, Parts(&message, 1));
    --print_.message_levels;
    return ok;
  }

  bool print_split_value(std::string_view content) {
    std::vector<std::string_view> parts;
    const char* at = content.data();
    const char* end = at + content.size();
    WireTag tag;
    while (at < end && read_tag(at, end, tag)) {
      const char* begin = at;
      skip_wire_value(at, end, tag, kUnknownGroupDepthMax);
      if (tag.number == value_.number && tag.type == WireType::Bytes) {
        parts.push_back(content_of(begin));
      }
    }
    return print_message(print_, *value_.message, parts);
  }

  static constexpr size_t kFewSlots = 8;

  JsonPrint& print_;
  FieldWalk& walk_;
  const FieldPlan& key_;
  const FieldPlan& value_;
  const size_t base_;
  std::vector<uint32_t> losers_;
};

}  // namespace

bool print_map_entries(JsonPrint& print, const FieldPlan& field, FieldWalk& walk, bool& is_first) {
  return MapPrinter(print, field, walk).print(is_first);
}

}  // namespace transom
