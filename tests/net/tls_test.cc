#include "net/tls.h"

#include <gtest/gtest.h>

#include "net/tls_files.h"

namespace transom {
namespace {

TEST(TlsServer, LoadsAPairAndAnAuthority) {
  TlsFiles authority("authority", nullptr);
  TlsFiles server("server", &authority);
  for (const std::string& client_ca : {std::string(), authority.certificate}) {
    auto loaded = TlsServer::load({server.certificate, server.private_key, client_ca});
    ASSERT_TRUE(loaded.ok()) << loaded.status().message;
    EXPECT_NE((*loaded)->handle(), nullptr);
  }
}

TEST(TlsServer, NamesTheFileThatIsWrong) {
  TlsFiles one("one", nullptr);
  TlsFiles other("other", nullptr);
  struct Case {
    TlsOptions options;
    std::string what;
    std::string reason;
  };
  const Case cases[] = {
      {{"/no/such.pem", one.private_key, ""}, "certificate /no/such.pem", "No such file"},
      {{one.certificate, "/no/such.key", ""}, "private key /no/such.key", "No such file"},
      {{one.private_key, one.private_key, ""}, "certificate " + one.private_key, "no start line"},
      {{one.certificate, other.private_key, ""}, "private key " + other.private_key, "mismatch"},
      {{one.certificate, one.private_key, "/no/ca.pem"}, "client CA /no/ca.pem", "No such file"},
      {{one.certificate, one.private_key, one.private_key}, "client CA " + one.private_key, ""},
  };
  for (const Case& each : cases) {
    auto loaded = TlsServer::load(each.options);
    ASSERT_FALSE(loaded.ok()) << each.what;
    EXPECT_EQ(loaded.status().code, Code::InvalidArgument);
    EXPECT_TRUE(loaded.status().message.starts_with(each.what + ": ")) << loaded.status().message;
    EXPECT_NE(loaded.status().message.find(each.reason), std::string::npos) << loaded.status().message;
  }
}

}  // namespace
}  // namespace transom
