#include "server/commands.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "base/limits.h"
#include "base/version.h"
#include "server/blueprint.h"
#include "server/explain.h"
#include "server/machine.h"
#include "server/online_check.h"
#include "server/server.h"
#include "server/signals.h"
#include "server/summary.h"

namespace transom {
namespace {

constexpr int kFailed = 1;
constexpr int kBadConfiguration = 2;
constexpr int kBadInput = 2;

// True when there were errors.
bool print_errors(const Blueprint& blueprint) {
  const std::vector<std::string> errors = blueprint.errors();
  for (const std::string& error : errors)
    std::fprintf(stderr, "%s\n", error.c_str());
  return !errors.empty();
}

void print_warnings(const Blueprint& blueprint) {
  for (const std::string& warning : blueprint.warnings())
    std::fprintf(stderr, "warning: %s\n", warning.c_str());
}

void print(const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); }

int complain(const std::string& what) {
  std::fprintf(stderr, "transom: %s\n", what.c_str());
  return kBadInput;
}

// "-" is standard input. Bounded, like what a client may send.
Result<std::string> read_whole(const std::string& file) {
  const auto close = [](std::FILE* open) { return open == stdin ? 0 : std::fclose(open); };
  const std::unique_ptr<std::FILE, decltype(close)> in(file == "-" ? stdin : std::fopen(file.c_str(), "rb"), close);
  if (in == nullptr) return proxy_error(Code::NotFound, file + ": " + std::strerror(errno));
  const size_t bytes_max = Limits().response_body;
  std::string text;
  std::string chunk(kMiB, '\0');
  while (const size_t count = std::fread(chunk.data(), 1, chunk.size(), in.get())) {
    text.append(chunk, 0, count);
    if (text.size() > bytes_max) {
      return proxy_error(Code::ResourceExhausted, file + ": is over " + std::to_string(bytes_max) + " bytes");
    }
  }
  if (std::ferror(in.get())) return proxy_error(Code::Unavailable, file + ": " + std::strerror(errno));
  return text;
}

}  // namespace

int run_serve(const std::string& config_file) {
  block_signals();
  tune_allocator();
  raise_descriptor_limit();
  Blueprint blueprint(config_file);
  if (print_errors(blueprint)) return kBadConfiguration;
  Server server(blueprint);
  if (const Status status = server.open(); !status.ok()) {
    std::fprintf(stderr, "transom: %s\n", status.message.c_str());
    return kFailed;
  }
  server.run();
  return 0;
}

int run_check(const std::string& config_file, const CheckFlags& flags) {
  Blueprint blueprint(config_file);
  if (print_errors(blueprint)) return kBadConfiguration;
  if (flags.online) {
    const std::vector<std::string> complaints = check_online(blueprint);
    for (const std::string& complaint : complaints)
      std::fprintf(stderr, "%s\n", complaint.c_str());
    if (!complaints.empty()) return kBadConfiguration;
  } else {
    print_warnings(blueprint);
  }
  print(summary_of(blueprint));
  return 0;
}

int run_routes(const std::string& config_file) {
  Blueprint blueprint(config_file);
  if (print_errors(blueprint)) return kBadConfiguration;
  print_warnings(blueprint);
  print(route_lines(*blueprint.snapshot()->router));
  return 0;
}

int run_explain(const std::string& config_file, const ExplainFlags& flags) {
  Blueprint blueprint(config_file);
  if (print_errors(blueprint)) return kBadConfiguration;
  print_warnings(blueprint);
  Result<std::string> body = flags.body_file.empty() ? std::string() : read_whole(flags.body_file);
  if (!body.ok()) return complain(body.status().message);
  const auto request = parse_request_line(flags.request, flags.headers, std::move(*body));
  if (!request.ok()) return complain(request.status().message);
  const Explanation explanation = explain_request(*blueprint.snapshot(), *request);
  print(explanation.text);
  return explanation.is_accepted ? 0 : kFailed;
}

int run_transcode(const TranscodeFlags& flags) {
  Result<std::string> input = read_whole("-");
  if (!input.ok()) return complain(input.status().message);
  const Result<std::string> output = transcode_input(flags, std::move(*input));
  if (!output.ok()) return complain(output.status().message);
  print(*output);
  return std::fflush(stdout) == 0 ? 0 : kFailed;
}

int run_version() {
  std::printf("transom %s\n", version().c_str());
  return 0;
}

}  // namespace transom
