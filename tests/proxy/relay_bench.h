// RelayBench is a worker's services over one scripted replica, with routes of a small service, for tests of the Relay.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "proxy/acceptor.h"
#include "support/fake_exchange.h"
#include "support/fake_replica.h"
#include "support/loop_runner.h"
#include "support/proto_text.h"

namespace transom {

// What the observer was told, copied.
struct SeenRequest {
  std::string route;
  std::string rpc;
  std::string backend;
  std::string replica;
  std::string request_id;
  std::string client;
  ProtocolLabel protocol;
  int http_status;
  int grpc_status;
  std::string error;
  uint64_t bytes_in;
  uint64_t bytes_out;
  std::string response_content_type;
};

class ObserverRecord final : public RequestObserver {
 public:
  void on_request_begin(const RequestHead& /*head*/, const Route& route) override { begun.push_back(route.label); }
  void on_request_end(const RequestRecord& record) override {
    ended.push_back({std::string(record.route_label), std::string(record.rpc), std::string(record.backend),
                     std::string(record.replica), std::string(record.request_id), std::string(record.client),
                     record.protocol, record.http_status, record.grpc_status, std::string(record.error),
                     record.bytes_in, record.bytes_out, std::string(record.response_content_type)});
  }
  void on_shed(std::string_view backend, std::string_view reason) override {
    shed.push_back(std::string(backend) + ":" + std::string(reason));
  }
  std::vector<std::string> begun;
  std::vector<SeenRequest> ended;
  std::vector<std::string> shed;
};

inline SchemaPtr relay_schema() {
  static const SchemaPtr schema = schema_of(R"(
    syntax = "proto3";
    package demo;
    import "google/api/annotations.proto";
    message Text { string text = 1; int32 count = 2; }
    service Demo {
      rpc Say(Text) returns (Text) {
        option (google.api.http) = { post: "/v1/say/{count}" body: "*"
                                     additional_bindings { get: "/v1/say/{count}" } };
      }
      rpc Tell(Text) returns (stream Text) {
        option (google.api.http) = { post: "/v1/tell" body: "*" additional_bindings { get: "/v1/tell" } };
      }
      rpc Hear(stream Text) returns (Text) { option (google.api.http) = { post: "/v1/hear" body: "*" }; }
    }
  )");
  return schema;
}

// Answers every call at its end with that script.
inline FakeScript at_end(std::function<void(FakeStream&)> answer) {
  FakeScript script;
  script.on_end = std::move(answer);
  return script;
}

class RelayBench {
 public:
  explicit RelayBench(FakeScript script = echo_script(), size_t memory = size_t{1} << 30)
      : replica(loop, FakeOptions{}, std::move(script)),
        mailbox(loop),
        offload(OffloadPool::make(1, size_t{64} << 20)),
        account(memory),
        guard(loop, account),
        services{.loop = loop,
                 .mailbox = mailbox,
                 .offload = *offload,
                 .memory = guard,
                 .ids = ids,
                 .observer = seen,
                 .snapshot = nullptr},
        acceptor(services, {}) {
    BackendOptions options;
    options.name = "demo";
    options.replicas.push_back({.address = *parse_address(replica.address()), .name = "r1", .weight = 1});
    state = BackendState::make(options);
    std::shared_ptr<Backend> backend = Backend::make(loop, options, state, &account, nullptr);
    backend->open();
    snapshot.router = make_router();
    snapshot.route_settings.resize(2);
    snapshot.binding_options.resize(2);
    snapshot.backends.push_back({.name = "demo"});
    use({backend});
  }
  ~RelayBench() {
    exchanges.clear();
    run_for(loop, std::chrono::milliseconds(5));  // what was buried goes before its backend
    services.snapshot = nullptr;
  }

  // Takes up what was changed in snapshot.
  void use(std::vector<std::shared_ptr<Backend>> backends) {
    auto whole = std::make_shared<WorkerSnapshot>();
    whole->snapshot = std::make_shared<const Snapshot>(snapshot);
    whole->backends = std::move(backends);
    services.snapshot = std::move(whole);
  }
  void reuse() { use(services.snapshot->backends); }

  bool run_until_up() {
    return run_until(loop, [&] { return state->is_up(0); });
  }

  // A request as it would come from a client; "" for no body.
  FakeExchange& send(const std::string& method, const std::string& target, const std::string& body,
                     const FieldList& fields = {}) {
    FakeExchange& exchange = open(method, target, !body.empty(), fields);
    exchange.request.content_length = body.empty() ? -1 : static_cast<int64_t>(body.size());
    exchange.begin(acceptor);
    if (!body.empty()) {
      exchange.send_body(body);
      exchange.end_body();
    }
    return exchange;
  }
  // One that has not begun.
  FakeExchange& open(const std::string& method, const std::string& target, bool has_body, const FieldList& fields = {}) {
    FakeExchange& exchange = *exchanges.emplace_back(std::make_unique<FakeExchange>(loop));
    exchange.request.method = method;
    exchange.request.target = target;
    exchange.request.authority = "test";
    exchange.request.peer = "10.0.0.9:1234";
    exchange.request.has_body = has_body;
    for (const auto& [name, value] : fields) {
      exchange.request.fields.add(name, value);
    }
    exchange.takes_trailers = exchange.request.fields.find("te") == "trailers";
    return exchange;
  }
  bool run_to_end(FakeExchange& exchange) {
    return run_until(loop, [&] { return exchange.has_ended(); });
  }

  Loop loop;
  FakeReplica replica;
  Mailbox mailbox;
  std::unique_ptr<OffloadPool> offload;
  MemoryAccount account;
  MemoryGuard guard;
  RequestIds ids;
  ObserverRecord seen;
  WorkerServices services;
  Acceptor acceptor;
  std::shared_ptr<BackendState> state;
  Snapshot snapshot;
  std::vector<std::unique_ptr<FakeExchange>> exchanges;

 private:
  static std::shared_ptr<const Router> make_router() {
    std::vector<RouteSource> sources(2);
    sources[0].service = "demo.Demo";
    sources[0].backend = "demo";
    sources[0].schema = relay_schema();
    sources[0].place = "test:1:1";
    sources[1].service = "*";
    sources[1].backend = "demo";
    sources[1].options_index = 1;
    sources[1].place = "test:2:1";
    Result<std::shared_ptr<const Router>> router = build_router(sources);
    check(router.ok(), router.ok() ? "" : router.status().message.c_str());
    return *router;
  }
};

// A demo.Text on the wire.
inline std::string text_wire(std::string_view text) {
  std::string wire = "\x0a";
  for (size_t left = text.size(); ; left >>= 7) {
    wire.push_back(static_cast<char>(left >= 0x80 ? (left & 0x7f) | 0x80 : left));
    if (left < 0x80) {
      break;
    }
  }
  return wire.append(text);
}

}  // namespace transom
