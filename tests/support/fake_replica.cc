#include "support/fake_replica.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <map>

#include "base/check.h"
#include "net/listener.h"
#include "net/transport.h"

namespace transom {
namespace {

std::vector<nghttp2_nv> to_nvs(const FieldList& fields) {
  std::vector<nghttp2_nv> list;
  for (const auto& [name, value] : fields) {
    list.push_back({reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
                    reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(), 0});
  }
  return list;
}

class Session;

}  // namespace

struct FakeReplica::State {
  Loop& loop;
  FakeOptions options;
  FakeScript script;
  std::unique_ptr<Listener> listener;
  std::vector<std::unique_ptr<Session>> sessions;
  size_t sessions_made = 0;
  size_t streams_open = 0;
  size_t streams_open_max = 0;
  size_t streams_made = 0;
  size_t pings = 0;
  std::vector<uint32_t> resets;
};

namespace {

class Stream final : public FakeStream {
 public:
  Stream(Session& session, int32_t id) : session_(session), id_(id) {}

  int32_t id() const override { return id_; }
  const Fields& head() const override { return head_; }
  const std::string& body() const override { return body_; }
  void consume(size_t bytes) override;
  void send_interim(const FieldList& fields) override;
  void send_head(const FieldList& fields) override;
  void send_bytes(std::string_view bytes) override;
  void finish(const FieldList& trailers) override;
  void finish_bare() override;
  void send_only(const FieldList& fields) override;
  void reset(uint32_t h2_error) override;
  size_t unsent() const override { return out_.size(); }

  ssize_t read(nghttp2_session* session, uint8_t* buffer, size_t size, uint32_t* flags);

  Session& session_;
  int32_t id_;
  Fields head_;
  std::string body_;
  std::string out_;
  bool is_ended_ = false;
  bool has_trailers_ = false;
  FieldList trailers_;
};

class Session final : public TransportHandler, public Flushable {
 public:
  Session(FakeReplica::State& replica, std::unique_ptr<Transport> transport);
  ~Session() override;

