#include "transcode/oracle.h"

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/text_format.h>
#include <google/protobuf/unknown_field_set.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/message_differencer.h>
#include <google/protobuf/util/type_resolver_util.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iterator>
#include <limits>
#include <set>
#include <vector>

#include "schema/builtin_files.h"
#include "support/proto_text.h"
#include "transcode/transcoding.h"

namespace transom {

namespace pb = google::protobuf;

namespace {

const pb::DescriptorPool& builtin_pool() {
  static const std::unique_ptr<pb::DescriptorPool> made = [] {
    auto pool = std::make_unique<pb::DescriptorPool>();
    pb::FileDescriptorSet builtin;
    builtin.ParseFromString(std::string(builtin_descriptor_set()));
    for (const pb::FileDescriptorProto& file : builtin.file()) {
      pool->BuildFile(file);
    }
    return pool;
  }();
  return *made;
}

}  // namespace

Oracle::Oracle()
    : Oracle(descriptor_set_of({{"kinds.proto", test_data("kinds.proto")}, {"kinds2.proto", test_data("kinds2.proto")}})) {
}

Oracle::Oracle(const std::string& descriptor_set) : pool_(&builtin_pool()), factory_(&pool_) {
  pb::FileDescriptorSet set;
  set.ParseFromString(descriptor_set);
  for (const pb::FileDescriptorProto& file : set.file()) {
    pool_.BuildFile(file);
  }
  resolver_.reset(pb::util::NewTypeResolverForDescriptorPool("type.googleapis.com", &pool_));
}

std::unique_ptr<pb::Message> Oracle::make(const std::string& type) const {
  return std::unique_ptr<pb::Message>(factory_.GetPrototype(pool_.FindMessageTypeByName(type))->New());
}

std::unique_ptr<pb::Message> Oracle::parse(const std::string& type, std::string_view wire) const {
  std::unique_ptr<pb::Message> message = make(type);
  if (!message->ParsePartialFromArray(wire.data(), static_cast<int>(wire.size()))) {
    return nullptr;
  }
  keep_last_of_each_key(*message);
  return message;
}

std::string Oracle::to_json(const std::string& type, std::string_view wire, bool* failed) const {
  std::string json;
  auto status = pb::util::BinaryToJsonString(resolver_.get(), "type.googleapis.com/" + type, std::string(wire), &json);
  if (failed != nullptr) {
    *failed = !status.ok();
  }
  return status.ok() ? json : std::string();
}

std::string Oracle::to_wire(const std::string& type, std::string_view json, bool* failed) const {
  std::string wire;
  auto status = pb::util::JsonToBinaryString(resolver_.get(), "type.googleapis.com/" + type, std::string(json), &wire);
  if (failed != nullptr) {
    *failed = !status.ok();
  }
  return status.ok() ? wire : std::string();
}

std::string Oracle::difference(const pb::Message& a, const pb::Message& b) {
  pb::util::DefaultFieldComparator comparator;
  comparator.set_treat_nan_as_equal(true);
  pb::util::MessageDifferencer differencer;
  differencer.set_field_comparator(&comparator);
  std::string report;
  differencer.ReportDifferencesToString(&report);
  return differencer.Compare(a, b) ? std::string() : "differs: " + report;
}

namespace {

void remove_element(pb::Message& message, const pb::FieldDescriptor* field, int at) {
  const pb::Reflection* r = message.GetReflection();
  for (int last = r->FieldSize(message, field) - 1; at < last; ++at) {
    r->SwapElements(&message, field, at, at + 1);
  }
  r->RemoveLast(&message, field);
}

// An entry whose value is a number that its closed enum has no name for is unknown as a whole (proto2).
bool is_unknown_entry(const pb::Message& entry, const pb::FieldDescriptor* value) {
  const pb::Reflection* r = entry.GetReflection();
  if (value->cpp_type() != pb::FieldDescriptor::CPPTYPE_ENUM || r->HasField(entry, value)) {
    return false;
  }
  const pb::UnknownFieldSet& unknown = r->GetUnknownFields(entry);
  for (int i = 0; i < unknown.field_count(); ++i) {
    if (unknown.field(i).number() == value->number() && unknown.field(i).type() == pb::UnknownField::TYPE_VARINT) {
      return true;
    }
  }
  return false;
}

void keep_last_of_each_key(pb::Message& message, const pb::FieldDescriptor* field) {
  const pb::Reflection* r = message.GetReflection();
  std::set<std::string> keys;
  for (int i = r->FieldSize(message, field) - 1; i >= 0; --i) {
    const pb::Message& entry = r->GetRepeatedMessage(message, field, i);
    // By its value: a default key may be on the wire or not.
    std::string key;
    pb::TextFormat::PrintFieldValueToString(entry, field->message_type()->map_key(), -1, &key);
    if (is_unknown_entry(entry, field->message_type()->map_value()) || !keys.insert(key).second) {
      remove_element(message, field, i);
    }
  }
}

}  // namespace

void keep_last_of_each_key(pb::Message& message) {
  const pb::Reflection* r = message.GetReflection();
  std::vector<const pb::FieldDescriptor*> fields;
  r->ListFields(message, &fields);
  for (const pb::FieldDescriptor* field : fields) {
    if (field->cpp_type() != pb::FieldDescriptor::CPPTYPE_MESSAGE) {
      continue;
    }
    if (!field->is_repeated()) {
      keep_last_of_each_key(*r->MutableMessage(&message, field));
      continue;
    }
    for (int i = 0; i < r->FieldSize(message, field); ++i) {
      keep_last_of_each_key(*r->MutableRepeatedMessage(&message, field, i));
    }
    if (field->is_map()) {
      keep_last_of_each_key(message, field);
    }
  }
}

RandomBits::RandomBits(std::string_view bytes) : left_(bytes) {
  uint64_t hash = 1469598103934665603U;
  for (char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  }
  generator_.seed(hash);
}

uint64_t RandomBits::take(size_t count) {
  uint64_t value = 0;
  count = std::min(count, left_.size());
  std::memcpy(&value, left_.data(), count);
  left_.remove_prefix(count);
  return value;
}

int64_t RandomFiller::integer(int bits) {
  switch (below(6)) {
    case 0:
      return static_cast<int64_t>(below(3)) - 1;
    case 1:
      return bits == 32 ? std::numeric_limits<int32_t>::min() : std::numeric_limits<int64_t>::min();
    case 2:
      return bits == 32 ? std::numeric_limits<int32_t>::max() : std::numeric_limits<int64_t>::max();
    case 3:
      return static_cast<int64_t>(below(200));
    default:
      return bits == 32 ? static_cast<int32_t>(random_()) : static_cast<int64_t>(random_());
  }
}

double RandomFiller::real(bool is_float) {
  using Limits = std::numeric_limits<double>;
  using FloatLimits = std::numeric_limits<float>;
  switch (below(10)) {
    case 0:
      return Limits::quiet_NaN();
    case 1:
      return below(2) == 0 ? Limits::infinity() : -Limits::infinity();
    case 2:
      return below(2) == 0 ? 0.0 : -0.0;
    case 3:
      return is_float ? FloatLimits::denorm_min() : Limits::denorm_min();
    case 4:
      return is_float ? FloatLimits::max() : Limits::max();
    case 5:
      return static_cast<double>(below(1000)) / 8;
    default: {
      double value = 0;
      float narrow = 0;
      do {
        uint64_t bits = random_();
        std::memcpy(&value, &bits, sizeof value);
        std::memcpy(&narrow, &bits, sizeof narrow);
      } while (!std::isfinite(value) || !std::isfinite(narrow));
      return is_float ? static_cast<double>(narrow) : value;
    }
  }
}

std::string RandomFiller::text() {
  static const char* const kParts[] = {"a", "Z",  "\"", "\\", "/",  "\n", "\t", "\x01", "\x7f",         "é",
                                       "…", "😀", "<",  "&",  "\b", " ",  "x",  "0",    "loooooooooong"};
  std::string out;
  for (uint32_t i = below(12); i > 0; --i) {
    out += kParts[below(std::size(kParts))];
  }
  if (below(20) == 0) {
    out += '\0';
  }
  return out;
}

void RandomFiller::set_scalar(pb::Message& message, const Field* field) {
  const pb::Reflection* r = message.GetReflection();
  switch (field->cpp_type()) {
    case Field::CPPTYPE_INT32:
      return r->SetInt32(&message, field, static_cast<int32_t>(integer(32)));
    case Field::CPPTYPE_INT64:
      return r->SetInt64(&message, field, integer(64));
    case Field::CPPTYPE_UINT32:
      return r->SetUInt32(&message, field, static_cast<uint32_t>(integer(32)));
    case Field::CPPTYPE_UINT64:
      return r->SetUInt64(&message, field, static_cast<uint64_t>(integer(64)));
    case Field::CPPTYPE_DOUBLE:
      return r->SetDouble(&message, field, real(false));
    case Field::CPPTYPE_FLOAT:
      return r->SetFloat(&message, field, static_cast<float>(real(true)));
    case Field::CPPTYPE_BOOL:
      return r->SetBool(&message, field, below(2) == 1);
    case Field::CPPTYPE_STRING:
      return r->SetString(&message, field, text());
    default:
      break;
  }
  const pb::EnumDescriptor* type = field->enum_type();
  r->SetEnum(&message, field, type->value(static_cast<int>(below(static_cast<uint32_t>(type->value_count())))));
}

void RandomFiller::add_scalar(pb::Message& message, const Field* field) {
  const pb::Reflection* r = message.GetReflection();
  switch (field->cpp_type()) {
    case Field::CPPTYPE_INT32:
      return r->AddInt32(&message, field, static_cast<int32_t>(integer(32)));
    case Field::CPPTYPE_INT64:
      return r->AddInt64(&message, field, integer(64));
    case Field::CPPTYPE_UINT32:
      return r->AddUInt32(&message, field, static_cast<uint32_t>(integer(32)));
    case Field::CPPTYPE_UINT64:
      return r->AddUInt64(&message, field, static_cast<uint64_t>(integer(64)));
    case Field::CPPTYPE_DOUBLE:
      return r->AddDouble(&message, field, real(false));
    case Field::CPPTYPE_FLOAT:
      return r->AddFloat(&message, field, static_cast<float>(real(true)));
    case Field::CPPTYPE_BOOL:
      return r->AddBool(&message, field, below(2) == 1);
    case Field::CPPTYPE_STRING:
      return r->AddString(&message, field, text());
    default:
      break;
  }
  const pb::EnumDescriptor* type = field->enum_type();
  r->AddEnum(&message, field, type->value(static_cast<int>(below(static_cast<uint32_t>(type->value_count())))));
}

void RandomFiller::fill_any(pb::Message& message, int depth) {
  static const char* const kTypes[] = {"kinds.Sub", "google.protobuf.Duration", "google.protobuf.Int64Value"};
  const pb::DescriptorPool* pool = message.GetDescriptor()->file()->pool();
  const pb::Descriptor* type = pool->FindMessageTypeByName(kTypes[below(3)]);
  if (type == nullptr) {  // another schema than kinds.proto
    type = pool->FindMessageTypeByName(kTypes[1]);
  }
  pb::DynamicMessageFactory factory(pool);
  std::unique_ptr<pb::Message> inner(factory.GetPrototype(type)->New());
  // An empty value would leave an earlier one in place when wires are joined, and protobuf itself writes no "value"
  // then.
  do {
    inner->Clear();
    fill(*inner, depth - 1);
  } while (inner->ByteSizeLong() == 0);
  keep_last_of_each_key(*inner);
  const pb::Descriptor* any = message.GetDescriptor();
  message.GetReflection()->SetString(&message, any->FindFieldByNumber(1), "type.googleapis.com/" + type->full_name());
  message.GetReflection()->SetString(&message, any->FindFieldByNumber(2), inner->SerializeAsString());
}

void RandomFiller::fill_value(pb::Message& message, int depth) {
  const pb::Reflection* r = message.GetReflection();
  const pb::Descriptor* type = message.GetDescriptor();
  int number = 1 + static_cast<int>(below(depth > 0 ? 6 : 4));
  const Field* field = type->FindFieldByNumber(number);
  if (number == 1) {
    r->SetEnumValue(&message, field, 0);
  } else if (number == 2) {
    r->SetDouble(&message, field, static_cast<double>(integer(32)) / 4);
  } else if (number <= 4) {
    set_scalar(message, field);
  } else {
    fill(*r->MutableMessage(&message, field), depth - 1);
  }
}

bool RandomFiller::fill_well_known(pb::Message& message, int depth) {
  const std::string& name = message.GetDescriptor()->full_name();
  const pb::Reflection* r = message.GetReflection();
  const Field* first = message.GetDescriptor()->FindFieldByNumber(1);
  const Field* second = message.GetDescriptor()->FindFieldByNumber(2);
  if (name == "google.protobuf.Timestamp") {
    r->SetInt64(&message, first, static_cast<int64_t>(random_() % 315'537'897'600ULL) - 62'135'596'800);
    r->SetInt32(&message, second, static_cast<int32_t>(below(2) == 0 ? below(1000) * 1'000'000 : below(1'000'000'000)));
  } else if (name == "google.protobuf.Duration") {
    int sign = below(2) == 0 ? 1 : -1;
    r->SetInt64(&message, first, sign * static_cast<int64_t>(random_() % 315'576'000'000ULL));
    r->SetInt32(&message, second, sign * static_cast<int32_t>(below(1'000'000'000)));
  } else if (name == "google.protobuf.FieldMask") {
    static const char* const kPaths[] = {"a", "foo_bar", "sub.name_of.thing", "x1"};
    for (uint32_t i = below(3); i > 0; --i) {
      r->AddString(&message, first, kPaths[below(4)]);
    }
  } else if (name == "google.protobuf.Any") {
    fill_any(message, depth);
  } else if (name == "google.protobuf.Value") {
    fill_value(message, depth);
  } else {
    return false;
  }
  return true;
}

void RandomFiller::fill_field(pb::Message& message, const Field* field, int depth) {
  const pb::Reflection* r = message.GetReflection();
  bool is_message = field->cpp_type() == Field::CPPTYPE_MESSAGE;
  if (!field->is_repeated()) {
    return is_message ? fill(*r->MutableMessage(&message, field), depth - 1) : set_scalar(message, field);
  }
  for (uint32_t i = below(4); i > 0; --i) {
    if (!is_message) {
      add_scalar(message, field);
      continue;
    }
    pb::Message* element = r->AddMessage(&message, field);
    if (field->is_map()) {
      // Both, always: an entry without a key would clash with another.
      set_scalar(*element, field->message_type()->map_key());
      fill_field(*element, field->message_type()->map_value(), depth);
    } else {
      fill(*element, depth - 1);
    }
  }
}

void RandomFiller::fill(pb::Message& message, int depth) {
  if (fill_well_known(message, depth)) {
    return;
  }
  const pb::Descriptor* type = message.GetDescriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    const Field* field = type->field(i);
    bool is_deep = field->cpp_type() == Field::CPPTYPE_MESSAGE && depth <= 0;
    bool is_left_out = !field->is_required() && below(type->field_count() > 20 ? 4 : 2) != 0;
    if (!is_deep && !is_left_out && field->type() != Field::TYPE_GROUP) {
      fill_field(message, field, depth);
    }
  }
}

}  // namespace transom
