// H2ExchangeList owns the exchanges of one HTTP/2 session: the open ones, and those whose stream has closed but whose
// handlers have not heard it, since handlers are told outside the vendor's parser and when all bytes have left. One
// thread.
#pragma once

#include <memory>
#include <vector>

#include "http/h2_exchange.h"

namespace transom {

class H2ExchangeList {
 public:
  // open_exchanges: the worker's count, kept up to date.
  H2ExchangeList(Loop& loop, size_t& open_exchanges) : loop_(loop), open_exchanges_(open_exchanges) {}

  H2Exchange& add(std::unique_ptr<H2Exchange> exchange);
  // Out of the open ones; its handler hears that status in settle().
  void close(H2Exchange& exchange, Status status);
  void close_all(const Status& status);
  // Tells what was closed and buries it, and open ones whose answer has left though the client still sends. With bytes still on their way only those hear it that ended badly: the others
  // may end badly yet.
  void settle(bool all_bytes_left);
  // Tells open exchanges that have room again.
  void tell_send_ready();

  bool is_empty() const { return open_.empty() && closed_.empty(); }
  bool has_open() const { return !open_.empty(); }
  size_t size() const { return open_.size(); }
  H2Exchange& operator[](size_t index) { return *open_[index]; }

 private:
  struct Closed {
    std::unique_ptr<H2Exchange> exchange;
    Status status;
  };

  Loop& loop_;
  size_t& open_exchanges_;
  std::vector<std::unique_ptr<H2Exchange>> open_;
  std::vector<Closed> closed_;
};

}  // namespace transom
