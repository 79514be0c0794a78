#include "backend/h2_client.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/check.h"

namespace transom {
namespace {

constexpr size_t kDataFrameBytesMax = 64 * kKiB;    // one call's turn among others on the channel
constexpr size_t kSentHeaderBytesMax = 256 * kKiB;  // the caller's own bounds are below this

nghttp2_nv to_nv(const Field& field) {
  // Values that differ with every request would only push useful entries out of the peer's table (RFC 7541
  // section 7.1.3).
  static constexpr std::array<std::string_view, 3> kNeverRepeated{"grpc-timeout", "x-request-id", "traceparent"};
  bool is_indexed = std::find(kNeverRepeated.begin(), kNeverRepeated.end(), field.name) == kNeverRepeated.end();
  auto bytes = [](std::string_view text) { return reinterpret_cast<uint8_t*>(const_cast<char*>(text.data())); };
  return {bytes(field.name), bytes(field.value), field.name.size(), field.value.size(),
          static_cast<uint8_t>(is_indexed ? NGHTTP2_NV_FLAG_NONE : NGHTTP2_NV_FLAG_NO_INDEX)};
}

std::string_view view(const uint8_t* bytes, size_t size) { return {reinterpret_cast<const char*>(bytes), size}; }

H2Stream* stream_of(nghttp2_session* session, int32_t id) {
  return static_cast<H2Stream*>(nghttp2_session_get_stream_user_data(session, id));
}

// Takes the stream out of the session's sight: no event comes for it any more.
H2Stream* detach(nghttp2_session* session, int32_t id) {
  H2Stream* stream = stream_of(session, id);
  nghttp2_session_set_stream_user_data(session, id, nullptr);
  return stream;
}

}  // namespace

struct H2Client::Hooks {
  static int on_header(nghttp2_session* session, const nghttp2_frame* frame, const uint8_t* name, size_t name_bytes,
                       const uint8_t* value, size_t value_bytes, uint8_t /*flags*/, void* /*user*/) {
    H2Stream* stream = stream_of(session, frame->hd.stream_id);
    if (stream == nullptr || frame->hd.type != NGHTTP2_HEADERS) {
      return 0;
    }
    bool fits = stream->on_stream_field(view(name, name_bytes), view(value, value_bytes));
    return fits ? 0 : NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  }

  // The peer said all it has to say; what we have not sent yet would be for nobody.
  static H2Stream* detach_ended(nghttp2_session* session, int32_t id) {
    H2Stream* stream = detach(session, id);
    if (nghttp2_session_get_stream_local_close(session, id) == 0) {
      nghttp2_submit_rst_stream(session, NGHTTP2_FLAG_NONE, id, NGHTTP2_CANCEL);
    }
    return stream;
  }

  static int on_frame(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
    auto& client = *static_cast<H2Client*>(user);
    switch (frame->hd.type) {
      case NGHTTP2_HEADERS:
      case NGHTTP2_DATA:
        on_stream_frame(session, *frame);
        break;
      case NGHTTP2_SETTINGS:
        if ((frame->hd.flags & NGHTTP2_FLAG_ACK) == 0) {
          client.events_.on_h2_settings(
              nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS));
        }
        break;
      case NGHTTP2_GOAWAY:
        client.events_.on_h2_goaway(frame->goaway.error_code,
                                    view(frame->goaway.opaque_data, frame->goaway.opaque_data_len));
        break;
      default:
        break;
    }
    return 0;
  }

