// The plain option structs of the other folders, filled from the configuration message. The configuration must have
// been read and checked: nothing here fails.
#pragma once

#include "backend/backend_options.h"
#include "base/limits.h"
#include "log/process_log.h"
#include "proxy/listener_rules.h"
#include "proxy/snapshot.h"
#include "route/router.h"
#include "transcode/json_options.h"
#include "transom/config/v1/config.pb.h"

namespace transom {

// memory stays as it was written, 0 included.
Limits limits_of(const config::v1::Limits& from);
SessionLimits session_limits_of(const config::v1::Limits& from);
ChannelLimits channel_limits_of(const config::v1::Limits& from);
ReflectionLimits reflection_limits_of(const config::v1::Limits& from);
BackendOptions backend_options_of(const config::v1::Config& config, int backend);
BackendSettings backend_settings_of(const config::v1::Backend& from);
ListenerRules listener_rules_of(const config::v1::Listener& from);
RouteMatch match_of(const config::v1::Match& from);
std::vector<HttpRule> http_rules_of(const config::v1::Route& from);
// One rule and its additional bindings.
std::vector<HttpRule> http_rules_of(const google::api::HttpRule& from);
// The route's words over the process's.
JsonOptions json_options_of(const config::v1::Json& process, const config::v1::Json& route);
ErrorForm error_form_of(const config::v1::Json& process, const config::v1::Json& route);
BindingOptions binding_options_of(const config::v1::Json& process, const config::v1::Json& route);
StreamOptions stream_options_of(const config::v1::Stream& process, const config::v1::Stream& route);
LogLevel log_level_of(const config::v1::Log& from);

}  // namespace transom
