#include "schema/plan_compiler.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <algorithm>
#include <bit>
#include <map>
#include <string>

#include "schema/codec_of.h"

namespace transom {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::DescriptorPool;
using google::protobuf::EnumDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::FileDescriptor;

constexpr uint16_t kEmpty = 0xffff;
constexpr uint16_t kByProtoName = 0x8000;
constexpr size_t kFieldsMax = 0x7ffe;      // name_table keeps one bit and one value for itself
constexpr uint32_t kDenseNumbersMin = 64;  // numbers below this are always looked up densely

Kind kind_of(const FieldDescriptor* field) {
  switch (field->type()) {
    case FieldDescriptor::TYPE_DOUBLE:
      return Kind::Double;
    case FieldDescriptor::TYPE_FLOAT:
      return Kind::Float;
    case FieldDescriptor::TYPE_INT32:
      return Kind::Int32;
    case FieldDescriptor::TYPE_INT64:
      return Kind::Int64;
    case FieldDescriptor::TYPE_UINT32:
      return Kind::Uint32;
    case FieldDescriptor::TYPE_UINT64:
      return Kind::Uint64;
    case FieldDescriptor::TYPE_SINT32:
      return Kind::Sint32;
    case FieldDescriptor::TYPE_SINT64:
      return Kind::Sint64;
    case FieldDescriptor::TYPE_FIXED32:
      return Kind::Fixed32;
    case FieldDescriptor::TYPE_FIXED64:
      return Kind::Fixed64;
    case FieldDescriptor::TYPE_SFIXED32:
      return Kind::Sfixed32;
    case FieldDescriptor::TYPE_SFIXED64:
      return Kind::Sfixed64;
    case FieldDescriptor::TYPE_BOOL:
      return Kind::Bool;
    case FieldDescriptor::TYPE_STRING:
      return Kind::String;
    case FieldDescriptor::TYPE_BYTES:
      return Kind::Bytes;
    case FieldDescriptor::TYPE_ENUM:
      return Kind::Enum;
    case FieldDescriptor::TYPE_MESSAGE:
      return Kind::Message;
    case FieldDescriptor::TYPE_GROUP:
      return Kind::Group;
  }
  return Kind::Group;
}

// Wire types of the protobuf encoding.
uint32_t wire_type_of(const FieldPlan& field) {
  if (field.is_packed) {
    return 2;
  }
  switch (field.kind) {
    case Kind::Double:
    case Kind::Fixed64:
    case Kind::Sfixed64:
      return 1;
    case Kind::String:
    case Kind::Bytes:
    case Kind::Message:
      return 2;
    case Kind::Group:
      return 3;
    case Kind::Float:
    case Kind::Fixed32:
    case Kind::Sfixed32:
      return 5;
    default:
      return 0;
  }
}

void write_tag(FieldPlan& field) {
  uint64_t rest = uint64_t{field.number} << 3 | wire_type_of(field);
  while (rest >= 0x80) {
    field.tag[field.tag_bytes++] = static_cast<uint8_t>(rest | 0x80);
    rest >>= 7;
  }
  field.tag[field.tag_bytes++] = static_cast<uint8_t>(rest);
}

Status clash_of_names(const MessagePlan& message, const FieldPlan& a, const FieldPlan& b) {
  return proxy_error(Code::InvalidArgument, std::string(message.full_name) + ": the fields " +
                                                std::string(a.proto_name) + " and " + std::string(b.proto_name) +
                                                " have the same JSON name \"" + std::string(a.json_name) + "\"");
}

// Names are compared with the text of JSON as it stands, and written as they are.
bool needs_escape(std::string_view json_name) {
  return std::ranges::any_of(json_name, [](char c) { return c == '"' || c == '\\' || static_cast<uint8_t>(c) < 0x20; });
}

Status unfit_name(const MessagePlan& message, const FieldPlan& field) {
  return proxy_error(Code::InvalidArgument, std::string(message.full_name) + '.' + std::string(field.proto_name) +
                                                ": a JSON name may not have quotes, backslashes or control characters");
}

// proto2 lets derived names clash, for the sake of files older than JSON; the first field then has the name.
bool may_share_name(const FieldDescriptor* a, const FieldDescriptor* b) {
  const bool is_derived = !a->has_json_name() || !b->has_json_name();
  return a->file()->syntax() == FileDescriptor::SYNTAX_PROTO2 && is_derived;
}

// The extensions' order in the pool is that of a hash table.
std::vector<const FieldDescriptor*> fields_of(const DescriptorPool& pool, const Descriptor* type) {
  std::vector<const FieldDescriptor*> fields;
  for (int i = 0; i < type->field_count(); ++i) {
    fields.push_back(type->field(i));
  }
  std::vector<const FieldDescriptor*> extensions;
  // A message set writes its extensions as groups of type id and bytes; they stay unknown fields.
  if (type->extension_range_count() > 0 && !type->options().message_set_wire_format()) {
    pool.FindAllExtensions(type, &extensions);
    std::ranges::sort(extensions, {}, &FieldDescriptor::number);
  }
  fields.insert(fields.end(), extensions.begin(), extensions.end());
  return fields;
}

void insert_name(std::span<uint16_t> table, std::string_view name, uint16_t slot_value) {
  size_t slot = hash_field_name(name) & (table.size() - 1);
  while (table[slot] != kEmpty) {
    slot = (slot + 1) & (table.size() - 1);
  }
  table[slot] = slot_value;
}

}  // namespace

