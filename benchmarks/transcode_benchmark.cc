// The transcoder beside protobuf's own JSON code, in one program, so that only ratios count. See README.md.
#include <benchmark/benchmark.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver.h>
#include <google/protobuf/util/type_resolver_util.h>
#include <simdjson.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "base/limits.h"
#include "base/padded_text.h"
#include "schema/builtin_files.h"
#include "schema/schema_loader.h"
#include "support/proto_text.h"
#include "transcode/json_to_wire.h"
#include "transcode/wire_to_json.h"

namespace transom {
namespace {

namespace pb = google::protobuf;

constexpr const char* kSchema = R"(
syntax = "proto3";
package bench;
enum Color { COLOR_NONE = 0; RED = 1; GREEN = 2; BLUE = 3; }
message Tensor {
  repeated float features = 1;
  map<string, string> params = 2;
}
message Owner { string name = 1; string mail = 2; int32 level = 3; repeated int32 scores = 4; }
message Item {
  string id = 1;
  string title = 2;
  string description = 3;
  int64 count = 4;
  double price = 5;
  bool active = 6;
  Color color = 7;
  repeated string tags = 8;
  map<string, string> labels = 9;
  Owner owner = 10;
  repeated Owner readers = 11;
}
message Batch { repeated Item items = 1; string next = 2; }
)";

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

// protobuf's own code wants types by a resolver.
class Resolver {
 public:
  Resolver() {
    for (const std::string& bytes :
         {std::string(builtin_descriptor_set()), descriptor_set_of({{"test.proto", kSchema}})}) {
      pb::FileDescriptorSet set;
      set.ParseFromString(bytes);
      for (const pb::FileDescriptorProto& file : set.file()) {
        pool_.BuildFile(file);
      }
    }
    resolver_.reset(pb::util::NewTypeResolverForDescriptorPool("type.googleapis.com", &pool_));
  }
  pb::util::TypeResolver* get() const { return resolver_.get(); }

 private:
  pb::DescriptorPool pool_;
  std::unique_ptr<pb::util::TypeResolver> resolver_;
};

const Schema& schema() {
  static const SchemaPtr made = schema_of(kSchema);
  return *made;
}

std::string tensor_json(size_t count) {
  std::mt19937 random(static_cast<uint32_t>(count));
  std::uniform_real_distribution<float> uniform(-1, 1);
  std::string json = R"({"features":[)";
  for (size_t i = 0; i < count; ++i) {
    char text[32];
    char* end = std::to_chars(text, text + sizeof text, uniform(random)).ptr;
    json += i == 0 ? "" : ",";
    json.append(text, end);
  }
  return json + R"(],"params":{"user":"somebody","request":"4711"}})";
}

std::string batch_json() {
  std::string json = R"({"items":[)";
  for (int i = 0; i < 50; ++i) {
    std::string n = std::to_string(i);
    json += i == 0 ? "" : ",";
    json +=
        R"({"id":"item-)" + n + R"(","title":"The title of item )" + n +
        R"(","description":"Some words about it, with \"quotes\" and é.","count":")" + std::to_string(i * 1000003) +
        R"(","price":)" + n + R"(.25,"active":true,"color":"GREEN","tags":["red","large","new"],)" +
        R"("labels":{"region":"north","shelf":"a)" + n +
        R"("},"owner":{"name":"Someone","mail":"someone@example.org",)" +
        R"("level":3,"scores":[1,20,300,4000]},"readers":[{"name":"First","level":1},{"name":"Second","level":2}]})";
  }
  return json + R"(],"next":"page-2"})";
}

struct Case {
  std::string type;
  std::string json;
  std::string wire;
};

Case make_case(const std::string& type, std::string json) {
  Case made{type, std::move(json), ""};
  pad_for_json(made.json);
  RequestShape shape;
  shape.message = schema().find_message(type);
  shape.body = BodyKind::Whole;
  if (Status status = json_to_wire({shape, {}, JsonOptions(), kMiB * 64}, made.json, made.wire); !status.ok()) {
    give_up(status.message);
  }
  return made;
}

