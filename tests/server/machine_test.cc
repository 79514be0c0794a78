#include "server/machine.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "support/temp_folder.h"

namespace transom {
namespace {

// A root with the files that the kernel would show there.
class Root {
 public:
  Root() : folder_(std::filesystem::path(temp_folder()) / "machine_test_root") {
    std::filesystem::remove_all(folder_);
  }
  ~Root() { std::filesystem::remove_all(folder_); }
  void put(const std::string& file, const std::string& text) {
    std::filesystem::create_directories((folder_ / file).parent_path());
    std::ofstream(folder_ / file) << text;
  }
  const std::filesystem::path& folder() const { return folder_; }

 private:
  std::filesystem::path folder_;
};

TEST(CgroupMemory, IsTheLeastLimitOnTheWayUp) {
  Root root;
  EXPECT_EQ(cgroup_memory_bytes(root.folder()), std::numeric_limits<uint64_t>::max());
  root.put("proc/self/cgroup", "0::/slice/service\n");
  root.put("sys/fs/cgroup/slice/memory.max", "1000\n");
  root.put("sys/fs/cgroup/slice/service/memory.max", "max\n");
  EXPECT_EQ(cgroup_memory_bytes(root.folder()), 1000u);
  root.put("sys/fs/cgroup/slice/service/memory.max", "500\n");
  EXPECT_EQ(cgroup_memory_bytes(root.folder()), 500u);
}

TEST(CgroupMemory, VersionOneIsReadToo) {
  Root root;
  root.put("proc/self/cgroup", "9:cpu:/a\n5:memory:/a\n");
  root.put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  root.put("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "4096\n");
  EXPECT_EQ(cgroup_memory_bytes(root.folder()), 4096u);
}

TEST(MemoryBudget, IsWhatIsConfiguredElsePartOfTheMachine) {
  EXPECT_EQ(memory_budget_bytes(1234), 1234u);
  EXPECT_GT(memory_budget_bytes(0), 1u << 20);
}

TEST(WorkerCount, IsWhatIsConfiguredElseTheCores) {
  EXPECT_EQ(worker_count(3), 3u);
  EXPECT_GE(worker_count(0), 1u);
}

TEST(DescriptorLimit, IsRaisedToTheHardOne) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit low{std::min<rlim_t>(64, before.rlim_max), before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  EXPECT_EQ(raise_descriptor_limit(), before.rlim_max);
}

TEST(SessionBound, IsWhatIsConfiguredElseWhatDescriptorsLeave) {
  rlimit limit{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(session_bound(7, 100), 7u);
  EXPECT_EQ(session_bound(0, 10), limit.rlim_cur - 10);
  EXPECT_EQ(session_bound(0, limit.rlim_cur), limit.rlim_cur / 2);
}

}  // namespace
}  // namespace transom
