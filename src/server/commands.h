// The subcommands of the program, one function each. They print to standard output what was asked for and to standard
// error what is wrong, and return the exit code: 0, 1 when something failed, 2 for a bad configuration.
#pragma once

#include <string>

namespace transom {

struct CheckFlags {
  bool online = false;  // ask replicas for schemas that are to be reflected
};

int run_serve(const std::string& config_file);
int run_check(const std::string& config_file, const CheckFlags& flags);
int run_routes(const std::string& config_file);
int run_version();

}  // namespace transom
