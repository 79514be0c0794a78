// TemplateTree holds many path templates as one tree by segment and finds those that a path fits, the most specific
// first: at each segment a literal before "*" before "**". Built at load, then read by any thread.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <string>
#include <string_view>
#include <vector>

#include "route/path_template.h"

namespace transom {

// One segment of a request's path: as it came, and decoded for the comparison with literals.
struct PathSegment {
  std::string_view raw;
  std::string_view literal;
};

using PathSegments = std::pmr::vector<PathSegment>;

// Splits "/a/b" at its slashes ("/" has no segments); the path begins with one and has valid escapes. Decoded text
// lives in the memory of the segments' resource, which frees it as a whole: a monotonic one.
void split_path(std::string_view path, PathSegments& segments);

class TemplateTree {
 public:
  // One rule at the end of a template.
  struct Leaf {
    std::string verb;
    std::string method;
    size_t rule = 0;
  };
  using Leaves = std::vector<Leaf>;

  TemplateTree() : nodes_(1) {}

  // The rule that already has this template (variable names aside), verb and method, or `rule` itself when it is new.
  size_t add(const PathTemplate& path, const std::string& method, size_t rule);
  bool has_verb(std::string_view verb) const;

  // One look through the tree; cost is bounded by the number of nodes, whatever the path.
  class Search {
   public:
    Search(const TemplateTree& tree, const PathSegments& segments);
    // The next best set of leaves, null after the last. All verbs and methods are in it.
    const Leaves* next();

   private:
    struct Step {
      uint32_t node;
      uint32_t tail;  // kWalk: go on from the node; else: try the node's "**" from this tail on
    };
    void walk(uint32_t node);
    bool fits_tail(const std::vector<std::string>& literals, size_t depth) const;

    const TemplateTree& tree_;
    const PathSegments& segments_;
    std::pmr::vector<Step> steps_;
  };

 private:
  static constexpr uint32_t kNone = 0;  // the root is nobody's child
  static constexpr uint32_t kWalk = 0xffffffff;

  // What may follow "**": literals up to the end of the path.
  struct Tail {
    std::vector<std::string> literals;
    Leaves leaves;
  };
  struct Child {
    std::string literal;
    uint32_t node;
  };
  struct Node {
    uint32_t depth = 0;
    uint32_t one = kNone;
    std::vector<Child> literals;  // sorted
    std::vector<Tail> tails;      // longest first
    Leaves leaves;
  };

  uint32_t descend(uint32_t from, const TemplateSegment& segment);
  uint32_t make_node(uint32_t depth);
  Leaves& leaves_of(const PathTemplate& path);
  Leaves& tail_of(uint32_t node, std::vector<std::string> literals);
  uint32_t find_literal(const Node& node, std::string_view literal) const;

  std::vector<Node> nodes_;
  std::vector<std::string> verbs_;
};

}  // namespace transom
