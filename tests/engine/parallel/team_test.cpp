// SPDX-License-Identifier: Apache-2.0
#include "engine/parallel/team.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <new>
#include <set>
#include <system_error>
#include <thread>
#include <utility>

namespace nw {
namespace {

TEST(Team, RunsEachWorkerOnceAndTheCallerIsWorkerZero) {
  for (int size : {1, 2, 3, 4, 7}) {
    const auto team = make_team(size);
    EXPECT_EQ(team->size(), size);
    for (int round = 0; round < 200; ++round) {
      std::vector<int> calls(static_cast<std::size_t>(size), 0);
      std::thread::id zero;
      team->run([&](int worker) {
        ++calls[static_cast<std::size_t>(worker)];
        if (worker == 0) zero = std::this_thread::get_id();
      });
      EXPECT_EQ(calls, std::vector<int>(static_cast<std::size_t>(size), 1));
      EXPECT_EQ(zero, std::this_thread::get_id());
    }
  }
}

TEST(Team, NoOnePassesABarrierBeforeAllHaveReachedIt) {
  const auto team = make_team(4);
  std::atomic<int> reached{0}, early{0};
  team->run([&](int worker) {
    for (int round = 1; round <= 500; ++round) {
      ++reached;
      team->barrier(worker);
      if (reached < round * 4) ++early;
      team->barrier(worker);
    }
  });
  EXPECT_EQ(reached, 2000);
  EXPECT_EQ(early, 0);
}

TEST(Team, WakesAfterItsWorkersFellAsleep) {
  const auto team = make_team(3);
  std::atomic<int> calls{0};
  for (int i = 0; i < 5; ++i) {
    team->run([&](int) { ++calls; });
    // much longer than the spinning phase; the result does not depend on the duration
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_EQ(calls, 15);
}

/// A worker that falls asleep while a new call arrives must still be woken. Delays of up to 60 µs cover the moment at
/// which spinning ends; a lost wake-up would hang here.
TEST(Team, MissesNoWakeUpAtTheMomentOfFallingAsleep) {
  const auto team = make_team(2);
  const auto delay = [](int nanoseconds) {
    for (const auto end = std::chrono::steady_clock::now() + std::chrono::nanoseconds(nanoseconds);
         std::chrono::steady_clock::now() < end;) {}
  };
  std::int64_t calls = 0;
  for (int round = 0; round < 50'000; ++round)
    team->run([&](int worker) {
      if (worker == round % 2) delay(round * 7919 % 60'000);
      if (worker == 0) ++calls;
    });
  EXPECT_EQ(calls, 50'000);
}

/// Starts threads up to a number, then fails like a system at its limit.
ThreadStarter starter_of(int most) {
  return [left = std::make_shared<std::atomic<int>>(most)](std::function<void()> body) {
    if (--*left < 0) throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again));
    return start_thread(std::move(body));
  };
}

TEST(Team, AFailedThreadEndsTheOthersAndNamesTheLimit) {
  for (const int most : {0, 1, 5}) {
    const auto team = start_team(8, starter_of(most));
    ASSERT_FALSE(team);
    EXPECT_NE(team.error().str().find("no more threads can be started"), std::string::npos) << team.error().str();
    EXPECT_NE(team.error().str().find("limit"), std::string::npos) << team.error().str();
  }
  const auto team = start_team(8, starter_of(7));
  ASSERT_TRUE(team);
  std::atomic<int> calls{0};
  (*team)->run([&](int) { ++calls; });
  EXPECT_EQ(calls, 8);
}

/// Starts threads up to a number, then finds no memory for another.
ThreadStarter starter_with_memory_for(int most) {
  return [left = std::make_shared<std::atomic<int>>(most)](std::function<void()> body) {
    if (--*left < 0) throw std::bad_alloc();
    return start_thread(std::move(body));
  };
}

/// The threads that were started wait for work, and nobody is left to give them any.
TEST(Team, WithoutMemoryForAThreadTheOthersEnd) {
  for (const int most : {0, 1, 5}) EXPECT_THROW((void)start_team(8, starter_with_memory_for(most)), std::bad_alloc);
}

TEST(Team, AnExceptionOfAnyWorkerReachesTheCallerOnceAllHaveReturned) {
  const auto team = make_team(3);
  for (int thrower = 0; thrower < 3; ++thrower) {
    std::atomic<int> returned{0};
    EXPECT_THROW(team->run([&](int worker) {
      if (worker == thrower) throw std::bad_alloc();
      ++returned;
    }),
                 std::bad_alloc);
    EXPECT_EQ(returned, 2);
    team->run([&](int) { ++returned; });
    EXPECT_EQ(returned, 5) << "the team works on";
  }
}

TEST(Threads, WorkThatFewerThreadsCanDoGoesOnWithoutMemoryForMore) {
  std::atomic<int> calls{0};
  EXPECT_EQ(start_some_threads(
                8, [&] { ++calls; }, starter_with_memory_for(3))
                .size(),
            3U);
  EXPECT_EQ(calls, 3);
}

TEST(Threads, WorkThatFewerThreadsCanDoGoesOnWithFewer) {
  std::atomic<int> calls{0};
  {
    const auto threads = start_some_threads(
        8, [&] { ++calls; }, starter_of(3));
    EXPECT_EQ(threads.size(), 3U);
  }
  EXPECT_EQ(calls, 3);
}

TEST(Team, RequestedThreadsWinOverTheMachines) {
  EXPECT_EQ(default_threads(3), 3);
  EXPECT_GE(default_threads(0), 1);
}

TEST(LocalCommunicator, EveryRankGetsTheSameBytesInRankOrder) {
  constexpr int world = 3;
  constexpr std::int64_t count = 1001;
  const auto ranks = make_local_communicators(world);
  const auto team = make_team(world);
  std::vector<std::vector<float>> data(world, std::vector<float>(count));
  std::vector<float> expected(count);
  for (int round = 0; round < 50; ++round) {
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t r = 0; r < world; ++r)
        data[r][i] = 1.0F / static_cast<float>(1 + i + 7 * r + static_cast<std::size_t>(round));
      expected[i] = (data[0][i] + data[1][i]) + data[2][i];
    }
    std::atomic<bool> all{true};
    team->run([&](int r) {
      all = all && ranks[static_cast<std::size_t>(r)]->all_reduce_sum(data[static_cast<std::size_t>(r)].data(), count);
    });
    EXPECT_TRUE(all);
    for (const auto& d : data) EXPECT_EQ(d, expected);
  }
}

TEST(LocalCommunicator, ScattersSumsAndGathersWhatEachRankHas) {
  const auto ranks = make_local_communicators(3);
  const std::vector<std::int64_t> bounds = {0, 5, 5, 12};  // rank 1 has nothing
  std::vector<std::vector<float>> data(3, std::vector<float>(12));
  for (std::size_t r = 0; r < 3; ++r)
    for (std::size_t i = 0; i < 12; ++i) data[r][i] = 1.0F / static_cast<float>(1 + i + 7 * r);
  std::vector<float> sums(12);
  for (std::size_t i = 0; i < 12; ++i) sums[i] = (data[0][i] + data[1][i]) + data[2][i];
  std::vector<std::int64_t> bytes;
  for (const std::int64_t b : bounds) bytes.push_back(4 * b);
  make_team(3)->run([&](int r) {
    const auto i = static_cast<std::size_t>(r);
    ASSERT_TRUE(ranks[i]->reduce_scatter_sum(data[i].data(), bounds));
    for (auto e = static_cast<std::size_t>(bounds[i]); e < static_cast<std::size_t>(bounds[i + 1]); ++e)
      EXPECT_EQ(data[i][e], sums[e]) << r;
    ASSERT_TRUE(ranks[i]->all_gather(reinterpret_cast<std::byte*>(data[i].data()), bytes));
  });
  for (const auto& d : data) EXPECT_EQ(d, sums);
}

TEST(LocalCommunicator, MeasuresTheWaitForALateRank) {
  const auto ranks = make_local_communicators(2);
  make_team(2)->run([&](int r) {
    double mine = 1;
    if (r == 1) std::this_thread::sleep_for(std::chrono::milliseconds(60));
    EXPECT_TRUE(ranks[static_cast<std::size_t>(r)]->all_reduce_sum(&mine, 1));
  });
  EXPECT_GE(ranks[0]->waited_seconds(), 0.03);
  EXPECT_LT(ranks[1]->waited_seconds(), ranks[0]->waited_seconds());
}

TEST(LocalCommunicator, AbortWakesARankThatWaitsForOneThatNeverComes) {
  const auto ranks = make_local_communicators(2);
  double mine = 1;
  bool answer = true;
  std::thread waiting([&] { answer = ranks[0]->all_reduce_sum(&mine, 1); });
  ranks[1]->abort();
  waiting.join();
  EXPECT_FALSE(answer);
  EXPECT_FALSE(ranks[1]->all_reduce_sum(&mine, 1)) << "an aborted group stays aborted";
}

}  // namespace
}  // namespace nw
