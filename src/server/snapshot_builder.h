// SnapshotBuilder makes Snapshots from one checked configuration: it loads each backend's schema from its sources,
// adds what reflection said, and builds the router. Every failure is told at its place in the file. At start and
// whenever a reflected schema has changed; on the control thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "proxy/snapshot.h"
#include "schema/schema.h"
#include "schema/schema_loader.h"
#include "server/config.h"

namespace transom {

// What reflection said: a serialized FileDescriptorSet, and who said it, for messages.
struct ReflectedSet {
  std::string bytes;
  std::string source;
};

class SnapshotBuilder {
 public:
  // The configuration must outlive this, and have no errors.
  explicit SnapshotBuilder(const Configuration& configuration);

  bool wants_reflection(int backend) const;
  void set_reflected(int backend, ReflectedSet reflected) { reflected_[backend] = std::move(reflected); }
  void drop_reflected(int backend) { reflected_.erase(backend); }
  bool has_reflected(int backend) const { return reflected_.contains(backend); }
  std::optional<ReflectedSet> reflected(int backend) const;

  // Null when report got errors. Routes whose schema is still to be reflected are left out; missing tells of them.
  SnapshotPtr build(ConfigReport& report);
  // Sentences about routes that the last build left out.
  const std::vector<std::string>& missing() const { return missing_; }
  // Of the last build; null for a backend without one.
  const SchemaPtr& schema(int backend) const { return schemas_[static_cast<size_t>(backend)]; }

 private:
  SchemaPtr load_schema(int backend, ConfigReport& report);
  void add_source(const config::v1::SchemaSource& source, const std::string& path, SchemaLoader& loader,
                  ConfigReport& report) const;
  std::vector<RouteSource> route_sources(ConfigReport& report);
  void add_own_services(std::vector<RouteSource>& sources, Snapshot& snapshot) const;
  SchemaPtr schema_for(const config::v1::Route& route, int backend, const std::string& path, ConfigReport& report);
  std::shared_ptr<const Router> make_router(const std::vector<RouteSource>& sources, ConfigReport& report) const;
  void check_event_id(const RouteSource& source, const std::string& path, ConfigReport& report) const;
  void check_route(const RouteSource& source, ConfigReport& report) const;
  void complain(const Status& status, const std::string& path, ConfigReport& report) const;

  const Configuration& configuration_;
  const config::v1::Config& config_;
  std::map<int, ReflectedSet> reflected_;
  std::map<std::string, SchemaPtr> loaded_;  // of lists without reflection, by the list's path: read once
  std::vector<SchemaPtr> schemas_;           // by backend
  std::vector<std::string> missing_;
};

}  // namespace transom
