// gzip (RFC 1952) and zlib (RFC 1950) for whole buffers: what gRPC calls the codings "gzip" and "deflate". Inflating is
// bounded by the caller, so that a small hostile message cannot become a large one. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace transom {

enum class Coding : uint8_t { Identity, Gzip, Deflate };

// What parse_coding() knows, as a grpc-accept-encoding.
inline constexpr std::string_view kReadableCodings = "identity,deflate,gzip";

// The coding of that grpc-encoding value (any case); nullopt for one we do not have.
std::optional<Coding> parse_coding(std::string_view name);

// How many bytes it will inflate to: what a gzip stream says of itself at its end (it is refused if that is not so), the
// most that can be for deflate.
size_t inflated_size(Coding coding, std::string_view packed);

enum class Inflated : uint8_t { Ok, Malformed, TooLarge };

// Appends the content of exactly one compressed stream. Malformed: not that coding, cut off, or followed by other bytes.
// TooLarge: it has more than bytes_max bytes, as it says itself. Unless Ok, out holds part of it.
Inflated inflate_bytes(Coding coding, std::string_view packed, size_t bytes_max, std::string& out);

// Appends the bytes as one gzip stream.
void gzip_bytes(std::string_view bytes, std::string& out);

}  // namespace transom
