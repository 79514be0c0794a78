// Every bound of the process, with its default; nothing else in the tree invents one. The configuration sets each but
// those marked fixed, which are how the code works. Sizes are bytes, durations chrono types, 0 means what the line says.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace transom {

inline constexpr size_t kKiB = 1024;
inline constexpr size_t kMiB = 1024 * kKiB;

// Fixed: parts of a dotted field path in a rule or a query key; protobuf's own bound on nested messages.
inline constexpr size_t kFieldPathPartsMax = 100;

// Fixed: fields that one path template binds, a bit each in a word.
inline constexpr size_t kPathFieldsMax = 64;

// Fixed: one message to a service that the proxy answers itself, how many of one call are answered in a turn of the loop,
// and how often a Watch of grpc.health.v1 looks.
inline constexpr size_t kLocalMessageBytesMax = 64 * kKiB;
inline constexpr int kLocalMessagesPerTurn = 16;
inline constexpr std::chrono::milliseconds kHealthWatchPause{100};

// Fixed: groups of fields that nobody knows are only passed over, so many levels deep.
inline constexpr int kUnknownGroupDepthMax = 100;

// Between two comments of an event stream that has nothing else to say: proxies and browsers give up idle ones.
inline constexpr std::chrono::milliseconds kEventKeepAlive{15'000};

// Bounds of messages and of memory.
struct Limits {
  size_t memory = 0;                      // 0: 80 % of the machine or container
  size_t request_body = 20 * kMiB;        // a unary body, or one message of a stream
  size_t response_body = 64 * kMiB;       // likewise, towards the client
  size_t message = 64 * kMiB;             // protobuf bytes made from one request
  size_t ignored_body = 32 * kMiB;        // of a body that no rule wants: a longer one is not waited for
  size_t exchange_window = 64 * kKiB;     // fixed: held per exchange and direction, unless one message is larger
  size_t offload_body = 96 * kKiB;        // bodies above this are transcoded off the loop
  size_t offload_queue = 256 * kMiB;      // bytes waiting for the offload pool; above it: 503
  int json_depth = 100;                   // fixed: objects and arrays, the outermost is 1
};

// Bounds of one client session and its exchanges.
struct SessionLimits {
  size_t header_bytes = 60 * kKiB;        // decoded names and values, cookies joined or not
  size_t header_count = 100;
  size_t target_bytes = 32 * kKiB;
  size_t streams = 100;                   // HTTP/2 streams open at once
  size_t client_resets_burst = 1000;      // RST_STREAM from the client
  size_t client_resets_per_second = 33;
  size_t own_resets_burst = 200;          // resets we had to send for malformed streams (MadeYouReset)
  size_t own_resets_per_second = 20;
  size_t empty_frames = 100;              // DATA frames without bytes or end, in a row
  size_t control_frames_per_second = 500; // SETTINGS, PING, PRIORITY, WINDOW_UPDATE beyond what DATA explains
  size_t requests = 0;                    // per session; 0: no bound
  std::chrono::milliseconds age{0};           // of a session; 0: no bound
  std::chrono::milliseconds idle{75'000};         // no exchange open
  std::chrono::milliseconds header_timeout{30'000};  // from the first byte of a head to its end, and of the TLS handshake
  std::chrono::milliseconds body_timeout{30'000};    // between two reads of a body
  std::chrono::milliseconds write_timeout{60'000};   // so long the client takes nothing, then it is given up
  size_t chunk_extension_bytes = 256;
  size_t proxy_header_bytes = 4 * kKiB;   // a PROXY protocol v2 header with its TLVs
  size_t dropped_body = 64 * kKiB;        // rest of a body read and dropped after an early answer, to keep the session
  size_t dropped_stream_body = 32 * kMiB;  // likewise over HTTP/2, before the stream is reset
  std::chrono::milliseconds settings_timeout{10'000};  // for the client's answer to our HTTP/2 SETTINGS
  std::chrono::milliseconds goaway_grace{5'000};  // between the notice that a session drains and its last GOAWAY
  std::chrono::milliseconds drain_idle{1'000};  // a draining HTTP/1.1 session waits for a request already on its way
  // At most, reading on after the last answer so that no reset overtakes it; of an HTTP/2 stream between two reads.
  std::chrono::milliseconds linger{2'000};
  // An HTTP/1.1 client that has ended its side, its request whole, is then asked whether it is still there.
  std::chrono::milliseconds half_close_grace{250};
  std::chrono::milliseconds web_socket_ping{30'000};  // of silence both ways, then it is pinged; 0: never
  std::chrono::milliseconds web_socket_pong{30'000};  // after a ping, then its client is given up
  std::chrono::milliseconds web_socket_close{5'000};  // between our close and the client's
  // Between the last bytes of an HTTP/2 answer that is cut and its reset: clients drop what they have not read yet when
  // both come at once, and with it the error that stands in those bytes.
  std::chrono::milliseconds late_reset_delay{20};
  int backlog = 1024;
  size_t sessions = 0;                    // per process; 0: as many as file descriptors allow

  // Fixed: per turn of the loop and session (design decision 5).
  size_t read_per_turn = 64 * kKiB;
  size_t write_per_turn = 256 * kKiB;
  size_t requests_per_turn = 32;
};

// Bounds of the channels to replicas.
struct ChannelLimits {
  size_t calls_per_channel = 100;         // another channel is opened above this, or above the replica's own bound
  size_t channels_per_replica = 8;        // per worker
  size_t waiting_calls = 1024;            // per replica and worker, for a channel with room
  size_t unsent_bytes_before_new = kMiB;  // a body over 1 MiB behind unsent bytes opens another channel
  size_t header_bytes = 64 * kKiB;        // of a replica's head or trailers
  size_t window = 64 * kKiB;              // per stream, until the reader proves fast
  size_t window_max = kMiB;
  size_t channel_window = 4 * kMiB;
  size_t retry_buffer = kMiB;             // bytes kept to send a refused call again
  std::chrono::milliseconds connect_timeout{20'000};
  std::chrono::milliseconds backoff_min{1'000};   // gRPC connection back-off
  std::chrono::milliseconds backoff_max{120'000};
  std::chrono::milliseconds attempt_pause{100};   // fixed: between attempts that another worker's success asks for
  double backoff_multiplier = 1.6;                // fixed, as the gRPC documents have it
  double backoff_jitter = 0.2;                    // likewise
  std::chrono::milliseconds keepalive_time{0};    // 0: no PINGs
  std::chrono::milliseconds keepalive_timeout{20'000};
  size_t resets = 500;                            // of a channel within resets_span, then it takes no new calls; 0: any
  std::chrono::milliseconds resets_span{30'000};
  std::chrono::milliseconds surplus_channel_idle{60'000};  // a channel beyond the first is closed after this
};

// Bounds of asking a replica for its schema.
struct ReflectionLimits {
  std::chrono::milliseconds timeout{10'000};  // the whole conversation
  size_t files = 10'000;
  size_t bytes = 64 * kMiB;                   // of all descriptor files together
  std::chrono::milliseconds pause_min{500};   // after a failed conversation, doubled each time
  std::chrono::milliseconds pause_max{30'000};
};

}  // namespace transom
