#include "log/line_sink.h"

#include <fcntl.h>
#include <poll.h>
#include <spdlog/async_logger.h>
#include <spdlog/details/thread_pool.h>
#include <spdlog/sinks/base_sink.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

namespace transom {
namespace {

constexpr size_t kQueueSlots = 1024;            // of the library's queue
constexpr int64_t kBatchesMax = 256;            // per sink, so that the queue itself never overruns
constexpr int64_t kBytesMax = 8 * 1024 * 1024;  // per sink
constexpr size_t kPipeWriteBytes = 4096;        // PIPE_BUF: a poll that says writable promises this much
constexpr int kPollMs = 100;
constexpr std::chrono::milliseconds kClosingPatience{1000};

int64_t lines_in(std::string_view text) { return std::count(text.begin(), text.end(), '\n'); }

// Waits for the reader, but not when the process is about to end and patience has run out.
bool wait_writable(int fd, const std::atomic<int64_t>& give_up_at) {
  while (true) {
    const bool is_late = std::chrono::steady_clock::now().time_since_epoch().count() > give_up_at;
    pollfd entry{fd, POLLOUT, 0};
    const int ready = poll(&entry, 1, is_late ? 0 : kPollMs);
    if (ready > 0) return true;
    if (is_late || (ready < 0 && errno != EINTR)) return false;
  }
}

}  // namespace

struct LineThread::State {
  std::atomic<int64_t> give_up_at{INT64_MAX};  // steady clock
  std::shared_ptr<spdlog::details::thread_pool> pool;
};

namespace {

// Where the lines go, and what is on its way there. It outlives its LineSink while batches are still queued.
struct Outgoing {
  int fd = -1;
  bool owns_fd = false;
  bool never_waits = false;  // a file, or a device like /dev/null
  std::shared_ptr<const std::atomic<int64_t>> give_up_at;
  std::atomic<int64_t> batches{0};
  std::atomic<int64_t> bytes{0};
  std::atomic<int64_t> dropped{0};

  ~Outgoing() {
    if (owns_fd) close(fd);
  }

  // On the log's thread.
  void write_out(std::string_view text) {
    std::string_view rest = text;
    while (!rest.empty()) {
      if (!never_waits && !wait_writable(fd, *give_up_at)) break;
      const size_t piece = never_waits ? rest.size() : std::min(rest.size(), kPipeWriteBytes);
      const ssize_t written = ::write(fd, rest.data(), piece);
      if (written > 0) rest.remove_prefix(static_cast<size_t>(written));
      if (written < 0 && errno != EINTR && errno != EAGAIN) break;
    }
    dropped.fetch_add(lines_in(rest), std::memory_order_relaxed);
    batches.fetch_sub(1, std::memory_order_relaxed);
    bytes.fetch_sub(static_cast<int64_t>(text.size()), std::memory_order_relaxed);
  }
};

// The library's end of a sink: hands the batch on as it came.
class Outlet : public spdlog::sinks::base_sink<spdlog::details::null_mutex> {
 public:
  explicit Outlet(std::shared_ptr<Outgoing> outgoing) : outgoing_(std::move(outgoing)) {}

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    outgoing_->write_out({message.payload.data(), message.payload.size()});
  }
  void flush_() override {}

 private:
  std::shared_ptr<Outgoing> outgoing_;
};

}  // namespace

struct LineSink::State {
  std::shared_ptr<Outgoing> outgoing = std::make_shared<Outgoing>();
  std::shared_ptr<spdlog::async_logger> logger;
};

LineThread::LineThread() : state_(std::make_shared<State>()) {
  state_->pool = std::make_shared<spdlog::details::thread_pool>(kQueueSlots, 1);
}

LineThread::~LineThread() {
  const auto give_up_at = std::chrono::steady_clock::now() + kClosingPatience;
  state_->give_up_at.store(give_up_at.time_since_epoch().count(), std::memory_order_relaxed);
  state_->pool.reset();  // joins its thread once the queue is empty
}

LineSink::LineSink(LineThread& thread, int fd) : LineSink(thread, fd, false) {}

LineSink::LineSink(LineThread& thread, int fd, bool owns_fd) {
  if (fd < 0) return;
  state_ = std::make_unique<State>();
  Outgoing& outgoing = *state_->outgoing;
  outgoing.fd = fd;
  outgoing.owns_fd = owns_fd;
  struct stat status {};
  const bool is_known = fstat(fd, &status) == 0;
  outgoing.never_waits = is_known && (S_ISREG(status.st_mode) || (S_ISCHR(status.st_mode) && isatty(fd) == 0));
  outgoing.give_up_at = {thread.state_, &thread.state_->give_up_at};
  state_->logger =
      std::make_shared<spdlog::async_logger>("", std::make_shared<Outlet>(state_->outgoing), thread.state_->pool,
                                             spdlog::async_overflow_policy::overrun_oldest);
}

Result<std::unique_ptr<LineSink>> LineSink::open(LineThread& thread, const std::string& path) {
  if (path.empty()) return std::unique_ptr<LineSink>(new LineSink(thread, -1, false));
  if (path == "-") return std::make_unique<LineSink>(thread, STDOUT_FILENO);
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (fd < 0) return proxy_error(Code::Unavailable, path + ": " + std::strerror(errno));
  return std::unique_ptr<LineSink>(new LineSink(thread, fd, true));
}

LineSink::~LineSink() = default;

void LineSink::write(std::string_view lines) {
  if (state_ == nullptr || lines.empty()) return;
  Outgoing& outgoing = *state_->outgoing;
  const auto size = static_cast<int64_t>(lines.size());
  const bool fits = outgoing.bytes.fetch_add(size, std::memory_order_relaxed) + size <= kBytesMax;
  const bool has_slot = outgoing.batches.fetch_add(1, std::memory_order_relaxed) < kBatchesMax;
  if (fits && has_slot) {
    state_->logger->log(spdlog::level::info, spdlog::string_view_t(lines.data(), lines.size()));
    return;
  }
  outgoing.bytes.fetch_sub(size, std::memory_order_relaxed);
  outgoing.batches.fetch_sub(1, std::memory_order_relaxed);
  outgoing.dropped.fetch_add(lines_in(lines), std::memory_order_relaxed);
}

int64_t LineSink::dropped() const {
  return state_ == nullptr ? 0 : state_->outgoing->dropped.load(std::memory_order_relaxed);
}

}  // namespace transom
