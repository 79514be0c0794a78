#include "proxy/memory_guard.h"

#include <gtest/gtest.h>

#include <string>

#include "support/loop_runner.h"

namespace transom {
namespace {

constexpr size_t kBudget = 1000;

class Body final : public GuardedBody {
 public:
  Body(MemoryGuard& guard, Charge& charge) : guard_(guard), charge_(charge) { guard_.enter(*this); }
  ~Body() { guard_.leave(*this); }
  void on_body_resumed() override { ++resumed; }
  void on_body_shed() override {
    ++shed;
    charge_.set(0);
  }
  int resumed = 0;
  int shed = 0;

 private:
  MemoryGuard& guard_;
  Charge& charge_;
};

TEST(MemoryGuardTest, ABodyIsAdmittedOnlyWhileItFitsBelowTheMark) {
  Loop loop;
  MemoryAccount account(kBudget);
  MemoryGuard guard(loop, account);
  Charge first(&account);
  Charge second(&account);
  EXPECT_TRUE(guard.admit(first, 500));
  EXPECT_FALSE(guard.admit(second, 400));
  EXPECT_EQ(account.held_bytes(), 500u);
  EXPECT_TRUE(guard.admit(second, 200));
  EXPECT_FALSE(guard.admit(second, 400));
  EXPECT_EQ(second.bytes(), 200u);
}

TEST(MemoryGuardTest, BodiesPauseWhileMemoryIsTightAndGoOnAfterwards) {
  Loop loop;
  MemoryAccount account(kBudget);
  MemoryGuard guard(loop, account);
  Charge charge(&account);
  Body body(guard, charge);
  EXPECT_FALSE(guard.should_pause());
  Charge others(&account);
  others.set(900);
  EXPECT_TRUE(guard.should_pause());
  others.set(100);
  EXPECT_TRUE(run_until(loop, [&] { return body.resumed == 1; }));
  EXPECT_FALSE(guard.should_pause());
  EXPECT_EQ(body.shed, 0);
}

TEST(MemoryGuardTest, TheYoungestIsShedAfterASecondUntilTheAccountHasFallen) {
  Loop loop;
  MemoryAccount account(kBudget);
  MemoryGuard guard(loop, account);
  Charge charges[3] = {Charge(&account), Charge(&account), Charge(&account)};
  Body oldest(guard, charges[0]);
  Body middle(guard, charges[1]);
  Body youngest(guard, charges[2]);
  for (Charge& charge : charges) {
    charge.set(100);
  }
  Charge others(&account);
  others.set(650);  // 950: two must go for 800 and less
  EXPECT_TRUE(guard.should_pause());
  const TimePoint begin = Clock::now();
  EXPECT_TRUE(run_until(loop, [&] { return youngest.shed == 1; }));
  EXPECT_GE(Clock::now() - begin, std::chrono::milliseconds(900));
  EXPECT_TRUE(run_until(loop, [&] { return oldest.resumed == 1; }));
  EXPECT_EQ(middle.shed, 1);
  EXPECT_EQ(oldest.shed, 0);
}

TEST(MemoryGuardTest, NothingNewIsTakenUpWhenTheBudgetIsSpent) {
  Loop loop;
  MemoryAccount account(kBudget);
  MemoryGuard guard(loop, account);
  Charge charge(&account);
  charge.set(950);
  EXPECT_FALSE(guard.is_exhausted());
  charge.set(951);
  EXPECT_TRUE(guard.is_exhausted());
}

}  // namespace
}  // namespace transom
