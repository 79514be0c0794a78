#include "net/offload_pool.h"

#include <pthread.h>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/check.h"

namespace transom {

namespace {

class JobTicket;

// One piece of work. Shared by the pool, the ticket and the letter that brings the result home.
struct Job {
  Job(size_t job_bytes, OffloadPool::Work job_work, Mailbox::Sender job_home)
      : bytes(job_bytes), home(std::move(job_home)), work(std::move(job_work)) {}

  const size_t bytes;
  const Mailbox::Sender home;
  std::atomic<bool> is_cancelled{false};
  OffloadPool::Work work;       // empty once a thread has taken it, or it was dropped; under the queue's mutex
  JobTicket* ticket = nullptr;  // null when it is gone or done; on the loop's thread only
};

// What waits and what runs. Outlives the pool while a ticket is left.
class JobQueue {
 public:
  JobQueue(size_t threads, size_t bytes_max) : bytes_max_(bytes_max), running_(threads) {}

  bool push(std::shared_ptr<Job> job) {
    {
      std::lock_guard lock(mutex_);
      bool fits = job->bytes <= bytes_max_ && bytes_ <= bytes_max_ - job->bytes;
      if (is_closed_ || (waiting_ > 0 && !fits)) {
        return false;
      }
      ++waiting_;
      bytes_ += job->bytes;
      jobs_.push_back(std::move(job));
    }
    arrival_.notify_one();
    return true;
  }

  // What that thread ran before is done. Null when the pool ends.
  std::shared_ptr<Job> take(size_t thread, OffloadPool::Work& work) {
    std::unique_lock lock(mutex_);
    running_[thread] = nullptr;
    for (;;) {
      arrival_.wait(lock, [this] { return is_closed_ || !jobs_.empty(); });
      if (is_closed_) {
        return nullptr;
      }
      std::shared_ptr<Job> job = std::move(jobs_.front());
      jobs_.pop_front();
      if (job->work) {
        work = release(*job);
        running_[thread] = job;
        return job;
      }
    }
  }

  // The ticket is gone: running work is told, waiting work gives its bytes back at once.
  void cancel(Job& job) {
    job.is_cancelled.store(true, std::memory_order_relaxed);
    OffloadPool::Work dropped;  // destroyed after the lock is
    std::lock_guard lock(mutex_);
    if (job.work) {
      dropped = release(job);
    }
  }

  void close() {
    std::deque<std::shared_ptr<Job>> dropped;
    {
      std::lock_guard lock(mutex_);
      is_closed_ = true;
      for (const std::shared_ptr<Job>& job : running_) {
        if (job != nullptr) {
          job->is_cancelled.store(true, std::memory_order_relaxed);
        }
      }
      dropped.swap(jobs_);
    }
    arrival_.notify_all();
    for (const std::shared_ptr<Job>& job : dropped) {
      cancel(*job);
    }
  }

 private:
  OffloadPool::Work release(Job& job) {
    --waiting_;
    bytes_ -= job.bytes;
    return std::exchange(job.work, nullptr);
  }

  const size_t bytes_max_;
  std::mutex mutex_;
  std::condition_variable arrival_;
  std::deque<std::shared_ptr<Job>> jobs_;
  size_t waiting_ = 0;                         // of jobs_, those not dropped
  size_t bytes_ = 0;                           // theirs
  std::vector<std::shared_ptr<Job>> running_;  // by thread
  bool is_closed_ = false;
};

class JobTicket final : public OffloadPool::Ticket {
 public:
  JobTicket(std::shared_ptr<JobQueue> queue, std::shared_ptr<Job> job, std::function<void()> on_done)
      : queue_(std::move(queue)), job_(std::move(job)), on_done_(std::move(on_done)) {
    job_->ticket = this;
  }

  ~JobTicket() {
    if (job_->ticket != nullptr) {
      job_->ticket = nullptr;
      queue_->cancel(*job_);
    }
  }

  // Last thing done: on_done may destroy this.
  void finish() {
    job_->ticket = nullptr;
    std::function<void()> on_done = std::move(on_done_);
    on_done();
  }

 private:
  const std::shared_ptr<JobQueue> queue_;
  const std::shared_ptr<Job> job_;
  std::function<void()> on_done_;
};

class ThreadedPool final : public OffloadPool {
 public:
  ThreadedPool(int threads, size_t queued_bytes_max)
      : queue_(std::make_shared<JobQueue>(static_cast<size_t>(threads), queued_bytes_max)) {
    for (size_t i = 0; i < static_cast<size_t>(threads); ++i) {
      threads_.emplace_back([this, i] { serve(i); });
    }
  }

  ~ThreadedPool() {
    queue_->close();
    for (std::thread& thread : threads_) {
      thread.join();
    }
  }

  std::unique_ptr<Ticket> submit(size_t bytes, Work work, Mailbox& mailbox, std::function<void()> on_done) override {
    check(work != nullptr, "a job needs work");
    auto job = std::make_shared<Job>(bytes, std::move(work), mailbox.sender());
    auto ticket = std::make_unique<JobTicket>(queue_, job, std::move(on_done));
    if (!queue_->push(job)) {
      job->ticket = nullptr;
      return nullptr;
    }
    return ticket;
  }

 private:
  void serve(size_t thread) {
    pthread_setname_np(pthread_self(), ("offload-" + std::to_string(thread)).c_str());
    Work work;
    while (std::shared_ptr<Job> job = queue_->take(thread, work)) {
      if (!job->is_cancelled.load(std::memory_order_relaxed)) {
        work(job->is_cancelled);
      }
      work = nullptr;  // before on_done, which is then the only holder of what they share
      job->home.post([job] {
        if (job->ticket != nullptr) {
          job->ticket->finish();
        }
      });
    }
  }

  const std::shared_ptr<JobQueue> queue_;
  std::vector<std::thread> threads_;
};

}  // namespace

std::unique_ptr<OffloadPool> OffloadPool::make(int threads, size_t queued_bytes_max) {
  check(threads > 0, "a pool needs a thread");
  return std::make_unique<ThreadedPool>(threads, queued_bytes_max);
}

}  // namespace transom
