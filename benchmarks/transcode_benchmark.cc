// The transcoder beside protobuf's own JSON code, in one program, so that only ratios count. See README.md.
#include <benchmark/benchmark.h>
#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver.h>
#include <google/protobuf/util/type_resolver_util.h>
#include <simdjson.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "base/limits.h"
#include "base/padded_text.h"
#include "schema/builtin_files.h"
#include "schema/schema_loader.h"
#include "support/proto_text.h"
#include "transcode/json_to_wire.h"
#include "transcode/wire_to_json.h"
#include "transcode_cases.h"

namespace transom {
namespace {

namespace pb = google::protobuf;

[[noreturn]] void give_up(const std::string& what) {
  std::fprintf(stderr, "%s\n", what.c_str());
  std::exit(1);
}

// protobuf's own code wants types by a resolver.
class Resolver {
 public:
  Resolver() {
    for (const std::string& bytes :
         {std::string(builtin_descriptor_set()), descriptor_set_of({{"test.proto", transcode_cases_proto()}})}) {
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
  static const SchemaPtr made = schema_of(transcode_cases_proto());
  return *made;
}

struct Case : TranscodeCase {
  std::string wire;
};

Case make_case(const TranscodeCase& from) {
  Case made{from, ""};
  pad_for_json(made.json);
  RequestShape shape;
  shape.message = schema().find_message(made.type);
  shape.body = BodyKind::Whole;
  if (Status status = json_to_wire({shape, {}, JsonOptions(), kMiB * 64}, made.json, made.wire); !status.ok()) {
    give_up(made.name + ": " + status.message);
  }
  return made;
}

const Case& case_of(int64_t index) {
  static const std::vector<Case> cases = [] {
    std::vector<Case> made;
    for (const TranscodeCase& from : transcode_cases()) {
      made.push_back(make_case(from));
    }
    return made;
  }();
  return cases[static_cast<size_t>(index)];
}

void each_case(benchmark::internal::Benchmark* bench) {
  bench->DenseRange(0, static_cast<int64_t>(transcode_cases().size()) - 1);
}

// In both directions the bytes are those of the JSON text.
void count_bytes(benchmark::State& state, const Case& made) {
  state.SetBytesProcessed(static_cast<int64_t>(state.iterations() * made.json.size()));
  state.SetLabel(made.name);
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
