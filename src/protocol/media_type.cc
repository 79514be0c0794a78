#include "protocol/media_type.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace transom {
namespace {

constexpr std::string_view kGrpc = "application/grpc";
constexpr std::string_view kIntEnums = ";enum-encoding=int";

// Cuts the part before the separator off the front of rest.
std::string_view take_part(std::string_view& rest, char separator) {
  const size_t at = rest.find(separator);
  const std::string_view part = rest.substr(0, at);
  rest = at == std::string_view::npos ? std::string_view() : rest.substr(at + 1);
  return trim(part);
}

std::string_view bare_type(std::string_view content_type) { return take_part(content_type, ';'); }

// A qvalue in thousandths: "0", "0.5", "1.000"; anything else counts as 0, so that a mistake is not a wish.
int parse_quality(std::string_view text) {
  if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1') || (text.size() > 1 && text[1] != '.')) {
    return 0;
  }
  int thousandths = text[0] == '1' ? 1000 : 0;
  int unit = 100;
  for (const char c : text.substr(text.size() > 1 ? 2 : 1)) {
    if (c < '0' || c > '9') {
      return 0;
    }
    thousandths += (c - '0') * unit;
    unit /= 10;
  }
  return thousandths > 1000 ? 0 : thousandths;
}

int quality_of(std::string_view parameters) {
  while (!parameters.empty()) {
    std::string_view parameter = take_part(parameters, ';');
    const std::string_view name = take_part(parameter, '=');
    if (equal_ignoring_case(name, "q")) {
      return parse_quality(trim(parameter));
    }
  }
  return 1000;
}

// In the order that decides a tie.
constexpr std::array<Framing, 3> kChoices{Framing::EventStream, Framing::NdJson, Framing::Array};

struct Wishes {
  std::array<std::optional<int>, kChoices.size()> exact;
  std::optional<int> any_application;  // application/*
  std::optional<int> any;              // */*

  void add(std::string_view type, int quality) {
    for (size_t i = 0; i < kChoices.size(); ++i) {
      if (equal_ignoring_case(type, content_type_of(kChoices[i]))) {
        exact[i] = std::max(exact[i].value_or(0), quality);
      }
    }
    if (equal_ignoring_case(type, "application/*")) {
      any_application = std::max(any_application.value_or(0), quality);
    }
    if (type == "*/*") {
      any = std::max(any.value_or(0), quality);
    }
  }

  int quality(size_t choice, Framing unasked) const {
    if (exact[choice].has_value()) {
      return *exact[choice];
    }
    if (kChoices[choice] != unasked) {
      return 0;
    }
    if (unasked == Framing::EventStream) {
      return any.value_or(0);  // text/*, which nobody asks for, aside
    }
    return any_application.has_value() ? *any_application : any.value_or(0);
  }
};

}  // namespace

std::string media_type_of(std::string_view content_type) { return lower_case(bare_type(content_type)); }

bool is_json(std::string_view content_type) {
  constexpr std::string_view kSuffix = "+json";
  const std::string_view type = bare_type(content_type);
  if (equal_ignoring_case(type, "application/json")) {
    return true;
  }
  const size_t slash = type.find('/');
  return slash != std::string_view::npos && slash != 0 && type.size() > slash + 1 + kSuffix.size() &&
         equal_ignoring_case(type.substr(type.size() - kSuffix.size()), kSuffix);
}

bool is_ndjson(std::string_view content_type) {
  const std::string_view type = bare_type(content_type);
  return equal_ignoring_case(type, "application/x-ndjson") || equal_ignoring_case(type, "application/jsonl") ||
         equal_ignoring_case(type, "application/x-jsonlines");
}

bool is_grpc_json(std::string_view content_type) {
  return equal_ignoring_case(bare_type(content_type), "application/grpc+json");
}

bool is_grpc(std::string_view content_type) {
  const std::string_view type = bare_type(content_type);
  if (type.size() < kGrpc.size() || !equal_ignoring_case(type.substr(0, kGrpc.size()), kGrpc)) {
    return false;
  }
  const std::string_view suffix = type.substr(kGrpc.size());
  return suffix.empty() || (suffix[0] == '+' && !equal_ignoring_case(suffix, "+json"));
}

Framing choose_framing(const Fields& request, Framing unasked) {
  Wishes wishes;
  for (const Field field : request) {
    std::string_view accept = field.name == "accept" ? field.value : std::string_view();
    while (!accept.empty()) {
      std::string_view range = take_part(accept, ',');
      const std::string_view type = take_part(range, ';');
      wishes.add(type, quality_of(range));
    }
  }
  Framing best = unasked;
  int best_quality = 0;
  for (size_t i = 0; i < kChoices.size(); ++i) {
    if (wishes.quality(i, unasked) > best_quality) {
      best = kChoices[i];
      best_quality = wishes.quality(i, unasked);
    }
  }
  return best;
}

bool asks_for_int_enums(std::string_view alt) { return alt.ends_with(kIntEnums); }

std::optional<Framing> parse_alt(std::string_view text) {
  if (asks_for_int_enums(text)) {
    text.remove_suffix(kIntEnums.size());
  }
  const std::string_view name = text;
  if (name == "sse") {
    return Framing::EventStream;
  }
  if (name == "ndjson") {
    return Framing::NdJson;
  }
  return name == "json" ? std::optional(Framing::Array) : std::nullopt;
}

std::string_view content_type_of(Framing framing) {
  switch (framing) {
    case Framing::EventStream:
      return "text/event-stream";
    case Framing::NdJson:
      return "application/x-ndjson";
    case Framing::Array:
      return "application/json";
    case Framing::Raw:
      break;
  }
  return "application/octet-stream";
}

}  // namespace transom
