// SPDX-License-Identifier: Apache-2.0
// GPUs are read beside the training, never by it.
#include "engine/train/gpu_watch.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <new>
#include <thread>

namespace nw {
namespace {

using std::chrono::milliseconds;

template <class Condition>
void wait_for(const Condition& condition) {
  while (!condition()) std::this_thread::sleep_for(milliseconds(1));
}

TEST(GpuWatch, AnswersWhileTheDriverDoesNot) {
  std::latch asked(1), answer(1);
  GpuWatch watch([&]() -> std::vector<GpuWatch::Counters> {
    asked.count_down();
    answer.wait();
    return {{7, 0.5}};
  });
  asked.wait();
  EXPECT_LT(watch.last().at_s, 0) << "nothing was read yet";
  EXPECT_TRUE(watch.last().gpus.empty());
  answer.count_down();
  wait_for([&] { return watch.last().at_s >= 0; });
}

TEST(GpuWatch, CountsTheEnergyOfEachGpuFromTheFirstReading) {
  std::atomic<int> reads = 0;
  GpuWatch watch(
      [&] {
        const double n = reads++;
        return std::vector<GpuWatch::Counters>{{1000 + 2 * n, 0.25}, {50 + 3 * n, 0.75}};
      },
      milliseconds(1));
  wait_for([&] { return reads > 5; });
  const GpuWatch::Reading last = watch.last();
  ASSERT_EQ(last.gpus.size(), 2U);
  EXPECT_GE(last.gpus[0].energy_j, 2);
  EXPECT_LE(last.gpus[0].energy_j, 2.0 * reads);
  EXPECT_EQ(last.gpus[1].energy_j, last.gpus[0].energy_j * 1.5);
  EXPECT_EQ(last.gpus[0].busy, 0.25);
  EXPECT_EQ(last.gpus[1].busy, 0.75);
  EXPECT_GT(last.at_s, 0);
}

TEST(GpuWatch, KeepsTheLastReadingWhereMemoryIsLacking) {
  std::atomic<int> reads = 0;
  GpuWatch watch(
      [&]() -> std::vector<GpuWatch::Counters> {
        if (reads++ > 0) throw std::bad_alloc();
        return {{1, 0.5}};
      },
      milliseconds(1));
  wait_for([&] { return reads > 3; });
  ASSERT_EQ(watch.last().gpus.size(), 1U);
  EXPECT_EQ(watch.last().gpus[0].busy, 0.5);
}

TEST(GpuWatch, EndsAtOnce) {
  std::latch read(1);
  GpuWatch watch(
      [&]() -> std::vector<GpuWatch::Counters> {
        read.count_down();
        return {};
      },
      std::chrono::hours(1));
  read.wait();
}

}  // namespace
}  // namespace nw
