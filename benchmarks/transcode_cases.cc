#include "transcode_cases.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

#include "base/base64.h"
#include "base/limits.h"

namespace transom {
namespace {

constexpr const char* kSchema = R"(
syntax = "proto3";
package bench;
import "google/protobuf/struct.proto";
import "google/protobuf/timestamp.proto";
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
message Ints { repeated int32 values = 1; }
message Text { string text = 1; }
message Blob { bytes blob = 1; }
message Maps { map<string, int64> counts = 1; map<int32, string> names = 2; }
message Enums { repeated Color colors = 1; }
message Times { repeated google.protobuf.Timestamp times = 1; }
message Document { google.protobuf.Struct document = 1; }
message Batch { repeated Item items = 1; string next = 2; }
)";

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

// {"values":[...]} of what each(i) says.
std::string list_json(const std::string& field, size_t count, const auto& each) {
  std::string json = R"({")" + field + R"(":[)";
  for (size_t i = 0; i < count; ++i) {
    json += i == 0 ? "" : ",";
    json += each(i);
  }
  return json + "]}";
}

std::string ints_json(size_t count) {
  std::mt19937 random(7);
  return list_json("values", count, [&random](size_t) { return std::to_string(static_cast<int32_t>(random())); });
}

std::string text_json(size_t bytes) {
  std::string json = R"({"text":")";
  while (json.size() < bytes) {
    json += "Some plain words of a prompt, and now and then a line's end.\\n";
  }
  return json + "\"}";
}

std::string blob_json(size_t bytes) {
  std::mt19937 random(9);
  std::string blob;
  for (size_t i = 0; i < bytes; ++i) {
    blob += static_cast<char>(random());
  }
  std::string json = R"({"blob":")";
  encode_base64(blob, true, json);
  return json + "\"}";
}

// Keys in order, as sorted maps write them, or in none, as hash tables do.
std::string maps_json(size_t count, bool is_ordered) {
  std::vector<size_t> keys(count);
  std::iota(keys.begin(), keys.end(), size_t{0});
  if (!is_ordered) {
    std::ranges::shuffle(keys, std::mt19937(11));
  }
  std::string counts;
  std::string names;
  for (size_t key : keys) {
    const std::string n = std::to_string(key);
    counts.append(counts.empty() ? "\"counter-" : ",\"counter-").append(n).append("\":\"");
    counts.append(std::to_string(key * 1000003)).append("\"");
    names.append(names.empty() ? "\"" : ",\"").append(n).append("\":\"name ").append(n).append("\"");
  }
  return R"({"counts":{)" + counts + R"(},"names":{)" + names + "}}";
}

std::string enums_json(size_t count) {
  static constexpr const char* kColors[] = {"\"RED\"", "\"GREEN\"", "\"BLUE\"", "\"COLOR_NONE\""};
  return list_json("colors", count, [&](size_t i) { return std::string(kColors[i % 4]); });
}

std::string times_json(size_t count) {
  return list_json("times", count, [](size_t i) {
    std::array<char, 40> text{};
    std::snprintf(text.data(), text.size(), R"("2026-0%zu-1%zuT0%zu:30:15.12%zuZ")", 1 + i % 9, i % 10, i % 10, i % 10);
    return std::string(text.data());
  });
}

// Objects in objects, each with a few members beside; protobuf's own JSON code takes no more than 31 of them.
std::string document_json(size_t depth) {
  std::string json = R"({"leaf":1.5})";
  for (size_t i = 1; i < depth; ++i) {
    json = R"({"name":"level","weight":0.25,"tags":["a","b"],"child":)" + json + "}";
  }
  return R"({"document":)" + json + "}";
}

}  // namespace

const char* transcode_cases_proto() { return kSchema; }

std::span<const TranscodeCase> transcode_cases() {
  static const TranscodeCase cases[] = {
      {"tiny", "bench.Tensor", tensor_json(4)},
      {"1k", "bench.Tensor", tensor_json(1000)},
      {"100k", "bench.Tensor", tensor_json(100'000)},
      {"nested", "bench.Batch", batch_json()},
      {"int32_64k", "bench.Ints", ints_json(65'536)},
      {"string_1MiB", "bench.Text", text_json(kMiB)},
      {"bytes_1MiB", "bench.Blob", blob_json(kMiB)},
      {"maps", "bench.Maps", maps_json(500, true)},
      {"maps_unordered", "bench.Maps", maps_json(500, false)},
      {"enums", "bench.Enums", enums_json(1000)},
      {"timestamps", "bench.Times", times_json(1000)},
      {"struct_31", "bench.Document", document_json(31)},
  };
  return cases;
}

}  // namespace transom