  void on_transport_bytes(std::string_view bytes) override {
    ssize_t taken = nghttp2_session_mem_recv(h2, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
    if (taken < 0) {
      end(false);
      return;
    }
    if (!replica.options.reads) {
      transport->pause_reading();
    }
    replica.loop.mark(*this);
  }
  void on_transport_eof() override { end(false); }
  void on_transport_drained() override { replica.loop.mark(*this); }
  void on_transport_error(const Status& /*status*/) override { end(false); }

  void flush() override {
    const uint8_t* bytes = nullptr;
    while (transport->queued() == 0) {
      ssize_t size = nghttp2_session_mem_send(h2, &bytes);
      if (size <= 0) {
        break;
      }
      if (replica.options.says_settings) {
        transport->write({reinterpret_cast<const char*>(bytes), static_cast<size_t>(size)});
      }
    }
  }

  void end(bool is_reset) {
    if (is_reset) {
      transport->reset_on_close();
    }
    auto place = std::find_if(replica.sessions.begin(), replica.sessions.end(),
                              [&](const std::unique_ptr<Session>& held) { return held.get() == this; });
    replica.loop.bury(std::move(*place));
    replica.sessions.erase(place);
  }

  FakeReplica::State& replica;
  std::unique_ptr<Transport> transport;
  nghttp2_session* h2 = nullptr;
  std::map<int32_t, std::unique_ptr<Stream>> streams;
};

void Stream::consume(size_t bytes) {
  body_.erase(0, bytes);
  nghttp2_session_consume(session_.h2, id_, bytes);
  session_.replica.loop.mark(session_);
}

ssize_t read_stream(nghttp2_session* session, int32_t /*id*/, uint8_t* buffer, size_t size, uint32_t* flags,
                    nghttp2_data_source* source, void* /*user*/) {
  return static_cast<Stream*>(source->ptr)->read(session, buffer, size, flags);
}

ssize_t Stream::read(nghttp2_session* session, uint8_t* buffer, size_t size, uint32_t* flags) {
  if (out_.empty() && !is_ended_) {
    return NGHTTP2_ERR_DEFERRED;
  }
  size_t bytes = std::min(size, out_.size());
  std::copy_n(out_.data(), bytes, buffer);
  out_.erase(0, bytes);
  if (out_.empty() && is_ended_) {
    *flags |= NGHTTP2_DATA_FLAG_EOF;
    if (has_trailers_) {
      *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
      std::vector<nghttp2_nv> list = to_nvs(trailers_);
      nghttp2_submit_trailer(session, id_, list.data(), list.size());
    }
  }
  return static_cast<ssize_t>(bytes);
}

void Stream::send_interim(const FieldList& fields) {
  std::vector<nghttp2_nv> list = to_nvs(fields);
  nghttp2_submit_headers(session_.h2, NGHTTP2_FLAG_NONE, id_, nullptr, list.data(), list.size(), nullptr);
  session_.replica.loop.mark(session_);
}

void Stream::send_head(const FieldList& fields) {
  std::vector<nghttp2_nv> list = to_nvs(fields);
  nghttp2_data_provider provider{.source = {.ptr = this}, .read_callback = read_stream};
  nghttp2_submit_response(session_.h2, id_, list.data(), list.size(), &provider);
  session_.replica.loop.mark(session_);
}

void Stream::send_bytes(std::string_view bytes) {
  out_.append(bytes);
  nghttp2_session_resume_data(session_.h2, id_);
  session_.replica.loop.mark(session_);
}

void Stream::finish(const FieldList& trailers) {
  has_trailers_ = true;
  trailers_ = trailers;
  finish_bare();
}

void Stream::finish_bare() {
  is_ended_ = true;
  send_bytes("");
}

void Stream::send_only(const FieldList& fields) {
  std::vector<nghttp2_nv> list = to_nvs(fields);
  nghttp2_submit_response(session_.h2, id_, list.data(), list.size(), nullptr);
  session_.replica.loop.mark(session_);
}

void Stream::reset(uint32_t h2_error) {
  nghttp2_submit_rst_stream(session_.h2, NGHTTP2_FLAG_NONE, id_, h2_error);
  session_.replica.loop.mark(session_);
}

Stream* find_stream(Session& session, int32_t id) {
  auto place = session.streams.find(id);
  return place == session.streams.end() ? nullptr : place->second.get();
}

int on_begin_headers(nghttp2_session* /*h2*/, const nghttp2_frame* frame, void* user) {
  auto& session = *static_cast<Session*>(user);
  auto& stream = session.streams[frame->hd.stream_id];
  if (stream == nullptr) {
    stream = std::make_unique<Stream>(session, frame->hd.stream_id);
    FakeReplica::State& replica = session.replica;
    ++replica.streams_made;
    replica.streams_open_max = std::max(replica.streams_open_max, ++replica.streams_open);
  }
  return 0;
}

int on_header(nghttp2_session* /*h2*/, const nghttp2_frame* frame, const uint8_t* name, size_t name_bytes,
              const uint8_t* value, size_t value_bytes, uint8_t /*flags*/, void* user) {
  if (Stream* stream = find_stream(*static_cast<Session*>(user), frame->hd.stream_id); stream != nullptr) {
    stream->head_.add({reinterpret_cast<const char*>(name), name_bytes},
                      {reinterpret_cast<const char*>(value), value_bytes});
  }
  return 0;
}

int on_data(nghttp2_session* h2, uint8_t /*flags*/, int32_t id, const uint8_t* data, size_t size, void* user) {
  auto& session = *static_cast<Session*>(user);
  if (session.replica.options.consumes) {
    nghttp2_session_consume(h2, id, size);
  }
  if (Stream* stream = find_stream(session, id); stream != nullptr) {
    stream->body_.append(reinterpret_cast<const char*>(data), size);
  }
  return 0;
}

int on_frame(nghttp2_session* /*h2*/, const nghttp2_frame* frame, void* user) {
  auto& session = *static_cast<Session*>(user);
  if (frame->hd.type == NGHTTP2_RST_STREAM) {
    session.replica.resets.push_back(frame->rst_stream.error_code);
  }
  if (frame->hd.type == NGHTTP2_PING) {
    ++session.replica.pings;
  }
  Stream* stream = find_stream(session, frame->hd.stream_id);
  if (stream == nullptr || (frame->hd.type != NGHTTP2_HEADERS && frame->hd.type != NGHTTP2_DATA)) {
    return 0;
  }
  if (frame->hd.type == NGHTTP2_HEADERS) {
    session.replica.script.on_head(*stream);
  }
  if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0 && find_stream(session, frame->hd.stream_id) == stream) {
    session.replica.script.on_end(*stream);
  }
  return 0;
}

int on_close(nghttp2_session* /*h2*/, int32_t id, uint32_t /*h2_error*/, void* user) {
  auto& session = *static_cast<Session*>(user);
  session.replica.streams_open -= session.streams.erase(id);
  return 0;
}

nghttp2_session* make_session(Session& session) {
  nghttp2_session_callbacks* hooks = nullptr;
  nghttp2_session_callbacks_new(&hooks);
  nghttp2_session_callbacks_set_on_begin_headers_callback(hooks, on_begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(hooks, on_header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(hooks, on_data);
  nghttp2_session_callbacks_set_on_frame_recv_callback(hooks, on_frame);
  nghttp2_session_callbacks_set_on_stream_close_callback(hooks, on_close);
  nghttp2_option* option = nullptr;
  nghttp2_option_new(&option);
  nghttp2_option_set_no_auto_window_update(option, 1);
  nghttp2_option_set_no_auto_ping_ack(option, session.replica.options.answers_pings ? 0 : 1);
  nghttp2_option_set_stream_reset_rate_limit(option, 1'000'000, 1'000'000);
  nghttp2_option_set_max_send_header_block_length(option, size_t{1} << 20);
  nghttp2_session* h2 = nullptr;
  nghttp2_session_server_new2(&h2, hooks, &session, option);
  nghttp2_option_del(option);
  nghttp2_session_callbacks_del(hooks);
  return h2;
}

Session::Session(FakeReplica::State& state, std::unique_ptr<Transport> made)
    : replica(state), transport(std::move(made)), h2(make_session(*this)) {
  std::vector<nghttp2_settings_entry> settings{{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, replica.options.window}};
  if (replica.options.streams_max != std::numeric_limits<uint32_t>::max()) {
    settings.push_back({NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, replica.options.streams_max});
  }
  nghttp2_submit_settings(h2, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  transport->set_handler(this);
  transport->resume_reading();
  ++replica.sessions_made;
  replica.loop.mark(*this);
}

Session::~Session() {
  replica.streams_open -= streams.size();
  nghttp2_session_del(h2);
}

}  // namespace

FakeReplica::FakeReplica(Loop& loop, const FakeOptions& options, FakeScript script)
    : state_(std::make_unique<State>(State{.loop = loop, .options = options, .script = std::move(script)})) {
  listen();
}

// Dead sessions may still wait for their burial; they look at the state when they go.
FakeReplica::~FakeReplica() {
  state_->listener.reset();
  state_->sessions.clear();
  state_->loop.bury(std::move(state_));
}

void FakeReplica::listen() {
  ListenerOptions options;
  options.address = *parse_address(address());
  State* state = state_.get();
  auto listener = Listener::open(state_->loop, options, -1, nullptr, [state](std::unique_ptr<Transport> transport) {
    state->sessions.push_back(std::make_unique<Session>(*state, std::move(transport)));
  });
  check(listener.ok(), "a free port for the fake replica");
  state_->listener = std::move(*listener);
  state_->options.port = state_->listener->address().port;
}

uint16_t FakeReplica::port() const { return state_->options.port; }
std::string FakeReplica::address() const {
  const std::string& path = state_->options.unix_path;
  return path.empty() ? "127.0.0.1:" + std::to_string(port()) : "unix:" + path;
}
FakeScript& FakeReplica::script() { return state_->script; }

void FakeReplica::goaway(int32_t last_stream_id, uint32_t h2_error, const std::string& debug) {
  for (const std::unique_ptr<Session>& session : state_->sessions) {
    nghttp2_submit_goaway(session->h2, NGHTTP2_FLAG_NONE, last_stream_id, h2_error,
                          reinterpret_cast<const uint8_t*>(debug.data()), debug.size());
    state_->loop.mark(*session);
  }
}

void FakeReplica::kill() {
  state_->listener.reset();
  while (!state_->sessions.empty()) {
    state_->sessions.back()->end(true);
  }
}

void FakeReplica::close_sessions() {
  while (!state_->sessions.empty()) {
    state_->sessions.back()->end(false);
  }
}

size_t FakeReplica::sessions_open() const { return state_->sessions.size(); }
size_t FakeReplica::sessions_made() const { return state_->sessions_made; }
size_t FakeReplica::streams_open() const { return state_->streams_open; }
size_t FakeReplica::streams_open_max() const { return state_->streams_open_max; }
size_t FakeReplica::streams_made() const { return state_->streams_made; }
size_t FakeReplica::pings() const { return state_->pings; }
const std::vector<uint32_t>& FakeReplica::resets() const { return state_->resets; }

FieldList grpc_head() { return {{":status", "200"}, {"content-type", "application/grpc"}}; }

std::string grpc_message(std::string_view payload) {
  std::string message(1, '\0');
  for (int shift = 24; shift >= 0; shift -= 8) {
    message.push_back(static_cast<char>(payload.size() >> shift));
  }
  return message.append(payload);
}

FakeScript echo_script() {
  FakeScript script;
  script.on_end = [](FakeStream& stream) {
    stream.send_head(grpc_head());
    stream.send_bytes(stream.body());
    stream.finish({{"grpc-status", "0"}});
  };
  return script;
}

}  // namespace transom
