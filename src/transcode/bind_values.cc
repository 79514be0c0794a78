#include "transcode/bind_values.h"

#include <algorithm>
#include <vector>

#include "transcode/binding_text.h"
#include "transcode/parse_message.h"

namespace transom {
namespace {

using Bindings = std::span<const Binding* const>;

bool fail_at(JsonParse& parse, const Binding& binding, std::string problem) {
  parse.binding = &binding;
  return parse.in.fail(parse.in.at(), std::move(problem));
}

bool comes_before(const Binding* a, const Binding* b) {
  const FieldPath& left = *a->path;
  const FieldPath& right = *b->path;
  size_t shared = std::min(left.size(), right.size());
  for (size_t i = 0; i < shared; ++i) {
    if (left[i] != right[i]) {
      return left[i]->number < right[i]->number;
    }
  }
  return left.size() != right.size() ? left.size() < right.size() : a->map_key < b->map_key;
}

// Sorted bindings that share the first `depth` fields -> the members of that message.
class Writer {
 public:
  explicit Writer(JsonParse& parse) : parse_(parse) {}

  bool write(Bindings bindings, size_t depth, int oneof_taken) {
    // Sorted by number, the members of a oneof need not be neighbours.
    std::vector<int> oneofs;
    if (oneof_taken >= 0) {
      oneofs.push_back(oneof_taken);
    }
    while (!bindings.empty()) {
      const FieldPlan* field = (*bindings.front()->path)[depth];
      size_t count = 1;
      while (count < bindings.size() && (*bindings[count]->path)[depth] == field) {
        ++count;
      }
      Bindings group = bindings.subspan(0, count);
      bindings = bindings.subspan(count);
      if (field->oneof >= 0) {
        if (std::find(oneofs.begin(), oneofs.end(), field->oneof) != oneofs.end()) {
          return fail_at(parse_, *group.front(), "another member of the same oneof is given too");
        }
        oneofs.push_back(field->oneof);
      }
      if (!write_field(group, *field, depth)) {
        return false;
      }
    }
    return true;
  }

 private:
  bool write_field(Bindings group, const FieldPlan& field, size_t depth) {
    if (group.front()->path->size() > depth + 1) {
      return write_message(group, field, depth);
    }
    if (!field.is_repeated && group.size() > 1) {
      return fail_at(parse_, *group[1], "this field is given twice");
    }
    if (field.is_map) {
      return write_map(group, field);
    }
    for (const Binding* binding : group) {
      parse_.binding = binding;
      // What the path says is written even when it is a default, so that nothing before it on the wire outlives it.
      const bool always = field.has_presence || field.is_repeated || binding->origin == Origin::Path;
      if (!write_binding_text(parse_, field, binding->text, always)) {
        return false;
      }
    }
    return true;
  }

  bool write_message(Bindings group, const FieldPlan& field, size_t depth) {
    parse_.binding = group.front();
    if (field.kind != Kind::Message || field.is_repeated) {
      return fail_at(parse_, *group.front(), "this is no field of a singular message");
    }
    if (!parse_.out.reserve(kScalarBytesMax)) {
      return false;
    }
    parse_.out.tag(field);
    size_t mark = parse_.out.begin();
    if (!write(group, depth + 1, -1)) {
      return false;
    }
    parse_.out.end(mark);
    return true;
  }

  bool write_map(Bindings group, const FieldPlan& field) {
    const Binding* previous = nullptr;
    for (const Binding* binding : group) {
      parse_.binding = binding;
      if (previous != nullptr && previous->map_key == binding->map_key) {
        return fail_at(parse_, *binding, "this key is given twice");
      }
      previous = binding;
      if (!parse_.out.reserve(kScalarBytesMax)) {
        return false;
      }
      parse_.out.tag(field);
      size_t mark = parse_.out.begin();
      if (!write_binding_text(parse_, field.message->fields[0], binding->map_key, true) ||
          !write_binding_text(parse_, field.message->fields[1], binding->text, true)) {
        return false;
      }
      parse_.out.end(mark);
    }
    return true;
  }

  JsonParse& parse_;
};

// Whether something that beats the query binds what it names.
bool is_beaten(const Binding& query, const JsonToWire& job) {
  BodyKind body = job.shape.body;
  if (body == BodyKind::Whole || (body == BodyKind::Field && overlaps(*query.path, job.shape.body_field))) {
    return true;
  }
  for (const FieldPath& path : job.shape.path_fields) {
    if (overlaps(*query.path, path)) {
      return true;
    }
  }
  return std::any_of(job.bindings.begin(), job.bindings.end(), [&](const Binding& other) {
    return other.origin == Origin::Path && overlaps(*query.path, *other.path);
  });
}

bool check_required(JsonParse& parse, const JsonToWire& job, bool has_body) {
  bool body_is_field = has_body && job.shape.body == BodyKind::Field;
  for (const FieldPlan& field : job.shape.message->fields) {
    bool is_given = !field.is_required || (body_is_field && job.shape.body_field[0] == &field);
    for (const Binding& binding : job.bindings) {
      is_given = is_given || binding.path->front() == &field;
    }
    if (!is_given) {
      parse.in.fail(parse.in.at(), "this field is required");
      return parse.leave_member(field.json_name);
    }
  }
  return true;
}

}  // namespace

bool overlaps(std::span<const FieldPlan* const> a, std::span<const FieldPlan* const> b) {
  size_t shared = std::min(a.size(), b.size());
  return std::equal(a.begin(), a.begin() + static_cast<ptrdiff_t>(shared), b.begin());
}

bool write_bindings(JsonParse& parse, const JsonToWire& job, bool has_body) {
  bool body_is_message = has_body && job.shape.body == BodyKind::Whole;
  if (job.shape.message->has_required && !body_is_message && !check_required(parse, job, has_body)) {
    return false;
  }
  if (job.bindings.empty()) {
    return true;
  }
  InlineStack<const Binding*, 8> sorted;
  for (const Binding& binding : job.bindings) {
    if (binding.origin == Origin::Path || !is_beaten(binding, job)) {
      sorted.push(&binding);
    } else if (!parse.tolerates(Slip::BoundField)) {
      return fail_at(parse, binding, "the path or the body sets this field");
    }
  }
  if (sorted.size() > 1) {
    std::stable_sort(sorted.begin(), sorted.end(), comes_before);
  }
  bool body_is_field = has_body && job.shape.body == BodyKind::Field;
  bool ok = Writer(parse).write(Bindings(sorted.begin(), sorted.size()), 0, body_is_field ? job.shape.body_field[0]->oneof : -1);
  if (ok) {
    parse.binding = nullptr;
  }
  return ok;
}

}  // namespace transom
