#include "server/admin.h"

#include <string_view>
#include <utility>

#include "protocol/error_body.h"

namespace transom {
namespace {

constexpr std::string_view kPlain = "text/plain; charset=utf-8";
constexpr std::string_view kPrometheus = "text/plain; version=0.0.4; charset=utf-8";
constexpr std::string_view kJson = "application/json";

struct Page {
  uint16_t status = 200;
  std::string_view content_type = kPlain;
  std::string body;
  std::string_view allow;
};

Page error_page(uint16_t http_status, Code code, std::string message) {
  return {http_status, kJson, error_body(client_error(code, std::move(message), http_status), ErrorForm::Status), ""};
}

Page find_page(const AdminPages& pages, const RequestHead& head) {
  const std::string_view path = std::string_view(head.target).substr(0, head.target.find('?'));
  if (path != "/metrics" && path != "/livez" && path != "/readyz") {
    return error_page(404, Code::NotFound, "the admin interface has /metrics, /livez and /readyz");
  }
  if (head.method != "GET" && head.method != "HEAD") {
    Page page = error_page(405, Code::Unimplemented, "only GET and HEAD are answered here");
    page.allow = "GET, HEAD";
    return page;
  }
  if (path == "/metrics") return {200, kPrometheus, pages.metrics(), ""};
  if (path == "/livez") return {200, kPlain, "alive\n", ""};
  const std::string reason = pages.unready_reason();
  if (reason.empty()) return {200, kPlain, "ready\n", ""};
  return {503, kPlain, "not ready: " + reason + "\n", ""};
}

// The answer left with the request's head; what is left is to let the body pass.
class Answered final : public ExchangeHandler {
 public:
  explicit Answered(Exchange& exchange) : exchange_(exchange) {}
  void on_request_bytes(std::string_view bytes) override { exchange_.consume(bytes.size()); }
  void on_request_end(const Fields&) override {}
  void on_send_ready() override {}
  std::string request_id() const override { return {}; }
  void on_exchange_end(const Status&) override {}

 private:
  Exchange& exchange_;
};

ErrorBody body_of_error(const Status& status) { return {error_body(status, ErrorForm::Status)}; }

}  // namespace

Admin::Admin(Loop& loop, AdminPages pages) : pages_(std::move(pages)) {
  SessionOptions options;
  options.error_body = &body_of_error;
  sessions_ = SessionSet::make(loop, options, *this);
}

Result<std::unique_ptr<Admin>> Admin::open(Loop& loop, const ListenerOptions& options, int fd, AdminPages pages) {
  std::unique_ptr<Admin> admin(new Admin(loop, std::move(pages)));
  SessionSet* sessions = admin->sessions_.get();
  auto listener = Listener::open(loop, options, fd, nullptr, [sessions](std::unique_ptr<Transport> transport) {
    sessions->add(std::move(transport));
  });
  if (!listener.ok()) return listener.status();
  admin->listener_ = std::move(*listener);
  return admin;
}

std::unique_ptr<ExchangeHandler> Admin::on_exchange(Exchange& exchange) {
  Page page = find_page(pages_, exchange.head());
  ResponseHead head;
  head.status = page.status;
  head.content_length = static_cast<int64_t>(page.body.size());
  head.fields.add("content-type", page.content_type);
  head.fields.add("cache-control", "no-store");
  if (!page.allow.empty()) head.fields.add("allow", page.allow);
  exchange.send_head(head);
  exchange.send(std::move(page.body));
  exchange.finish({});
  return std::make_unique<Answered>(exchange);
}

}  // namespace transom