const Case& case_of(int64_t index) {
  static const Case cases[] = {
      make_case("bench.Tensor", tensor_json(4)),
      make_case("bench.Tensor", tensor_json(1000)),
      make_case("bench.Tensor", tensor_json(100'000)),
      make_case("bench.Batch", batch_json()),
  };
  return cases[index];
}

constexpr const char* kNames[] = {"tiny", "1k", "100k", "nested"};

void each_case(benchmark::internal::Benchmark* bench) { bench->DenseRange(0, 3); }

void count_bytes(benchmark::State& state, const Case& made) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * made.json.size()));
  state.SetLabel(kNames[state.range(0)]);
}

void JsonToWire_Transom(benchmark::State& state) {
  const Case& made = case_of(state.range(0));
  RequestShape shape;
  shape.message = schema().find_message(made.type);
  shape.body = BodyKind::Whole;
  JsonOptions options;
  for (auto _ : state) {
    std::string wire;
    if (!json_to_wire({shape, {}, options, kMiB * 64}, made.json, wire).ok()) {
      give_up("json_to_wire failed");
    }
    benchmark::DoNotOptimize(wire.data());
  }
  count_bytes(state, made);
}
BENCHMARK(JsonToWire_Transom)->Apply(each_case);

void JsonToWire_Protobuf(benchmark::State& state) {
  static const Resolver resolver;
  const Case& made = case_of(state.range(0));
  for (auto _ : state) {
    std::string wire;
    if (!pb::util::JsonToBinaryString(resolver.get(), "type.googleapis.com/" + made.type, made.json, &wire).ok()) {
      give_up("JsonToBinaryString failed");
    }
    benchmark::DoNotOptimize(wire.data());
  }
  count_bytes(state, made);
}
BENCHMARK(JsonToWire_Protobuf)->Apply(each_case);

// What simdjson's on-demand parser takes to read every value, with nothing written: the price of a walk.
void walk(simdjson::ondemand::value value) {
  switch (value.type()) {
    case simdjson::ondemand::json_type::object:
      for (auto member : value.get_object()) {
        benchmark::DoNotOptimize(std::string_view(member.unescaped_key()).data());
        walk(member.value());
      }
      break;
    case simdjson::ondemand::json_type::array:
      for (auto element : value.get_array()) {
        walk(element.value());
      }
      break;
    case simdjson::ondemand::json_type::string:
      benchmark::DoNotOptimize(std::string_view(value.get_string()).data());
      break;
    case simdjson::ondemand::json_type::number:
      benchmark::DoNotOptimize(double(value.get_double()));
      break;
    default:
      benchmark::DoNotOptimize(bool(value.get_bool()));
      break;
  }
}

void JsonToWire_SimdjsonWalk(benchmark::State& state) {
  const Case& made = case_of(state.range(0));
  simdjson::ondemand::parser parser;
  for (auto _ : state) {
    simdjson::ondemand::document document =
        parser.iterate(made.json.data(), made.json.size(), made.json.size() + kJsonPaddingBytes);
    walk(document.get_value());
  }
  count_bytes(state, made);
}
BENCHMARK(JsonToWire_SimdjsonWalk)->Apply(each_case);

void WireToJson_Transom(benchmark::State& state) {
  const Case& made = case_of(state.range(0));
  ResponseShape shape;
  shape.message = schema().find_message(made.type);
  JsonOptions options;
  for (auto _ : state) {
    std::string json;
    if (!wire_to_json({shape, options, kMiB * 64}, made.wire, json).ok()) {
      give_up("wire_to_json failed");
    }
    benchmark::DoNotOptimize(json.data());
  }
  count_bytes(state, made);
}
BENCHMARK(WireToJson_Transom)->Apply(each_case);

void WireToJson_Protobuf(benchmark::State& state) {
  static const Resolver resolver;
  const Case& made = case_of(state.range(0));
  for (auto _ : state) {
    std::string json;
    if (!pb::util::BinaryToJsonString(resolver.get(), "type.googleapis.com/" + made.type, made.wire, &json).ok()) {
      give_up("BinaryToJsonString failed");
    }
    benchmark::DoNotOptimize(json.data());
  }
  count_bytes(state, made);
}
BENCHMARK(WireToJson_Protobuf)->Apply(each_case);

}  // namespace
}  // namespace transom

BENCHMARK_MAIN();
