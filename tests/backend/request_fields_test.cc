#include "backend/request_fields.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

std::string list(const CallHead& head, const RequestDefaults& defaults) {
  std::vector<Field> fields;
  list_request_fields(head, defaults, fields);
  std::string text;
  for (const Field& field : fields) {
    text.append(field.name).append("=").append(field.value).append("\n");
  }
  return text;
}

TEST(RequestFields, AreThoseOfTheGrpcProtocolInItsOrder) {
  CallHead head;
  head.path = "/pkg.Svc/Method";
  head.metadata.add("foo", "1");
  head.metadata.add("foo", "2");
  EXPECT_EQ(list(head, {.authority = "h:1", .user_agent = "ua", .timeout = "5S"}),
            ":method=POST\n:scheme=http\n:path=/pkg.Svc/Method\n:authority=h:1\ngrpc-timeout=5S\nte=trailers\n"
            "content-type=application/grpc\nfoo=1\nfoo=2\nuser-agent=ua\n");
}

TEST(RequestFields, TheCallsOwnValuesReplaceTheDefaults) {
  CallHead head;
  head.path = "/p/m";
  head.authority = "models.example";
  head.content_type = "application/grpc+proto";
  head.metadata.add("user-agent", "own");
  EXPECT_EQ(list(head, {.authority = "h:1", .user_agent = "ua", .timeout = ""}),
            ":method=POST\n:scheme=http\n:path=/p/m\n:authority=models.example\nte=trailers\n"
            "content-type=application/grpc+proto\nuser-agent=own\n");
}

}  // namespace
}  // namespace transom
