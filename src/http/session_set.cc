#include <unordered_map>
#include <utility>
#include <vector>

#include "http/h1_session.h"
#include "http/h2_session.h"
#include "http/session.h"
#include "http/session_room.h"

namespace transom {
namespace {

class WorkerSessions final : public SessionSet, private SessionOwner {
 public:
  WorkerSessions(Loop& loop, const SessionOptions& options, ExchangeAcceptor& acceptor)
      : room_(loop, options, acceptor, *this) {}
  ~WorkerSessions() override;

  void add(std::unique_ptr<Transport> transport) override;
  void drain() override;
  void close_web_sockets() override { room_.web_sockets.close_all(); }
  size_t open_sessions() const override { return sessions_.size(); }
  size_t open_exchanges() const override { return room_.open_exchanges; }
  void pause_bodies(bool paused) override;

 private:
  void end(Session& session) override;
  void replace(Session& session, std::unique_ptr<Session> next) override;
  void put(std::unique_ptr<Session> session);
  // Of all sessions now: a call to one may end it.
  std::vector<Session*> all() const;

  SessionRoom room_;
  std::unordered_map<Session*, std::unique_ptr<Session>> sessions_;
  bool is_draining_ = false;
};

WorkerSessions::~WorkerSessions() {
  for (auto& [session, owned] : sessions_) {
    session->close();
    if (room_.options.observer != nullptr) {
      room_.options.observer->on_session_end();
    }
  }
}

void WorkerSessions::put(std::unique_ptr<Session> session) {
  Session* key = session.get();
  sessions_.emplace(key, std::move(session));
}

void WorkerSessions::add(std::unique_ptr<Transport> transport) {
  if (room_.options.observer != nullptr) {
    room_.options.observer->on_session_open();
  }
  Session* added = nullptr;
  if (transport->alpn() == "h2") {
    auto session = make_h2_session(room_, std::move(transport));
    H2Opening* opening = session.get();
    added = opening;
    put(std::move(session));
    opening->begin(nullptr, {});
  } else {
    // RFC 9113 section 3.2: over TLS, HTTP/2 is agreed on by ALPN alone.
    bool may_switch = !transport->is_tls();
    auto session = std::make_unique<H1Session>(room_, std::move(transport), may_switch);
    added = session.get();
    put(std::move(session));
  }
  if (is_draining_) {
    added->drain();
  }
}

std::vector<Session*> WorkerSessions::all() const {
  std::vector<Session*> sessions;
  sessions.reserve(sessions_.size());
  for (const auto& [session, owned] : sessions_) {
    sessions.push_back(session);
  }
  return sessions;
}

void WorkerSessions::drain() {
  is_draining_ = true;
  for (Session* session : all()) {
    session->drain();
  }
}

void WorkerSessions::pause_bodies(bool paused) {
  if (room_.bodies_paused == paused) {
    return;
  }
  room_.bodies_paused = paused;
  for (Session* session : all()) {
    session->pause_bodies(paused);
  }
}

void WorkerSessions::end(Session& session) {
  auto found = sessions_.extract(&session);
  check(!found.empty(), "a session ends once");
  room_.loop.bury(std::move(found.mapped()));
  if (room_.options.observer != nullptr) {
    room_.options.observer->on_session_end();
  }
}

void WorkerSessions::replace(Session& session, std::unique_ptr<Session> next) {
  auto found = sessions_.extract(&session);
  check(!found.empty(), "a session is replaced by its own set");
  room_.loop.bury(std::move(found.mapped()));
  put(std::move(next));
}

}  // namespace

std::unique_ptr<SessionSet> SessionSet::make(Loop& loop, const SessionOptions& options, ExchangeAcceptor& acceptor) {
  return std::make_unique<WorkerSessions>(loop, options, acceptor);
}

}  // namespace transom
