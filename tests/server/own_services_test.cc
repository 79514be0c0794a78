#include "server/own_services.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "server/config.h"

namespace transom {
namespace {

using testing::ElementsAre;

constexpr const char* kHealth = "grpc.health.v1.Health";
constexpr const char* kV1 = "grpc.reflection.v1.ServerReflection";
constexpr const char* kV1Alpha = "grpc.reflection.v1alpha.ServerReflection";

std::vector<std::string> served(const std::string& keys) {
  const Configuration read = read_configuration(
      "listeners: [ { address: \"a:1\" } ]\nbackends: [ { name: one, schema: [ { reflection: true } ], replicas: [ a:1 "
      "] } ]\n" +
          keys,
      "c.yaml", "/");
  EXPECT_THAT(read.report.lines(), ElementsAre()) << keys;
  std::vector<std::string> services;
  for (const RouteSource& route : own_service_routes(read.message, 7)) {
    EXPECT_EQ(route.options_index, 7u);
    EXPECT_EQ(route.backend, "");
    EXPECT_TRUE(route.schema->has_service(route.service));
    services.push_back(route.service);
  }
  return services;
}

TEST(OwnServices, AreServedUnlessTheConfigurationSaysOtherwise) {
  EXPECT_THAT(served(""), ElementsAre(kHealth, kV1, kV1Alpha));
  EXPECT_THAT(served("grpc_services: { reflection: false }"), ElementsAre(kHealth));
  EXPECT_THAT(served("grpc_services: { health: false }"), ElementsAre(kV1, kV1Alpha));
  EXPECT_THAT(served("grpc_services: { health: false, reflection: false }"), ElementsAre());
}

TEST(OwnServices, ARouteThatNamesTheServiceGoesFirst) {
  const std::string route = "routes: [ { service: grpc.health.v1.Health, backend: one";
  EXPECT_THAT(served(route + " } ]"), ElementsAre(kV1, kV1Alpha));
  EXPECT_THAT(served(route + " } ]\ngrpc_services: { health: true }"), ElementsAre(kV1, kV1Alpha));
  // The route's match sees to it by itself.
  EXPECT_THAT(served(route + ", match: { hosts: [ h.test ] } } ]"), ElementsAre(kHealth, kV1, kV1Alpha));
}

TEST(OwnServices, APassThroughGetsThemUnlessTheyAreAskedFor) {
  const std::string route = "routes: [ { service: \"*\", backend: one";
  EXPECT_THAT(served(route + " } ]"), ElementsAre());
  EXPECT_THAT(served(route + " } ]\ngrpc_services: { health: true }"), ElementsAre(kHealth));
  EXPECT_THAT(served(route + " } ]\ngrpc_services: { reflection: true }"), ElementsAre(kV1, kV1Alpha));
  EXPECT_THAT(served(route + ", match: { path_prefix: /x } } ]"), ElementsAre(kHealth, kV1, kV1Alpha));
}

}  // namespace
}  // namespace transom
