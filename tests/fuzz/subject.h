// What the checks share: one message type of one schema, before our transcoder and before protobuf's own code.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "schema/schema.h"
#include "transcode/json_to_wire.h"
#include "transcode/oracle.h"
#include "transcode/wire_to_json.h"

namespace transom {

class Subject {
 public:
  Subject(const Schema& schema, const Oracle& oracle, std::string type);

  const Oracle& oracle() const { return oracle_; }
  const std::string& type() const { return type_; }
  const MessagePlan& plan() const { return plan_; }
  Status to_wire(std::string json, std::string& wire, const JsonOptions& options = {}) const;
  Status to_json(std::string_view wire, std::string& json, const JsonOptions& options = {}) const;
  // "" when the JSON text is read as that message; what is wrong otherwise.
  std::string reading_problem(const std::string& json, const google::protobuf::Message& wanted,
                              const JsonOptions& options = {}) const;

 private:
  const Oracle& oracle_;
  const std::string type_;
  const MessagePlan& plan_;
};

// "" when equal; else the difference. As Oracle::difference, but floats may be neighbours: protobuf's own code reads a
// float by way of a double, which rounds twice.
std::string difference_of(const google::protobuf::Message& a, const google::protobuf::Message& b);

// What a message becomes by way of JSON, everywhere in it: fields that nobody knows are lost, a
// google.protobuf.Value of nothing is null, and so is every number of NullValue. Likewise inside an Any; false
// when one of them holds broken bytes, which only who prints it meets.
bool settle_for_json(google::protobuf::Message& message);

}  // namespace transom
