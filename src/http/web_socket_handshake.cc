#include "http/web_socket_handshake.h"

#include "base/base64.h"
#include "net/sha1.h"

namespace transom {
namespace {

constexpr std::string_view kKey = "sec-websocket-key";
constexpr std::string_view kVersion = "sec-websocket-version";
constexpr std::string_view kGuid = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";  // RFC 6455 section 1.3
constexpr size_t kKeyBytes = 16;

size_t count_of(const Fields& fields, std::string_view name) {
  size_t count = 0;
  for (const Field field : fields) {
    count += field.name == name ? 1 : 0;
  }
  return count;
}

bool is_key(std::string_view text) {
  std::string bytes;
  return text.size() == encoded_base64_bytes(kKeyBytes, true) && decode_base64(text, bytes) &&
         bytes.size() == kKeyBytes;
}

}  // namespace

Refusal check_web_socket(const RequestHead& head) {
  // Over HTTP/2 there are clients that leave the version out: RFC 8441 makes nothing of it.
  const bool is_http1 = head.version == HttpVersion::Http1;
  const size_t versions = count_of(head.fields, kVersion);
  if (versions > 1) {
    return {400, "more than one Sec-WebSocket-Version"};
  }
  if ((is_http1 || versions == 1) && head.fields.find(kVersion) != kWebSocketVersion) {
    return {426, "a WebSocket is spoken in version 13"};
  }
  if (is_http1 && (count_of(head.fields, kKey) != 1 || !is_key(*head.fields.find(kKey)))) {
    return {400, "a WebSocket needs one Sec-WebSocket-Key, 16 bytes in base64"};
  }
  return {};
}

std::string web_socket_accept(std::string_view key) {
  std::string accept;
  encode_base64(sha1(std::string(key).append(kGuid)), true, accept);
  return accept;
}

ResponseHead web_socket_head(const RequestHead& request, const ResponseHead& accepted) {
  ResponseHead head;
  head.status = request.version == HttpVersion::Http1 ? 101 : 200;
  if (request.version == HttpVersion::Http1) {
    head.fields.add("upgrade", "websocket");
    head.fields.add("connection", "Upgrade");
    head.fields.add("sec-websocket-accept", web_socket_accept(request.fields.find(kKey).value_or("")));
  }
  for (const Field field : accepted.fields) {
    if (field.name != "content-type") {
      head.fields.add(field.name, field.value);
    }
  }
  return head;
}

}  // namespace transom
