// An HTTP/2 client over nghttp2 for the tests of src/http, on a RawClient: it notes what each stream answers. Frames
// that nghttp2 would not send are written by hand with h2_frame().
#pragma once

#include <nghttp2/nghttp2.h>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/session_fixture.h"

namespace transom {

using H2Fields = std::vector<std::pair<std::string, std::string>>;

// A frame of RFC 9113 section 4.1.
inline std::string h2_frame(uint8_t type, uint8_t flags, uint32_t stream, std::string_view payload) {
  std::string frame;
  for (int shift : {16, 8, 0}) {
    frame.push_back(static_cast<char>((payload.size() >> shift) & 0xff));
  }
  frame.push_back(static_cast<char>(type));
  frame.push_back(static_cast<char>(flags));
  for (int shift : {24, 16, 8, 0}) {
    frame.push_back(static_cast<char>((stream >> shift) & 0xff));
  }
  frame.append(payload);
  return frame;
}

// Literal fields without indexing and without Huffman coding (RFC 7541 section 6.2.2); short ones only.
inline std::string h2_block(const H2Fields& fields) {
  std::string block;
  for (const auto& [name, value] : fields) {
    EXPECT_LT(name.size(), 127U);
    EXPECT_LT(value.size(), 127U);
    block.push_back('\0');
    block.push_back(static_cast<char>(name.size()));
    block.append(name);
    block.push_back(static_cast<char>(value.size()));
    block.append(value);
  }
  return block;
}

inline H2Fields h2_get(const std::string& path = "/", const std::string& method = "GET") {
  return {{":method", method}, {":scheme", "http"}, {":authority", "h"}, {":path", path}};
}

struct H2Answer {
  int status = 0;
  H2Fields fields;
  H2Fields trailers;
  std::string body;
  std::vector<int> informational;
  size_t header_frames = 0;
  size_t data_frames = 0;
  bool ended = false;  // END_STREAM came
  bool ended_by_headers = false;
  bool closed = false;
  uint32_t error = 0;  // of the close
};

class H2TestClient {
 public:
  // talks: sends the preface and SETTINGS. window: INITIAL_WINDOW_SIZE towards us.
  explicit H2TestClient(RawClient& raw, uint32_t window = 65535, bool reads_by_itself = true) : raw_(raw) {
    nghttp2_session_callbacks* callbacks = nullptr;
    nghttp2_session_callbacks_new(&callbacks);
    nghttp2_session_callbacks_set_on_header_callback(callbacks, on_header);
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, on_frame);
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, on_data);
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, on_close);
    nghttp2_option* option = nullptr;
    nghttp2_option_new(&option);
    nghttp2_option_set_no_auto_window_update(option, reads_by_itself ? 0 : 1);
    nghttp2_session_client_new2(&session_, callbacks, this, option);
    nghttp2_option_del(option);
    nghttp2_session_callbacks_del(callbacks);
    nghttp2_settings_entry entry{NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, window};
    nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, &entry, 1);
    pump();
  }
  ~H2TestClient() { nghttp2_session_del(session_); }
  H2TestClient(const H2TestClient&) = delete;
  H2TestClient& operator=(const H2TestClient&) = delete;

  // A body is sent as the windows allow; without `ends` it stays open after it.
  int32_t request(const H2Fields& fields, const std::string& body = "", bool ends = true) {
    std::vector<nghttp2_nv> pairs = to_pairs(fields);
    nghttp2_data_provider provider{{0}, read_body};
    bool has_body = !body.empty() || !ends;
    int32_t stream =
        nghttp2_submit_request(session_, nullptr, pairs.data(), pairs.size(), has_body ? &provider : nullptr, nullptr);
    bodies_[stream] = {body, 0, ends, {}};
    answers[stream];
    pump();
    return stream;
  }
  // More of a body that stays open.
  void send(int32_t stream, std::string_view bytes) {
    bodies_[stream].bytes.append(bytes);
    nghttp2_session_resume_data(session_, stream);
    pump();
  }
  void finish_with_trailers(int32_t stream, const H2Fields& trailers) {
    bodies_[stream].ends = true;
    bodies_[stream].trailers = trailers;
    nghttp2_session_resume_data(session_, stream);
    pump();
  }
  void reset(int32_t stream, uint32_t error = NGHTTP2_CANCEL) {
    nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stream, error);
    pump();
  }
  void consume(int32_t stream, size_t bytes) {
    nghttp2_session_consume(session_, stream, bytes);
    pump();
  }
  bool has_sent_all(int32_t stream) { return bodies_[stream].sent == bodies_[stream].bytes.size(); }
  nghttp2_session* session() { return session_; }

  // Moves bytes both ways.
  void pump() {
    raw_.read();
    if (!raw_.received.empty()) {
      nghttp2_session_mem_recv(session_, reinterpret_cast<const uint8_t*>(raw_.received.data()), raw_.received.size());
      raw_.received.clear();
    }
    const uint8_t* bytes = nullptr;
    for (ssize_t size = nghttp2_session_mem_send(session_, &bytes); size > 0;
         size = nghttp2_session_mem_send(session_, &bytes)) {
      out_.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
    }
    out_.erase(0, raw_.send(out_));
  }

  std::map<int32_t, H2Answer> answers;
  struct Goaway {
    int32_t last_stream;
    uint32_t error;
  };
  std::vector<Goaway> goaways;

 private:
  struct Body {
    std::string bytes;
    size_t sent;
    bool ends;
    H2Fields trailers;
  };

  static std::vector<nghttp2_nv> to_pairs(const H2Fields& fields) {
    std::vector<nghttp2_nv> pairs;
    for (const auto& [name, value] : fields) {
      pairs.push_back({reinterpret_cast<uint8_t*>(const_cast<char*>(name.data())),
                       reinterpret_cast<uint8_t*>(const_cast<char*>(value.data())), name.size(), value.size(),
                       NGHTTP2_NV_FLAG_NONE});
    }
    return pairs;
  }
  static H2TestClient& self(void* user_data) { return *static_cast<H2TestClient*>(user_data); }

  static int on_header(nghttp2_session*, const nghttp2_frame* frame, const uint8_t* name, size_t name_bytes,
                       const uint8_t* value, size_t value_bytes, uint8_t, void* user_data) {
    H2Answer& answer = self(user_data).answers[frame->hd.stream_id];
    std::string name_text(reinterpret_cast<const char*>(name), name_bytes);
    std::string value_text(reinterpret_cast<const char*>(value), value_bytes);
    if (name_text == ":status") {
      int status = std::stoi(value_text);
      if (status < 200) {
        answer.informational.push_back(status);
      } else {
        answer.status = status;
      }
      return 0;
    }
    bool is_trailer = answer.header_frames > answer.informational.size();
    (is_trailer ? answer.trailers : answer.fields).emplace_back(name_text, value_text);
    return 0;
  }
  static int on_frame(nghttp2_session*, const nghttp2_frame* frame, void* user_data) {
    H2TestClient& client = self(user_data);
    if (frame->hd.type == NGHTTP2_GOAWAY) {
      client.goaways.push_back({frame->goaway.last_stream_id, frame->goaway.error_code});
    }
    bool ends = (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0;
    if (frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA) {
      H2Answer& answer = client.answers[frame->hd.stream_id];
      ++(frame->hd.type == NGHTTP2_HEADERS ? answer.header_frames : answer.data_frames);
      answer.ended = answer.ended || ends;
      answer.ended_by_headers = answer.ended_by_headers || (ends && frame->hd.type == NGHTTP2_HEADERS);
    }
    return 0;
  }
  static int on_data(nghttp2_session*, uint8_t, int32_t stream, const uint8_t* bytes, size_t size, void* user_data) {
    self(user_data).answers[stream].body.append(reinterpret_cast<const char*>(bytes), size);
    return 0;
  }
  static int on_close(nghttp2_session*, int32_t stream, uint32_t error, void* user_data) {
    H2Answer& answer = self(user_data).answers[stream];
    answer.closed = true;
    answer.error = error;
    return 0;
  }
  static ssize_t read_body(nghttp2_session* session, int32_t stream, uint8_t* buffer, size_t max, uint32_t* flags,
                           nghttp2_data_source*, void* user_data) {
    Body& body = self(user_data).bodies_[stream];
    size_t bytes = std::min(max, body.bytes.size() - body.sent);
    body.bytes.copy(reinterpret_cast<char*>(buffer), bytes, body.sent);
    body.sent += bytes;
    bool is_last = body.sent == body.bytes.size();
    if (is_last && body.ends) {
      *flags |= NGHTTP2_DATA_FLAG_EOF;
      if (!body.trailers.empty()) {
        *flags |= NGHTTP2_DATA_FLAG_NO_END_STREAM;
        std::vector<nghttp2_nv> pairs = to_pairs(body.trailers);
        nghttp2_submit_trailer(session, stream, pairs.data(), pairs.size());
      }
    } else if (bytes == 0) {
      return NGHTTP2_ERR_DEFERRED;
    }
    return static_cast<ssize_t>(bytes);
  }

  RawClient& raw_;
  nghttp2_session* session_ = nullptr;
  std::map<int32_t, Body> bodies_;
  std::string out_;
};

