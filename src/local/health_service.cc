#include "local/health_service.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "local/wire_fields.h"

namespace transom {

HealthService::HealthService(LocalAnswer& answer, Kind kind, const Readiness& readiness,
                             std::function<ServedServicesPtr()> served)
    : answer_(answer), kind_(kind), readiness_(readiness), served_(std::move(served)), timer_(answer.loop(), [this] {
        watch();
      }) {}

void HealthService::on_message(std::string_view message) {
  std::vector<WireField> fields;
  if (!read_wire_fields(message, fields)) {
    answer_.end(client_error(Code::Internal, "the message is no HealthCheckRequest"));
    return;
  }
  if (service_.has_value()) {
    answer_.end(client_error(Code::Unimplemented, "the method takes one message"));
    return;
  }
  service_.emplace();
  for (const WireField& field : fields) {
    if (field.number == 1 && field.is_text) {
      *service_ = field.text;
    }
  }
  kind_ == Kind::Check ? check() : watch();
}

void HealthService::on_half_close() {
  if (!service_.has_value()) {
    answer_.end(client_error(Code::Unimplemented, "the method takes one message"));
  }
}

HealthService::Serving HealthService::look() const {
  if (service_->empty()) {
    return readiness_.is_ready() ? Serving::Serving : Serving::NotServing;
  }
  const ServedServicesPtr served = served_();
  const ServedService* service = served->find(*service_);
  if (service == nullptr) {
    return Serving::ServiceUnknown;
  }
  const bool can_serve = !readiness_.is_draining() &&
                         std::ranges::all_of(service->backends, [this](size_t i) { return readiness_.can_serve(i); });
  return can_serve ? Serving::Serving : Serving::NotServing;
}

namespace {

std::string response_of(uint64_t status) {
  std::string response;
  append_varint_field(response, 1, status);
  return response;
}

}  // namespace

void HealthService::check() {
  const Serving now = look();
  if (now == Serving::ServiceUnknown) {
    answer_.end(client_error(Code::NotFound, "no service " + *service_ + " is served here"));
    return;
  }
  answer_.send(response_of(static_cast<uint64_t>(now)));
  answer_.end({});
}

void HealthService::watch() {
  const Serving now = look();
  if (told_ != now) {
    told_ = now;
    answer_.send(response_of(static_cast<uint64_t>(now)));
  }
  if (readiness_.is_draining()) {
    answer_.end(proxy_error(Code::Unavailable, "the proxy is ending"));
  } else {
    timer_.start(kHealthWatchPause);
  }
}

}  // namespace transom
