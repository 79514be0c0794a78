// A Blueprint is a configuration made ready to serve: read, checked, its certificates loaded and its first snapshot
// built. serve, check and routes all start here, so that check refuses exactly what serve refuses. Nothing is opened
// yet.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "net/tls.h"
#include "proxy/snapshot.h"
#include "server/config.h"
#include "server/schema_cache.h"
#include "server/snapshot_builder.h"

namespace transom {

class Blueprint {
 public:
  // Reflected schemas are taken from their last good copies, where there are any that fit.
  explicit Blueprint(const std::string& config_file);
  Blueprint(const Blueprint&) = delete;
  Blueprint& operator=(const Blueprint&) = delete;

  // `file:line:column: path: what`, one line each; empty when it can be served.
  std::vector<std::string> errors() const { return configuration_.report.lines(); }
  // What is worth telling and no reason to refuse.
  const std::vector<std::string>& warnings() const { return warnings_; }

  // The rest is there only without errors.
  const config::v1::Config& config() const { return configuration_.message; }
  const std::string& config_file() const { return configuration_.report.file(); }
  SnapshotBuilder& builder() { return *builder_; }
  const SchemaCache& cache() const { return *cache_; }
  const SnapshotPtr& snapshot() const { return snapshot_; }
  // By listener; null for a plain one.
  const std::shared_ptr<const TlsServer>& tls(int listener) const { return tls_[static_cast<size_t>(listener)]; }
  // "-", "" or a file, a relative one beside the configuration file.
  std::string access_log_path() const;
  // A report without errors, that knows where each key stands.
  ConfigReport fresh_report() const;

  // Takes over what reflection said of that backend and builds anew. Null and lines of complaint when it does not fit:
  // then all stays as it was.
  SnapshotPtr take_reflected(int backend, ReflectedSet reflected, std::vector<std::string>& complaints);

 private:
  void load_certificates();
  void check_access_log();
  void load_copies();

  Configuration configuration_;
  std::unique_ptr<SchemaCache> cache_;
  std::unique_ptr<SnapshotBuilder> builder_;
  std::vector<std::shared_ptr<const TlsServer>> tls_;
  std::vector<std::string> warnings_;
  SnapshotPtr snapshot_;
};

}  // namespace transom
