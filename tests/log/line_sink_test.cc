#include "log/line_sink.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>
#include <vector>

#include "support/temp_folder.h"

namespace transom {
namespace {

std::string read_file(const std::string& path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// A pipe whose reader does nothing until asked.
class Pipe {
 public:
  Pipe() { EXPECT_EQ(pipe2(ends_.data(), O_CLOEXEC), 0); }
  ~Pipe() {
    close_reader();
    close(ends_[1]);
  }
  int writer() const { return ends_[1]; }
  void close_reader() {
    if (ends_[0] >= 0) close(ends_[0]);
    ends_[0] = -1;
  }
  std::string read_some() {
    std::string text(65536, '\0');
    const ssize_t got = read(ends_[0], text.data(), text.size());
    text.resize(got > 0 ? static_cast<size_t>(got) : 0);
    return text;
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

TEST(LineSink, LinesOfManyThreadsArriveWhole) {
  const std::string path = temp_folder() + "line_sink_test.log";
  std::remove(path.c_str());
  {
    LineThread thread;
    auto sink = LineSink::open(thread, path);
    ASSERT_TRUE(sink.ok());
    std::vector<std::thread> writers;
    for (char who = 'a'; who < 'e'; ++who) {
      writers.emplace_back([&, who] {
        for (int i = 0; i < 20; ++i)
          (*sink)->write(std::string(50, who) + "\n");
      });
    }
    for (auto& writer : writers)
      writer.join();
    EXPECT_EQ((*sink)->dropped(), 0);
  }
  std::istringstream lines(read_file(path));
  int count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(line, std::string(50, line.at(0)));
  }
  EXPECT_EQ(count, 80);
}

TEST(LineSink, AppendsToWhatIsThere) {
  const std::string path = temp_folder() + "line_sink_append.log";
  std::ofstream(path) << "old\n";
  {
    LineThread thread;
    auto sink = LineSink::open(thread, path);
    ASSERT_TRUE(sink.ok());
    (*sink)->write("new\n");
  }
  EXPECT_EQ(read_file(path), "old\nnew\n");
}

TEST(LineSink, AReaderThatDoesNotReadCostsLinesAndNoTime) {
  Pipe pipe;
  constexpr int kLines = 100'000;
  int64_t arrived = 0;
  {
    LineThread thread;
    LineSink sink(thread, pipe.writer());
    const std::string line = std::string(199, 'x') + "\n";
    for (int i = 0; i < kLines; ++i)
      sink.write(line);  // 20 MB: would never return if it could block
    EXPECT_GT(sink.dropped(), 0);
    EXPECT_LT(sink.dropped(), kLines);
    arrived = kLines - sink.dropped();
    for (int64_t bytes = 0; bytes < arrived * 200;)
      bytes += static_cast<int64_t>(pipe.read_some().size());
  }
  EXPECT_GT(arrived, 0);
}

TEST(LineSink, EndsThoughItsReaderNeverReads) {
  Pipe pipe;
  {
    LineThread thread;
    LineSink sink(thread, pipe.writer());
    for (int i = 0; i < 100; ++i)
      sink.write(std::string(4096, 'x') + "\n");
  }
  EXPECT_GT(pipe.read_some().size(), 4096u);  // the pipe was full, and still we are here
}

TEST(LineSink, LinesThatCannotBeWrittenAreCounted) {
  signal(SIGPIPE, SIG_IGN);
  Pipe pipe;
  pipe.close_reader();
  LineThread thread;
  LineSink sink(thread, pipe.writer());
  sink.write("a\nb\n");
  while (sink.dropped() < 2)
    std::this_thread::yield();
  EXPECT_EQ(sink.dropped(), 2);
}

TEST(LineSink, AFileThatCannotBeOpenedIsAnErrorThatNamesIt) {
  LineThread thread;
  const auto sink = LineSink::open(thread, "/no/such/folder/access.log");
  ASSERT_FALSE(sink.ok());
  EXPECT_EQ(sink.status().message, "/no/such/folder/access.log: No such file or directory");
}

TEST(LineSink, WithoutAPathItIsOff) {
  LineThread thread;
  const auto sink = LineSink::open(thread, "");
  ASSERT_TRUE(sink.ok());
  (*sink)->write("x\n");
  EXPECT_FALSE((*sink)->is_open());
  EXPECT_EQ((*sink)->dropped(), 0);
}

}  // namespace
}  // namespace transom
