// temp_folder() is a folder of this run of a test program alone, so that two runs at once do not meet in it. It is made
// at the first call, and goes with all that is in it when the program ends. For any thread.
#pragma once

#include <stdlib.h>

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "base/check.h"

namespace transom {

class TempFolder {
 public:
  // Beside gtest's own, with a slash at the end as it has.
  explicit TempFolder(const std::string& beside) : path_(beside + "transom-XXXXXX") {
    check(mkdtemp(path_.data()) != nullptr, "a temporary folder");
    path_ += '/';
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;
  TempFolder& operator=(const TempFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline const std::string& temp_folder() {
  static const TempFolder folder(testing::TempDir());
  return folder.path();
}

}  // namespace transom
