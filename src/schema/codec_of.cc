#include "schema/codec_of.h"

#include <google/protobuf/descriptor.h>

#include <array>
#include <span>
#include <string_view>

namespace transom {
namespace {

using google::protobuf::FieldDescriptor;

struct KnownField {
  int number;
  FieldDescriptor::Type type;
  bool is_repeated = false;
};

struct KnownType {
  std::string_view full_name;
  Codec codec;
  std::array<KnownField, 6> fields;  // up to the first number 0
};

constexpr auto kInt32 = FieldDescriptor::TYPE_INT32;
constexpr auto kInt64 = FieldDescriptor::TYPE_INT64;
constexpr auto kString = FieldDescriptor::TYPE_STRING;
constexpr auto kBytes = FieldDescriptor::TYPE_BYTES;
constexpr auto kDouble = FieldDescriptor::TYPE_DOUBLE;
constexpr auto kBool = FieldDescriptor::TYPE_BOOL;
constexpr auto kMessage = FieldDescriptor::TYPE_MESSAGE;

constexpr KnownType kKnownTypes[] = {
    {"google.protobuf.Timestamp", Codec::Timestamp, {{{1, kInt64}, {2, kInt32}}}},
    {"google.protobuf.Duration", Codec::Duration, {{{1, kInt64}, {2, kInt32}}}},
    {"google.protobuf.FieldMask", Codec::FieldMask, {{{1, kString, true}}}},
    {"google.protobuf.Struct", Codec::Struct, {{{1, kMessage, true}}}},
    {"google.protobuf.Value",
     Codec::Value,
     {{{1, FieldDescriptor::TYPE_ENUM}, {2, kDouble}, {3, kString}, {4, kBool}, {5, kMessage}, {6, kMessage}}}},
    {"google.protobuf.ListValue", Codec::ListValue, {{{1, kMessage, true}}}},
    {"google.protobuf.Any", Codec::Any, {{{1, kString}, {2, kBytes}}}},
    {"google.protobuf.DoubleValue", Codec::Wrapper, {{{1, kDouble}}}},
    {"google.protobuf.FloatValue", Codec::Wrapper, {{{1, FieldDescriptor::TYPE_FLOAT}}}},
    {"google.protobuf.Int64Value", Codec::Wrapper, {{{1, kInt64}}}},
    {"google.protobuf.UInt64Value", Codec::Wrapper, {{{1, FieldDescriptor::TYPE_UINT64}}}},
    {"google.protobuf.Int32Value", Codec::Wrapper, {{{1, kInt32}}}},
    {"google.protobuf.UInt32Value", Codec::Wrapper, {{{1, FieldDescriptor::TYPE_UINT32}}}},
    {"google.protobuf.BoolValue", Codec::Wrapper, {{{1, kBool}}}},
    {"google.protobuf.StringValue", Codec::Wrapper, {{{1, kString}}}},
    {"google.protobuf.BytesValue", Codec::Wrapper, {{{1, kBytes}}}},
};

bool has_fields(const google::protobuf::Descriptor& type, std::span<const KnownField> known) {
  int count = 0;
  for (const KnownField& expected : known) {
    if (expected.number == 0) {
      break;
    }
    const FieldDescriptor* field = type.FindFieldByNumber(expected.number);
    if (field == nullptr || field->type() != expected.type || field->is_repeated() != expected.is_repeated) {
      return false;
    }
    ++count;
  }
  return type.field_count() == count;
}

}  // namespace

Codec codec_of(const google::protobuf::Descriptor& type) {
  for (const KnownType& known : kKnownTypes) {
    if (known.full_name == type.full_name()) {
      return has_fields(type, known.fields) ? known.codec : Codec::Plain;
    }
  }
  return Codec::Plain;
}

}  // namespace transom
