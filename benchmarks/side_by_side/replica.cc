// A gRPC replica that costs as little as can be, so that a measurement of a proxy in front of it is of the proxy: one
// thread, libuv and nghttp2, the demo predictor's own messages. Predict and Generate of bench.v1.Predictor, no
// deadlines, no compression. Not for any other use. Usage: transom-bench-replica PORT (0: any; printed).
#include <arpa/inet.h>
#include <netinet/in.h>
#include <nghttp2/nghttp2.h>
#include <uv.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "bench/v1/predictor.pb.h"

namespace {

constexpr int32_t kWindowBytes = 16 << 20;

// The answer that grpc trailers end.
struct Answer {
  std::string bytes;
  size_t sent = 0;
};

struct RpcStream {
  std::string path;
  std::string body;
  Answer answer;
};

void append_message(const google::protobuf::MessageLite& message, std::string& out) {
  size_t size = message.ByteSizeLong();
  const char prefix[5] = {0, static_cast<char>(size >> 24), static_cast<char>(size >> 16), static_cast<char>(size >> 8),
                          static_cast<char>(size)};
  out.append(prefix, sizeof prefix);
  message.AppendToString(&out);
}

void answer_predict(std::string_view body, std::string& out) {
  bench::v1::PredictRequest request;
  request.ParseFromArray(body.data(), static_cast<int>(body.size()));
  bench::v1::PredictResponse response;
  auto wanted = request.params().find("scores");
  if (wanted == request.params().end()) {
    response.mutable_scores()->Swap(request.mutable_features());
  } else {
    int count = std::atoi(wanted->second.c_str());
    for (int i = 0; i < count; ++i) {
      response.add_scores(static_cast<float>(i * 7919 % 10007) / 10007.0F);
    }
  }
  response.set_label(request.model_name());
  response.set_latency_us(42);
  append_message(response, out);
}

void answer_generate(std::string_view body, std::string& out) {
  bench::v1::GenerateRequest request;
  request.ParseFromArray(body.data(), static_cast<int>(body.size()));
  bench::v1::Token token;
  for (int i = 0; i < request.n(); ++i) {
    token.set_text("token");
    token.set_index(i);
    append_message(token, out);
  }
}

nghttp2_nv field(std::string_view name, std::string_view value) {
  return {reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
          reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
          NGHTTP2_NV_FLAG_NO_COPY_NAME | NGHTTP2_NV_FLAG_NO_COPY_VALUE};
}

// One channel of a proxy.
class Peer {
 public:
  explicit Peer(uv_loop_t* loop);
  ~Peer() { nghttp2_session_del(session_); }
  void start();

  uv_tcp_t tcp{};

 private:
  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t name_bytes,
                       const uint8_t* value, size_t value_bytes, uint8_t, void* self);
  static int on_data(nghttp2_session*, uint8_t, int32_t stream_id, const uint8_t* data, size_t bytes, void* self);
  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* self);
  static int on_stream_close(nghttp2_session*, int32_t stream_id, uint32_t, void* self);
  static ssize_t read_answer(nghttp2_session* session, int32_t stream_id, uint8_t* buffer, size_t bytes, uint32_t* flags,
                             nghttp2_data_source* source, void* self);
  void answer(int32_t stream_id);
  void flush();

  nghttp2_session* session_ = nullptr;
  std::unordered_map<int32_t, RpcStream> streams_;
  char buffer_[256 * 1024];
};

Peer::Peer(uv_loop_t* loop) {
  uv_tcp_init(loop, &tcp);
  tcp.data = this;
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_session_callbacks_new(&callbacks);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
  nghttp2_session_server_new(&session_, callbacks, this);
  nghttp2_session_callbacks_del(callbacks);
  const nghttp2_settings_entry settings[] = {{NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, 1000},
                                             {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, kWindowBytes}};
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings, 2);
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, kWindowBytes * 4);
}

void Peer::start() {
  uv_tcp_nodelay(&tcp, 1);
  auto give_buffer = [](uv_handle_t* handle, size_t, uv_buf_t* buffer) {
    auto* self = static_cast<Peer*>(handle->data);
    *buffer = uv_buf_init(self->buffer_, sizeof self->buffer_);
  };
  auto take = [](uv_stream_t* stream, ssize_t count, const uv_buf_t* buffer) {
    auto* self = static_cast<Peer*>(stream->data);
    bool broken = count < 0;
    if (count > 0) {
      broken = nghttp2_session_mem_recv(self->session_, reinterpret_cast<const uint8_t*>(buffer->base),
                                        static_cast<size_t>(count)) != count;
    }
    if (broken) {
      uv_close(reinterpret_cast<uv_handle_t*>(stream), [](uv_handle_t* handle) { delete static_cast<Peer*>(handle->data); });
      return;
    }
    self->flush();
  };
  uv_read_start(reinterpret_cast<uv_stream_t*>(&tcp), give_buffer, take);
  flush();
}

