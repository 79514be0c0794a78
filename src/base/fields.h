// Fields is an ordered list of header or trailer fields (RFC 9110 section 5), names in lower case, repeats kept apart.
// All text lives in one buffer, so that a request's headers cost two allocations; a view handed out is valid until the
// next change. Pseudo-fields (":path") are never in it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace transom {

struct Field {
  std::string_view name;
  std::string_view value;
};

class Fields {
 public:
  // Copies both; the name is made lower case.
  void add(std::string_view name, std::string_view value);
  // The first value of that name (given in lower case).
  std::optional<std::string_view> find(std::string_view name) const;
  // Removes every field of that name (given in lower case).
  void remove(std::string_view name);
  void clear();

  size_t size() const { return slots_.size(); }
  bool empty() const { return slots_.empty(); }
  Field operator[](size_t index) const;
  // Bytes of names and values.
  size_t bytes() const { return text_.size(); }

  class Iterator {
   public:
    Iterator(const Fields& fields, size_t index) : fields_(&fields), index_(index) {}
    Field operator*() const { return (*fields_)[index_]; }
    Iterator& operator++() {
      ++index_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return index_ != other.index_; }

   private:
    const Fields* fields_;
    size_t index_;
  };
  Iterator begin() const { return Iterator(*this, 0); }
  Iterator end() const { return Iterator(*this, slots_.size()); }

 private:
  struct Slot {
    uint32_t at;
    uint32_t name_bytes;
    uint32_t value_bytes;
  };
  std::string text_;
  std::vector<Slot> slots_;
};

// Case-insensitive comparison of ASCII text, for field names and tokens.
bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace transom
