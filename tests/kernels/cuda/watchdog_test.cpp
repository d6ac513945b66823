// SPDX-License-Identifier: Apache-2.0
// The watchdog finds which of several devices that wait for each other hangs.
#include "kernels/cuda/watchdog.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <thread>

namespace nw::test {
namespace {

[[noreturn]] void wait_on(const std::string& device, const std::int32_t& mark, const std::string& layer) {
  const cuda::Watched guard({.device = device,
                             .doing = "step 7",
                             .place = [layer] { return layer; },
                             .mark = &mark,
                             .ranks = 2,
                             .patience = 0.05});
  for (;;) ::pause();
}

TEST(WatchdogDeathTest, ReportsTheDeviceWithTheLeastProgressAndItsLayer) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto both_hang = [] {
    ::setenv("NETWRIGHT_GPU_PATIENCE_S", "4", 1);
    static const std::int32_t far = 40, near = 12;
    std::thread other([] { wait_on("cuda:0", far, "fc1"); });
    wait_on("cuda:1", near, "conv2");
  };
  EXPECT_EXIT(both_hang(), testing::ExitedWithCode(static_cast<int>(Errc::no_device)),
              "cuda:1 does not respond \\(step 7, conv2\\)");
}
// With the other device in the same wait it would end at once; alone the device waits for a host that is still busy.
TEST(WatchdogDeathTest, ADeviceWaitingForTheHostOfAnotherDeviceDoesNotTimeOut) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto one_waits = [] {
    ::setenv("NETWRIGHT_GPU_PATIENCE_S", "4", 1);
    static const std::int32_t mark = 3;
    std::thread([] { wait_on("cuda:0", mark, "conv1"); }).detach();
    ::alarm(1);  // twenty times the watchdog timeout
    for (;;) ::pause();
  };
  EXPECT_EXIT(one_waits(), testing::KilledBySignal(SIGALRM), "");
}

// The device that failed does not come back: the other one is alone with a wait that does not end.
TEST(WatchdogDeathTest, ReportsADeviceThatWaitsForOneThatFailed) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto one_fails = [] {
    ::setenv("NETWRIGHT_GPU_PATIENCE_S", "4", 1);
    static std::atomic<bool> failed = false;
    const auto waiting = [](const char* device) {
      return cuda::WatchedCall{.device = device,
                               .doing = "step 7",
                               .ranks = 2,
                               .peers_left = [] { return failed.load(); },
                               .patience = 0.05};
    };
    std::thread([waiting] {
      { const cuda::Watched guard(waiting("cuda:0")); }
      failed = true;
    }).detach();
    const cuda::Watched guard(waiting("cuda:1"));
    ::alarm(20);
    for (;;) ::pause();
  };
  EXPECT_EXIT(one_fails(), testing::ExitedWithCode(static_cast<int>(Errc::no_device)), "cuda:1 does not respond");
}

/// Steps 0 to `last`, of which `ended` have ended.
cuda::WatchedCall steps_until(const char* device, std::int64_t last, std::size_t ended, const std::int32_t* mark) {
  return {.device = device,
          .doing = "steps",
          .mark = mark,
          .ended = [ended] { return ended; },
          .ranks = 2,
          .last_step = last,
          .steps = static_cast<std::size_t>(last) + 1,
          .patience = 0.05};
}
// The other one has done the same steps and waits on the host, until this one comes too: nobody is busy.
TEST(WatchdogDeathTest, ReportsADeviceThatHangsInStepsThatTheOtherHasDone) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto one_is_ahead = [] {
    ::setenv("NETWRIGHT_GPU_PATIENCE_S", "4", 1);
    static const std::int32_t mark = 9;
    std::thread([] { const cuda::Watched guard(steps_until("cuda:0", 5, 6, &mark)); }).join();
    const cuda::Watched guard(steps_until("cuda:1", 5, 4, &mark));
    ::alarm(20);
    for (;;) ::pause();
  };
  EXPECT_EXIT(one_is_ahead(), testing::ExitedWithCode(static_cast<int>(Errc::no_device)), "cuda:1 does not respond");
}
// Marks begin anew with each step.
TEST(WatchdogDeathTest, ReportsTheDeviceThatHasEndedFewerSteps) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto both_hang = [] {
    ::setenv("NETWRIGHT_GPU_PATIENCE_S", "4", 1);
    static const std::int32_t late = 40, early = 3;
    std::thread([] {
      const cuda::Watched guard(steps_until("cuda:0", 5, 5, &early));
      for (;;) ::pause();
    }).detach();
    const cuda::Watched guard(steps_until("cuda:1", 5, 4, &late));
    ::alarm(20);
    for (;;) ::pause();
  };
  EXPECT_EXIT(both_hang(), testing::ExitedWithCode(static_cast<int>(Errc::no_device)), "cuda:1 does not respond");
}

TEST(WatchdogDeathTest, HostWorkDuringAPauseDoesNotTimeOut) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto loads = [] {
    ::setenv("NETWRIGHT_GPU_PATIENCE_S", "4", 1);
    const cuda::Watched guard({.device = "cuda:0", .doing = "step 7", .patience = 0.05});
    const cuda::WatchdogPause own_time;
    ::alarm(1);
    for (;;) ::pause();
  };
  EXPECT_EXIT(loads(), testing::KilledBySignal(SIGALRM), "");
}

void wait_for(std::chrono::milliseconds all, std::int32_t* mark, double patience) {
  const cuda::Watched guard({.device = "cuda:0", .doing = "step 7", .mark = mark, .patience = patience});
  for (const auto end = std::chrono::steady_clock::now() + all; std::chrono::steady_clock::now() < end;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (mark) __atomic_store_n(mark, *mark + 1, __ATOMIC_RELAXED);
  }
}
// A second without progress would be too much, in both.
TEST(WatchdogDeathTest, ADeviceThatMakesProgressIsNotReported) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto works = [] {
    ::setenv("NETWRIGHT_GPU_PATIENCE_S", "1", 1);
    static std::int32_t mark = 0;
    wait_for(std::chrono::milliseconds(2500), &mark, 1);
    ::_exit(0);
  };
  EXPECT_EXIT(works(), testing::ExitedWithCode(0), "");
}
TEST(WatchdogDeathTest, ACallMayHaveALongerTimeout) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto works = [] {
    ::setenv("NETWRIGHT_GPU_PATIENCE_S", "1", 1);
    wait_for(std::chrono::milliseconds(2500), nullptr, 100);
    ::_exit(0);
  };
  EXPECT_EXIT(works(), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace nw::test
