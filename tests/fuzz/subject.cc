#include "fuzz/subject.h"

#include <google/protobuf/util/field_comparator.h>
#include <google/protobuf/util/message_differencer.h>

#include <cmath>
#include <cstdlib>
#include <vector>

#include "base/padded_text.h"

namespace transom {

namespace pb = google::protobuf;

namespace {

constexpr size_t kBytesMax = 1 << 24;

class Neighbours : public pb::util::SimpleFieldComparator {
 public:
  Neighbours() { set_treat_nan_as_equal(true); }
  ComparisonResult Compare(const pb::Message& a, const pb::Message& b, const pb::FieldDescriptor* field, int i, int j,
                           const pb::util::FieldContext* context) override {
    const bool is_float = field->cpp_type() == pb::FieldDescriptor::CPPTYPE_FLOAT;
    return is_float && are_neighbours(value_of(a, field, i), value_of(b, field, j))
               ? SAME
               : SimpleCompare(a, b, field, i, j, context);
  }

 private:
  static float value_of(const pb::Message& message, const pb::FieldDescriptor* field, int i) {
    const pb::Reflection* r = message.GetReflection();
    return field->is_repeated() ? r->GetRepeatedFloat(message, field, i) : r->GetFloat(message, field);
  }
  static bool are_neighbours(float a, float b) { return std::nextafter(a, b) == b; }
};

}  // namespace

Subject::Subject(const Schema& schema, const Oracle& oracle, std::string type)
    : oracle_(oracle), type_(std::move(type)), plan_(*schema.find_message(type_)) {}

Status Subject::to_wire(std::string json, std::string& wire, const JsonOptions& options) const {
  pad_for_json(json);
  RequestShape shape;
  shape.message = &plan_;
  shape.body = BodyKind::Whole;
  return json_to_wire({shape, {}, options, kBytesMax}, json, wire);
}

Status Subject::to_json(std::string_view wire, std::string& json, const JsonOptions& options) const {
  ResponseShape shape;
  shape.message = &plan_;
  return wire_to_json({shape, options, kBytesMax}, wire, json);
}

std::string Subject::reading_problem(const std::string& json, const pb::Message& wanted,
                                     const JsonOptions& options) const {
  std::string wire;
  if (Status status = to_wire(json, wire, options); !status.ok()) {
    return "is refused: " + status.message + "\n" + json;
  }
  const auto back = oracle_.parse(type_, wire);
  if (back == nullptr) {
    return "made wire that protobuf does not parse\n" + json;
  }
  const std::string difference = difference_of(wanted, *back);
  return difference.empty() ? "" : "is another message: " + difference + "\n" + json;
}

std::string difference_of(const pb::Message& a, const pb::Message& b) {
  Neighbours comparator;
  pb::util::MessageDifferencer differencer;
  differencer.set_field_comparator(&comparator);
  std::string report;
  differencer.ReportDifferencesToString(&report);
  return differencer.Compare(a, b) ? "" : "differs: " + report;
}

namespace {

void settle_null(pb::Message& message, const pb::FieldDescriptor* field) {
  const pb::Reflection* r = message.GetReflection();
  if (field->enum_type() == nullptr || field->enum_type()->full_name() != "google.protobuf.NullValue") {
    return;
  }
  if (!field->is_repeated()) {
    r->SetEnumValue(&message, field, 0);
    return;
  }
  for (int i = 0; i < r->FieldSize(message, field); ++i) {
    r->SetRepeatedEnumValue(&message, field, i, 0);
  }
}

bool settle_any(pb::Message& any) {
  const pb::Reflection* r = any.GetReflection();
  const pb::FieldDescriptor* value = any.GetDescriptor()->FindFieldByNumber(2);
  const std::string url = r->GetString(any, any.GetDescriptor()->FindFieldByNumber(1));
  const pb::DescriptorPool* pool = any.GetDescriptor()->file()->pool();
  const pb::Descriptor* type = pool->FindMessageTypeByName(url.substr(url.rfind('/') + 1));
  if (type == nullptr) {
    return true;
  }
  pb::DynamicMessageFactory factory(pool);
  const std::unique_ptr<pb::Message> inner(factory.GetPrototype(type)->New());
  if (!inner->ParsePartialFromString(r->GetString(any, value))) {
    return false;
  }
  keep_last_of_each_key(*inner);
  const bool is_sound = settle_for_json(*inner);
  r->SetString(&any, value, inner->SerializePartialAsString());
  return is_sound;
}

}  // namespace

bool settle_for_json(pb::Message& message) {
  const pb::Reflection* r = message.GetReflection();
  r->MutableUnknownFields(&message)->Clear();
  const pb::Descriptor* type = message.GetDescriptor();
  if (type->full_name() == "google.protobuf.Value" && !r->HasOneof(message, type->oneof_decl(0))) {
    r->SetEnumValue(&message, type->FindFieldByNumber(1), 0);
  } else if (type->full_name() == "google.protobuf.Any") {
    return settle_any(message);
  }
  bool is_sound = true;
  std::vector<const pb::FieldDescriptor*> fields;
  r->ListFields(message, &fields);
  for (const pb::FieldDescriptor* field : fields) {
    settle_null(message, field);
    if (field->cpp_type() != pb::FieldDescriptor::CPPTYPE_MESSAGE) {
      continue;
    }
    if (!field->is_repeated()) {
      is_sound = settle_for_json(*r->MutableMessage(&message, field)) && is_sound;
      continue;
    }
    for (int i = 0; i < r->FieldSize(message, field); ++i) {
      pb::Message& element = *r->MutableRepeatedMessage(&message, field, i);
      const pb::FieldDescriptor* value = field->is_map() ? field->message_type()->map_value() : nullptr;
      if (value != nullptr && value->message_type() != nullptr) {
        element.GetReflection()->MutableMessage(&element, value);  // an entry without one has an empty one
      }
      is_sound = settle_for_json(element) && is_sound;
    }
  }
  return is_sound;
}

}  // namespace transom
