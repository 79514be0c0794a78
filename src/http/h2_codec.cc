#include "http/h2_codec.h"

#include <nghttp2/nghttp2.h>

#include <algorithm>
#include <vector>

#include "base/base64.h"
#include "base/check.h"
#include "http/h2_session.h"

namespace transom {
namespace {

constexpr size_t kFrameHeaderBytes = 9;
constexpr size_t kFieldOverheadBytes = 32;  // RFC 9113 section 6.5.2
constexpr size_t kSettingBytes = 6;
constexpr int32_t kSessionWindowMin = 1 << 20;
constexpr int kFirstUnknownFrameType = 0x0a;

std::string_view view(const uint8_t* bytes, size_t size) { return {reinterpret_cast<const char*>(bytes), size}; }

nghttp2_nv pair(std::string_view name, std::string_view value) {
  // A value that differs with every answer would only push useful entries out of the client's table, and make ours slow
  // to search (RFC 7541 section 7.1.3).
  bool never_repeats = name == "x-request-id" || name == "content-length";
  // nghttp2 copies both and changes neither.
  return {reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
          reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
          static_cast<uint8_t>(never_repeats ? NGHTTP2_NV_FLAG_NO_INDEX : NGHTTP2_NV_FLAG_NONE)};
}

H2Events& events_of(void* user_data) { return *static_cast<H2Events*>(user_data); }

H2Exchange* exchange_of(nghttp2_session* session, int32_t stream) {
  return static_cast<H2Exchange*>(nghttp2_session_get_stream_user_data(session, stream));
}

int go_on(bool goes_on) { return goes_on ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE; }

bool decode_settings(std::string_view text, std::string& out) {
  return decode_base64(text, out) && out.size() % kSettingBytes == 0;
}

}  // namespace

struct NvScratch {
  std::vector<nghttp2_nv> pairs;
};

struct H2Codec::Callbacks {
  static int on_begin_frame(nghttp2_session*, const nghttp2_frame_hd* header, void* user_data) {
    switch (header->type) {
      case NGHTTP2_DATA:
      case NGHTTP2_HEADERS:
      case NGHTTP2_RST_STREAM:
      case NGHTTP2_CONTINUATION:
        return 0;  // bounded by what they carry, by the streams open, or by nghttp2
      default:
        return go_on(events_of(user_data).on_control_frame());
    }
  }

  static int on_begin_headers(nghttp2_session* session, const nghttp2_frame* frame, void* user_data) {
    if (frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
      int32_t stream = frame->hd.stream_id;
      nghttp2_session_set_stream_user_data(session, stream, &events_of(user_data).on_request_begin(stream));
    }
    return 0;
  }

  static int on_header(nghttp2_session* session, const nghttp2_frame* frame, const uint8_t* name, size_t name_bytes,
                       const uint8_t* value, size_t value_bytes, uint8_t, void* user_data) {
    H2Exchange* exchange = exchange_of(session, frame->hd.stream_id);
    if (exchange == nullptr) {
      return 0;
    }
    bool is_trailer = frame->headers.cat != NGHTTP2_HCAT_REQUEST;
    bool reads_on =
        events_of(user_data).on_field(*exchange, is_trailer, view(name, name_bytes), view(value, value_bytes));
    return reads_on ? 0 : NGHTTP2_ERR_PAUSE;
  }

  static int on_invalid_header(nghttp2_session* session, const nghttp2_frame* frame, const uint8_t*, size_t,
                               const uint8_t*, size_t, uint8_t, void* user_data) {
    if (H2Exchange* exchange = exchange_of(session, frame->hd.stream_id)) {
      events_of(user_data).on_invalid_field(*exchange);
    }
    return 0;
  }

  static int on_data_chunk(nghttp2_session* session, uint8_t, int32_t stream, const uint8_t* bytes, size_t size,
                           void* user_data) {
    nghttp2_session_consume_connection(session, size);  // the streams' windows are the bound
    if (H2Exchange* exchange = exchange_of(session, stream)) {
      events_of(user_data).on_data(*exchange, view(bytes, size));
    }
    return 0;
  }

  static int on_frame_recv(nghttp2_session* session, const nghttp2_frame* frame, void* user_data) {
    H2Events& events = events_of(user_data);
    bool ends = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    switch (frame->hd.type) {
      case NGHTTP2_DATA:
        if (!events.on_data_frame(frame->hd.length - frame->data.padlen, ends)) {
          return NGHTTP2_ERR_CALLBACK_FAILURE;
        }
        break;
      case NGHTTP2_HEADERS:
        if (H2Exchange* exchange = exchange_of(session, frame->hd.stream_id);
            exchange != nullptr && frame->headers.cat == NGHTTP2_HCAT_REQUEST) {
          events.on_head(*exchange, ends);
        }
        break;
      case NGHTTP2_SETTINGS:
        if ((frame->hd.flags & NGHTTP2_FLAG_ACK) != 0) {
          events.on_settings_ack();
        }
        return 0;
      case NGHTTP2_PING:
        if ((frame->hd.flags & NGHTTP2_FLAG_ACK) != 0) {
          events.on_ping_ack();
        }
        return 0;
      default:
        return 0;
    }
    if (H2Exchange* exchange = exchange_of(session, frame->hd.stream_id); exchange != nullptr && ends) {
      events.on_request_end(*exchange);
    }
    return 0;
  }