  static void on_stream_frame(nghttp2_session* session, const nghttp2_frame& frame) {
    int32_t id = frame.hd.stream_id;
    bool is_last = (frame.hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    bool is_fields = frame.hd.type == NGHTTP2_HEADERS;
    if (stream_of(session, id) == nullptr || (!is_fields && !is_last)) {
      return;
    }
    H2Stream* stream = is_last ? detach_ended(session, id) : stream_of(session, id);
    if (is_fields) {
      stream->on_stream_fields_end(is_last);
    } else {
      stream->on_stream_end();
    }
  }

  static int on_data(nghttp2_session* session, uint8_t /*flags*/, int32_t id, const uint8_t* data, size_t size,
                     void* /*user*/) {
    nghttp2_session_consume_connection(session, size);
    if (H2Stream* stream = stream_of(session, id); stream != nullptr) {
      stream->on_stream_bytes(view(data, size));
    }
    return 0;
  }

  static int on_close(nghttp2_session* session, int32_t id, uint32_t h2_error, void* user) {
    auto& client = *static_cast<H2Client*>(user);
    H2Stream* stream = detach(session, id);
    client.events_.on_h2_stream_gone();
    if (stream != nullptr) {
      stream->on_stream_close(h2_error);
    }
    return 0;
  }

  static int before_frame(nghttp2_session* session, const nghttp2_frame* frame, void* user) {
    auto& client = *static_cast<H2Client*>(user);
    if (frame->hd.type == NGHTTP2_HEADERS) {
      if (H2Stream* stream = stream_of(session, frame->hd.stream_id); stream != nullptr) {
        stream->on_stream_leaving(client.produced_ + client.out_->size() - client.out_begin_);
      }
    }
    return 0;
  }

  static ssize_t read_queue(nghttp2_session* session, int32_t id, uint8_t* /*buffer*/, size_t size, uint32_t* flags,
                            nghttp2_data_source* /*source*/, void* user) {
    // nghttp2 does not return between DATA frames that it does not copy: this is the way out.
    auto& client = *static_cast<H2Client*>(user);
    if (client.out_->size() >= client.out_bytes_max_) {
      return NGHTTP2_ERR_PAUSE;
    }
    // The source is looked up, not kept: a reset stream's frame may still stand in nghttp2's queue.
    H2Stream* stream = stream_of(session, id);
    if (stream == nullptr) {
      return NGHTTP2_ERR_DEFERRED;
    }
    const SendQueue& queue = stream->stream_queue();
    if (queue.size() == 0 && !queue.is_ended()) {
      return NGHTTP2_ERR_DEFERRED;
    }
    size_t bytes = std::min(size, queue.size());
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (queue.is_ended() && bytes == queue.size()) {
      *flags |= NGHTTP2_DATA_FLAG_EOF;
    }
    return static_cast<ssize_t>(bytes);
  }

  static int send_data(nghttp2_session* session, nghttp2_frame* frame, const uint8_t* frame_head, size_t size,
                       nghttp2_data_source* /*source*/, void* user) {
    constexpr size_t kFrameHeadBytes = 9;
    auto& client = *static_cast<H2Client*>(user);
    H2Stream* stream = stream_of(session, frame->hd.stream_id);
    check(stream != nullptr, "nothing can detach a stream between read_queue and send_data");
    client.out_->append(view(frame_head, kFrameHeadBytes));
    stream->stream_queue().read(*client.out_, size);
    stream->on_stream_sent(size);
    return 0;
  }

  static ssize_t data_frame_bytes(nghttp2_session* /*session*/, uint8_t /*type*/, int32_t /*id*/,
                                  int32_t session_window, int32_t stream_window, uint32_t frame_bytes_max,
                                  void* /*user*/) {
    auto window = static_cast<size_t>(std::max(0, std::min(session_window, stream_window)));
    return static_cast<ssize_t>(std::min({window, static_cast<size_t>(frame_bytes_max), kDataFrameBytesMax}));
  }

  static int on_error(nghttp2_session* /*session*/, int /*code*/, const char* text, size_t size, void* user) {
    static_cast<H2Client*>(user)->last_error_.assign(text, size);
    return 0;
  }

  static nghttp2_session_callbacks* make() {
    nghttp2_session_callbacks* hooks = nullptr;
    check(nghttp2_session_callbacks_new(&hooks) == 0, "memory for HTTP/2 callbacks");
    nghttp2_session_callbacks_set_on_header_callback(hooks, on_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(hooks, on_frame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(hooks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(hooks, on_close);
    nghttp2_session_callbacks_set_before_frame_send_callback(hooks, before_frame);
    nghttp2_session_callbacks_set_send_data_callback(hooks, send_data);
    nghttp2_session_callbacks_set_data_source_read_length_callback(hooks, data_frame_bytes);
    nghttp2_session_callbacks_set_error_callback2(hooks, on_error);
    return hooks;
  }
};

H2Client::H2Client(const ChannelLimits& limits, H2Events& events) : events_(events) {
  nghttp2_session_callbacks* hooks = Hooks::make();
  nghttp2_option* option = nullptr;
  check(nghttp2_option_new(&option) == 0, "memory for HTTP/2 options");
  nghttp2_option_set_no_auto_window_update(option, 1);
  nghttp2_option_set_no_closed_streams(option, 1);
  nghttp2_option_set_max_send_header_block_length(option, kSentHeaderBytesMax);
  check(nghttp2_session_client_new2(&session_, hooks, this, option) == 0, "memory for an HTTP/2 session");
  nghttp2_option_del(option);
  nghttp2_session_callbacks_del(hooks);

  std::array<nghttp2_settings_entry, 3> settings{{
      {NGHTTP2_SETTINGS_ENABLE_PUSH, 0},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, static_cast<uint32_t>(limits.window)},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<uint32_t>(limits.header_bytes)},
  }};
  check(nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(), settings.size()) == 0, "valid settings");
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, static_cast<int32_t>(limits.channel_window));
}

