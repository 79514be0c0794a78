// JsonParse is the state of one transcoding from JSON to wire: what is read, what is written, and where in the message
// it stands. The parse_ functions of this folder share it; each returns false when the parse has failed, and adds its
// part to the path on its way out, so that naming the place costs nothing while all is well.
// A local variable of json_to_wire; one thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/status.h"
#include "schema/binding.h"
#include "schema/shape.h"
#include "transcode/inline_stack.h"
#include "transcode/json_options.h"
#include "transcode/json_reader.h"
#include "transcode/key_set.h"
#include "transcode/wire_writer.h"

namespace transom {

// Which of the fields that the path binds lie below the message at hand.
struct Bound {
  uint64_t active = 0;  // a bit for each of JsonParse::path_fields
  uint32_t depth = 0;   // of the message, counted in fields from the request's root
};

struct JsonParse {
  JsonParse(std::string_view json, std::string& wire, size_t bytes_max, const JsonOptions& json_options)
      : in(json, json_options.depth_max), out(wire, bytes_max, json.size() / 2), options(json_options) {}

  JsonReader in;
  WireWriter out;
  const JsonOptions& options;
  std::span<const FieldPath> path_fields;
  const std::atomic<bool>* cancelled = nullptr;

  InlineStack<uint64_t, 32> seen;             // bits of fields and oneofs, for each open message
  InlineStack<uint32_t, 32> keys;             // of each open map, where in the wire its key's length or number is
  KeyTables key_tables;                       // of the map whose keys are looked at
  InlineStack<uint64_t, 8> spans;             // where each field's bytes are, while the last duplicate wins
  std::vector<JsonReader::TypeMember> types;  // "@type" members found ahead, by object
  uint32_t types_begin = 0;                   // the text that was looked through for them
  uint32_t types_end = 0;
  std::string scratch;      // a decoded string, until the next
  int message_levels = 0;   // only Struct, Value and ListValue look at it
  bool is_dropped = false;  // the value just read is an unknown enum name that options let pass
  bool is_cancelled = false;
  SlipSet slips;            // let pass and to be reported
  std::string path;                  // of the failure, from the inside out
  const Binding* binding = nullptr;  // that is being written, while it is

  bool has_failed() const { return is_cancelled || out.is_over_bound() || in.has_failed(); }

  bool tolerates(Slip slip) { return options.strictness.tolerates(slip, slips); }
  bool does_last_duplicate_win() const { return options.strictness.of(Slip::DuplicateKey) != Verdict::Reject; }

  // False when somebody has cancelled. Called once per message and now and then in lists.
  bool go_on() {
    if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) [[unlikely]] {
      is_cancelled = true;
      return false;
    }
    return true;
  }

  // Both return false, for the way out.
  bool leave_member(std::string_view name);
  bool leave_element(size_t index);
  bool leave_key(std::string_view key);

  // What the failure is to the client.
  Status failure() const;
};

}  // namespace transom
