// What Content-Type and Accept say (RFC 9110 sections 8.3 and 12.5.1), as far as choosing a protocol needs it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/fields.h"

namespace transom {

// How the messages of a server-streaming method stand in an answer. Raw is google.api.HttpBody: bytes as they are.
enum class Framing : uint8_t { EventStream, NdJson, Array, Raw };

// The type without parameters and blanks around it, in lower case.
std::string media_type_of(std::string_view content_type);

// application/json or any type with the suffix +json; parameters do not matter.
bool is_json(std::string_view content_type);
// application/x-ndjson, or application/jsonl or application/x-jsonlines, which mean the same.
bool is_ndjson(std::string_view content_type);
// application/grpc+json: gRPC whose messages are JSON.
bool is_grpc_json(std::string_view content_type);
// application/grpc or application/grpc+proto and the like, but not +json nor the -web forms.
bool is_grpc(std::string_view content_type);

// The framing with the highest q. An exact type beats a wildcard for itself;
// a tie goes to the event stream, then NDJSON, then the array. unasked: where no type fits, and what the wildcards stand
// for.
Framing choose_framing(const Fields& request, Framing unasked);

// That of `$alt`: sse, ndjson or json, alone or with the parameter below; nullopt for anything else.
std::optional<Framing> parse_alt(std::string_view text);
// Whether `$alt` asks for enums as numbers: "json;enum-encoding=int", as Google's generated REST clients write it.
bool asks_for_int_enums(std::string_view alt);

std::string_view content_type_of(Framing framing);

}  // namespace transom
