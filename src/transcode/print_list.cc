#include "transcode/print_list.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <vector>

#include "transcode/print_message.h"
#include "transcode/print_scalar.h"

namespace transom {
namespace {

constexpr size_t kElementsBetweenLooks = 1024;

std::string_view content_of(const char*& at) {
  uint64_t bytes = read_valid_varint(at);
  at += bytes;
  return {at - bytes, static_cast<size_t>(bytes)};
}

// The loop that tensors spend their time in.
bool print_packed_floats(JsonPrint& print, std::string_view content, bool& is_first) {
  if (content.size() % sizeof(float) != 0) {
    return print.fail_malformed();
  }
  JsonWriter& out = print.out;
  const char* end = content.data() + content.size();
  size_t looks = 0;
  for (const char* at = content.data(); at < end; at += sizeof(float)) {
    if (!out.reserve(JsonWriter::kNumberBytesMax) || (++looks % kElementsBetweenLooks == 0 && !print.go_on())) {
      return false;
    }
    if (!is_first) {
      out.put(',');
    }
    is_first = false;
    out.put_float(std::bit_cast<float>(read_fixed32(at)));
  }
  return true;
}

bool print_packed(JsonPrint& print, const FieldPlan& field, std::string_view content, bool& is_first) {
  WireType type = wire_type_of(field.kind);
  const char* at = content.data();
  const char* end = at + content.size();
  size_t looks = 0;
  while (at < end) {
    const char* before = at;
    if (!skip_wire_value(at, end, {field.number, type}, 0)) {
      return print.fail_malformed();
    }
    if (is_unnamed_value(field, before)) {
      continue;
    }
    if ((!is_first && !print.out.write(",")) || !print_scalar(print, field, before) ||
        (++looks % kElementsBetweenLooks == 0 && !print.go_on())) {
      return false;
    }
    is_first = false;
  }
  return true;
}

bool print_elements(JsonPrint& print, const FieldPlan& field, FieldWalk& walk, bool& is_first) {
  bool is_packable = is_packable_type(wire_type_of(field.kind));
  size_t looks = 0;
  do {
    if (++looks % kElementsBetweenLooks == 0 && !print.go_on()) {
      return false;
    }
    if (is_packable && walk.type == WireType::Bytes) {
      std::string_view content = content_of(walk.at);
      bool ok = field.kind == Kind::Float ? print_packed_floats(print, content, is_first)
                                          : print_packed(print, field, content, is_first);
      if (!ok) {
        return false;
      }
      continue;
    }
    if (is_unnamed_value(field, walk.at)) {
      read_valid_varint(walk.at);
      continue;
    }
    if ((!is_first && !print.out.write(",")) || !print_value(print, field, walk)) {
      return false;
    }
    is_first = false;
  } while (walk.next_value());
  return true;
}

// One entry of a map; what is missing is the default, what comes twice is the last.
struct Entry {
  const char* key = nullptr;
  const char* value = nullptr;
  std::vector<std::string_view> merged;  // the parts of a message value, when there are more than one
};

bool read_entry(JsonPrint& print, const FieldPlan& field, std::string_view content, Entry& entry) {
  const FieldPlan& key = field.message->fields[0];
  const FieldPlan& value = field.message->fields[1];
  const char* at = content.data();
  const char* end = at + content.size();
  entry = Entry();
  while (at < end) {
    WireTag tag;
    if (!read_tag(at, end, tag)) {
      return print.fail_malformed();
    }
    const char* begin = at;
    if (!skip_wire_value(at, end, tag, 100)) {
      return print.fail_malformed();
    }
    if (tag.number == key.number && tag.type == wire_type_of(key.kind)) {
      entry.key = begin;
    } else if (tag.number == value.number && tag.type == wire_type_of(value.kind)) {
      if (value.kind == Kind::Message && entry.value != nullptr) {
        const char* first = entry.value;
        if (entry.merged.empty()) {
          entry.merged.push_back(content_of(first));
        }
        first = begin;
        entry.merged.push_back(content_of(first));
      }
      entry.value = begin;
    }
  }
  return true;
}

// The key as bytes that are equal for equal keys. scratch holds those of a number.
std::string_view key_identity(const FieldPlan& key, const char* at, uint64_t& scratch) {
  if (at != nullptr && key.kind == Kind::String) {
    return content_of(at);
  }
  scratch = 0;
  if (at != nullptr) {
    WireType type = wire_type_of(key.kind);
    scratch = type == WireType::Fixed32   ? read_fixed32(at)
              : type == WireType::Fixed64 ? read_fixed64(at)
                                          : read_valid_varint(at);
  }
  return key.kind == Kind::String ? std::string_view()
                                  : std::string_view(reinterpret_cast<const char*>(&scratch), sizeof scratch);
}

class MapPrinter {
 public:
  MapPrinter(JsonPrint& print, const FieldPlan& field, FieldWalk& walk)
      : print_(print),
        field_(field),
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
    Entry entry;
    do {
      uint32_t at = offset();
      if (!read_entry(print_, field_, content_of(walk_.at), entry)) {
        return false;
      }
      bool is_lost = !losers_.empty() && std::binary_search(losers_.begin(), losers_.end(), at);
      if (is_lost || (entry.value != nullptr && is_unnamed_value(value_, entry.value))) {
        continue;
      }
      if ((!is_first && !print_.out.write(",")) || !print_entry(entry)) {
        return false;
      }
      is_first = false;
    } while (walk_.next_value());
    return true;
  }

