// The subcommands of the program, one function each. They print to standard output what was asked for and to standard
// error what is wrong, and return the exit code: 0, 1 when something failed, 2 for a bad configuration or input.
#pragma once

#include <string>
#include <vector>

#include "server/transcode_command.h"

namespace transom {

struct CheckFlags {
  bool online = false;  // ask replicas for schemas that are to be reflected
};

struct ExplainFlags {
  std::string request;               // "GET /v1/a?b=c"
  std::vector<std::string> headers;  // "name: value"
  std::string body_file;             // "": no body, "-": standard input
};

int run_serve(const std::string& config_file);
int run_check(const std::string& config_file, const CheckFlags& flags);
int run_routes(const std::string& config_file);
// 1: the proxy would refuse the request.
int run_explain(const std::string& config_file, const ExplainFlags& flags);
// Standard input to standard output.
int run_transcode(const TranscodeFlags& flags);
int run_version();

}  // namespace transom
