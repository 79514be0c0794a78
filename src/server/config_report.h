// ConfigReport gathers everything that is wrong with a configuration, so that all of it can be told at once, each as
// `file:line:column: path.to.key: what is wrong`. It also remembers where each key stands, so that later checks can
// point at it. Made per load, on one thread.
#pragma once

#include <compare>
#include <map>
#include <string>
#include <vector>

namespace transom {

// Both count from 1; 0 is the file as a whole.
struct ConfigPlace {
  int line = 0;
  int column = 0;
  auto operator<=>(const ConfigPlace&) const = default;
};

class ConfigReport {
 public:
  explicit ConfigReport(std::string file) : file_(std::move(file)) {}

  void remember(const std::string& path, ConfigPlace place) { places_.emplace(path, place); }
  // Where the key stands; that of what it stands in, when it is not written.
  ConfigPlace place_of(std::string path) const;
  // "conf.yaml:12:5"
  std::string format_place(const std::string& path) const;

  void add(ConfigPlace place, const std::string& path, const std::string& what);
  // At the key's own place.
  void add(const std::string& path, const std::string& what) { add(place_of(path), path, what); }

  // For a text that names its place itself; place only says where it comes in the order.
  void add_placed(ConfigPlace place, const std::string& text) { errors_.push_back({place, text, true}); }

  // Forgets the errors, keeps the places.
  void clear() { errors_.clear(); }
  size_t errors() const { return errors_.size(); }
  bool has_errors() const { return !errors_.empty(); }
  // One line each, in the order of the file.
  std::vector<std::string> lines() const;
  const std::string& file() const { return file_; }

 private:
  struct Complaint {
    ConfigPlace place;
    std::string text;
    bool names_its_place = false;
  };
  std::string at(ConfigPlace place) const;

  std::string file_;
  std::map<std::string, ConfigPlace> places_;
  std::vector<Complaint> errors_;
};

}  // namespace transom
