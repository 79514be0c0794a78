// What `transom check --online` adds: it asks replicas for the schemas that are to be reflected, with a loop of its
// own.
#pragma once

#include <string>
#include <vector>

#include "server/blueprint.h"

namespace transom {

// Each backend with reflection is asked, replica by replica, until one answers. Returns what is wrong, empty when every
// schema was had and fits; the blueprint then has them.
std::vector<std::string> check_online(Blueprint& blueprint);

}  // namespace transom
