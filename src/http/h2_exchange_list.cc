#include "http/h2_exchange_list.h"

#include <utility>

namespace transom {

H2Exchange& H2ExchangeList::add(std::unique_ptr<H2Exchange> exchange) {
  exchange->place = open_.size();
  open_.push_back(std::move(exchange));
  ++open_exchanges_;
  return *open_.back();
}

void H2ExchangeList::close(H2Exchange& exchange, Status status) {
  size_t place = exchange.place;
  std::unique_ptr<H2Exchange> closed = std::move(open_[place]);
  if (place + 1 != open_.size()) {
    open_[place] = std::move(open_.back());
    open_[place]->place = place;
  }
  open_.pop_back();
  --open_exchanges_;
  closed->retire();
  closed_.push_back({std::move(closed), std::move(status)});
}

void H2ExchangeList::close_all(const Status& status) {
  while (!open_.empty()) {
    close(*open_.back(), status);
  }
}

void H2ExchangeList::settle(bool all_bytes_left) {
  size_t kept = 0;
  // By index: a handler that hears its end may make another stream close.
  for (size_t i = 0; i < closed_.size(); ++i) {
    if (closed_[i].status.ok() && !all_bytes_left) {
      std::swap(closed_[kept], closed_[i]);
      ++kept;
      continue;
    }
    std::unique_ptr<H2Exchange> exchange = std::move(closed_[i].exchange);
    Status status = std::move(closed_[i].status);
    exchange->end_handler(status);
    loop_.bury(std::move(exchange));
  }
  closed_.resize(kept);
  for (size_t i = 0; all_bytes_left && i < open_.size(); ++i) {
    if (open_[i]->drops_rest()) {
      open_[i]->end_handler(Status{});
    }
  }
}

void H2ExchangeList::tell_send_ready() {
  for (size_t i = 0; i < open_.size(); ++i) {
    open_[i]->tell_send_ready();
  }
}

}  // namespace transom
