// The configuration as a whole: the file is read into its message, and what no single key can tell is checked (names
// that must fit each other, addresses used twice). Schemas and routes are built by server/plan.h. Used at load.
#pragma once

#include <string>
#include <vector>

#include "server/config_report.h"
#include "transom/config/v1/config.pb.h"

namespace transom {

struct Configuration {
  config::v1::Config message;
  ConfigReport report;
  std::string folder;  // relative paths start here

  explicit Configuration(const std::string& file) : report(file) {}
};

// Never fails as such: report tells all that is wrong, a file that cannot be read included.
Configuration load_configuration(const std::string& file);
// The same from text; file and folder are used in messages and for paths.
Configuration read_configuration(const std::string& text, const std::string& file, const std::string& folder);

// The schema sources of a backend, its own or the process's, and the path of their list ("backends[0].schema").
struct SourceList {
  const google::protobuf::RepeatedPtrField<config::v1::SchemaSource>* sources;
  std::string path;
};
SourceList schema_sources_of(const config::v1::Config& config, int backend);

// "backends[3]"
std::string indexed(const std::string& list, int index);

}  // namespace transom
