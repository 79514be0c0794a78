#include "fuzz/random_schema.h"

#include <google/protobuf/descriptor.pb.h>

#include <iterator>

namespace transom {
namespace {

namespace pb = google::protobuf;
using Field = pb::FieldDescriptorProto;

constexpr const char* kImports[] = {"any", "duration", "empty", "field_mask", "struct", "timestamp", "wrappers"};
constexpr const char* kWellKnown[] = {"Any",        "Duration",    "Empty",      "FieldMask",  "Struct",
                                      "Value",      "ListValue",   "Timestamp",  "BoolValue",  "BytesValue",
                                      "DoubleValue", "FloatValue", "Int32Value", "Int64Value", "StringValue",
                                      "UInt32Value", "UInt64Value"};
constexpr const char* kNames[] = {"f", "foo_bar", "x1_y", "Camel", "lower__two", "tail_", "_head", "a_b_c_d"};
constexpr const char* kJsonNames[] = {"weird-Name", "ünï", "a b", "@at", "a.b", "Q'"};
constexpr Field::Type kScalars[] = {
    Field::TYPE_DOUBLE,  Field::TYPE_FLOAT,   Field::TYPE_INT64,    Field::TYPE_UINT64,   Field::TYPE_INT32,
    Field::TYPE_FIXED64, Field::TYPE_FIXED32, Field::TYPE_BOOL,     Field::TYPE_STRING,   Field::TYPE_BYTES,
    Field::TYPE_UINT32,  Field::TYPE_SINT32,  Field::TYPE_SINT64,   Field::TYPE_SFIXED32, Field::TYPE_SFIXED64};
constexpr Field::Type kKeys[] = {Field::TYPE_INT64,   Field::TYPE_UINT64, Field::TYPE_INT32,  Field::TYPE_FIXED64,
                                 Field::TYPE_FIXED32, Field::TYPE_BOOL,   Field::TYPE_STRING, Field::TYPE_UINT32,
                                 Field::TYPE_SINT32,  Field::TYPE_SINT64, Field::TYPE_SFIXED32, Field::TYPE_SFIXED64};

class SchemaMaker {
 public:
  explicit SchemaMaker(RandomBits& random) : random_(random), is_proto3_(random.below(2) == 0) {}

  std::string make() {
    pb::FileDescriptorSet set;
    pb::FileDescriptorProto& file = *set.add_file();
    file.set_name("fuzz.proto");
    file.set_package("fuzz");
    file.set_syntax(is_proto3_ ? "proto3" : "proto2");
    for (const char* name : kImports) {
      file.add_dependency("google/protobuf/" + std::string(name) + ".proto");
    }
    add_enum(file);
    messages_ = 1 + random_.below(3);
    for (uint32_t i = 0; i < messages_; ++i) {
      fill_message(*file.add_message_type(), i);
    }
    return set.SerializeAsString();
  }

 private:
  template <size_t N, class T>
  T pick(const T (&from)[N]) {
    return from[random_.below(N)];
  }

  void add_enum(pb::FileDescriptorProto& file) {
    pb::EnumDescriptorProto& type = *file.add_enum_type();
    type.set_name("E");
    constexpr int32_t kNumbers[] = {0, 1, -1, 7, 2147483647, -2147483647 - 1, 100};
    const uint32_t count = 1 + random_.below(std::size(kNumbers));
    for (uint32_t i = 0; i < count; ++i) {
      pb::EnumValueDescriptorProto& value = *type.add_value();
      value.set_name("E_" + std::to_string(i));
      value.set_number(kNumbers[i]);
    }
  }

