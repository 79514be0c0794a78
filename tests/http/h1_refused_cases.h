// HTTP/1.x requests that servers are known to read in different ways, and what each is refused with: the strictest of
// several servers for each case. For the parser's tests and the session's.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/limits.h"

namespace transom {

struct RefusedCase {
  const char* what;
  std::string text;
  uint16_t status;
};

inline std::string field_lines(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) {
    all += "A: b\r\n";
  }
  return all;
}

inline std::vector<RefusedCase> framing_cases() {
  using namespace std::string_literals;
  const std::string post = "POST / HTTP/1.1\r\nHost: h\r\n";
  const std::string chunked = post + "Transfer-Encoding: chunked\r\n\r\n";
  return {
      {"CL and TE", post + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"TE and CL", post + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", 400},
      {"TE xchunked", post + "Transfer-Encoding: xchunked\r\n\r\n", 501},
      {"TE chunked, identity", post + "Transfer-Encoding: chunked, identity\r\n\r\n", 501},
      {"TE with vertical tab", post + "Transfer-Encoding: \vchunked\r\n\r\n", 400},
      {"TE in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400},
      {"equal CLs", post + "Content-Length: 3\r\nContent-Length: 3\r\n\r\nabc", 400},
      {"differing CLs", post + "Content-Length: 3\r\nContent-Length: 4\r\n\r\nabc", 400},
      {"CL list", post + "Content-Length: 1, 1\r\n\r\na", 400},
      {"CL list of one first field", "POST / HTTP/1.1\r\nContent-Length: 2, 2\r\nHost: h\r\n\r\nab", 400},
      {"CL of two words", "POST / HTTP/1.1\r\nContent-Length: 2 2\r\nHost: h\r\n\r\nab", 400},
      {"TE list in the first field", "POST / HTTP/1.1\r\nTransfer-Encoding: gzip, chunked\r\nHost: h\r\n\r\n", 501},
      {"CL +1", post + "Content-Length: +1\r\n\r\na", 400},
      {"CL 0x1", post + "Content-Length: 0x1\r\n\r\na", 400},
      {"CL empty", post + "Content-Length:\r\n\r\na", 400},
      {"CL over 2^63", post + "Content-Length: 9223372036854775808\r\n\r\n", 400},
      {"CL over 2^64", post + "Content-Length: 18446744073709551616\r\n\r\n", 400},
      {"chunk size +5", chunked + "+5\r\nhello\r\n0\r\n\r\n", 400},
      {"chunk size -5", chunked + "-5\r\nhello\r\n0\r\n\r\n", 400},
      {"chunk size 0x5", chunked + "0x5\r\nhello\r\n0\r\n\r\n", 400},
      {"chunk size 5_0", chunked + "5_0\r\nhello\r\n0\r\n\r\n", 400},
      {"chunk size with leading space", chunked + " 5\r\nhello\r\n0\r\n\r\n", 400},
      {"chunk size with trailing space", chunked + "5 \r\nhello\r\n0\r\n\r\n", 400},
      {"empty chunk size", chunked + "\r\nhello\r\n0\r\n\r\n", 400},
      {"chunk size over 2^64", chunked + "10000000000000005\r\nhello\r\n0\r\n\r\n", 400},
      {"chunk size over 2^63", chunked + "8000000000000000\r\nhello\r\n0\r\n\r\n", 400},
      {"chunk line ended by LF", chunked + "5\nhello\r\n0\r\n\r\n", 400},
      {"chunk data ended by LF", chunked + "5\r\nhello\n0\r\n\r\n", 400},
      {"longer chunk than said", chunked + "4\r\nhello\r\n0\r\n\r\n", 400},
      {"LF in a chunk extension", chunked + "5;a=\"\n\"\r\nhello\r\n0\r\n\r\n", 400},
      {"CR in a chunk extension", chunked + "5;a=\"\rb\"\r\nhello\r\n0\r\n\r\n", 400},
      {"NUL in a chunk extension", chunked + "5;a=\"\0\"\r\nhello\r\n0\r\n\r\n"s, 400},
      {"long chunk extension", chunked + "5;a=" + std::string(300, 'b') + "\r\nhello\r\n0\r\n\r\n", 400},
      {"endless chunk extension", chunked + "5;a=" + std::string(5000, 'b'), 400},
      {"folded trailer", chunked + "0\r\nA: b\r\n c\r\n\r\n", 400},
      {"framing in trailers", chunked + "0\r\nContent-Length: 5\r\n\r\n", 400},
      {"endless trailers", chunked + "0\r\nA: " + std::string(200 * kKiB, 'a'), 431},
      {"many trailers", chunked + "0\r\n" + field_lines(120) + "\r\n", 431},
  };
}

inline std::vector<RefusedCase> head_cases() {
  using namespace std::string_literals;
  return {
      {"bare LF after the request line", "GET / HTTP/1.1\nHost: h\r\n\r\n", 400},
      {"bare LF after a field", "GET / HTTP/1.1\r\nHost: h\n\r\n", 400},
      {"bare LFs throughout", "GET / HTTP/1.1\nHost: h\n\n", 400},
      {"bare CR in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\rc\r\n\r\n", 400},
      {"bare CR in the target", "GET /\r HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"NUL in a value", "GET / HTTP/1.1\r\nHost: h\r\nA: b\0c\r\n\r\n"s, 400},
      {"NUL in a name", "GET / HTTP/1.1\r\nHost: h\r\nA\0: b\r\n\r\n"s, 400},
      {"fold", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n c\r\n\r\n", 400},
      {"fold of an empty value", "GET / HTTP/1.1\r\nHost: h\r\nA:\r\n c\r\n\r\n", 400},
      {"fold by a tab", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n\tc\r\n\r\n", 400},
      {"fold to nothing", "GET / HTTP/1.1\r\nHost: h\r\nA: b\r\n \r\n\r\n", 400},
      {"fold of the first field", "GET / HTTP/1.1\r\n Host: h\r\n\r\n", 400},
      {"no Host", "GET / HTTP/1.1\r\n\r\n", 400},
      {"two Hosts", "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n", 400},
      {"space in Host", "GET / HTTP/1.1\r\nHost: h i\r\n\r\n", 400},
      {"HTTP/1.2", "GET / HTTP/1.2\r\nHost: h\r\n\r\n", 400},
      {"HTTP/2.0", "GET / HTTP/2.0\r\nHost: h\r\n\r\n", 400},
      {"http/1.1", "GET / http/1.1\r\nHost: h\r\n\r\n", 400},
      {"HTTP/1.10", "GET / HTTP/1.10\r\nHost: h\r\n\r\n", 400},
      {"HTTP/0.9", "GET /\r\n\r\n", 400},
      {"two spaces", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"a tab for a space", "GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"a space at the line's end", "GET / HTTP/1.1 \r\nHost: h\r\n\r\n", 400},
      {"empty field name", "GET / HTTP/1.1\r\nHost: h\r\n: b\r\n\r\n", 400},
      {"space before the colon", "GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400},
      {"no colon", "GET / HTTP/1.1\r\nHost: h\r\nabc\r\n\r\n", 400},
      {"200 fields", "GET / HTTP/1.1\r\nHost: h\r\n" + field_lines(200) + "\r\n", 431},
      {"large fields", "GET / HTTP/1.1\r\nHost: h\r\nA: " + std::string(62 * kKiB, 'a') + "\r\n\r\n", 431},
      {"endless field", "GET / HTTP/1.1\r\nHost: h\r\nA: " + std::string(200 * kKiB, 'a'), 431},
      {"endless white space", "GET / HTTP/1.1\r\nHost: h\r\nA:" + std::string(200 * kKiB, ' '), 431},
      {"long target", "GET /" + std::string(40 * kKiB, 'a') + " HTTP/1.1\r\nHost: h\r\n\r\n", 431},
      {"endless target", "GET /" + std::string(200 * kKiB, 'a'), 431},
      {"CONNECT", "CONNECT h:80 HTTP/1.1\r\nHost: h:80\r\n\r\n", 501},
      {"fragment", "GET /a#b HTTP/1.1\r\nHost: h\r\n\r\n", 400},
      {"two words in Host", "GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400},
      {"space before the first colon", "GET / HTTP/1.1\r\nX : x\r\nHost: h\r\n\r\n", 400},
      {"a method with a slash", "G/T / HTTP/1.1\r\nHost: h\r\n\r\n", 400},
  };
}

}  // namespace transom
