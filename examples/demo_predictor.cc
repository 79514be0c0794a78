// transom-demo-predictor: one replica of the demo. It serves bench.v1.Predictor, server reflection and gRPC's health
// service, prints `listening on ADDRESS` once it is up, and ends on SIGTERM or SIGINT after its open calls.
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>
#include <pthread.h>
#include <signal.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>

#include "predictor_service.h"

namespace {

constexpr std::chrono::seconds kShutdownTimeout{5};

struct Flags {
  std::string address = "127.0.0.1:50051";
  int delay_ms = 0;
};

// Threads inherit the mask, so this runs before gRPC starts any; sigwait then is the only receiver.
sigset_t block_ending_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigaddset(&signals, SIGINT);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

// host:0 becomes host:PORT once the port is known; a unix address stays as it is.
std::string with_port(const std::string& address, int port) {
  const size_t colon = address.rfind(':');
  return address.starts_with("unix:") ? address : address.substr(0, colon + 1) + std::to_string(port);
}

int run(const Flags& flags) {
  const sigset_t signals = block_ending_signals();
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();

  transom::demo::PredictorService service(std::chrono::milliseconds(flags.delay_ms));
  int port = 0;
  grpc::ServerBuilder builder;
  builder.AddListeningPort(flags.address, grpc::InsecureServerCredentials(), &port);
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  builder.SetMaxReceiveMessageSize(-1);
  builder.RegisterService(&service);
  const std::unique_ptr<grpc::Server> server = builder.BuildAndStart();
  if (!server || port == 0) {
    std::fprintf(stderr, "transom-demo-predictor: cannot listen on %s\n", flags.address.c_str());
    return 1;
  }
  std::printf("listening on %s\n", with_port(flags.address, port).c_str());
  std::fflush(stdout);

  int signal = 0;
  sigwait(&signals, &signal);
  server->Shutdown(std::chrono::system_clock::now() + kShutdownTimeout);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"One replica of the Transom demo: the gRPC service bench.v1.Predictor."};
  Flags flags;
  app.add_option("--address", flags.address, "host:port (port 0: any free one) or unix:/path")->capture_default_str();
  app.add_option_function<int>(
      "--port", [&flags](const int& port) { flags.address = "127.0.0.1:" + std::to_string(port); },
      "short for --address 127.0.0.1:PORT");
  app.add_option("--delay-ms", flags.delay_ms, "wait so long before each answer")->check(CLI::NonNegativeNumber);
  CLI11_PARSE(app, argc, argv);
  return run(flags);
}
