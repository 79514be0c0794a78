#include "server/schema_cache.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "support/temp_folder.h"

namespace transom {
namespace {

TEST(SchemaCache, GivesBackWhatWasSavedForThatFileAndBackend) {
  const SchemaCache cache(temp_folder() + "schema_cache_test");
  ASSERT_TRUE(cache.save("a.yaml", "iris", "one").ok());
  ASSERT_TRUE(cache.save("b.yaml", "iris", "two").ok());
  ASSERT_TRUE(cache.save("a.yaml", "../x/y", "three").ok());
  EXPECT_EQ(cache.load("a.yaml", "iris"), "one");
  EXPECT_EQ(cache.load("b.yaml", "iris"), "two");
  EXPECT_EQ(cache.load("a.yaml", "../x/y"), "three");
  EXPECT_EQ(cache.load("a.yaml", "other"), std::nullopt);
  ASSERT_TRUE(cache.save("a.yaml", "iris", "four").ok());
  EXPECT_EQ(cache.load("a.yaml", "iris"), "four");
}

TEST(SchemaCache, TwoNamesForOneFileAreOne) {
  const SchemaCache cache("/state");
  EXPECT_EQ(cache.file_of("./conf/../a.yaml", "iris"), cache.file_of("a.yaml", "iris"));
}

TEST(SchemaCache, WithoutAFolderItKeepsNothing) {
  const SchemaCache cache("");
  EXPECT_TRUE(cache.save("a.yaml", "iris", "one").ok());
  EXPECT_EQ(cache.load("a.yaml", "iris"), std::nullopt);
}

// The XDG base directory specification: a relative path in the variable is to be ignored.
TEST(SchemaCache, ItsFolderIsConfiguredOrTheUsersStateFolder) {
  setenv("HOME", "/home/someone", 1);
  setenv("XDG_STATE_HOME", "/state", 1);
  EXPECT_EQ(SchemaCache::default_folder("/own"), "/own");
  EXPECT_EQ(SchemaCache::default_folder(""), "/state/transom");
  setenv("XDG_STATE_HOME", "relative", 1);
  EXPECT_EQ(SchemaCache::default_folder(""), "/home/someone/.local/state/transom");
  unsetenv("XDG_STATE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(SchemaCache::default_folder(""), "");
}

}  // namespace
}  // namespace transom