H2Client::~H2Client() { nghttp2_session_del(session_); }

Status H2Client::receive(std::string_view bytes) {
  ssize_t taken = nghttp2_session_mem_recv(session_, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  if (taken >= 0) {
    return {};
  }
  std::string reason = last_error_.empty() ? nghttp2_strerror(static_cast<int>(taken)) : last_error_;
  return replica_error(Code::Unavailable, "HTTP/2 error: " + reason);
}

Status H2Client::produce(std::string& out, size_t out_bytes_max) {
  out_ = &out;
  out_begin_ = out.size();
  out_bytes_max_ = out_bytes_max;
  ssize_t size = 0;
  while (out.size() < out_bytes_max) {
    const uint8_t* bytes = nullptr;
    size = nghttp2_session_mem_send(session_, &bytes);
    if (size <= 0) {
      break;
    }
    out.append(view(bytes, static_cast<size_t>(size)));
  }
  out_ = nullptr;
  produced_ += out.size() - out_begin_;
  if (size < 0) {
    return replica_error(Code::Unavailable, std::string("HTTP/2 error: ") + nghttp2_strerror(static_cast<int>(size)));
  }
  return {};
}

bool H2Client::wants_write() const { return nghttp2_session_want_write(session_) != 0; }

bool H2Client::is_over() const { return nghttp2_session_want_read(session_) == 0 && !wants_write(); }

int32_t H2Client::open(std::span<const Field> fields, H2Stream& stream) {
  std::vector<nghttp2_nv> list;
  list.reserve(fields.size());
  std::transform(fields.begin(), fields.end(), std::back_inserter(list), to_nv);
  nghttp2_data_provider provider{.source = {.ptr = nullptr}, .read_callback = Hooks::read_queue};
  return nghttp2_submit_request(session_, nullptr, list.data(), list.size(), &provider, &stream);
}

void H2Client::resume(int32_t id) { nghttp2_session_resume_data(session_, id); }

void H2Client::reset(int32_t id, uint32_t h2_error) {
  detach(session_, id);
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, id, h2_error);
}

void H2Client::consume(int32_t id, size_t bytes) { nghttp2_session_consume_stream(session_, id, bytes); }

void H2Client::set_window(int32_t id, size_t bytes) {
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, id, static_cast<int32_t>(bytes));
}

void H2Client::ping() {
  static constexpr std::array<uint8_t, 8> kOpaque{'t', 'r', 'a', 'n', 's', 'o', 'm', 0};
  nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, kOpaque.data());
}

}  // namespace transom
