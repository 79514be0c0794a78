#include "control/last_good_copy.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace transom {
namespace {

class LastGoodCopy : public testing::Test {
 protected:
  LastGoodCopy() {
    std::string name = testing::TempDir() + "last_good_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~LastGoodCopy() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_;
};

TEST_F(LastGoodCopy, ComesBackAsItWasSaved) {
  const std::string path = folder_ / "new" / "iris.pb";
  const std::string bytes("\0\xff\n\r", 4);
  ASSERT_TRUE(save_last_good_copy(path, "older and longer").ok());
  ASSERT_TRUE(save_last_good_copy(path, bytes).ok());
  auto loaded = load_last_good_copy(path);
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(*loaded, bytes);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_ / "new"), {}), 1) << "a temporary file was left";
}

TEST_F(LastGoodCopy, IsNotFoundWhereNoneIs) {
  auto loaded = load_last_good_copy(folder_ / "none.pb");
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.status().code, Code::NotFound);
}

TEST_F(LastGoodCopy, KeepsTheOldOneWhenSavingFails) {
  const std::string path = folder_ / "iris.pb";
  ASSERT_TRUE(save_last_good_copy(path, "good").ok());
  Status status = save_last_good_copy(path + "/below.pb", "bad");
  EXPECT_FALSE(status.ok());
  EXPECT_NE(status.message.find(path), std::string::npos);
  EXPECT_EQ(*load_last_good_copy(path), "good");
}

}  // namespace
}  // namespace transom
