#include "control/last_good_copy.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>

namespace transom {
namespace {

Status failed(const std::string& path, int error) {
  const Code code = error == ENOENT ? Code::NotFound : Code::Unavailable;
  return proxy_error(code, path + ": " + std::generic_category().message(error));
}

// Errno, or 0.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno != EINTR) {
      return errno;
    }
    bytes.remove_prefix(written < 0 ? 0 : static_cast<size_t>(written));
  }
  return fsync(file) == 0 ? 0 : errno;
}

int write_file(const std::string& path, std::string_view bytes) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) {
    return errno;
  }
  const int error = write_all(file, bytes);
  close(file);
  return error;
}

}  // namespace

Status save_last_good_copy(const std::string& path, std::string_view bytes) {
  std::error_code folder_error;
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  if (!folder.empty() && !std::filesystem::create_directories(folder, folder_error) && folder_error) {
    return failed(folder, folder_error.value());
  }
  // Two processes may share the folder.
  const std::string fresh = path + "." + std::to_string(getpid());
  if (const int error = write_file(fresh, bytes); error != 0) {
    unlink(fresh.c_str());
    return failed(fresh, error);
  }
  if (rename(fresh.c_str(), path.c_str()) != 0) {
    const int error = errno;
    unlink(fresh.c_str());
    return failed(path, error);
  }
  return {};
}

Result<std::string> load_last_good_copy(const std::string& path) {
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return failed(path, errno != 0 ? errno : EIO);
  }
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

}  // namespace transom
