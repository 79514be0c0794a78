#include "protocol/media_type.h"

#include <gtest/gtest.h>

namespace transom {
namespace {

TEST(MediaTypeTest, JsonIsKnownByTypeOrSuffixInAnyCase) {
  for (std::string_view type : {"application/json", "Application/JSON", "application/json; charset=utf-8",
                                "application/json;charset=\"x\"", "application/problem+json", "model/x+JSON ; v=1"}) {
    EXPECT_TRUE(is_json(type)) << type;
  }
  for (std::string_view type : {"", "text/plain", "application/jsonp", "application/x-ndjson", "json", "+json",
                                "application/+json", "application/grpc+proto", "application/json-seq"}) {
    EXPECT_FALSE(is_json(type)) << type;
  }
}

TEST(MediaTypeTest, GrpcIsNeitherJsonNorWeb) {
  for (std::string_view type : {"application/grpc", "application/grpc+proto", "Application/gRPC; x=y",
                                "application/grpc+thrift"}) {
    EXPECT_TRUE(is_grpc(type)) << type;
  }
  for (std::string_view type : {"", "application/grpc+json", "application/grpc-web", "application/grpc-web+proto",
                                "application/grpcx", "application/gr"}) {
    EXPECT_FALSE(is_grpc(type)) << type;
  }
}

TEST(MediaTypeTest, AMediaTypeIsItsNameAlone) {
  EXPECT_EQ(media_type_of(" Text/Event-Stream ;q=1"), "text/event-stream");
  EXPECT_EQ(media_type_of(""), "");
}

TEST(AcceptTest, TheHighestQualityWinsAndTiesHaveAnOrder) {
  const struct {
    std::string_view accept;
    Framing framing;
  } cases[] = {
      {"", Framing::NdJson},
      {"*/*", Framing::NdJson},
      {"application/*", Framing::NdJson},
      {"text/html", Framing::NdJson},
      {"application/json", Framing::Array},
      {"application/x-ndjson", Framing::NdJson},
      {"text/event-stream", Framing::EventStream},
      {"TEXT/Event-Stream", Framing::EventStream},
      {"application/json, application/x-ndjson, text/event-stream", Framing::EventStream},
      {"application/json, application/x-ndjson", Framing::NdJson},
      {"application/json;q=0.9, text/event-stream;q=0.8", Framing::Array},
      {"application/json;q=0.5, text/event-stream;q=0.500", Framing::EventStream},
      {"application/json, */*", Framing::NdJson},
      {"application/json, */*;q=0.8", Framing::Array},
      {"text/event-stream, */*", Framing::EventStream},
      {"text/event-stream;q=0.1, application/*", Framing::NdJson},
      {"application/json, application/x-ndjson;q=0, */*", Framing::Array},
      {"text/event-stream;q=0", Framing::NdJson},
      {"application/json;q=0", Framing::NdJson},
      {"application/json;q=banana, text/event-stream;q=0.001", Framing::EventStream},
      {"application/json; charset=utf-8; q=0.4, text/event-stream;q=0.3", Framing::Array},
      {" , ,application/json , ", Framing::Array},
  };
  for (const auto& row : cases) {
    Fields fields;
    fields.add("accept", row.accept);
    EXPECT_EQ(choose_framing(fields, Framing::NdJson), row.framing) << row.accept;
  }
}

TEST(AcceptTest, SeveralFieldsAreOneList) {
  Fields fields;
  EXPECT_EQ(choose_framing(fields, Framing::NdJson), Framing::NdJson);
  fields.add("accept", "application/json;q=0.5");
  fields.add("x-other", "text/event-stream");
  fields.add("accept", "application/x-ndjson;q=0.4");
  EXPECT_EQ(choose_framing(fields, Framing::NdJson), Framing::Array);
}

}  // namespace
}  // namespace transom
