// JsonPrint is the state of one transcoding from wire to JSON, which the print_ functions of this folder share. Each
// returns false when the print has failed. A local variable of wire_to_json; one thread.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "schema/plan.h"
#include "transcode/inline_stack.h"
#include "transcode/json_options.h"
#include "transcode/json_writer.h"
#include "transcode/key_set.h"

namespace transom {

// The bytes of one message. More than one part when the wire splits a message: the parts are merged by being read in
// order, so that nothing is copied. All are views of the one wire.
using Parts = std::span<const std::string_view>;

// One field's value of a message that must be read out of order.
struct IndexEntry {
  uint32_t at;     // of the value, after its tag, in the wire
  uint16_t field;  // FieldPlan::index
  uint16_t type;   // WireType
};

// One entry of a map, while it is looked through for a key that comes twice.
struct MapSlot {
  uint64_t prefix;  // made of the key's ends, or a number: equal for equal keys
  uint32_t key_at;  // of a string key, in the wire
  uint32_t key_bytes;
  uint32_t entry_at;
};

struct JsonPrint {
  JsonPrint(std::string_view bytes, std::string& json, size_t bytes_max, const JsonOptions& json_options)
      : wire(bytes), out(json, bytes_max, bytes.size() * 2 + 256), options(json_options) {}

  const std::string_view wire;
  JsonWriter out;
  const JsonOptions& options;
  const std::atomic<bool>* cancelled = nullptr;
  int depth = 0;  // objects and arrays
  int message_levels = 0;
  InlineStack<uint64_t, 32> seen;     // bits of each open message
  InlineStack<IndexEntry, 16> index;  // of each open message that is read out of order
  InlineStack<uint64_t, 64> key_prints;  // fingerprints of keys, of each open map
  KeyTables key_tables;               // of each open Struct, and of the map whose keys are compared
  InlineStack<MapSlot, 8> slots;      // likewise, when it is looked through
  // At first each field is expected to stand in one place. When one comes again, the print fails with is_untidy, and is
  // done anew with is_careful, which looks over each message before it prints it.
  bool is_careful = false;
  bool is_untidy = false;
  const char* problem = nullptr;
  bool is_cancelled = false;

  // Always false; the first problem is kept.
  bool fail(const char* what) {
    if (problem == nullptr) {
      problem = what;
    }
    return false;
  }
  bool fail_untidy() {
    is_untidy = problem == nullptr;
    return fail("untidy");
  }
  bool fail_malformed() { return fail("the replica's message is not valid protobuf"); }
  // Each object and array; false above the bound.
  bool enter() { return ++depth <= options.depth_max || fail("the replica's message is nested too deep for JSON"); }
  void leave() { --depth; }
  bool go_on() {
    if (cancelled != nullptr && cancelled->load(std::memory_order_relaxed)) [[unlikely]] {
      is_cancelled = true;
      return false;
    }
    return true;
  }

  Status failure() const;
};

}  // namespace transom