Status PlanCompiler::compile(const DescriptorPool& pool, std::span<const FileDescriptor* const> files) {
  for (const FileDescriptor* file : files) {
    for (int i = 0; i < file->message_type_count(); ++i) {
      collect(file->message_type(i));
    }
    for (int i = 0; i < file->enum_type_count(); ++i) {
      enum_types_.push_back(file->enum_type(i));
    }
  }
  messages_ = arena_.make<MessagePlan>(types_.size());
  for (size_t i = 0; i < types_.size(); ++i) {
    plan_of_[types_[i]] = &messages_[i];
  }
  enums_ = arena_.make<EnumPlan>(enum_types_.size());
  for (size_t i = 0; i < enum_types_.size(); ++i) {
    enum_plan_of_[enum_types_[i]] = &enums_[i];
    fill_enum(enum_types_[i], enums_[i]);
  }
  for (const Descriptor* type : types_) {
    if (Status status = fill_message(pool, type); !status.ok()) {
      return status;
    }
  }
  return {};
}

const MessagePlan* PlanCompiler::message(const Descriptor* type) const {
  auto found = plan_of_.find(type);
  return found == plan_of_.end() ? nullptr : found->second;
}

void PlanCompiler::collect(const Descriptor* type) {
  types_.push_back(type);
  for (int i = 0; i < type->enum_type_count(); ++i) {
    enum_types_.push_back(type->enum_type(i));
  }
  for (int i = 0; i < type->nested_type_count(); ++i) {
    collect(type->nested_type(i));
  }
}

Status PlanCompiler::fill_message(const DescriptorPool& pool, const Descriptor* type) {
  MessagePlan& plan = *plan_of_[type];
  const FieldList fields = fields_of(pool, type);
  plan.full_name = arena_.copy(type->full_name());
  plan.schema = &owner_;
  plan.codec = codec_of(*type);
  plan.is_map_entry = type->options().map_entry();
  plan.oneofs = static_cast<uint16_t>(type->real_oneof_decl_count());
  if (fields.size() > kFieldsMax) {
    return proxy_error(Code::InvalidArgument,
                       type->full_name() + " has more than " + std::to_string(kFieldsMax) + " fields");
  }
  std::span<FieldPlan> plans = arena_.make<FieldPlan>(fields.size());
  for (size_t i = 0; i < fields.size(); ++i) {
    plans[i].index = static_cast<uint16_t>(i);
    fill_field(fields[i], plans[i]);
    plan.has_required |= plans[i].is_required;
  }
  plan.fields = plans;
  fill_number_tables(plan);
  return fill_name_table(plan, fields);
}

