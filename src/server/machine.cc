#include "server/machine.h"

#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <string>
#include <thread>

namespace transom {
namespace {

constexpr uint64_t kNoLimit = std::numeric_limits<uint64_t>::max();

// One number in a file; no limit when it is missing or says "max". Version 1 of cgroups says a huge number for none.
uint64_t read_limit(const std::filesystem::path& file) {
  std::ifstream stream(file);
  uint64_t bytes = 0;
  return stream >> bytes ? bytes : kNoLimit;
}

// The path of that controller in /proc/self/cgroup: "0::/a/b" (version 2), "5:memory:/a/b" (version 1).
std::string cgroup_path(const std::filesystem::path& root, const std::string& controllers) {
  std::ifstream stream(root / "proc/self/cgroup");
  for (std::string line; std::getline(stream, line);) {
    const size_t first = line.find(':');
    const size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    if (line.substr(first + 1, second - first - 1) == controllers) return line.substr(second + 1);
  }
  return "/";
}

// The least of the file's numbers in a folder and those above it, up to and with the mount.
uint64_t least_limit(const std::filesystem::path& mount, const std::string& path, const char* file) {
  uint64_t least = read_limit(mount / file);
  std::filesystem::path folder = mount;
  for (const auto& part : std::filesystem::path(path).relative_path()) {
    folder /= part;
    least = std::min(least, read_limit(folder / file));
  }
  return least;
}

}  // namespace

uint64_t cgroup_memory_bytes(const std::filesystem::path& root) {
  const std::filesystem::path mount = root / "sys/fs/cgroup";
  return std::min(least_limit(mount, cgroup_path(root, ""), "memory.max"),
                  least_limit(mount / "memory", cgroup_path(root, "memory"), "memory.limit_in_bytes"));
}

size_t memory_budget_bytes(uint64_t configured) {
  if (configured > 0) return configured;
  const auto pages = static_cast<uint64_t>(std::max(sysconf(_SC_PHYS_PAGES), 1L));
  const uint64_t machine = pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  return std::min(machine, cgroup_memory_bytes("/")) / 100 * 80;
}

size_t worker_count(uint32_t configured) {
  if (configured > 0) return configured;
  return std::max(std::thread::hardware_concurrency(), 1u);
}

uint64_t raise_descriptor_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return 0;
  if (limit.rlim_cur < limit.rlim_max) {
    rlimit raised{limit.rlim_max, limit.rlim_max};
    if (setrlimit(RLIMIT_NOFILE, &raised) == 0) return raised.rlim_cur;
  }
  return limit.rlim_cur;
}

size_t session_bound(uint64_t configured, size_t needed) {
  if (configured > 0) return configured;
  rlimit limit{};
  const uint64_t descriptors = getrlimit(RLIMIT_NOFILE, &limit) == 0 ? limit.rlim_cur : 1024;
  // With very few descriptors, half of them are for clients all the same.
  return std::max<uint64_t>(descriptors > 2 * needed ? descriptors - needed : descriptors / 2, 1);
}

void tune_allocator() {
  // A body moves between a worker and a thread of the pool: with an arena each, freed blocks pile up in both. Blocks
  // from 256 KiB on are mapped by themselves, so that a large body's memory is gone with it.
  mallopt(M_ARENA_MAX, 4);
  mallopt(M_MMAP_THRESHOLD, 256 * 1024);
  mallopt(M_TRIM_THRESHOLD, 1024 * 1024);
}

}  // namespace transom