  static int on_stream_close(nghttp2_session* session, int32_t stream, uint32_t error, void* user_data) {
    if (H2Exchange* exchange = exchange_of(session, stream)) {
      nghttp2_session_set_stream_user_data(session, stream, nullptr);
      events_of(user_data).on_stream_close(*exchange, error);
    }
    return 0;
  }

  static int on_frame_send(nghttp2_session* session, const nghttp2_frame* frame, void* user_data) {
    H2SentFrame sent{frame->hd.type, frame->hd.flags, frame->hd.stream_id, frame->hd.length,
                     frame->hd.type == NGHTTP2_RST_STREAM ? frame->rst_stream.error_code : 0};
    H2Exchange* exchange = frame->hd.stream_id > 0 ? exchange_of(session, frame->hd.stream_id) : nullptr;
    return go_on(events_of(user_data).on_frame_sent(exchange, sent));
  }

  static ssize_t read_data(nghttp2_session* session, int32_t stream, uint8_t*, size_t max, uint32_t* flags,
                           nghttp2_data_source*, void* user_data) {
    H2Exchange* exchange = exchange_of(session, stream);
    if (exchange == nullptr) {
      return NGHTTP2_ERR_DEFERRED;
    }
    bool ends = false;
    bool has_trailers = false;
    int64_t bytes = events_of(user_data).next_data(*exchange, max, ends, has_trailers);
    if (bytes == H2Events::kNoDataNow) {
      return NGHTTP2_ERR_DEFERRED;
    }
    *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
    if (ends) {
      *flags |= NGHTTP2_DATA_FLAG_EOF | (has_trailers ? NGHTTP2_DATA_FLAG_NO_END_STREAM : 0);
    }
    return static_cast<ssize_t>(bytes);
  }

  static int send_data(nghttp2_session* session, nghttp2_frame* frame, const uint8_t* header, size_t size,
                       nghttp2_data_source*, void* user_data) {
    H2Exchange* exchange = exchange_of(session, frame->hd.stream_id);
    check(exchange != nullptr, "DATA is sent for an open stream");
    bool written = events_of(user_data).write_data(*exchange, view(header, kFrameHeaderBytes), size);
    return written ? 0 : NGHTTP2_ERR_WOULDBLOCK;
  }

  // Frames of unknown types are counted in on_begin_frame and then skipped.
  static int unpack_extension(nghttp2_session*, void**, const nghttp2_frame_hd*, void*) { return NGHTTP2_ERR_CANCEL; }

  // nghttp2 copies them into each session.
  static const nghttp2_session_callbacks* all() {
    static const nghttp2_session_callbacks* const made = [] {
      nghttp2_session_callbacks* callbacks = nullptr;
      check(nghttp2_session_callbacks_new(&callbacks) == 0, "out of memory");
      nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, on_begin_frame);
      nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, on_begin_headers);
      nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
      nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks, on_invalid_header);
      nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data_chunk);
      nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame_recv);
      nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_stream_close);
      nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, on_frame_send);
      nghttp2_session_callbacks_set_send_data_callback(callbacks, send_data);
      nghttp2_session_callbacks_set_unpack_extension_callback(callbacks, unpack_extension);
      return callbacks;
    }();
    return made;
  }
};

bool are_valid_h2_settings(std::string_view settings) {
  std::string decoded;
  return decode_settings(settings, decoded);
}

H2Codec::H2Codec(H2Events& events, const SessionLimits& limits, size_t exchange_window)
    : window_(exchange_window),
      streams_(limits.streams),
      header_list_bytes_(limits.header_bytes + limits.header_count * kFieldOverheadBytes),
      nv_(std::make_unique<NvScratch>()) {
  nghttp2_option* option = nullptr;
  check(nghttp2_option_new(&option) == 0, "out of memory");
  nghttp2_option_set_no_auto_window_update(option, 1);
  nghttp2_option_set_stream_reset_rate_limit(option, limits.client_resets_burst, limits.client_resets_per_second);
  for (int type = kFirstUnknownFrameType; type <= 0xff; ++type) {
    nghttp2_option_set_user_recv_extension_type(option, static_cast<uint8_t>(type));
  }
  check(nghttp2_session_server_new2(&session_, Callbacks::all(), &events, option) == 0, "out of memory");
  nghttp2_option_del(option);
}

