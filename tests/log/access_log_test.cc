#include "log/access_log.h"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "support/temp_folder.h"

namespace transom {
namespace {

AccessRecord example() {
  AccessRecord record;
  record.time = std::chrono::system_clock::time_point(std::chrono::seconds(1));
  record.request_id = "id";
  record.client = "10.0.0.1:5000";
  record.method = "POST";
  record.target = "/v1/models/iris:predict?x=\"";
  record.host = "localhost";
  record.route = "/v1/models/{model_name}:predict";
  record.rpc = "bench.v1.Predictor/Predict";
  record.protocol = "http1";
  record.backend = "iris";
  record.replica = "127.0.0.1:50051";
  record.http_status = 200;
  record.bytes_in = 12;
  record.bytes_out = 34;
  record.request_content_type = "application/json";
  record.response_content_type = "application/json";
  record.tolerated = "unknown_field";
  record.duration = std::chrono::microseconds(1500);
  record.replica_duration = std::chrono::microseconds(1400);
  return record;
}

TEST(AccessLog, ALineHasEveryField) {
  std::string line;
  AccessFields().append_line(example(), line);
  EXPECT_EQ(line,
            R"({"time":"1970-01-01T00:00:01.000000Z","request_id":"id","client":"10.0.0.1:5000","method":"POST",)"
            R"("target":"/v1/models/iris:predict?x=\"","host":"localhost","route":"/v1/models/{model_name}:predict",)"
            R"("rpc":"bench.v1.Predictor/Predict","protocol":"http1","backend":"iris","replica":"127.0.0.1:50051",)"
            R"("http_status":200,"grpc_status":0,"error":"","bytes_in":12,"bytes_out":34,)"
            R"("request_content_type":"application/json","response_content_type":"application/json",)"
            R"("tolerated":"unknown_field","duration_ms":1.500,"waiting_ms":0.000,"replica_ms":1.400})"
            "\n");
}

TEST(AccessLog, EachFieldCanBeChosenAlone) {
  for (std::string_view name : AccessFields::names()) {
    const std::vector<std::string> names{std::string(name)};
    const auto fields = AccessFields::select(names);
    ASSERT_TRUE(fields.ok());
    std::string line;
    fields->append_line(example(), line);
    EXPECT_TRUE(line.starts_with("{\"" + names[0] + "\":")) << line;
    EXPECT_EQ(line.find(",\""), std::string::npos) << line;
  }
}

TEST(AccessLog, TheDocumentationHasEveryField) {
  std::vector<std::string> documented;
  std::ifstream page(std::string(TRANSOM_SOURCE_ROOT) + "/docs/access-log.md");
  for (std::string line; std::getline(page, line);) {
    if (line.starts_with("| `")) documented.push_back(line.substr(3, line.find('`', 3) - 3));
  }
  const auto names = AccessFields::names();
  EXPECT_EQ(documented, std::vector<std::string>(names.begin(), names.end()));
}

TEST(AccessLog, AnUnknownFieldIsAnError) {
  const std::vector<std::string> names{"method", "colour"};
  EXPECT_EQ(AccessFields::select(names).status().message, "the access log has no field \"colour\"");
}

TEST(AccessLog, LinesComeWhenABatchIsFullAndWhenFlushed) {
  const std::string path = temp_folder() + "access_log_test.log";
  std::remove(path.c_str());
  {
    LineThread thread;
    auto sink = LineSink::open(thread, path);
    ASSERT_TRUE(sink.ok());
    AccessLog log(**sink, AccessFields());
    EXPECT_TRUE(log.is_on());
    for (int i = 0; i < 1000; ++i)
      log.write(example());
  }
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  int lines = 0;
  for (std::string line; std::getline(text, line);)
    ++lines;
  EXPECT_EQ(lines, 1000);
}

TEST(AccessLog, IsOffWithoutASink) {
  LineThread thread;
  auto sink = LineSink::open(thread, "");
  ASSERT_TRUE(sink.ok());
  AccessLog log(**sink, AccessFields());
  log.write(example());
  EXPECT_FALSE(log.is_on());
}

}  // namespace
}  // namespace transom
