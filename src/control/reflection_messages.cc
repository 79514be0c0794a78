#include "control/reflection_messages.h"

#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/unknown_field_set.h>

#include <functional>

namespace transom {
namespace {

using google::protobuf::UnknownField;
using google::protobuf::UnknownFieldSet;

// Field numbers of grpc/reflection/v1/reflection.proto.
enum RequestField { kAskFileByName = 3, kAskFileContainingSymbol = 4, kAskListServices = 7 };
enum ResponseField { kFiles = 4, kServices = 6, kError = 7 };
constexpr int kFileBytes = 1;    // FileDescriptorResponse
constexpr int kService = 1;      // ListServiceResponse
constexpr int kServiceName = 1;  // ServiceResponse
enum ErrorField { kErrorCode = 1, kErrorMessage = 2 };

int number_of(ReflectionQuery query) {
  switch (query) {
    case ReflectionQuery::FileByName:
      return kAskFileByName;
    case ReflectionQuery::FileContainingSymbol:
      return kAskFileContainingSymbol;
    case ReflectionQuery::ListServices:
      return kAskListServices;
  }
  return 0;
}

Status malformed() { return replica_error(Code::Internal, "the answer is no ServerReflectionResponse"); }

// Calls visit with each length-delimited field of that number.
bool for_each(const std::string& message, int number, const std::function<void(const std::string&)>& visit) {
  UnknownFieldSet fields;
  if (!fields.ParseFromString(message)) {
    return false;
  }
  for (int i = 0; i < fields.field_count(); ++i) {
    const UnknownField& field = fields.field(i);
    if (field.number() == number && field.type() == UnknownField::TYPE_LENGTH_DELIMITED) {
      visit(field.length_delimited());
    }
  }
  return true;
}

bool parse_error(const std::string& message, Status& status) {
  UnknownFieldSet fields;
  if (!fields.ParseFromString(message)) {
    return false;
  }
  status = replica_error(Code::Unknown, "");
  for (int i = 0; i < fields.field_count(); ++i) {
    const UnknownField& field = fields.field(i);
    if (field.number() == kErrorCode && field.type() == UnknownField::TYPE_VARINT && field.varint() != 0) {
      status.code = static_cast<Code>(field.varint());
    } else if (field.number() == kErrorMessage && field.type() == UnknownField::TYPE_LENGTH_DELIMITED) {
      status.message = field.length_delimited();
    }
  }
  return true;
}

bool parse_field(int number, const std::string& bytes, ReflectionAnswer& answer) {
  if (number == kError) {
    return parse_error(bytes, answer.refusal);
  }
  if (number == kFiles) {
    return for_each(bytes, kFileBytes, [&](const std::string& file) { answer.files.push_back(file); });
  }
  if (number != kServices) {
    return true;
  }
  bool sound = true;
  const auto add_name = [&](const std::string& name) { answer.services.push_back(name); };
  return for_each(bytes, kService,
                  [&](const std::string& service) { sound &= for_each(service, kServiceName, add_name); }) &&
         sound;
}

}  // namespace

std::string encode_reflection_request(ReflectionQuery query, const std::string& argument) {
  UnknownFieldSet fields;
  fields.AddLengthDelimited(number_of(query), argument);
  std::string bytes;
  fields.SerializeToString(&bytes);
  return bytes;
}

Result<ReflectionAnswer> parse_reflection_response(const std::string& bytes) {
  UnknownFieldSet fields;
  if (!fields.ParseFromString(bytes)) {
    return malformed();
  }
  ReflectionAnswer answer;
  for (int i = 0; i < fields.field_count(); ++i) {
    const UnknownField& field = fields.field(i);
    if (field.type() == UnknownField::TYPE_LENGTH_DELIMITED &&
        !parse_field(field.number(), field.length_delimited(), answer)) {
      return malformed();
    }
  }
  return answer;
}

Result<FileHead> parse_file_head(const std::string& file) {
  google::protobuf::FileDescriptorProto proto;
  if (!proto.ParseFromString(file)) {
    return replica_error(Code::Internal, "sent what is no FileDescriptorProto");
  }
  return FileHead{proto.name(), {proto.dependency().begin(), proto.dependency().end()}};
}

}  // namespace transom
