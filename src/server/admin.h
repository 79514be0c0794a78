// Admin answers /metrics, /livez and /readyz on the admin address. It lives on the control thread's loop; the Server
// owns it. Every request is answered at once, in on_exchange.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/status.h"
#include "http/exchange.h"
#include "http/session.h"
#include "net/listener.h"

namespace transom {

struct AdminPages {
  std::function<std::string()> metrics;
  // Empty when ready, else the reason.
  std::function<std::string()> unready_reason;
};

class Admin final : private ExchangeAcceptor {
 public:
  // fd: a listening socket, duplicated.
  static Result<std::unique_ptr<Admin>> open(Loop& loop, const ListenerOptions& options, int fd, AdminPages pages);
  virtual ~Admin() = default;

 private:
  Admin(Loop& loop, AdminPages pages);
  std::unique_ptr<ExchangeHandler> on_exchange(Exchange& exchange) override;

  const AdminPages pages_;
  std::unique_ptr<SessionSet> sessions_;
  std::unique_ptr<Listener> listener_;
};

}  // namespace transom
