#include "server/commands.h"

#include <cstdio>

#include "base/version.h"
#include "server/blueprint.h"
#include "server/machine.h"
#include "server/online_check.h"
#include "server/server.h"
#include "server/signals.h"
#include "server/summary.h"

namespace transom {
namespace {

constexpr int kFailed = 1;
constexpr int kBadConfiguration = 2;

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

int run_version() {
  std::printf("transom %s\n", version().c_str());
  return 0;
}

}  // namespace transom
