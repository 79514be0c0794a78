// What protobuf's conformance runner starts to ask the embeddable library: testee DESCRIPTOR_SET. Each request comes on
// standard input and is answered on standard output, both led by their length in four bytes, the lowest first. JSON and
// the wire format are answered from one to the other; all else is skipped. Links nothing but that library.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "conformance/messages.h"
#include "transom/schema.h"
#include "transom/transcoder.h"

namespace transom {
namespace {

Reply reply_with(ReplyKind kind, std::string text) { return {kind, std::move(text)}; }

Reply print(const Transcoder& transcoder, const ServiceSchema& schema, const Question& question,
            const std::string& message) {
  auto json = transcoder.to_json(schema, question.message_type, message);
  return json ? reply_with(ReplyKind::Json, std::move(*json))
              : reply_with(ReplyKind::SerializeError, json.failure().message);
}

Reply parse(const Transcoder& transcoder, const ServiceSchema& schema, const Question& question) {
  auto message = transcoder.to_message(schema, question.message_type, question.payload);
  if (!message) {
    return reply_with(ReplyKind::ParseError, message.failure().message);
  }
  return question.output == Format::Protobuf ? reply_with(ReplyKind::Protobuf, std::move(*message))
                                             : print(transcoder, schema, question, *message);
}

Reply answer(const ServiceSchema& schema, const Question& question) {
  if (question.message_type == "conformance.FailureSet") {
    return reply_with(ReplyKind::Protobuf, "");  // asked for by some runners; no failure is foreseen
  }
  if (!schema.has_message(question.message_type)) {
    return reply_with(ReplyKind::Skipped, "no message " + question.message_type);
  }
  const Transcoder transcoder({.ignore_unknown_fields = question.ignores_unknown_fields});
  const bool is_output_ours = question.output == Format::Protobuf || question.output == Format::Json;
  if (question.input == Format::Json && is_output_ours) {
    return parse(transcoder, schema, question);
  }
  if (question.input == Format::Protobuf && question.output == Format::Json) {
    return print(transcoder, schema, question, question.payload);
  }
  return reply_with(ReplyKind::Skipped, "neither from JSON nor to JSON");
}

// False at the end of the input.
bool read_frame(std::string& bytes) {
  unsigned char length[4];
  if (std::fread(length, 1, sizeof length, stdin) != sizeof length) {
    return false;
  }
  bytes.resize(length[0] | length[1] << 8 | length[2] << 16 | static_cast<size_t>(length[3]) << 24);
  return std::fread(bytes.data(), 1, bytes.size(), stdin) == bytes.size();
}

void write_frame(const std::string& bytes) {
  for (int shift = 0; shift < 32; shift += 8) {
    std::fputc(static_cast<int>(bytes.size() >> shift & 0xff), stdout);
  }
  std::fwrite(bytes.data(), 1, bytes.size(), stdout);
  std::fflush(stdout);
}

int run(const std::string& descriptor_set_file) {
  const auto schema = load_schema({SchemaSource::descriptor_set_file(descriptor_set_file)});
  if (!schema) {
    std::fprintf(stderr, "testee: %s\n", schema.failure().message.c_str());
    return 1;
  }
  std::string frame;
  while (read_frame(frame)) {
    const auto question = read_question(frame);
    write_frame(write_reply(question ? answer(*schema, *question)
                                     : reply_with(ReplyKind::RuntimeError, "the request is malformed")));
  }
  return 0;
}

}  // namespace
}  // namespace transom

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: testee DESCRIPTOR_SET\n");
    return 2;
  }
  return transom::run(argv[argc - 1]);  // the runner repeats the program's name before its arguments
}
