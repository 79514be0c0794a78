// SchemaCache knows where the last good copy of each reflected schema is, so that a start with no replica up still
// knows its routes: one file per configuration file and backend. Used on the control thread and by `transom check`.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/status.h"

namespace transom {

class SchemaCache {
 public:
  // folder: where the copies are; "" keeps none.
  explicit SchemaCache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  // configured, unless it is empty: then by XDG_STATE_HOME or HOME, or "" where neither is set.
  static std::filesystem::path default_folder(const std::string& configured);

  std::optional<std::string> load(const std::string& config_file, const std::string& backend) const;
  // Replaces the copy at once or not at all. UNAVAILABLE with the file and the system's reason.
  Status save(const std::string& config_file, const std::string& backend, const std::string& descriptor_set) const;
  std::filesystem::path file_of(const std::string& config_file, const std::string& backend) const;

 private:
  std::filesystem::path folder_;
};

}  // namespace transom
