#include "metrics/process_figures.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace transom {
namespace {

std::string read_line(const char* path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

std::vector<int64_t> numbers_in(std::string_view text) {
  std::vector<int64_t> numbers;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    int64_t number = 0;
    const auto [next, error] = std::from_chars(at, end, number);
    if (error == std::errc()) numbers.push_back(number);
    at = std::max(next, at);
    // A word that is no number (the state letter) takes a place too, so that the others keep theirs.
    if (error != std::errc()) numbers.push_back(0);
    while (at < end && *at != ' ')
      ++at;
    while (at < end && *at == ' ')
      ++at;
  }
  return numbers;
}

double boot_time_seconds() {
  std::ifstream file("/proc/stat");
  std::string word;
  while (file >> word) {
    double seconds = 0;
    if (word == "btime" && file >> seconds) return seconds;
  }
  return 0;
}

// proc(5), /proc/pid/stat; the name in brackets may hold anything, so fields are counted from its end on.
void read_stat(ProcessFigures& figures) {
  const std::string line = read_line("/proc/self/stat");
  const size_t name_end = line.rfind(')');
  if (name_end == std::string::npos || name_end + 2 > line.size()) return;
  const std::vector<int64_t> fields = numbers_in(std::string_view(line).substr(name_end + 2));  // from field 3 on
  if (fields.size() < 22) return;
  static const double boot = boot_time_seconds();
  figures.threads = fields[20 - 3];
  figures.virtual_bytes = fields[23 - 3];
  figures.resident_bytes = fields[24 - 3] * sysconf(_SC_PAGESIZE);
  figures.start_time_seconds = boot + static_cast<double>(fields[22 - 3]) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

}  // namespace

ProcessFigures read_process_figures() {
  ProcessFigures figures;
  read_stat(figures);
  rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) == 0)
    figures.cpu_seconds = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0) figures.max_fds = static_cast<int64_t>(limit.rlim_cur);
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", error), end; !error && entry != end;
       entry.increment(error)) {
    ++figures.open_fds;
  }
  if (figures.open_fds > 0) --figures.open_fds;  // the one that is reading the folder
  return figures;
}

}  // namespace transom
