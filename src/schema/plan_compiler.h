// PlanCompiler turns built descriptors into plans in a Schema's arena. Used once per load, on the loading thread, and
// gone before the Schema is shared; the plans never point back at descriptors.
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

#include "base/status.h"
#include "schema/plan.h"
#include "schema/plan_arena.h"

namespace google::protobuf {
class Descriptor;
class DescriptorPool;
class EnumDescriptor;
class FieldDescriptor;
class FileDescriptor;
}  // namespace google::protobuf

namespace transom {

class PlanCompiler {
 public:
  // owner becomes MessagePlan::schema; both outlive the plans.
  PlanCompiler(PlanArena& arena, const Schema& owner) : arena_(arena), owner_(owner) {}

  // Extensions are those that the pool knows. Fails where two fields of a message have one JSON name, and where a
  // message has more fields than its tables can number.
  Status compile(const google::protobuf::DescriptorPool& pool,
                 std::span<const google::protobuf::FileDescriptor* const> files);

  std::span<const MessagePlan> messages() const { return messages_; }
  std::span<const EnumPlan> enums() const { return enums_; }
  // Of a compiled type; null for another.
  const MessagePlan* message(const google::protobuf::Descriptor* type) const;

 private:
  using FieldList = std::vector<const google::protobuf::FieldDescriptor*>;

  void collect(const google::protobuf::Descriptor* type);
  Status fill_message(const google::protobuf::DescriptorPool& pool, const google::protobuf::Descriptor* type);
  void fill_field(const google::protobuf::FieldDescriptor* field, FieldPlan& plan);
  Status fill_name_table(MessagePlan& message, const FieldList& fields);
  void fill_number_tables(MessagePlan& message);
  void fill_enum(const google::protobuf::EnumDescriptor* type, EnumPlan& plan);

  PlanArena& arena_;
  const Schema& owner_;
  std::vector<const google::protobuf::Descriptor*> types_;
  std::vector<const google::protobuf::EnumDescriptor*> enum_types_;
  std::unordered_map<const google::protobuf::Descriptor*, MessagePlan*> plan_of_;
  std::unordered_map<const google::protobuf::EnumDescriptor*, EnumPlan*> enum_plan_of_;
  std::span<MessagePlan> messages_;
  std::span<EnumPlan> enums_;
};

}  // namespace transom
