#include "transcode/transcoding.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "base/padded_text.h"
#include "schema/schema_loader.h"
#include "support/proto_text.h"

namespace transom {

std::string test_data(const std::string& name) {
  std::ifstream file(std::string(TRANSOM_TEST_DATA) + "/" + name);
  std::stringstream text;
  text << file.rdbuf();
  if (!file || text.str().empty()) {
    std::fprintf(stderr, "cannot read tests/data/%s\n", name.c_str());
    std::abort();
  }
  return text.str();
}

const Schema& kinds_schema() {
  static const SchemaPtr schema = [] {
    SchemaLoader loader;
    std::string set =
        descriptor_set_of({{"kinds.proto", test_data("kinds.proto")}, {"kinds2.proto", test_data("kinds2.proto")}});
    if (Status status = loader.add_descriptor_set(set, "tests/data"); !status.ok()) {
      std::fprintf(stderr, "%s\n", status.message.c_str());
      std::abort();
    }
    return loader.load().value();
  }();
  return *schema;
}

const MessagePlan& plan_of(std::string_view full_name) {
  const MessagePlan* plan = kinds_schema().find_message(full_name);
  if (plan == nullptr) {
    std::fprintf(stderr, "no message %s\n", std::string(full_name).c_str());
    std::abort();
  }
  return *plan;
}

Outcome Transcoding::to_wire(std::string json) const {
  pad_for_json(json);
  RequestShape shape;
  shape.message = &plan_of(message);
  shape.body = BodyKind::Whole;
  Outcome outcome;
  outcome.status = json_to_wire({shape, {}, options, bytes_max}, json, outcome.bytes);
  return outcome;
}

Outcome Transcoding::to_json(std::string_view wire) const {
  ResponseShape shape;
  shape.message = &plan_of(message);
  Outcome outcome;
  outcome.status = wire_to_json({shape, options, bytes_max}, wire, outcome.bytes);
  return outcome;
}

std::string Transcoding::round_trip(std::string json) const {
  Outcome wire = to_wire(std::move(json));
  if (!wire.status.ok()) {
    return wire.status.message;
  }
  Outcome text = to_json(wire.bytes);
  return text.status.ok() ? text.bytes : text.status.message;
}

std::string Transcoding::problem(std::string json) const { return to_wire(std::move(json)).status.message; }

std::string wire_varint(uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) {
    out += static_cast<char>(value | 0x80);
  }
  return out + static_cast<char>(value);
}

std::string wire_tag(uint32_t number, unsigned type) { return wire_varint(uint64_t{number} << 3 | type); }

std::string wire_field(uint32_t number, uint64_t value) { return wire_tag(number, 0) + wire_varint(value); }

std::string wire_field(uint32_t number, std::string_view content) {
  return wire_tag(number, 2) + wire_varint(content.size()) + std::string(content);
}

}  // namespace transom
