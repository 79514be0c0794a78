#include "server/blueprint.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <utility>

namespace transom {

Blueprint::Blueprint(const std::string& config_file) : configuration_(load_configuration(config_file)) {
  ConfigReport& report = configuration_.report;
  if (report.has_errors()) return;
  cache_ = std::make_unique<SchemaCache>(SchemaCache::default_folder(config().state_dir()));
  builder_ = std::make_unique<SnapshotBuilder>(configuration_);
  load_certificates();
  check_access_log();
  snapshot_ = builder_->build(report);
  if (snapshot_ != nullptr) load_copies();
}

ConfigReport Blueprint::fresh_report() const {
  ConfigReport report = configuration_.report;
  report.clear();
  return report;
}

void Blueprint::load_certificates() {
  for (int i = 0; i < config().listeners_size(); ++i) {
    const config::v1::Listener& listener = config().listeners(i);
    tls_.emplace_back();
    if (!listener.has_tls()) continue;
    auto loaded =
        TlsServer::load({listener.tls().certificate(), listener.tls().private_key(), listener.tls().client_ca()});
    if (loaded.ok()) {
      tls_.back() = std::move(*loaded);
    } else {
      configuration_.report.add(indexed("listeners", i) + ".tls", loaded.status().message);
    }
  }
}

std::string Blueprint::access_log_path() const {
  const std::string& path = config().log().access().path();
  if (path.empty() || path == "-") return path;
  return (std::filesystem::path(configuration_.folder) / path).lexically_normal().string();
}

// Only looks: the file is made when serving begins.
void Blueprint::check_access_log() {
  const std::filesystem::path path = access_log_path();
  if (path.empty() || path == "-") return;
  std::error_code error;
  const bool is_there = std::filesystem::exists(path, error);
  const std::filesystem::path target = is_there ? path : path.parent_path();
  if (std::filesystem::is_directory(path, error)) {
    configuration_.report.add("log.access.path", path.string() + " is a folder");
  } else if (::access(target.c_str(), W_OK) != 0) {
    configuration_.report.add("log.access.path", target.string() + ": " + std::strerror(errno));
  }
}

// A copy is only a stand-in: one that does not fit the configuration any more is left out with a warning.
void Blueprint::load_copies() {
  for (int i = 0; i < config().backends_size(); ++i) {
    if (!builder_->wants_reflection(i)) continue;
    const std::string& name = config().backends(i).name();
    const std::optional<std::string> copy = cache_->load(config_file(), name);
    if (!copy) continue;
    std::vector<std::string> complaints;
    take_reflected(i, {*copy, cache_->file_of(config_file(), name).string()}, complaints);
    for (const std::string& complaint : complaints) {
      warnings_.push_back("by the last good copy of the schema of backend " + name + ": " + complaint);
    }
  }
  for (const std::string& sentence : builder_->missing())
    warnings_.push_back(sentence);
}

SnapshotPtr Blueprint::take_reflected(int backend, ReflectedSet reflected, std::vector<std::string>& complaints) {
  std::optional<ReflectedSet> before = builder_->reflected(backend);
  builder_->set_reflected(backend, std::move(reflected));
  ConfigReport report = fresh_report();
  if (SnapshotPtr made = builder_->build(report); made != nullptr) return snapshot_ = std::move(made);
  complaints = report.lines();
  builder_->drop_reflected(backend);
  if (before) builder_->set_reflected(backend, std::move(*before));
  // The builder's own view of schemas must be that of the snapshot which stays.
  ConfigReport again = fresh_report();
  builder_->build(again);
  return nullptr;
}

}  // namespace transom
