#include "route/query_reader.h"

#include <algorithm>
#include <compare>
#include <optional>

#include "base/utf8.h"
#include "route/percent.h"
#include "schema/field_path.h"

namespace transom {
namespace {

constexpr size_t kQuotedBytesMax = 64;

Status refused(std::string_view key, const std::string& why) {
  return client_error(Code::InvalidArgument, "query parameter `" + shown_query_key(key) + "`: " + why);
}

// "labels[env]" is the field labels and the map key env.
struct Key {
  std::string_view field;
  std::optional<std::string_view> map_key;
};

Key split_key(std::string_view key) {
  const size_t open = key.find('[');
  if (open == 0 || open == std::string_view::npos || !key.ends_with(']')) {
    return {key, std::nullopt};
  }
  return {key.substr(0, open), key.substr(open + 1, key.size() - open - 2)};
}

bool is_prefix_of(const FieldPath& prefix, const FieldPath& path) {
  return prefix.size() <= path.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

// Whether path or body already say what this field is.
bool is_spoken_for(const FieldPath& path, const RequestShape& shape) {
  if (shape.body == BodyKind::Whole || (shape.body == BodyKind::Field && is_prefix_of(shape.body_field, path))) {
    return true;
  }
  return std::ranges::any_of(shape.path_fields, [&path](const FieldPath& bound) { return is_prefix_of(bound, path); });
}

// Whether the path says what a part of this field is.
bool is_spoken_for_in_part(const FieldPath& path, const RequestShape& shape) {
  return std::ranges::any_of(shape.path_fields, [&path](const FieldPath& bound) { return is_prefix_of(path, bound); });
}

// Messages that stand in JSON as one text or number.
bool is_single_value(const FieldPlan& field) {
  if (field.message == nullptr) {
    return true;
  }
  switch (field.message->codec) {
    case Codec::Timestamp:
    case Codec::Duration:
    case Codec::FieldMask:
    case Codec::Wrapper:
      return field.kind == Kind::Message;
    default:
      return false;
  }
}

const char* find_unfit(const FieldPlan& field, bool has_map_key) {
  if (field.is_map) {
    if (!has_map_key) {
      return "is a map: write name[key]=value";
    }
    return is_single_value(field.message->fields[1]) ? nullptr : "is a map of messages, which a query cannot write";
  }
  if (has_map_key) {
    return "is not a map";
  }
  if (field.is_repeated && field.message != nullptr) {
    return "is a repeated message, which a query cannot write";
  }
  return is_single_value(field) ? nullptr : "is a message: name one of its fields";
}

class Reader {
 public:
  Reader(const RoutePlan& plan, const BindingOptions& options, Found& found)
      : plan_(plan), shape_(plan.route->request), options_(options), found_(found) {}

  Status read(std::string_view query) {
    while (true) {
      const size_t end = query.find('&');
      if (Status status = read_pair(query.substr(0, end)); !status.ok()) {
        return status;
      }
      if (end == std::string_view::npos) {
        return {};
      }
      query.remove_prefix(end + 1);
    }
  }

 private:
  Status read_pair(std::string_view pair) {
    const size_t equals = pair.find('=');
    const std::string_view raw_key = pair.substr(0, equals);
    if (raw_key.empty()) {
      return {};
    }
    const std::string_view raw_value = equals == std::string_view::npos ? "" : pair.substr(equals + 1);
    if (!has_valid_escapes(pair)) {
      return refused(raw_key, "a % is not followed by two hexadecimal digits");
    }
    const std::string key = decode_query_text(raw_key, options_);
    Binding binding{.origin = Origin::Query, .text = decode_query_text(raw_value, options_), .map_key = {}, .name = {}};
    if (!is_valid_utf8(key) || !is_valid_utf8(binding.text)) {
      return refused(raw_key, "is not UTF-8");
    }
    return add(raw_key, split_key(key), std::move(binding));
  }

  // System parameter of Google's REST APIs. The short name is a stream's alone, and gives way to a field.
  bool is_alt(std::string_view key) const {
    return key == "$alt" || (key == "alt" && plan_.route->plan->is_server_streaming && shape_.message->find_field(key) == nullptr);
  }

  Status add(std::string_view raw_key, const Key& key, Binding binding) {
    if (is_alt(key.field)) {
      if (binding.text.empty() || !found_.alt.empty()) {
        return refused(raw_key, found_.alt.empty() ? "is empty" : "is given more than once");
      }
      found_.alt = std::move(binding.text);
      return {};
    }
    Status status = resolve(key.field, binding);
    if (status.code == Code::NotFound) {
      return options_.strictness.tolerates(Slip::UnknownQueryKey, found_.slips)
                 ? Status{}
                 : refused(raw_key, "names no field of " + std::string(shape_.message->full_name));
    }
    if (!status.ok()) {
      return refused(raw_key, status.message);
    }
    if (is_spoken_for(*binding.path, shape_)) {
      return pass_over(raw_key);
    }
    if (const char* unfit = find_unfit(*binding.path->back(), key.map_key.has_value()); unfit != nullptr) {
      return refused(raw_key, unfit);
    }
    if (is_spoken_for_in_part(*binding.path, shape_)) {
      return pass_over(raw_key);
    }
    binding.map_key = key.map_key.value_or("");
    binding.name = shown_query_key(raw_key);
    found_.bindings.push_back(std::move(binding));
    return {};
  }

  Status pass_over(std::string_view raw_key) {
    return options_.strictness.tolerates(Slip::BoundField, found_.slips)
               ? Status{}
               : refused(raw_key, "the path or the body sets this field already");
  }

  Status resolve(std::string_view field, Binding& binding) {
    if (const FieldPlan* top = shape_.message->find_field(field); top != nullptr) {
      binding.path = &(*plan_.top_paths)[top->index];
      return {};
    }
    auto path = resolve_field_path(*shape_.message, field);
    if (!path.ok()) {
      return path.status();
    }
    found_.paths.push_back(std::make_unique<FieldPath>(std::move(*path)));
    binding.path = found_.paths.back().get();
    return {};
  }

  const RoutePlan& plan_;
  const RequestShape& shape_;
  const BindingOptions& options_;
  Found& found_;
};

// Orders siblings so that the members of one oneof stand side by side.
std::strong_ordering compare_siblings(const FieldPlan& a, const FieldPlan& b) {
  const int a_group = a.oneof >= 0 ? a.oneof : 0x10000 + a.index;
  const int b_group = b.oneof >= 0 ? b.oneof : 0x10000 + b.index;
  return a_group != b_group ? a_group <=> b_group : a.index <=> b.index;
}

std::strong_ordering compare(const Binding& a, const Binding& b) {
  const size_t shared = std::min(a.path->size(), b.path->size());
  for (size_t i = 0; i < shared; ++i) {
    if (const auto order = compare_siblings(*(*a.path)[i], *(*b.path)[i]); order != 0) {
      return order;
    }
  }
  return a.path->size() != b.path->size() ? a.path->size() <=> b.path->size() : a.map_key <=> b.map_key;
}

// What is wrong with two neighbours in that order, null when nothing is.
const char* find_conflict(const Binding& a, const Binding& b) {
  const size_t shared = std::min(a.path->size(), b.path->size());
  for (size_t i = 0; i < shared; ++i) {
    const FieldPlan& x = *(*a.path)[i];
    const FieldPlan& y = *(*b.path)[i];
    if (&x != &y) {
      return x.oneof >= 0 && x.oneof == y.oneof ? "another member of its oneof is given too" : nullptr;
    }
  }
  if (a.path->size() != b.path->size()) {
    return "is given both whole and by one of its fields";
  }
  const FieldPlan& last = *a.path->back();
  const bool may_repeat = last.is_map ? a.map_key != b.map_key : last.is_repeated;
  return may_repeat ? nullptr : "is given more than once";
}

// Sorting keeps this far from quadratic when a client sends thousands of keys.
Status check_conflicts(const std::vector<Binding>& bindings) {
  std::vector<const Binding*> sorted;
  sorted.reserve(bindings.size());
  for (const Binding& binding : bindings) {
    sorted.push_back(&binding);
  }
  std::ranges::sort(sorted, [](const Binding* a, const Binding* b) { return compare(*a, *b) < 0; });
  for (size_t i = 1; i < sorted.size(); ++i) {
    if (const char* conflict = find_conflict(*sorted[i - 1], *sorted[i]); conflict != nullptr) {
      const bool is_query = sorted[i]->origin == Origin::Query;
      return refused(sorted[is_query ? i : i - 1]->name, conflict);
    }
  }
  return {};
}

}  // namespace

// It may be long and hold anything.
std::string shown_query_key(std::string_view raw) {
  std::string text;
  for (char c : raw.substr(0, kQuotedBytesMax)) {
    text += c < ' ' || c > '~' ? '?' : c;
  }
  return text + (raw.size() > kQuotedBytesMax ? "..." : "");
}

std::string decode_query_text(std::string_view raw, const BindingOptions& options) {
  if (!options.plus_is_space) {
    return decode_percent(raw);
  }
  std::string text(raw);
  std::ranges::replace(text, '+', ' ');
  return decode_percent(text);
}

Status read_query(std::string_view query, const RoutePlan& plan, const BindingOptions& options, Found& found) {
  if (Status status = Reader(plan, options, found).read(query); !status.ok()) {
    return status;
  }
  return found.bindings.size() < 2 ? Status{} : check_conflicts(found.bindings);
}

}  // namespace transom
