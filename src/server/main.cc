// transom: the command line.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <string>

#include "server/commands.h"

int main(int argc, char** argv) {
  CLI::App app{"Transom: a reverse proxy that stands in front of model servers.", "transom"};
  app.require_subcommand(1);
  std::string config_file;
  transom::CheckFlags check_flags;
  int exit_code = 0;

  const auto with_config = [&](const char* name, const char* about, std::function<int()> run) {
    CLI::App* command = app.add_subcommand(name, about);
    command->add_option("--config", config_file, "the configuration, a YAML file")->required();
    command->callback([&exit_code, run = std::move(run)] { exit_code = run(); });
    return command;
  };
  with_config("serve", "serve until SIGTERM or SIGINT", [&] { return transom::run_serve(config_file); });
  with_config("check", "tell everything that serve would refuse, and what it would serve", [&] {
    return transom::run_check(config_file, check_flags);
  })->add_flag("--online", check_flags.online, "ask replicas for schemas that are to be reflected");
  with_config("routes", "print one line per route", [&] { return transom::run_routes(config_file); });
  app.add_subcommand("version", "print the version")->callback([&] { exit_code = transom::run_version(); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& failure) {
    // Help is no failure; a bad command line is like a bad configuration.
    return app.exit(failure) == 0 ? 0 : 2;
  }
  return exit_code;
}
