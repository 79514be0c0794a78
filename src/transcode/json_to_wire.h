// JSON text and bindings -> one protobuf message in wire format, in one pass through the message's plan.
// Pure: any thread, no I/O, no clock. Cost is linear in the text whatever the nesting, and no memory is taken per
// field.
#pragma once

#include <atomic>
#include <span>
#include <string>
#include <string_view>

#include "base/status.h"
#include "schema/binding.h"
#include "schema/shape.h"
#include "transcode/json_options.h"

namespace transom {

struct JsonToWire {
  const RequestShape& shape;
  std::span<const Binding> bindings;
  const JsonOptions& options;
  size_t message_bytes_max;                      // over it: 413, RESOURCE_EXHAUSTED
  const std::atomic<bool>* cancelled = nullptr;  // looked at now and then; CANCELLED when it became true
  SlipSet* slips = nullptr;                      // what was let pass and is to be reported is added
};

// Appends the message to out. json must have been padded (base/padded_text.h) and is ignored for BodyKind::None; it may
// be empty, then the message is made of the bindings alone. Path beats body beats query.
// Errors are INVALID_ARGUMENT, client's fault: `instances[3].features: expected a number, found a string (at byte 57)`.
Status json_to_wire(const JsonToWire& job, const std::string& json, std::string& out);

}  // namespace transom
