#include "route/template_tree.h"

#include <gtest/gtest.h>

#include <memory_resource>

namespace transom {
namespace {

PathTemplate parsed(const std::string& text) {
  auto path = parse_path_template(text);
  EXPECT_TRUE(path.ok()) << text;
  return *path;
}

TemplateTree tree_of(const std::vector<std::string>& templates) {
  TemplateTree tree;
  for (size_t i = 0; i < templates.size(); ++i) {
    EXPECT_EQ(tree.add(parsed(templates[i]), "GET", i), i) << templates[i];
  }
  return tree;
}

// The rules that a path fits, in the order in which they are offered.
std::vector<size_t> search(const TemplateTree& tree, const std::string& path) {
  std::pmr::monotonic_buffer_resource memory;
  PathSegments segments(&memory);
  split_path(path, segments);
  std::vector<size_t> rules;
  TemplateTree::Search search(tree, segments);
  while (const TemplateTree::Leaves* leaves = search.next()) {
    for (const TemplateTree::Leaf& leaf : *leaves) {
      rules.push_back(leaf.rule);
    }
  }
  return rules;
}

TEST(TemplateTree, SplitsAtEverySlash) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> cases = {
      {"/", {}}, {"/a", {"a"}}, {"/a/", {"a", ""}}, {"//", {"", ""}}, {"/a%2Fb/c", {"a/b", "c"}},
  };
  for (const auto& [path, expected] : cases) {
    std::pmr::monotonic_buffer_resource memory;
    PathSegments segments(&memory);
    split_path(path, segments);
    std::vector<std::string> literals;
    for (const PathSegment& segment : segments) {
      literals.emplace_back(segment.literal);
    }
    EXPECT_EQ(literals, expected) << path;
  }
}

TEST(TemplateTree, OffersTheMostSpecificFirst) {
  TemplateTree tree = tree_of({"/**", "/a/**", "/a/*", "/a/b", "/*/b", "/a/**/b", "/"});
  const std::vector<std::pair<std::string, std::vector<size_t>>> cases = {
      {"/a/b", {3, 2, 5, 1, 4, 0}}, {"/a/c", {2, 1, 0}}, {"/a", {1, 0}}, {"/z/b", {4, 0}},
      {"/a/x/b", {5, 1, 0}},        {"/", {6, 0}},       {"/q", {0}},
  };
  for (const auto& [path, expected] : cases) {
    EXPECT_EQ(search(tree, path), expected) << path;
  }
}

TEST(TemplateTree, CountsWhatFollowsManySegmentsFromTheEndLongestFirst) {
  TemplateTree tree = tree_of({"/**/z", "/**/y/z", "/a/**/z"});
  EXPECT_EQ(search(tree, "/a/y/z"), (std::vector<size_t>{2, 1, 0}));
  EXPECT_EQ(search(tree, "/z"), (std::vector<size_t>{0}));
  EXPECT_EQ(search(tree, "/y"), (std::vector<size_t>{}));
}

TEST(TemplateTree, KnowsATemplateAgainWhateverItsVariablesAreCalled) {
  TemplateTree tree;
  const std::vector<std::tuple<std::string, std::string, size_t>> cases = {
      {"/v1/{x}", "GET", 0},      {"/v1/{y}", "GET", 0},          {"/v1/*", "GET", 0},
      {"/v1/{x}", "POST", 3},     {"/v1/{x}:go", "GET", 4},       {"/v1/{y=*}:go", "GET", 4},
      {"/v1/{x=a/**}", "GET", 6}, {"/v1/a/{x=**}", "GET", 6},     {"/v1/a/{x=**}/z", "GET", 8},
      {"/v1/a/**/z", "GET", 8},   {"/v1/{x=a/**}:go", "GET", 10},
  };
  for (size_t i = 0; i < cases.size(); ++i) {
    const auto& [text, method, expected] = cases[i];
    EXPECT_EQ(tree.add(parsed(text), method, i), expected) << text;
  }
  EXPECT_TRUE(tree.has_verb("go"));
  EXPECT_FALSE(tree.has_verb("a"));
}

}  // namespace
}  // namespace transom
