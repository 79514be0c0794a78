#include "transom/schema.h"

#include <set>

#include "embed/failure.h"
#include "schema/schema.h"
#include "schema/schema_loader.h"

namespace transom {
namespace {

Status add_source(const SchemaSource& source, SchemaLoader& loader) {
  switch (source.kind) {
    case SchemaSource::Kind::DescriptorSetFile:
      return loader.add_descriptor_set_file(source.path);
    case SchemaSource::Kind::DescriptorSet:
      return loader.add_descriptor_set(source.bytes, source.path);
    case SchemaSource::Kind::ProtoFile:
      return loader.add_proto_file(source.path, source.import_paths);
  }
  return proxy_error(Code::InvalidArgument, source.path + ": is of no known kind of source");
}

}  // namespace

std::vector<std::string> ServiceSchema::services() const {
  std::set<std::string> names;
  for (const MethodPlan& method : held_->methods()) {
    names.insert(method.service);
  }
  return {names.begin(), names.end()};
}

bool ServiceSchema::has_service(std::string_view full_name) const { return held_->has_service(full_name); }

bool ServiceSchema::has_message(std::string_view full_name) const { return held_->find_message(full_name) != nullptr; }

Expected<ServiceSchema> load_schema(const std::vector<SchemaSource>& sources) {
  SchemaLoader loader;
  for (const SchemaSource& source : sources) {
    if (Status status = add_source(source, loader); !status.ok()) {
      return failure_of(status);
    }
  }
  Result<SchemaPtr> schema = loader.load();
  if (!schema.ok()) {
    return failure_of(schema.status());
  }
  return ServiceSchema(std::move(*schema));
}

}  // namespace transom
