#include "compress/gzip.h"

#include <zlib.h>

#include <algorithm>

#include "base/check.h"
#include "base/fields.h"

namespace transom {
namespace {

constexpr size_t kStepBytes = 16 * 1024;
constexpr int kWindowBits = 15;
constexpr int kGzipWrapper = 16;  // added to the window bits: gzip instead of zlib

// zlib's own types: it does not write through next_in.
Bytef* input_of(std::string_view bytes) {
  return const_cast<Bytef*>(reinterpret_cast<const Bytef*>(bytes.data()));  // NOLINT
}

Bytef* output_of(std::string& out, size_t at) { return reinterpret_cast<Bytef*>(out.data() + at); }

// Inflates until the stream ends, its output would pass the bound, or it is broken.
Inflated inflate_stream(z_stream& stream, size_t bytes_max, std::string& out) {
  const size_t begin = out.size();
  size_t step = kStepBytes;
  for (;;) {
    const size_t at = out.size();
    // One byte more than allowed, to tell a stream that ends at the bound from one that goes on.
    const size_t room = std::min(step, bytes_max - (at - begin) + 1);
    out.resize(at + room);
    stream.next_out = output_of(out, at);
    stream.avail_out = static_cast<uInt>(room);
    const int result = inflate(&stream, Z_NO_FLUSH);
    out.resize(at + room - stream.avail_out);
    if (out.size() - begin > bytes_max) {
      return Inflated::TooLarge;
    }
    if (result == Z_STREAM_END) {
      return stream.avail_in == 0 ? Inflated::Ok : Inflated::Malformed;
    }
    // Room left over without an end: the input is cut off.
    if (result != Z_OK || stream.avail_out != 0) {
      return Inflated::Malformed;
    }
    step = std::min(step * 2, size_t{1} << 20);
  }
}

}  // namespace

std::optional<Coding> parse_coding(std::string_view name) {
  if (name.empty() || equal_ignoring_case(name, "identity")) {
    return Coding::Identity;
  }
  if (equal_ignoring_case(name, "gzip")) {
    return Coding::Gzip;
  }
  if (equal_ignoring_case(name, "deflate")) {
    return Coding::Deflate;
  }
  return std::nullopt;
}

size_t inflated_size(Coding coding, std::string_view packed) {
  constexpr size_t kRatioMax = 1032;  // of the deflate format
  constexpr size_t kSizeBytes = 4;    // ISIZE of RFC 1952, the last field
  if (coding == Coding::Identity) {
    return packed.size();
  }
  if (coding == Coding::Deflate || packed.size() < kSizeBytes) {
    return packed.size() * kRatioMax;
  }
  size_t size = 0;
  for (size_t i = 0; i < kSizeBytes; ++i) {
    size = size << 8 | static_cast<unsigned char>(packed[packed.size() - 1 - i]);
  }
  return size;
}

Inflated inflate_bytes(Coding coding, std::string_view packed, size_t bytes_max, std::string& out) {
  if (coding == Coding::Identity) {
    if (packed.size() > bytes_max) {
      return Inflated::TooLarge;
    }
    out.append(packed);
    return Inflated::Ok;
  }
  z_stream stream{};
  const int bits = coding == Coding::Gzip ? kWindowBits + kGzipWrapper : kWindowBits;
  check(inflateInit2(&stream, bits) == Z_OK, "zlib is ready to inflate");
  stream.next_in = input_of(packed);
  stream.avail_in = static_cast<uInt>(packed.size());
  // A stream that goes on past the size it claims is broken: no work is spent on the rest.
  const size_t claimed = inflated_size(coding, packed);
  const Inflated result = inflate_stream(stream, std::min(bytes_max, claimed), out);
  inflateEnd(&stream);
  return result == Inflated::TooLarge && claimed <= bytes_max ? Inflated::Malformed : result;
}

void gzip_bytes(std::string_view bytes, std::string& out) {
  z_stream stream{};
  // A loop may wait for it, and a channel is rarely that dear.
  const int ready = deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kWindowBits + kGzipWrapper,
                                 8, Z_DEFAULT_STRATEGY);
  check(ready == Z_OK, "zlib is ready to deflate");
  const size_t at = out.size();
  const size_t bound = deflateBound(&stream, static_cast<uLong>(bytes.size()));
  out.resize(at + bound);
  stream.next_in = input_of(bytes);
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = output_of(out, at);
  stream.avail_out = static_cast<uInt>(bound);
  check(deflate(&stream, Z_FINISH) == Z_STREAM_END, "deflateBound bounds the output");
  out.resize(at + bound - stream.avail_out);
  deflateEnd(&stream);
}

}  // namespace transom