 private:
  uint32_t offset() const { return static_cast<uint32_t>(walk_.at - print_.wire.data()); }

  // The key of the entry that begins there, which has been read before.
  std::string_view identity(const MapSlot& slot, uint64_t& scratch) {
    const char* at = print_.wire.data() + slot.at;
    Entry entry;
    read_entry(print_, field_, content_of(at), entry);
    return key_identity(key_, entry.key, scratch);
  }

  // Looks through the entries for keys that come again; only the last of them is printed.
  bool find_losers() {
    FieldWalk::Place begin = walk_.place();
    Entry entry;
    do {
      uint32_t at = offset();
      if (!read_entry(print_, field_, content_of(walk_.at), entry)) {
        return false;
      }
      if (entry.value != nullptr && is_unnamed_value(value_, entry.value)) {
        continue;
      }
      uint64_t scratch = 0;
      size_t hash = std::hash<std::string_view>()(key_identity(key_, entry.key, scratch));
      print_.slots.push({static_cast<uint32_t>(hash ^ hash >> 32), at});
    } while (walk_.next_value());
    walk_.go_back(begin);
    MapSlot* first = print_.slots.begin() + base_;
    MapSlot* last = print_.slots.end();
    std::sort(first, last, [](const MapSlot& a, const MapSlot& b) { return a.hash != b.hash ? a.hash < b.hash : a.at < b.at; });
    for (MapSlot* slot = first; slot != last; ++slot) {
      note_if_lost(slot, last);
    }
    std::sort(losers_.begin(), losers_.end());
    return true;
  }

  void note_if_lost(const MapSlot* slot, const MapSlot* last) {
    for (const MapSlot* later = slot + 1; later != last && later->hash == slot->hash; ++later) {
      uint64_t one = 0;
      uint64_t other = 0;
      if (identity(*slot, one) == identity(*later, other)) {
        losers_.push_back(slot->at);
        return;
      }
    }
  }

  bool print_key(const char* at) {
    if (key_.kind == Kind::String) {
      return print_string(print_, at == nullptr ? std::string_view() : content_of(at));
    }
    uint64_t bits = 0;
    key_identity(key_, at, bits);
    return print_number_key(print_, key_, bits);
  }

  bool print_entry(const Entry& entry) {
    if (!print_key(entry.key) || !print_.out.write(":")) {
      return false;
    }
    const char* at = entry.value;
    if (value_.kind != Kind::Message) {
      return at == nullptr ? print_default_scalar(print_, value_) : print_scalar(print_, value_, at);
    }
    ++print_.message_levels;
    bool ok = false;
    if (!entry.merged.empty()) {
      ok = print_message(print_, *value_.message, entry.merged);
    } else {
      std::string_view content = at == nullptr ? std::string_view() : content_of(at);
      ok = print_message(print_, *value_.message, Parts(&content, 1));
    }
    --print_.message_levels;
    return ok;
  }

  JsonPrint& print_;
  const FieldPlan& field_;
  FieldWalk& walk_;
  const FieldPlan& key_;
  const FieldPlan& value_;
  const size_t base_;
  std::vector<uint32_t> losers_;
};

}  // namespace

bool print_repeated(JsonPrint& print, const FieldPlan& field, FieldWalk& walk, bool& is_empty) {
  if (!print.enter() || !print.out.write(field.is_map ? "{" : "[")) {
    return false;
  }
  is_empty = true;
  bool ok = field.is_map ? MapPrinter(print, field, walk).print(is_empty)
                         : print_elements(print, field, walk, is_empty);
  if (!ok || !print.out.write(field.is_map ? "}" : "]")) {
    return false;
  }
  print.leave();
  return true;
}

}  // namespace transom
