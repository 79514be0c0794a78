// Fields as pairs of texts, for tables of what goes in and what comes out.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/fields.h"

namespace transom {

using Pairs = std::vector<std::pair<std::string, std::string>>;

inline Fields fields_of(const Pairs& pairs) {
  Fields fields;
  for (const auto& [name, value] : pairs) {
    fields.add(name, value);
  }
  return fields;
}

inline Pairs pairs_of(const Fields& fields) {
  Pairs pairs;
  for (const Field field : fields) {
    pairs.emplace_back(field.name, field.value);
  }
  return pairs;
}

}  // namespace transom
