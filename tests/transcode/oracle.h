// protobuf's own JSON code and reflection, as the oracle for values: random messages of the test schema, and both
// directions. It is no oracle for strictness: it takes trailing commas and more.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/message.h>
#include <google/protobuf/util/type_resolver.h>

#include <memory>
#include <random>
#include <string>
#include <string_view>

namespace transom {

class Oracle {
 public:
  // Of kinds.proto and kinds2.proto.
  Oracle();
  // Of a serialized FileDescriptorSet, whose imports stand in it or are built in.
  explicit Oracle(const std::string& descriptor_set);

  std::unique_ptr<google::protobuf::Message> make(const std::string& type) const;
  std::unique_ptr<google::protobuf::Message> parse(const std::string& type, std::string_view wire) const;
  // "" and *failed when protobuf refuses.
  std::string to_json(const std::string& type, std::string_view wire, bool* failed = nullptr) const;
  std::string to_wire(const std::string& type, std::string_view json, bool* failed = nullptr) const;
  // "" when equal, else the difference. NaN equals NaN; fields unknown to the schema count.
  static std::string difference(const google::protobuf::Message& a, const google::protobuf::Message& b);

 private:
  google::protobuf::DescriptorPool pool_;
  mutable google::protobuf::DynamicMessageFactory factory_;
  std::unique_ptr<google::protobuf::util::TypeResolver> resolver_;
};

// A map's entries stand in a list here: takes out those whose key comes again, everywhere in the message.
void keep_last_of_each_key(google::protobuf::Message& message);

// Random numbers: of a seed, or as a fuzzer's bytes have them, one byte for a small choice. Bytes that have come to their
// end go on as a generator's numbers, always the same ones.
class RandomBits {
 public:
  explicit RandomBits(uint32_t seed) : generator_(seed) {}
  explicit RandomBits(std::string_view bytes);
  uint64_t operator()() { return left_.empty() ? generator_() : take(8); }
  uint32_t below(uint32_t n) {
    return static_cast<uint32_t>((left_.empty() ? generator_() : take(n <= 256 ? 1 : 4)) % n);
  }

 private:
  uint64_t take(size_t count);

  std::string_view left_;
  std::mt19937_64 generator_;
};

// Fills messages at random: every kind, edge values often, well-known types with what they may hold.
class RandomFiller {
 public:
  explicit RandomFiller(uint32_t seed) : random_(seed) {}
  explicit RandomFiller(const RandomBits& random) : random_(random) {}
  void fill(google::protobuf::Message& message, int depth);
  uint32_t below(uint32_t n) { return random_.below(n); }

 private:
  using Field = google::protobuf::FieldDescriptor;
  bool fill_well_known(google::protobuf::Message& message, int depth);
  void fill_any(google::protobuf::Message& message, int depth);
  void fill_value(google::protobuf::Message& message, int depth);
  void fill_field(google::protobuf::Message& message, const Field* field, int depth);
  void set_scalar(google::protobuf::Message& message, const Field* field);
  void add_scalar(google::protobuf::Message& message, const Field* field);
  int64_t integer(int bits);
  double real(bool is_float);
  std::string text();

  RandomBits random_;
};

}  // namespace transom
