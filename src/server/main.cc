// transom: the command line.
#include <CLI/CLI.hpp>
#include <cstdio>
#include <functional>
#include <string>

#include "server/commands.h"

namespace {

void add_explain(CLI::App& command, transom::ExplainFlags& flags) {
  command.add_option("request", flags.request, "as 'GET /v1/a?b=c'")->required();
  command.add_option("--body", flags.body_file, "a file with the request's body; - is standard input");
  command.add_option("-H,--header", flags.headers, "'name: value', any number of times")->allow_extra_args(false);
}

void add_transcode(CLI::App& command, transom::TranscodeFlags& flags, bool& is_response) {
  command.add_option("--schema", flags.schemas, "a descriptor set or a .proto file, any number of times")
      ->required()
      ->allow_extra_args(false);
  command.add_option("--import-path", flags.import_paths, "where .proto files and their imports are looked for")
      ->allow_extra_args(false);
  command.add_option("--rpc", flags.rpc, "package.Service/Method")->required();
  CLI::Option_group* direction = command.add_option_group("direction");
  direction->add_flag("--request", flags.is_request, "JSON to the RPC's request message");
  direction->add_flag("--response", is_response, "the RPC's response message to JSON");
  direction->require_option(1);
  command.add_flag("--framed", flags.is_framed, "messages have gRPC's five bytes before each");
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Transom: a reverse proxy that stands in front of model servers.", "transom"};
  app.require_subcommand(1);
  std::string config_file;
  transom::CheckFlags check_flags;
  transom::ExplainFlags explain_flags;
  transom::TranscodeFlags transcode_flags;
  bool is_response = false;
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
  add_explain(*with_config("explain", "tell which route takes a request, and why the others do not",
                           [&] { return transom::run_explain(config_file, explain_flags); }),
              explain_flags);
  CLI::App* transcode = app.add_subcommand("transcode", "standard input to standard output: JSON to wire, or back");
  add_transcode(*transcode, transcode_flags, is_response);
  transcode->callback([&] { exit_code = transom::run_transcode(transcode_flags); });
  app.add_subcommand("version", "print the version")->callback([&] { exit_code = transom::run_version(); });

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& failure) {
    // Help is no failure; a bad command line is like a bad configuration.
    return app.exit(failure) == 0 ? 0 : 2;
  }
  return exit_code;
}