H2Codec::~H2Codec() { nghttp2_session_del(session_); }

void H2Codec::submit_settings() {
  const nghttp2_settings_entry entries[] = {
      {NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, static_cast<uint32_t>(streams_)},
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, static_cast<uint32_t>(window_)},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<uint32_t>(header_list_bytes_)},
      {NGHTTP2_SETTINGS_ENABLE_CONNECT_PROTOCOL, 1},
  };
  nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, entries, std::size(entries));
  // Wide: what a session may make us hold is bounded by its streams' windows.
  int32_t session_window = std::max(kSessionWindowMin, static_cast<int32_t>(window_));
  nghttp2_session_set_local_window_size(session_, NGHTTP2_FLAG_NONE, 0, session_window);
}

bool H2Codec::upgrade(std::string_view settings, bool is_head, H2Exchange& exchange) {
  std::string decoded;
  if (!decode_settings(settings, decoded) ||
      nghttp2_session_upgrade2(session_, reinterpret_cast<const uint8_t*>(decoded.data()), decoded.size(),
                               is_head ? 1 : 0, nullptr) != 0) {
    return false;
  }
  // A server's upgrade leaves the stream without user data.
  return nghttp2_session_set_stream_user_data(session_, 1, &exchange) == 0;
}

int64_t H2Codec::receive(std::string_view bytes) {
  ssize_t taken = nghttp2_session_mem_recv(session_, reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size());
  if (taken >= 0) {
    return taken;
  }
  // A callback that failed has terminated the session already; the rest are what nghttp2 stops at without a GOAWAY.
  if (taken == NGHTTP2_ERR_FLOODED || taken == NGHTTP2_ERR_TOO_MANY_CONTINUATIONS) {
    terminate(H2Error::EnhanceYourCalm);
  } else if (taken != NGHTTP2_ERR_CALLBACK_FAILURE) {
    terminate(H2Error::Protocol);
  }
  return -1;
}

std::string_view H2Codec::pull() {
  const uint8_t* bytes = nullptr;
  ssize_t size = nghttp2_session_mem_send(session_, &bytes);
  return size > 0 ? view(bytes, static_cast<size_t>(size)) : std::string_view();
}

bool H2Codec::wants_read() const { return nghttp2_session_want_read(session_) != 0; }
bool H2Codec::wants_write() const { return nghttp2_session_want_write(session_) != 0; }

void H2Codec::consume_session(size_t bytes) { nghttp2_session_consume_connection(session_, bytes); }
void H2Codec::consume_stream(int32_t stream, size_t bytes) { nghttp2_session_consume_stream(session_, stream, bytes); }

H2Exchange* H2Codec::find(int32_t stream) const { return exchange_of(session_, stream); }

void H2Codec::submit_continue(int32_t stream) {
  nghttp2_nv status = pair(":status", "100");
  nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, stream, nullptr, &status, 1, nullptr);
}

void H2Codec::submit_head(int32_t stream, uint16_t status, const Fields& fields, int64_t content_length,
                          std::string_view date, bool ends, bool has_data) {
  std::vector<nghttp2_nv>& pairs = nv_->pairs;
  pairs.clear();
  std::string status_text = std::to_string(status);
  pairs.push_back(pair(":status", status_text));
  for (const Field field : fields) {
    pairs.push_back(pair(field.name, field.value));
  }
  if (content_length >= 0) {
    number_ = std::to_string(content_length);
    pairs.push_back(pair("content-length", number_));
  }
  pairs.push_back(pair("date", date));
  if (ends || has_data) {
    nghttp2_data_provider provider{{0}, &Callbacks::read_data};
    nghttp2_submit_response(session_, stream, pairs.data(), pairs.size(), ends ? nullptr : &provider);
  } else {
    nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, stream, nullptr, pairs.data(), pairs.size(), nullptr);
  }
}

void H2Codec::submit_trailers(int32_t stream, const Fields& trailers) {
  std::vector<nghttp2_nv>& pairs = nv_->pairs;
  pairs.clear();
  for (const Field field : trailers) {
    pairs.push_back(pair(field.name, field.value));
  }
  nghttp2_submit_trailer(session_, stream, pairs.data(), pairs.size());
}

void H2Codec::resume(int32_t stream) { nghttp2_session_resume_data(session_, stream); }

void H2Codec::reset_with(int32_t stream, uint32_t error) {
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stream, error);
}

void H2Codec::submit_ping() { nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr); }
void H2Codec::submit_shutdown_notice() { nghttp2_submit_shutdown_notice(session_); }

void H2Codec::submit_goaway(H2Error error) {
  nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, nghttp2_session_get_last_proc_stream_id(session_),
                        static_cast<uint32_t>(error), nullptr, 0);
}

void H2Codec::terminate(H2Error error) { nghttp2_session_terminate_session(session_, static_cast<uint32_t>(error)); }

}  // namespace transom
