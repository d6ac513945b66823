// SPDX-License-Identifier: Apache-2.0
// Sums of buckets that are begun one after another, while the ranks do something else: the bytes of one sum over all.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <functional>
#include <thread>

#include "engine/parallel/process_group.hpp"
#include "engine/parallel/team.hpp"
#include "tests/engine/parallel/thread_ranks.hpp"

namespace nw {
namespace {
using test::post;
using namespace std::chrono_literals;

constexpr std::int64_t elements = 2500;  // more than are added up at once, and no multiple of anything

/// Numbers whose sum depends on the order.
std::vector<float> bucket_numbers(int rank) {
  std::vector<float> all(elements);
  for (std::size_t i = 0; i < all.size(); ++i)
    all[i] = (rank == 1 ? -1.0F : 1.0F) * (1e6F + 0.37F * static_cast<float>(i)) / static_cast<float>(rank + 3);
  return all;
}

std::vector<float> bucket_totals(int world) {
  std::vector<float> sums = bucket_numbers(0);
  for (int r = 1; r < world; ++r)
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += bucket_numbers(r)[i];
  return sums;
}

/// The parts of the ranks in each of some buckets; some ranks have nothing of some.
std::vector<std::vector<std::int64_t>> bucket_bounds(int world) {
  std::vector<std::vector<std::int64_t>> all;
  const std::int64_t edges[] = {0, 1, 3, 1300, 1301, elements};
  for (std::size_t b = 5; b-- > 0;) {
    all.emplace_back();
    for (int r = 0; r <= world; ++r) all.back().push_back(edges[b] + (edges[b + 1] - edges[b]) * r / world);
  }
  return all;
}

/// Ranks on threads, as devices of one process or as processes.
struct BucketSums : testing::TestWithParam<std::tuple<int, bool>> {
  BucketSums() {
    ::alarm(60);  // a wait without an end ends the program
    if (!std::get<1>(GetParam())) {
      ranks = make_local_communicators(world());
      return;
    }
    post().reset(world());
    for (int r = 0; r < world(); ++r) {
      groups.push_back(*ProcessGroup::join(*test::layers[r], 1.0));
      ranks.push_back(make_process_communicator(*groups.back()));
    }
  }
  ~BucketSums() override { ::alarm(0); }
  static int world() { return std::get<0>(GetParam()); }
  void on_all(const std::function<void(int, RankCommunicator&)>& work) {
    std::vector<std::jthread> threads;
    for (int r = 0; r < world(); ++r) threads.emplace_back([&, r] { work(r, *ranks[static_cast<std::size_t>(r)]); });
  }
  std::vector<std::unique_ptr<ProcessGroup>> groups;
  std::vector<std::unique_ptr<RankCommunicator>> ranks;
};

TEST_P(BucketSums, HaveTheBytesOfSumsInRankOrderStepAfterStep) {
  const std::vector<float> expected = bucket_totals(world());
  double total = 0;
  for (int r = 0; r < world(); ++r) total += 0.1 * (r + 1);
  on_all([&](int rank, RankCommunicator& c) {
    for (int step = 0; step < 20; ++step) {
      std::vector<float> data = bucket_numbers(rank);
      double numbers[] = {0.1 * (rank + 1), 1};
      std::size_t begun = 0;
      for (const auto& bounds : bucket_bounds(world())) {
        c.begin_sum(data.data(), bounds, true);
        if ((step + rank) % 3 == 0) std::this_thread::sleep_for(200us);
        EXPECT_LE(c.advance_sums(), ++begun);
      }
      ASSERT_TRUE(c.finish_sums(numbers));
      EXPECT_EQ(data, expected) << "rank " << rank << " step " << step;
      EXPECT_EQ(numbers[0], total);
      EXPECT_EQ(numbers[1], world());
    }
  });
}

TEST_P(BucketSums, OfPartsReachTheirRankAlone) {
  const std::vector<float> expected = bucket_totals(world());
  std::vector<std::int64_t> part;  // the first rank has nothing
  for (int r = 0; r <= world(); ++r) part.push_back(r < 1 ? 0 : elements * (r - 1) / (world() - 1));
  on_all([&](int rank, RankCommunicator& c) {
    std::vector<float> data = bucket_numbers(rank);
    for (const auto& bounds : bucket_bounds(world())) {
      std::vector<std::int64_t> own;
      for (const std::int64_t b : part) own.push_back(std::clamp(b, bounds.front(), bounds.back()));
      c.begin_sum(data.data(), own, false);
    }
    ASSERT_TRUE(c.finish_sums({}));
    const auto at = static_cast<std::size_t>(rank);
    for (auto i = static_cast<std::size_t>(part[at]); i < static_cast<std::size_t>(part[at + 1]); ++i)
      ASSERT_EQ(data[i], expected[i]) << rank << ' ' << i;
  });
}

/// As long as nobody waits, the sums of what all have begun become complete.
TEST_P(BucketSums, AreCompleteBeforeTheEndWhereAllHaveBegunThem) {
  on_all([&](int rank, RankCommunicator& c) {
    std::vector<float> data = bucket_numbers(rank);
    const auto all = bucket_bounds(world());
    for (std::size_t b = 0; b < 3; ++b) c.begin_sum(data.data(), all[b], true);
    std::size_t here = 0;
    for (int turns = 0; here < 3 && turns < 20000; ++turns, std::this_thread::sleep_for(100us)) here = c.advance_sums();
    EXPECT_EQ(here, 3U) << "of rank " << rank;
    for (std::size_t b = 3; b < all.size(); ++b) c.begin_sum(data.data(), all[b], true);
    EXPECT_TRUE(c.finish_sums({}));
    EXPECT_EQ(data, bucket_totals(world()));
  });
}

TEST_P(BucketSums, AStepWithoutGradientsSumsItsNumbers) {
  on_all([&](int rank, RankCommunicator& c) {
    for (int step = 0; step < 5; ++step) {
      double numbers[] = {static_cast<double>(rank + step)};
      ASSERT_TRUE(c.finish_sums(numbers));
      EXPECT_EQ(numbers[0], world() * (world() - 1) / 2 + world() * step);
    }
  });
}

TEST_P(BucketSums, MeasureTheWaitForALateRank) {
  on_all([&](int rank, RankCommunicator& c) {
    std::vector<float> data = bucket_numbers(rank);
    if (rank == 1) std::this_thread::sleep_for(80ms);
    for (const auto& bounds : bucket_bounds(world())) c.begin_sum(data.data(), bounds, true);
    ASSERT_TRUE(c.finish_sums({}));
    if (rank == 0) EXPECT_GE(c.waited_seconds(), 0.04);
  });
}

TEST_P(BucketSums, AnAbortInTheMiddleOfABucketEndsTheWait) {
  std::vector<std::vector<float>> of_rank;  // the sums use it until the last call below
  for (int r = 0; r < world(); ++r) of_rank.push_back(bucket_numbers(r));
  on_all([&](int rank, RankCommunicator& c) {
    std::vector<float>& data = of_rank[static_cast<std::size_t>(rank)];
    const auto all = bucket_bounds(world());
    for (std::size_t b = 0; b < (rank == 0 ? 2U : all.size()); ++b) c.begin_sum(data.data(), all[b], true);
    if (rank == 0) std::this_thread::sleep_for(50ms);
    if (rank == 0 || std::get<1>(GetParam())) return c.abort();  // a process aborts for itself alone
    EXPECT_FALSE(c.finish_sums({}));
    EXPECT_FALSE(c.finish_sums({})) << "and later ones";
  });
  on_all([&](int rank, RankCommunicator& c) {
    if (rank > 0) EXPECT_FALSE(c.finish_sums({}));
  });
}

TEST_P(BucketSums, ARankThatIsLostInTheMiddleOfABucketIsNamedAndNobodyWaits) {
  if (!std::get<1>(GetParam())) GTEST_SKIP() << "threads end by abort()";
  std::this_thread::sleep_for(600ms);       // all have heard of each other
  std::vector<std::vector<float>> of_rank;  // messages that are on their way use it
  for (int r = 0; r < world(); ++r) of_rank.push_back(bucket_numbers(r));
  on_all([&](int rank, RankCommunicator& c) {
    std::vector<float>& data = of_rank[static_cast<std::size_t>(rank)];
    const auto all = bucket_bounds(world());
    if (rank + 1 == world()) {
      c.begin_sum(data.data(), all[0], true);
      post().silent[static_cast<std::size_t>(rank)] = true;  // it has sent its parts of one bucket, and no sums
      return;
    }
    for (const auto& bounds : all) c.begin_sum(data.data(), bounds, true);
    EXPECT_FALSE(c.finish_sums({}));
    EXPECT_TRUE(groups[static_cast<std::size_t>(rank)]->lost());
  });
}

INSTANTIATE_TEST_SUITE_P(Ranks, BucketSums, testing::Combine(testing::Values(2, 3, 4), testing::Bool()),
                         [](const auto& p) {
                           return std::to_string(std::get<0>(p.param)) +
                                  (std::get<1>(p.param) ? "Processes" : "Devices");
                         });

}  // namespace
}  // namespace nw
