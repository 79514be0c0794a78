// One protobuf message in wire format -> JSON text, in one pass through the message's plan.
// Pure: any thread, no I/O, no clock. Legal but untidy wire (repeated singular fields, split messages, interleaved
// lists, map entries without key or value) is read as protobuf reads it: last wins, submessages merge.
#pragma once

#include <atomic>
#include <string>
#include <string_view>

#include "base/status.h"
#include "schema/shape.h"
#include "transcode/json_options.h"

namespace transom {

struct WireToJson {
  const ResponseShape& shape;
  const JsonOptions& options;
  size_t json_bytes_max;  // over it: 500, INTERNAL, proxy's fault
  const std::atomic<bool>* cancelled = nullptr;
};

// Appends to out. Malformed wire, invalid UTF-8 in a string and too deep nesting are INTERNAL, replica's fault.
Status wire_to_json(const WireToJson& job, std::string_view wire, std::string& out);

// A serialized google.rpc.Status's details -> the elements of a JSON array ("" when there are none). Types that the
// schema does not know (every Schema has google/rpc/error_details) become {"@type":..., "value": base64}. Never fails.
std::string details_to_json(std::string_view status_bytes, const Schema& schema, const JsonOptions& options);

// The text as a JSON string with its quotes; invalid UTF-8 becomes U+FFFD.
void append_json_string(std::string_view text, std::string& out);

}  // namespace transom
