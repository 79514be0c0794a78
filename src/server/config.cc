#include "server/config.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "server/config_check.h"
#include "server/config_reader.h"

namespace transom {

Configuration read_configuration(const std::string& text, const std::string& file, const std::string& folder) {
  Configuration configuration(file);
  configuration.folder = folder;
  read_config(text, folder, configuration.message, configuration.report);
  check_configuration(configuration.message, configuration.report);
  return configuration;
}

Configuration load_configuration(const std::string& file) {
  std::error_code error;
  std::ifstream stream(file, std::ios::binary);
  std::stringstream text;
  if (std::filesystem::is_directory(file, error)) {
    errno = EISDIR;
    stream.close();
  }
  if (!stream.is_open()) {
    Configuration configuration(file);
    configuration.report.add("", std::string("cannot be read: ") + std::strerror(errno));
    return configuration;
  }
  text << stream.rdbuf();
  return read_configuration(text.str(), file, std::filesystem::absolute(file).parent_path().string());
}

SourceList schema_sources_of(const config::v1::Config& config, int backend) {
  const config::v1::Backend& of = config.backends(backend);
  if (of.schema().empty()) return {&config.schema(), "schema"};
  return {&of.schema(), indexed("backends", backend) + ".schema"};
}

std::string indexed(const std::string& list, int index) { return list + "[" + std::to_string(index) + "]"; }

}  // namespace transom
