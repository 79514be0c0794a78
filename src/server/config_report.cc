#include "server/config_report.h"

#include <algorithm>
#include <utility>

namespace transom {

ConfigPlace ConfigReport::place_of(std::string path) const {
  while (true) {
    if (const auto found = places_.find(path); found != places_.end()) return found->second;
    const size_t end = path.find_last_of(".[");
    if (end == std::string::npos) return path.empty() ? ConfigPlace{} : place_of("");
    path.resize(end);
  }
}

std::string ConfigReport::at(ConfigPlace place) const {
  if (place.line == 0) return file_;
  return file_ + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string ConfigReport::format_place(const std::string& path) const { return at(place_of(path)); }

void ConfigReport::add(ConfigPlace place, const std::string& path, const std::string& what) {
  errors_.push_back({place, path.empty() ? what : path + ": " + what});
}

std::vector<std::string> ConfigReport::lines() const {
  auto sorted = errors_;
  std::ranges::stable_sort(sorted, {}, &Complaint::place);
  std::vector<std::string> lines;
  for (const Complaint& complaint : sorted) {
    lines.push_back(complaint.names_its_place ? complaint.text : at(complaint.place) + ": " + complaint.text);
  }
  // A schema that several backends share is read for each of them.
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

}  // namespace transom
