// What the tests of this folder share: a schema from tests/data, and both directions with the options of the case.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "schema/schema.h"
#include "transcode/json_options.h"
#include "transcode/json_to_wire.h"
#include "transcode/wire_to_json.h"

namespace transom {

// The text of a file of tests/data.
std::string test_data(const std::string& name);

// kinds.proto and kinds2.proto, made once.
const Schema& kinds_schema();
const MessagePlan& plan_of(std::string_view full_name);

struct Outcome {
  Status status;
  std::string bytes;
};

struct Transcoding {
  std::string message = "kinds.All";
  JsonOptions options;
  size_t bytes_max = 64 << 20;

  Outcome to_wire(std::string json) const;
  Outcome to_json(std::string_view wire) const;
  // JSON in, JSON out; the failure's message when there is one.
  std::string round_trip(std::string json) const;
  // "" or what is wrong.
  std::string problem(std::string json) const;
};

// Shorthand for hand-made wire.
std::string wire_varint(uint64_t value);
std::string wire_tag(uint32_t number, unsigned type);
std::string wire_field(uint32_t number, uint64_t value);
std::string wire_field(uint32_t number, std::string_view content);

}  // namespace transom
