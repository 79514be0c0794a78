#include "route/template_tree.h"

#include <algorithm>

#include "route/percent.h"

namespace transom {
namespace {

constexpr size_t kUsualSteps = 16;

std::string_view decoded(std::string_view raw, std::pmr::memory_resource& memory) {
  if (raw.find('%') == std::string_view::npos) {
    return raw;
  }
  char* text = static_cast<char*>(memory.allocate(raw.size(), 1));
  return {text, decode_percent_into(raw, text)};
}

}  // namespace

void split_path(std::string_view path, PathSegments& segments) {
  path.remove_prefix(1);
  if (path.empty()) {
    return;
  }
  while (true) {
    const size_t slash = path.find('/');
    const std::string_view raw = path.substr(0, slash);
    segments.push_back({raw, decoded(raw, *segments.get_allocator().resource())});
    if (slash == std::string_view::npos) {
      return;
    }
    path.remove_prefix(slash + 1);
  }
}

size_t TemplateTree::add(const PathTemplate& path, const std::string& method, size_t rule) {
  Leaves& leaves = leaves_of(path);
  for (const Leaf& leaf : leaves) {
    if (leaf.verb == path.verb && leaf.method == method) {
      return leaf.rule;
    }
  }
  leaves.push_back({path.verb, method, rule});
  if (!path.verb.empty() && !has_verb(path.verb)) {
    verbs_.push_back(path.verb);
  }
  return rule;
}

bool TemplateTree::has_verb(std::string_view verb) const { return std::ranges::find(verbs_, verb) != verbs_.end(); }

TemplateTree::Leaves& TemplateTree::leaves_of(const PathTemplate& path) {
  const size_t many = path.many_at;
  uint32_t node = 0;
  for (size_t i = 0; i < many; ++i) {
    node = descend(node, path.segments[i]);
  }
  if (many == path.segments.size()) {
    return nodes_[node].leaves;
  }
  std::vector<std::string> literals;
  for (size_t i = many + 1; i < path.segments.size(); ++i) {
    literals.push_back(path.segments[i].text);
  }
  return tail_of(node, std::move(literals));
}

TemplateTree::Leaves& TemplateTree::tail_of(uint32_t node, std::vector<std::string> literals) {
  std::vector<Tail>& tails = nodes_[node].tails;
  auto same = std::ranges::find(tails, literals, &Tail::literals);
  if (same == tails.end()) {
    auto shorter =
        std::ranges::find_if(tails, [&](const Tail& tail) { return tail.literals.size() < literals.size(); });
    same = tails.insert(shorter, Tail{std::move(literals), {}});
  }
  return same->leaves;
}

uint32_t TemplateTree::make_node(uint32_t depth) {
  nodes_.emplace_back().depth = depth;
  return static_cast<uint32_t>(nodes_.size() - 1);
}

uint32_t TemplateTree::descend(uint32_t from, const TemplateSegment& segment) {
  const uint32_t depth = nodes_[from].depth + 1;
  if (segment.kind == TemplateSegment::Kind::One) {
    if (nodes_[from].one == kNone) {
      const uint32_t made = make_node(depth);
      nodes_[from].one = made;
    }
    return nodes_[from].one;
  }
  uint32_t child = find_literal(nodes_[from], segment.text);
  if (child == kNone) {
    child = make_node(depth);
    std::vector<Child>& literals = nodes_[from].literals;
    literals.insert(std::ranges::lower_bound(literals, segment.text, {}, &Child::literal), Child{segment.text, child});
  }
  return child;
}

uint32_t TemplateTree::find_literal(const Node& node, std::string_view literal) const {
  auto found = std::ranges::lower_bound(node.literals, literal, {}, &Child::literal);
  return found != node.literals.end() && found->literal == literal ? found->node : kNone;
}

TemplateTree::Search::Search(const TemplateTree& tree, const PathSegments& segments)
    : tree_(tree), segments_(segments), steps_(segments.get_allocator().resource()) {
  steps_.reserve(kUsualSteps);
  steps_.push_back({0, kWalk});
}

const TemplateTree::Leaves* TemplateTree::Search::next() {
  while (!steps_.empty()) {
    const Step step = steps_.back();
    steps_.pop_back();
    const Node& node = tree_.nodes_[step.node];
    if (step.tail == kWalk) {
      walk(step.node);
      if (node.depth == segments_.size() && !node.leaves.empty()) {
        return &node.leaves;
      }
    } else {
      if (step.tail + 1 < node.tails.size()) {
        steps_.push_back({step.node, step.tail + 1});
      }
      if (fits_tail(node.tails[step.tail].literals, node.depth)) {
        return &node.tails[step.tail].leaves;
      }
    }
  }
  return nullptr;
}

// The last pushed is tried first. A node is reached in one way only, so none is walked twice.
void TemplateTree::Search::walk(uint32_t index) {
  const Node& node = tree_.nodes_[index];
  if (!node.tails.empty()) {
    steps_.push_back({index, 0});
  }
  if (node.depth == segments_.size()) {
    return;
  }
  const PathSegment& segment = segments_[node.depth];
  // An empty segment is no value.
  if (node.one != kNone && !segment.raw.empty()) {
    steps_.push_back({node.one, kWalk});
  }
  if (const uint32_t child = tree_.find_literal(node, segment.literal); child != kNone) {
    steps_.push_back({child, kWalk});
  }
}

bool TemplateTree::Search::fits_tail(const std::vector<std::string>& literals, size_t depth) const {
  if (segments_.size() < depth + literals.size()) {
    return false;
  }
  const size_t begin = segments_.size() - literals.size();
  for (size_t i = 0; i < literals.size(); ++i) {
    if (segments_[begin + i].literal != literals[i]) {
      return false;
    }
  }
  return true;
}

}  // namespace transom
