// A grpc++ server of the demo's service within the test program, and a SchemaReflector's answer awaited.
#pragma once

#include <bench/v1/predictor.grpc.pb.h>
#include <grpcpp/grpcpp.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "control/reflection.h"
#include "support/loop_runner.h"

namespace transom {

using Files = Result<std::vector<std::string>>;

// Has reflection in a program that links libgrpc++_reflection, and none in another.
class PredictorServer {
 public:
  PredictorServer() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(), &port_);
    builder.RegisterService(&service_);
    server_ = builder.BuildAndStart();
  }
  ~PredictorServer() { server_->Shutdown(std::chrono::system_clock::now()); }
  std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

 private:
  bench::v1::Predictor::Service service_;
  int port_ = 0;
  std::unique_ptr<grpc::Server> server_;
};

inline std::optional<Files> fetch(const std::string& address, ReflectionLimits limits = {}) {
  Loop loop;
  std::optional<Files> files;
  SchemaReflector reflector(loop, limits);
  reflector.fetch(address, [&](Files result) { files = std::move(result); });
  EXPECT_FALSE(files.has_value()) << "on_done ran within fetch";
  run_until(loop, [&] { return files.has_value(); });
  return files;
}

}  // namespace transom
