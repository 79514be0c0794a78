// The demo's gRPC service, bench.v1.Predictor. It is what a user's own model server is to Transom: it knows nothing of
// the proxy. Every answer names the process that gave it in the metadata `x-demo-replica`. Calls come on gRPC's
// threads.
#pragma once

#include <chrono>
#include <string>

#include "bench/v1/predictor.grpc.pb.h"

namespace transom::demo {

class PredictorService final : public bench::v1::Predictor::Service {
 public:
  // Each unary call, and each stream before its first token, waits `delay` first.
  explicit PredictorService(std::chrono::milliseconds delay);

  grpc::Status Predict(grpc::ServerContext* call, const bench::v1::PredictRequest* request,
                       bench::v1::PredictResponse* response) override;
  grpc::Status Echo(grpc::ServerContext* call, const bench::v1::EchoMessage* request,
                    bench::v1::EchoMessage* response) override;
  grpc::Status Generate(grpc::ServerContext* call, const bench::v1::GenerateRequest* request,
                        grpc::ServerWriter<bench::v1::Token>* writer) override;

 private:
  // False if the caller went away meanwhile, which is then told on stderr.
  bool wait(grpc::ServerContext* call, std::chrono::microseconds time, const char* rpc) const;
  bool begin(grpc::ServerContext* call, const char* rpc) const;

  const std::string replica_;
  const std::chrono::milliseconds delay_;
};

}  // namespace transom::demo
