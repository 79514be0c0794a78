// Checks what the keys of a configuration say of each other; what each says alone was checked when it was read.
#pragma once

#include "server/config_report.h"
#include "transom/config/v1/config.pb.h"

namespace transom {

void check_configuration(const config::v1::Config& config, ConfigReport& report);

}  // namespace transom
