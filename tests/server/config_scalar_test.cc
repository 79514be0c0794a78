#include "server/config_scalar.h"

#include <gtest/gtest.h>

#include "transom/config/v1/config.pb.h"

namespace transom {
namespace {

Status set(google::protobuf::Message& message, const std::string& field, const std::string& text) {
  return set_scalar(message, *message.GetDescriptor()->FindFieldByName(field), text, "/etc/transom");
}

TEST(ConfigScalar, IsReadByTheFieldsTypeAndForm) {
  config::v1::Config config;
  EXPECT_TRUE(set(config, "workers", "4").ok());
  EXPECT_EQ(config.workers(), 4u);
  EXPECT_TRUE(set(config, "ready", "any").ok());
  EXPECT_EQ(config.ready(), config::v1::READY_ANY);
  EXPECT_TRUE(set(*config.mutable_limits(), "message", "1MiB").ok());
  EXPECT_EQ(config.limits().message(), 1048576u);
  EXPECT_TRUE(set(*config.mutable_drain(), "timeout", "2s").ok());
  EXPECT_EQ(config.drain().timeout(), 2'000'000'000);
  EXPECT_TRUE(set(*config.mutable_json(), "int64_as_number", "true").ok());
  EXPECT_TRUE(config.json().int64_as_number());
}

TEST(ConfigScalar, ARelativePathStandsBesideTheFile) {
  config::v1::Tls tls;
  EXPECT_TRUE(set(tls, "certificate", "tls/a.pem").ok());
  EXPECT_EQ(tls.certificate(), "/etc/transom/tls/a.pem");
  EXPECT_TRUE(set(tls, "private_key", "/run/a.key").ok());
  EXPECT_EQ(tls.private_key(), "/run/a.key");
}

TEST(ConfigScalar, SaysWhatWasExpectedAndWhatWasFound) {
  config::v1::Config config;
  config::v1::Backend backend;
  config::v1::Listener listener;
  const struct {
    google::protobuf::Message& message;
    const char* field;
    const char* text;
    const char* complaint;
  } cases[] = {
      {config, "workers", "many", "expected a whole number, found \"many\""},
      {config, "workers", "-1", "must not be negative, found -1"},
      {config, "workers", "257", "must be at most 256, found 257"},
      {config, "workers", "99999999999999999999", "the number 99999999999999999999 is too large"},
      {config, "ready", "some", "expected all, any or none, found \"some\""},
      {backend, "policy", "fastest", "expected round_robin or least_request, found \"fastest\""},
      {backend, "name", "", "must not be empty"},
      {backend, "timeout", "5 parsecs", "expected a duration like 250ms, 5s or 1h30m, found \"5 parsecs\""},
      {*config.mutable_json(), "int64_as_number", "yes", "expected true or false, found \"yes\""},
      {*config.mutable_limits(), "message", "0", "must be at least 1, found 0"},
      {*config.mutable_limits(), "message", "2GiB", "must be at most 1GiB, found 2GiB"},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(set(c.message, c.field, c.text).message, c.complaint);
  }
  EXPECT_TRUE(set(listener, "address", "nowhere").message.starts_with("expected host:port, [v6]:port or unix:/path"));
}

}  // namespace
}  // namespace transom
