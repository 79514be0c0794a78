// LocalBench has what the tests of the proxy's own services share: messages of theirs by protobuf's own code, and a
// LocalAnswer that writes down what is answered.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/dynamic_message.h>
#include <google/protobuf/text_format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "local/local_files.h"
#include "local/local_service.h"

namespace transom {

// Messages of grpc.health.v1 and grpc.reflection.v1 as protobuf reads and writes them.
class LocalMessages {
 public:
  LocalMessages() {
    google::protobuf::FileDescriptorSet set;
    check(set.ParseFromString(std::string(local_descriptor_set())), "a descriptor set");
    for (const auto& file : set.file())
      check(pool_.BuildFile(file) != nullptr, "a whole file");
  }

  // From protobuf's text format.
  std::string encode(const std::string& type, const std::string& text) {
    const auto message = make(type);
    check(google::protobuf::TextFormat::ParseFromString(text, message.get()), "text of that message");
    return message->SerializeAsString();
  }

  // To it, on one line. What is no such message is "?".
  std::string decode(const std::string& type, std::string_view bytes) {
    const auto message = make(type);
    if (!message->ParseFromString(std::string(bytes))) return "?";
    return message->ShortDebugString();
  }

  std::unique_ptr<google::protobuf::Message> parse(const std::string& type, std::string_view bytes) {
    auto message = make(type);
    check(message->ParseFromString(std::string(bytes)), "a message of that type");
    return message;
  }

 private:
  std::unique_ptr<google::protobuf::Message> make(const std::string& type) {
    const auto* descriptor = pool_.FindMessageTypeByName(type);
    check(descriptor != nullptr, "a known type");
    return std::unique_ptr<google::protobuf::Message>(factory_.GetPrototype(descriptor)->New());
  }

  google::protobuf::DescriptorPool pool_;
  google::protobuf::DynamicMessageFactory factory_{&pool_};
};

class AnswerRecord final : public LocalAnswer {
 public:
  explicit AnswerRecord(Loop& loop) : loop_(loop) {}

  void send(std::string_view message) override { messages.emplace_back(message); }
  void end(const Status& status) override { ended = status; }
  Loop& loop() override { return loop_; }

  std::vector<std::string> messages;
  std::optional<Status> ended;

 private:
  Loop& loop_;
};

}  // namespace transom
