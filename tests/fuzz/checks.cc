#include "fuzz/checks.h"

#include <algorithm>
#include <array>

#include "fuzz/json_dom.h"
#include "fuzz/random_schema.h"
#include "fuzz/subject.h"
#include "schema/schema_loader.h"
#include "transcode/transcoding.h"
#include "transcode/wire_fault.h"

namespace transom {
namespace {

namespace pb = google::protobuf;

// Deeper text costs protobuf's own parser quadratic time; more of it is no more telling.
constexpr int kOracleDepthMax = 30;
constexpr size_t kOracleBytesMax = 4096;

const Oracle& kinds_oracle() {
  static const Oracle made;
  return made;
}

const Subject& subject_of(char choice) {
  static const std::array<Subject, 4> all{Subject(kinds_schema(), kinds_oracle(), "kinds.All"),
                                          Subject(kinds_schema(), kinds_oracle(), "google.protobuf.Value"),
                                          Subject(kinds_schema(), kinds_oracle(), "kinds2.Old"),
                                          Subject(kinds_schema(), kinds_oracle(), "kinds.Sub")};
  return all[static_cast<unsigned char>(choice) % all.size()];
}

JsonOptions tolerant_of(Slip slip) {
  JsonOptions options;
  options.strictness.set(slip, Verdict::Ignore);
  return options;
}

std::string strictness_problem(const Subject& subject, const std::string& text, const JsonShape& shape) {
  std::string wire;
  const Status strict = subject.to_wire(text, wire);
  wire.clear();
  const Status lenient = subject.to_wire(text, wire, tolerant_of(Slip::DuplicateKey));
  if ((strict.ok() || lenient.ok()) && !shape.is_valid) {
    return "took what is not JSON";
  }
  if (strict.ok() && shape.has_duplicate_keys) {
    return "took a key that is given twice";
  }
  if (subject.type() != "google.protobuf.Value" || !shape.is_valid || shape.depth > kOracleDepthMax) {
    return "";
  }
  if (!lenient.ok()) {
    return "refused JSON as a Value: " + lenient.message;
  }
  return strict.ok() || shape.has_duplicate_keys ? "" : "refused JSON as a Value: " + strict.message;
}

// protobuf's own code reads a minus zero without a fraction as an integer, and loses its sign.
bool has_integer_minus_zero(std::string_view text) {
  for (size_t at = text.find("-0"); at != std::string_view::npos; at = text.find("-0", at + 1)) {
    if (text.substr(at + 2, 1) != ".") {
      return true;
    }
  }
  return false;
}

// printed: our JSON of the message that we read out of the text.
std::string agreement_problem(const Subject& subject, const std::string& text, const std::string& printed,
                              const pb::Message& message) {
  // A mask has a syntax of brackets and quotes there, which no specification has.
  if (has_integer_minus_zero(text) || text.find("ask\"") != std::string::npos) {
    return "";
  }
  bool is_refused = false;
  std::string wire = subject.oracle().to_wire(subject.type(), text, &is_refused);
  if (is_refused) {  // for its spelling, as base64 whose spare bits are not zero; then in ours
    wire = subject.oracle().to_wire(subject.type(), printed, &is_refused);
  }
  if (is_refused) {
    // Its resolver knows types of one domain only.
    const bool is_any = text.find("@type") != std::string::npos;
    return is_any ? "" : "protobuf refuses what we take: " + text;
  }
  const auto theirs = subject.oracle().parse(subject.type(), wire);
  if (theirs == nullptr) {
    return "protobuf does not parse what it wrote";
  }
  settle_for_json(*theirs);
  const std::string difference = difference_of(message, *theirs);
  return difference.empty() ? "" : "protobuf reads another message: " + difference;
}

// What has no JSON form, though it is a message.
bool is_unprintable(const Status& status) {
  for (const char* reason : {"not UTF-8", "no JSON form", "not finite", "nested too deep", "out of range"}) {
    if (status.message.find(reason) != std::string::npos) {
      return true;
    }
  }
  return false;
}

// Whether there may be a tag of more than 32 bits in it: protobuf drops the bits above, we refuse it.
bool may_have_overlong_tag(std::string_view wire) {
  for (size_t at = 0; at + 5 <= wire.size(); ++at) {
    const char* tag = wire.data() + at;
    if ((tag[0] & tag[1] & tag[2] & tag[3] & 0x80) != 0 && (tag[4] & 0xf0) != 0) {
      return true;
    }
  }
  return false;
}

// Whether the fault lies in a singular field or an entry of a map: a later one may replace it, and we do not look into
// what is replaced.
bool may_be_replaced(const Subject& subject, std::string_view fault) {
  const MessagePlan* message = &subject.plan();
  std::string_view path = fault.substr(0, fault.find(": "));
  while (message != nullptr && !path.empty()) {
    const std::string_view part = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    const FieldPlan* field = message->find_field(part.substr(0, part.find('[')));
    if (field == nullptr || field->is_map || !field->is_repeated) {
      return field != nullptr;
    }
    message = field->message;
  }
  return false;
}

std::string same_json_problem(const Subject& subject, const pb::Message& message, const std::string& ours) {
  bool is_refused = false;
  const std::string theirs = subject.oracle().to_json(subject.type(), message.SerializePartialAsString(), &is_refused);
  if (is_refused) {
    return "protobuf does not print the message";
  }
  if (std::string difference = difference_of_json(ours, theirs); !difference.empty()) {
    return "protobuf's JSON is other: " + difference + "\n" + ours + "\n" + theirs;
  }
  std::string problem = subject.reading_problem(theirs, message);
  return problem.empty() ? "" : "protobuf's JSON " + problem;
}

std::string options_problem(const Subject& subject, const pb::Message& message, RandomBits& random) {
  JsonOptions options;
  options.preserve_proto_field_names = random.below(2) == 0;
  options.always_print_fields_with_no_presence = random.below(2) == 0;
  options.always_print_enums_as_ints = random.below(2) == 0;
  options.int64_as_number = random.below(2) == 0;
  std::string json;
  if (Status status = subject.to_json(message.SerializePartialAsString(), json, options); !status.ok()) {
    return "with options: " + status.message;
  }
  if (!shape_of_json(json).is_valid) {
    return "with options, printed what is not JSON: " + json;
  }
  std::string problem = subject.reading_problem(json, message);
  return problem.empty() ? "" : "our JSON with options " + problem;
}

std::string message_problem(const Subject& subject, const pb::Message& message, RandomBits& random) {
  std::string json;
  if (Status status = subject.to_json(message.SerializePartialAsString(), json); !status.ok()) {
    return "the message is not printed: " + status.message;
  }
  if (!shape_of_json(json).is_valid) {
    return "printed what is not JSON: " + json;
  }
  bool is_refused = false;
  const std::string wire = subject.oracle().to_wire(subject.type(), json, &is_refused);
  if (is_refused) {
    return "protobuf refuses our JSON: " + json;
  }
  const auto theirs = subject.oracle().parse(subject.type(), wire);
  if (theirs == nullptr) {
    return "protobuf does not parse what it made of our JSON: " + json;
  }
  if (std::string difference = difference_of(message, *theirs); !difference.empty()) {
    return "protobuf reads our JSON as another message: " + difference + "\n" + json;
  }
  if (std::string problem = same_json_problem(subject, message, json); !problem.empty()) {
    return problem;
  }
  if (std::string problem = subject.reading_problem(json, message); !problem.empty()) {
    return "our JSON " + problem;
  }
  return options_problem(subject, message, random);
}

}  // namespace

std::string check_json(std::string_view bytes) {
  if (bytes.empty()) {
    return "";
  }
  const Subject& subject = subject_of(bytes[0]);
  const std::string text(bytes.substr(1));
  if (text.empty()) {
    return "";  // an empty body is an empty message, not JSON
  }
  const JsonShape shape = shape_of_json(text);
  if (std::string problem = strictness_problem(subject, text, shape); !problem.empty()) {
    return problem;
  }
  std::string wire;
  if (!subject.to_wire(text, wire, tolerant_of(Slip::UnknownField)).ok() || shape.depth > kOracleDepthMax) {
    return "";
  }
  const auto message = subject.oracle().parse(subject.type(), wire);
  if (message == nullptr) {
    return "made wire that protobuf does not parse";
  }
  settle_for_json(*message);
  std::string json;
  if (Status status = subject.to_json(wire, json); !status.ok()) {
    return is_unprintable(status) ? "" : "its own message is not printed: " + status.message;
  }
  if (std::string problem = subject.reading_problem(json, *message); !problem.empty()) {
    return "our JSON " + problem;
  }
  wire.clear();
  const bool is_known = subject.to_wire(text, wire).ok() && text.size() < kOracleBytesMax;
  return is_known ? agreement_problem(subject, text, json, *message) : "";
}

std::string check_wire(std::string_view bytes) {
  if (bytes.empty()) {
    return "";
  }
  const Subject& subject = subject_of(bytes[0]);
  const std::string_view wire = bytes.substr(1);
  const auto message = subject.oracle().parse(subject.type(), wire);
  std::string json;
  const Status status = subject.to_json(wire, json);
  if (!status.ok()) {
    const bool is_fair = message == nullptr || is_unprintable(status) || !settle_for_json(*message) ||
                         may_have_overlong_tag(wire);
    return is_fair ? "" : "refused what protobuf parses: " + status.message;
  }
  if (!shape_of_json(json).is_valid) {
    return "printed what is not JSON: " + json;
  }
  if (message == nullptr) {
    const bool is_fair = may_be_replaced(subject, find_wire_fault(subject.plan(), wire));
    return is_fair ? "" : "printed what protobuf does not parse: " + json;
  }
  if (!message->IsInitialized()) {
    return "";  // what lacks a required field is printed, and refused when read
  }
  settle_for_json(*message);
  std::string problem = subject.reading_problem(json, *message);
  // An Any of an unknown type is printed, and refused when read.
  const bool is_fair = problem.empty() || problem.find("no such type") != std::string::npos;
  return is_fair ? "" : "our JSON " + problem;
}

std::string check_schema(std::string_view bytes) {
  constexpr uint32_t kMessages = 24;
  RandomBits random(bytes);
  const std::string set = random_descriptor_set(random);
  SchemaLoader loader;
  if (Status status = loader.add_descriptor_set(set, "random"); !status.ok()) {
    return "the schema is refused: " + status.message;
  }
  const auto schema = loader.load();
  if (!schema.ok()) {
    return "the schema is refused: " + schema.status().message;
  }
  const Oracle oracle(set);
  const Subject subject(**schema, oracle, "fuzz.M0");
  RandomFiller filler(random);
  for (uint32_t i = 0; i < kMessages; ++i) {
    auto message = oracle.make(subject.type());
    filler.fill(*message, 3);
    keep_last_of_each_key(*message);
    if (std::string problem = message_problem(subject, *message, random); !problem.empty()) {
      return problem + "\n" + message->DebugString() + message->GetDescriptor()->file()->DebugString();
    }
  }
  return "";
}

}  // namespace transom
