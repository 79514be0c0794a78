#include "metrics/process_figures.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <thread>

namespace transom {
namespace {

TEST(ProcessFigures, AllAreThere) {
  const ProcessFigures figures = read_process_figures();
  EXPECT_GT(figures.resident_bytes, 1 << 20);
  EXPECT_GT(figures.virtual_bytes, figures.resident_bytes);
  EXPECT_GE(figures.threads, 1);
  EXPECT_GE(figures.open_fds, 3);
  EXPECT_GE(figures.max_fds, figures.open_fds);
}

TEST(ProcessFigures, TheStartIsBeforeNowAndNotLongAgo) {
  const double now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  const double start = read_process_figures().start_time_seconds;
  EXPECT_LE(start, now + 2);
  EXPECT_GT(start, now - 3600);
}

TEST(ProcessFigures, AnOpenFileIsCounted) {
  const int64_t before = read_process_figures().open_fds;
  const int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(read_process_figures().open_fds, before + 1);
  close(fd);
}

TEST(ProcessFigures, AThreadIsCounted) {
  const int64_t before = read_process_figures().threads;
  std::jthread other([](const std::stop_token& stop) {
    while (!stop.stop_requested())
      std::this_thread::yield();
  });
  EXPECT_EQ(read_process_figures().threads, before + 1);
}

}  // namespace
}  // namespace transom
