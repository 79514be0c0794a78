// A Schema is the set of services and message plans that one backend's requests are transcoded by. It is made at load
// by SchemaLoader, never changes, is shared by every thread, and lives until the last request that uses it has ended.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "schema/http_rule.h"
#include "schema/plan.h"
#include "schema/schema_files.h"

namespace transom {

struct MethodPlan {
  std::string full_name;  // "package.Service.Method", as a rule's selector
  std::string path;       // "/package.Service/Method", as the :path of a call
  std::string service;    // "package.Service"
  const MessagePlan* input = nullptr;
  const MessagePlan* output = nullptr;
  bool is_client_streaming = false;
  bool is_server_streaming = false;
  bool is_idempotent = false;      // idempotency_level NO_SIDE_EFFECTS or IDEMPOTENT
  std::vector<HttpRule> rules;     // from annotations, in order; empty when there are none
};

class Schema {
 public:
  virtual ~Schema() = default;

  virtual std::span<const MethodPlan> methods() const = 0;
  // nullptr when unknown. Service: "package.Service"; method: "package.Service.Method".
  virtual bool has_service(std::string_view service) const = 0;
  virtual const MethodPlan* find_method(std::string_view full_name) const = 0;
  virtual const MessagePlan* find_message(std::string_view full_name) const = 0;
  virtual const EnumPlan* find_enum(std::string_view full_name) const = 0;
  // What it was made from, the built-in files included.
  virtual const SchemaFiles& files() const = 0;
  // Of the files' content; equal digests mean equal schemas.
  virtual std::string_view digest() const = 0;
};

using SchemaPtr = std::shared_ptr<const Schema>;

}  // namespace transom
