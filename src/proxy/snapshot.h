// A Snapshot is all that a reload replaces at once: routes, options and limits. It never changes and is shared by every
// thread. A WorkerSnapshot is one worker's hold on it together with that worker's Backends. Each request takes one share
// of its worker's, so that counting requests touches no line of memory that other workers write (design decision 9).
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "base/limits.h"
#include "local/served_services.h"
#include "protocol/conversion.h"
#include "protocol/error_body.h"
#include "protocol/stream_options.h"
#include "route/router.h"
#include "transcode/json_options.h"

namespace transom {

struct BackendSettings {
  std::string name;
  std::chrono::nanoseconds timeout{std::chrono::seconds{30}};  // unary calls; 0: none
  std::chrono::nanoseconds stream_timeout{0};                  // whole streaming calls; 0: none
  std::chrono::nanoseconds stream_idle_timeout{std::chrono::minutes{5}};  // of those, nothing moves; 0: none
  size_t gzip_at_least = kNeverGzip;  // messages made of JSON are compressed from so many bytes on
};

// Of one configured route, found by Route::options_index.
struct RouteSettings {
  JsonOptions json;
  JsonOptions json_int_enums;  // the same, for clients that ask for enums as numbers
  ErrorForm errors = ErrorForm::Status;
  StreamOptions stream;
  size_t backend = 0;  // in Snapshot::backends and WorkerSnapshot::backends
};

struct Snapshot {
  std::shared_ptr<const Router> router;
  std::vector<RouteSettings> route_settings;    // by Route::options_index
  std::vector<BindingOptions> binding_options;  // likewise
  std::vector<BackendSettings> backends;        // the last one is the proxy itself
  ServedServicesPtr served;                     // what that one tells of
  Limits limits;
  ErrorForm errors = ErrorForm::Status;         // of requests without a route
  std::string digest;                           // of the configuration and schemas it was made from
};

using SnapshotPtr = std::shared_ptr<const Snapshot>;

// Made and let go on the worker's thread.
struct WorkerSnapshot {
  SnapshotPtr snapshot;
  std::vector<std::shared_ptr<Backend>> backends;  // in the order of Snapshot::backends
};

using WorkerSnapshotPtr = std::shared_ptr<const WorkerSnapshot>;

}  // namespace transom