  void fill_message(pb::DescriptorProto& message, uint32_t index) {
    message.set_name("M" + std::to_string(index));
    const uint32_t count = 1 + random_.below(12);
    int32_t number = 0;
    std::vector<uint32_t> optional;
    for (uint32_t i = 0; i < count; ++i) {
      // Mostly dense, sometimes sparse up to the highest; the band that protobuf keeps for itself is jumped over.
      number += random_.below(4) != 0 ? 1 : static_cast<int32_t>(1 + random_.below(30'000'000));
      number = number >= 19'000 && number < 20'000 ? 20'000 : number;
      Field& field = *message.add_field();
      field.set_number(number);
      field.set_name(pick(kNames) + std::to_string(i));
      if (random_.below(6) == 0) {
        field.set_json_name(pick(kJsonNames) + std::to_string(i));
      }
      if (fill_field(message, field)) {
        optional.push_back(i);
      }
    }
    for (uint32_t i : optional) {  // synthetic oneofs come after the real ones
      Field& field = *message.mutable_field(static_cast<int>(i));
      field.set_proto3_optional(true);
      field.set_oneof_index(message.oneof_decl_size());
      message.add_oneof_decl()->set_name("_" + field.name());
    }
  }

  // True for an optional of proto3.
  bool fill_field(pb::DescriptorProto& message, Field& field) {
    field.set_label(Field::LABEL_OPTIONAL);
    switch (random_.below(8)) {
      case 0:
        add_map(message, field);
        return false;
      case 1:
      case 2:
        field.set_label(Field::LABEL_REPEATED);
        set_type(field);
        if (is_packable(field) && random_.below(2) == 0) {
          field.mutable_options()->set_packed(random_.below(2) == 0);
        }
        return false;
      case 3:
        set_type(field);
        join_oneof(message, field);
        return false;
      case 4:
        field.set_type(pick(kScalars));
        field.set_label(is_proto3_ ? Field::LABEL_OPTIONAL : Field::LABEL_REQUIRED);
        return is_proto3_;
      default:
        set_type(field);
        return false;
    }
  }

  // The members of a oneof stand side by side, so another one begins where the last was left.
  static void join_oneof(pb::DescriptorProto& message, Field& field) {
    const int before = message.field_size() - 2;
    const bool goes_on = before >= 0 && message.field(before).has_oneof_index();
    if (!goes_on) {
      message.add_oneof_decl()->set_name("choice" + std::to_string(message.oneof_decl_size()));
    }
    field.set_oneof_index(message.oneof_decl_size() - 1);
  }

  static bool is_packable(const Field& field) {
    return field.type() != Field::TYPE_STRING && field.type() != Field::TYPE_BYTES &&
           field.type() != Field::TYPE_MESSAGE;
  }

  void set_type(Field& field) {
    switch (random_.below(8)) {
      case 0:
        field.set_type(Field::TYPE_ENUM);
        field.set_type_name(".fuzz.E");
        return;
      case 1:
        field.set_type(Field::TYPE_MESSAGE);
        field.set_type_name(".fuzz.M" + std::to_string(random_.below(messages_)));
        return;
      case 2:
        field.set_type(Field::TYPE_MESSAGE);
        field.set_type_name(".google.protobuf." + std::string(pick(kWellKnown)));
        return;
      default:
        field.set_type(pick(kScalars));
    }
  }

  void add_map(pb::DescriptorProto& message, Field& field) {
    field.set_name("map" + std::to_string(message.field_size()));
    const std::string entry_name = "Map" + std::to_string(message.field_size()) + "Entry";
    pb::DescriptorProto& entry = *message.add_nested_type();
    entry.set_name(entry_name);
    entry.mutable_options()->set_map_entry(true);
    Field& key = *entry.add_field();
    key.set_name("key");
    key.set_number(1);
    key.set_label(Field::LABEL_OPTIONAL);
    key.set_type(pick(kKeys));
    Field& value = *entry.add_field();
    value.set_name("value");
    value.set_number(2);
    value.set_label(Field::LABEL_OPTIONAL);
    set_type(value);
    field.set_label(Field::LABEL_REPEATED);
    field.set_type(Field::TYPE_MESSAGE);
    field.set_type_name(".fuzz." + message.name() + "." + entry_name);
  }

  RandomBits& random_;
  const bool is_proto3_;
  uint32_t messages_ = 1;
};

}  // namespace

std::string random_descriptor_set(RandomBits& random) { return SchemaMaker(random).make(); }

}  // namespace transom
