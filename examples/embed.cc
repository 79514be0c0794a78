// Transcoding inside another program: embed PROTO_FILE IMPORT_PATH METHOD TARGET < body > answer.
// An HTTP request becomes the message of an RPC, and what the RPC answers becomes JSON. Where a real server would call
// the RPC this one hands the message back, as the demo's Echo does.
#include <transom/router.h>
#include <transom/schema.h>
#include <transom/transcoder.h>

#include <iostream>
#include <iterator>

namespace {

int fail(const transom::Failure& failure) {
  std::cerr << failure.http_status << ": " << failure.message << "\n";
  return 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) {
    std::cerr << "usage: embed PROTO_FILE IMPORT_PATH METHOD TARGET < body > answer\n";
    return 2;
  }
  const auto schema = transom::load_schema({transom::SchemaSource::proto_file(argv[1], {argv[2]})});
  if (!schema) {
    return fail(schema.failure());
  }
  std::vector<transom::ServiceRoutes> services;
  for (const std::string& service : schema->services()) {
    services.push_back({.service = service});
  }
  const auto router = transom::ServiceRouter::make(*schema, services);
  if (!router) {
    return fail(router.failure());
  }
  const auto routed = router->find(argv[3], argv[4]);
  if (!routed) {
    return fail(routed.failure());
  }
  const transom::Transcoder transcoder;
  const auto message = transcoder.request(*routed, {std::istreambuf_iterator<char>(std::cin), {}});
  if (!message) {
    return fail(message.failure());
  }
  std::cerr << routed->rpc_path() << ": " << message->size() << " bytes\n";
  const auto json = transcoder.answer(*routed, *message);
  if (!json) {
    return fail(json.failure());
  }
  std::cout << *json << "\n";
  return 0;
}