void PlanCompiler::fill_field(const FieldDescriptor* field, FieldPlan& plan) {
  plan.proto_name = arena_.copy(field->name());
  plan.json_name = arena_.copy(field->is_extension() ? "[" + field->full_name() + "]" : field->json_name());
  plan.number = static_cast<uint32_t>(field->number());
  plan.kind = kind_of(field);
  plan.is_repeated = field->is_repeated();
  plan.is_packed = field->is_packed();
  plan.is_map = field->is_map();
  plan.has_presence = field->has_presence();
  plan.is_required = field->is_required();
  plan.is_extension = field->is_extension();
  if (!field->is_extension() && field->real_containing_oneof() != nullptr) {
    plan.oneof = static_cast<int16_t>(field->real_containing_oneof()->index());
  }
  if (field->message_type() != nullptr) {
    plan.message = plan_of_[field->message_type()];
  }
  if (field->enum_type() != nullptr) {
    plan.enumeration = enum_plan_of_[field->enum_type()];
  }
  write_tag(plan);
}

Status PlanCompiler::fill_name_table(MessagePlan& message, const FieldList& fields) {
  if (fields.empty()) {
    return {};
  }
  std::span<uint16_t> table = arena_.make<uint16_t>(std::bit_ceil(fields.size() * 4));
  std::ranges::fill(table, kEmpty);
  message.name_table = table;
  std::map<std::string_view, const FieldPlan*> taken;
  for (const FieldPlan& field : message.fields) {
    if (needs_escape(field.json_name)) {
      return unfit_name(message, field);
    }
    auto [other, is_new] = taken.emplace(field.json_name, &field);
    if (is_new) {
      insert_name(table, field.json_name, field.index);
    } else if (!may_share_name(fields[other->second->index], fields[field.index])) {
      return clash_of_names(message, *other->second, field);
    }
  }
  for (const FieldPlan& field : message.fields) {
    // An extension has no name of its own in JSON but the bracketed one.
    if (!field.is_extension && taken.emplace(field.proto_name, &field).second) {
      insert_name(table, field.proto_name, field.index | kByProtoName);
    }
  }
  return {};
}

void PlanCompiler::fill_number_tables(MessagePlan& message) {
  const uint32_t dense_end = std::max<uint32_t>(kDenseNumbersMin, static_cast<uint32_t>(message.fields.size()) * 2);
  uint32_t dense_size = 0;
  std::vector<uint16_t> others;
  for (const FieldPlan& field : message.fields) {
    if (field.number < dense_end) {
      dense_size = std::max(dense_size, field.number + 1);
    } else {
      others.push_back(field.index);
    }
  }
  std::span<uint16_t> dense = arena_.make<uint16_t>(dense_size);
  std::ranges::fill(dense, kEmpty);
  for (const FieldPlan& field : message.fields) {
    if (field.number < dense_end) {
      dense[field.number] = field.index;
    }
  }
  std::ranges::sort(others, {}, [&message](uint16_t index) { return message.fields[index].number; });
  message.dense_table = dense;
  message.sorted_table = arena_.copy(others);
}

void PlanCompiler::fill_enum(const EnumDescriptor* type, EnumPlan& plan) {
  plan.full_name = arena_.copy(type->full_name());
  plan.is_closed = type->file()->syntax() == FileDescriptor::SYNTAX_PROTO2;
  plan.is_null_value = type->full_name() == "google.protobuf.NullValue";
  std::vector<EnumEntry> entries;
  for (int i = 0; i < type->value_count(); ++i) {
    entries.push_back({arena_.copy(type->value(i)->name()), type->value(i)->number()});
  }
  std::vector<EnumEntry> by_number = entries;
  std::ranges::stable_sort(by_number, {}, &EnumEntry::number);
  auto repeats = std::ranges::unique(by_number, {}, &EnumEntry::number);
  by_number.erase(repeats.begin(), repeats.end());
  std::ranges::sort(entries, {}, &EnumEntry::name);
  plan.by_name = arena_.copy(entries);
  plan.by_number = arena_.copy(by_number);
  // Above that many names they are searched.
  if (entries.size() < kEmpty) {
    std::span<uint16_t> table = arena_.make<uint16_t>(std::bit_ceil(entries.size() * 2));
    std::ranges::fill(table, kEmpty);
    for (size_t i = 0; i < entries.size(); ++i) {
      insert_name(table, entries[i].name, static_cast<uint16_t>(i));
    }
    plan.name_table = table;
  }
}

}  // namespace transom
