#include "transcode/print_struct.h"

#include <bit>
#include <cmath>

#include "transcode/key_set.h"
#include "transcode/print_scalar.h"
#include "transcode/short_double.h"
#include "transcode/wire_reader.h"

namespace transom {
namespace {

constexpr size_t kElementsBetweenLooks = 1024;

// struct.proto: Struct.fields and ListValue.values are field 1, entries of maps have key and value.
constexpr char kFieldOne = 0x0a;
constexpr char kEntryValue = 0x12;
// The kinds of Value.
constexpr char kNullValue = 0x08;
constexpr char kNumberValue = 0x11;
constexpr char kStringValue = 0x1a;
constexpr char kBoolValue = 0x20;
constexpr char kStructValue = 0x2a;
constexpr char kListValue = 0x32;

class StructPrinter {
 public:
  explicit StructPrinter(JsonPrint& print) : print_(print) {}

  bool print_struct(std::string_view content) {
    KeySet keys(print_.key_tables);
    const char* at = content.data();
    const char* end = at + content.size();
    if (!begin('{')) {
      return false;
    }
    for (bool is_first = true; at < end; is_first = false) {
      std::string_view entry;
      std::string_view key;
      std::string_view value;
      if (!take(at, end, kFieldOne, entry) || !read_entry(entry, key, value) || !keys.add(fingerprint_of(key))) {
        return print_.fail_untidy();
      }
      if (!print_key(key, is_first) || !print_entry_value(value)) {
        return false;
      }
    }
    return finish('}');
  }

  bool print_list(std::string_view content) {
    const char* at = content.data();
    const char* end = at + content.size();
    if (!begin('[')) {
      return false;
    }
    size_t looks = 0;
    for (bool is_first = true; at < end; is_first = false) {
      std::string_view value;
      if (!take(at, end, kFieldOne, value)) {
        return print_.fail_untidy();
      }
      if ((!is_first && !print_.out.write(",")) || !print_value(value) ||
          (++looks % kElementsBetweenLooks == 0 && !print_.go_on())) {
        return false;
      }
    }
    return finish(']');
  }

  bool print_value(std::string_view content) {
    if (++print_.message_levels > print_.options.depth_max) {
      return fail_depth();
    }
    if (!print_kind(content)) {
      return false;
    }
    --print_.message_levels;
    return true;
  }

 private:
  // Both count as an object or array and as a message.
  bool begin(char bracket) {
    if (++print_.message_levels > print_.options.depth_max) {
      return fail_depth();
    }
    return print_.enter() && print_.out.write({&bracket, 1});
  }
  bool finish(char bracket) {
    print_.leave();
    --print_.message_levels;
    return print_.out.write({&bracket, 1});
  }
  bool fail_depth() { return print_.fail("the replica's message is nested too deep for JSON"); }

  static bool take(const char*& at, const char* end, char tag, std::string_view& content) {
    return at < end && *at++ == tag && read_delimited(at, end, content);
  }

  static bool read_entry(std::string_view entry, std::string_view& key, std::string_view& value) {
    const char* at = entry.data();
    const char* end = at + entry.size();
    return take(at, end, kFieldOne, key) && take(at, end, kEntryValue, value) && at == end;
  }

  // A list in an object in an object is three messages and two maps' entries deep.
  bool print_entry_value(std::string_view value) {
    ++print_.message_levels;
    if (!print_value(value)) {
      return false;
    }
    --print_.message_levels;
    return true;
  }

  bool print_key(std::string_view key, bool is_first) {
    return (is_first || print_.out.write(",")) && print_wire_string(print_, key) && print_.out.write(":");
  }

  bool print_number(double value) {
    if (!print_.out.reserve(JsonWriter::kNumberBytesMax)) {
      return false;
    }
    char* end = write_short_double(print_.out.at(), value);
    print_.out.set_at(end != nullptr ? end : write_json_double(print_.out.at(), value));
    return true;
  }

  bool print_kind(std::string_view content) {
    if (content.empty()) {
      return print_.out.write("null");
    }
    const char* at = content.data();
    const char* end = at + content.size();
    const char tag = *at++;
    if (tag == kNumberValue) {
      const bool is_whole = end - at == 8;
      const double value = is_whole ? std::bit_cast<double>(read_fixed64(at)) : 0;
      return is_whole && std::isfinite(value) ? print_number(value) : print_.fail_untidy();
    }
    if (tag == kNullValue || tag == kBoolValue) {
      uint64_t bits = 0;
      if (!read_varint(at, end, bits) || at != end) {
        return print_.fail_untidy();
      }
      return print_.out.write(tag == kNullValue ? "null" : bits != 0 ? "true" : "false");
    }
    std::string_view inner;
    if (!read_delimited(at, end, inner) || at != end) {
      return print_.fail_untidy();
    }
    switch (tag) {
      case kStringValue:
        return print_wire_string(print_, inner);
      case kStructValue:
        return print_struct(inner);
      case kListValue:
        return print_list(inner);
      default:
        return print_.fail_untidy();
    }
  }

  JsonPrint& print_;
};

}  // namespace

bool print_usual_struct(JsonPrint& print, Codec codec, std::string_view content) {
  StructPrinter printer(print);
  switch (codec) {
    case Codec::Struct:
      return printer.print_struct(content);
    case Codec::ListValue:
      return printer.print_list(content);
    default:
      return printer.print_value(content);
  }
}

}  // namespace transom
