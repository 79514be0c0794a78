// What all Relays of one worker share. Owned by the worker, which outlives them; used on its thread only.
#pragma once

#include "net/loop.h"
#include "net/mailbox.h"
#include "net/offload_pool.h"
#include "proxy/memory_guard.h"
#include "proxy/request_id.h"
#include "proxy/request_record.h"
#include "proxy/snapshot.h"

namespace transom {

struct WorkerServices {
  Loop& loop;
  Mailbox& mailbox;        // where the pool's results come in
  OffloadPool& offload;
  MemoryGuard& memory;
  RequestIds& ids;
  RequestObserver& observer;
  WorkerSnapshotPtr snapshot;  // replaced by a reload; requests keep the one they began with
};

}  // namespace transom