// A session with an HTTP/2 client.
class H2Fixture : public SessionFixture {
 protected:
  void echo() {
    acceptor_.on_end = [](Exchange& exchange, ExchangeNotes& notes) {
      answer(exchange, 200, exchange.head().method + " " + exchange.head().target + " " + notes.body);
    };
  }
  void open(uint32_t window = 65535, bool reads_by_itself = true) {
    serve();
    raw_ = connect();
    client_ = std::make_unique<H2TestClient>(*raw_, window, reads_by_itself);
  }
  bool until(const std::function<bool()>& is_done, std::chrono::milliseconds timeout = std::chrono::seconds(10)) {
    return run_until(
        loop_,
        [&] {
          client_->pump();
          return is_done();
        },
        timeout);
  }
  bool until_closed(int32_t stream) {
    return until([&] { return client_->answers[stream].closed; });
  }
  H2Answer& get(const H2Fields& fields, const std::string& body = "") {
    int32_t stream = client_->request(fields, body);
    EXPECT_TRUE(until_closed(stream));
    return client_->answers[stream];
  }

  std::unique_ptr<RawClient> raw_;
  std::unique_ptr<H2TestClient> client_;
};

inline std::string h2_find(const H2Fields& fields, const std::string& name) {
  for (const auto& [each, value] : fields) {
    if (each == name) {
      return value;
    }
  }
  return "(none)";
}

inline const std::string kH2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";

}  // namespace transom
