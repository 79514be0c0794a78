#include "proxy/offloaded.h"

#include <utility>

namespace transom {
namespace {

// Shared by the pool and the callback, whichever goes last.
struct Work {
  Work(SnapshotPtr held, Conversion converted) : snapshot(std::move(held)), conversion(std::move(converted)) {}
  SnapshotPtr snapshot;
  Conversion conversion;
  Status status;
  std::string out;
};

}  // namespace

std::unique_ptr<Offloaded> Offloaded::start(OffloadPool& pool, Mailbox& mailbox, SnapshotPtr snapshot,
                                            Conversion conversion, OnDone on_done) {
  auto work = std::make_shared<Work>(std::move(snapshot), std::move(conversion));
  const size_t bytes = work->conversion.input_bytes();
  auto run = [work](const std::atomic<bool>& cancelled) {
    work->status = work->conversion.run(work->out, &cancelled);
  };
  auto done = [work, on_done = std::move(on_done)] {
    on_done(std::move(work->status), work->conversion, std::move(work->out));
  };
  std::unique_ptr<OffloadPool::Ticket> ticket = pool.submit(bytes, std::move(run), mailbox, std::move(done));
  if (ticket == nullptr) {
    return nullptr;
  }
  return std::unique_ptr<Offloaded>(new Offloaded(std::move(ticket)));
}

}  // namespace transom
