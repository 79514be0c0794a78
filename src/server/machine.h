// What the machine or the container gives this process: memory, cores and file descriptors. Read at start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>

#include "base/status.h"

namespace transom {

// configured, unless it is 0: then 80 % of the machine's memory or of the least cgroup limit, whichever is less.
size_t memory_budget_bytes(uint64_t configured);
// The least memory limit of the process's cgroup and those above it; UINT64_MAX when there is none. root stands for
// "/".
uint64_t cgroup_memory_bytes(const std::filesystem::path& root);

// configured, unless it is 0: then the cores that this process may run on.
size_t worker_count(uint32_t configured);

// Raises the soft limit of file descriptors to the hard one; returns what holds now.
uint64_t raise_descriptor_limit();
// configured, unless it is 0: then what the descriptor limit leaves when needed ones are kept back for listeners,
// replicas, logs and the like. At least 1.
size_t session_bound(uint64_t configured, size_t needed);

// Keeps the C library from holding on to freed memory: few arenas, and large blocks go back to the system.
void tune_allocator();

}  // namespace transom
