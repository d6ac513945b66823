// SPDX-License-Identifier: GPL-3.0-or-later
// What tests/support/window_threads.cpp tells the thread sanitizer: a hand-over through Qt is no race, and a race
// beside one is reported.
#ifdef NW_THREAD_SANITIZED
#include <gmock/gmock.h>

#include <QCoreApplication>
#include <QMetaObject>
#include <QThreadPool>
#include <thread>
#include <vector>

#include "tests/support/wait_for.hpp"

namespace nw::ui {
namespace {

constexpr int sanitizer_exit_code = 66;

/// Threads that each fill a list and hand it to this thread; `afterwards` is called by each when it has handed it over.
template <class Afterwards>
void handOver(Afterwards afterwards) {
  std::size_t sum = 0, received = 0;
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < 20; ++i)
    threads.emplace_back([&, i] {
      QMetaObject::invokeMethod(
          qApp,
          [&, list = std::vector<std::size_t>(1, i)] {
            sum += list.front();
            ++received;
          },
          Qt::QueuedConnection);
      afterwards(sum);
    });
  ASSERT_TRUE(test::wait_for([&] { return received == 20; }));
}

TEST(HandOver, ThroughAPostedCallIsNoRace) {
  handOver([](std::size_t&) {});
}

TEST(HandOver, ThroughAPoolIsNoRace) {
  QThreadPool pool;
  std::vector<int> list(1, 1);
  pool.start([&] { list.push_back(2); });
  pool.waitForDone();
  EXPECT_EQ(list.back(), 2);
}

TEST(HandOverDeathTest, ARaceBesideAPostedCallIsReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto race = [] {
    handOver([](std::size_t& sum) { sum += 1; });
    std::exit(0);
  };
  EXPECT_EXIT(race(), testing::ExitedWithCode(sanitizer_exit_code), "data race");
}

TEST(HandOverDeathTest, ARaceBesideAPoolIsReported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto race = [] {
    QThreadPool pool;
    int count = 0;
    pool.start([&] { ++count; });
    ++count;
    pool.waitForDone();
    std::exit(0);
  };
  EXPECT_EXIT(race(), testing::ExitedWithCode(sanitizer_exit_code), "data race");
}

}  // namespace
}  // namespace nw::ui
#endif