// Everything nghttp2 has goes out as one write; what the kernel does not take waits in libuv.
void Peer::flush() {
  std::string out;
  const uint8_t* data = nullptr;
  for (ssize_t count = 0; (count = nghttp2_session_mem_send(session_, &data)) > 0;) {
    out.append(reinterpret_cast<const char*>(data), static_cast<size_t>(count));
  }
  if (out.empty()) {
    return;
  }
  auto* stream = reinterpret_cast<uv_stream_t*>(&tcp);
  uv_buf_t piece = uv_buf_init(out.data(), static_cast<unsigned>(out.size()));
  int done = uv_stream_get_write_queue_size(stream) == 0 ? uv_try_write(stream, &piece, 1) : 0;
  size_t sent = done > 0 ? static_cast<size_t>(done) : 0;
  if (sent == out.size()) {
    return;
  }
  struct Write {
    uv_write_t request;
    std::string bytes;
  };
  auto* write = new Write{{}, out.substr(sent)};
  write->request.data = write;
  uv_buf_t rest = uv_buf_init(write->bytes.data(), static_cast<unsigned>(write->bytes.size()));
  uv_write(&write->request, stream, &rest, 1, [](uv_write_t* request, int) { delete static_cast<Write*>(request->data); });
}

int Peer::on_header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t name_bytes,
                    const uint8_t* value, size_t value_bytes, uint8_t, void* self) {
  if (std::string_view(reinterpret_cast<const char*>(name), name_bytes) == ":path") {
    static_cast<Peer*>(self)->streams_[frame->hd.stream_id].path.assign(reinterpret_cast<const char*>(value), value_bytes);
  }
  return 0;
}

int Peer::on_data(nghttp2_session*, uint8_t, int32_t stream_id, const uint8_t* data, size_t bytes, void* self) {
  static_cast<Peer*>(self)->streams_[stream_id].body.append(reinterpret_cast<const char*>(data), bytes);
  return 0;
}

int Peer::on_frame(nghttp2_session*, const nghttp2_frame* frame, void* self) {
  bool may_end = frame->hd.type == NGHTTP2_DATA || frame->hd.type == NGHTTP2_HEADERS;
  if (may_end && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
    static_cast<Peer*>(self)->answer(frame->hd.stream_id);
  }
  return 0;
}

int Peer::on_stream_close(nghttp2_session*, int32_t stream_id, uint32_t, void* self) {
  static_cast<Peer*>(self)->streams_.erase(stream_id);
  return 0;
}

void Peer::answer(int32_t stream_id) {
  RpcStream& stream = streams_[stream_id];
  std::string_view message = stream.body.size() > 5 ? std::string_view(stream.body).substr(5) : std::string_view();
  if (stream.path == "/bench.v1.Predictor/Predict") {
    answer_predict(message, stream.answer.bytes);
  } else {
    answer_generate(message, stream.answer.bytes);
  }
  const nghttp2_nv head[] = {field(":status", "200"), field("content-type", "application/grpc")};
  nghttp2_data_provider provider{};
  provider.source.ptr = &stream.answer;
  provider.read_callback = read_answer;
  nghttp2_submit_response(session_, stream_id, head, 2, &provider);
}

ssize_t Peer::read_answer(nghttp2_session* session, int32_t stream_id, uint8_t* buffer, size_t bytes, uint32_t* flags,
                          nghttp2_data_source* source, void*) {
  auto* answer = static_cast<Answer*>(source->ptr);
  size_t count = answer->bytes.copy(reinterpret_cast<char*>(buffer), bytes, answer->sent);
  answer->sent += count;
  if (answer->sent == answer->bytes.size()) {
    *flags |= NGHTTP2_DATA_FLAG_EOF | NGHTTP2_DATA_FLAG_NO_END_STREAM;
    const nghttp2_nv trailer[] = {field("grpc-status", "0")};
    nghttp2_submit_trailer(session, stream_id, trailer, 1);
  }
  return static_cast<ssize_t>(count);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fprintf(stderr, "usage: transom-bench-replica PORT\n");
    return 2;
  }
  uv_loop_t* loop = uv_default_loop();
  uv_tcp_t listener;
  uv_tcp_init(loop, &listener);
  sockaddr_in address{};
  uv_ip4_addr("127.0.0.1", std::atoi(argv[1]), &address);
  uv_tcp_bind(&listener, reinterpret_cast<sockaddr*>(&address), 0);
  auto on_accept = [](uv_stream_t* server, int status) {
    auto* peer = new Peer(server->loop);
    if (status < 0 || uv_accept(server, reinterpret_cast<uv_stream_t*>(&peer->tcp)) != 0) {
      uv_close(reinterpret_cast<uv_handle_t*>(&peer->tcp), [](uv_handle_t* handle) { delete static_cast<Peer*>(handle->data); });
      return;
    }
    peer->start();
  };
  if (uv_listen(reinterpret_cast<uv_stream_t*>(&listener), 512, on_accept) != 0) {
    std::fprintf(stderr, "transom-bench-replica: cannot listen on 127.0.0.1:%s\n", argv[1]);
    return 1;
  }
  int size = sizeof address;
  uv_tcp_getsockname(&listener, reinterpret_cast<sockaddr*>(&address), &size);
  std::fprintf(stderr, "listening on 127.0.0.1:%u\n", ntohs(address.sin_port));
  return uv_run(loop, UV_RUN_DEFAULT);
}
