// SPDX-License-Identifier: Apache-2.0
// Four fake GPUs with a fake NCCL: order and overlap of the all-reduces, the same weights as on one device, and the
// behaviour of the other GPUs when one fails.
#include <gmock/gmock.h>

#include <algorithm>
#include <thread>

#include "engine/parallel/team.hpp"
#include "kernels/cuda/reduce.hpp"
#include "tests/kernels/cuda/fakes/fake_gpus.hpp"
#include "tests/support/bucket_net.hpp"
#include "tests/support/sanitized.hpp"

namespace nw::test {
namespace {

constexpr int world = 4;
constexpr std::int64_t batch_of_a_gpu = 2;  // per GPU

class Nccl : public testing::Test {
 protected:
  Nccl() { cuda::fake_nccl(true); }
  ~Nccl() override {
    cuda::fake_nccl(false);
    cuda::fake_late(false);
  }
};

struct Ranks {
  std::vector<std::unique_ptr<RankCommunicator>> communicators = make_local_communicators(world);
  std::vector<Learned> learned = std::vector<Learned>(world);
  std::vector<Status> ended = std::vector<Status>(world);
  std::vector<std::string> choices;
  bool own_statistics = false, same_images = false;

  /// Every rank on its own thread, as in the engine.
  void train(std::int64_t steps, cuda::FakeFault fault = {}) {
    (void)fake_gpu(fault);
    std::vector<std::thread> threads;
    for (int rank = 0; rank < world; ++rank) threads.emplace_back([this, rank, steps] { train_rank(rank, steps); });
    for (std::thread& t : threads) t.join();
  }

 private:
  void train_rank(int rank, std::int64_t steps) {
    const auto r = static_cast<std::size_t>(rank);
    ended[r] = try_rank(rank, steps);
    if (!ended[r]) communicators[r]->abort();
  }
  Status try_rank(int rank, std::int64_t steps) {
    const auto r = static_cast<std::size_t>(rank);
    const auto gpu = cuda::cuda_backend().devices().at(r);
    const NetBuilder n = net_of_several_buckets(batch_of_a_gpu, world, own_statistics);
    TestTeam team(1);
    const Plan plan = n.tiny.finish(*gpu);
    NW_ASSIGN(auto executable, gpu->prepare(plan, {.team = &team, .communicator = communicators[r].get()}));
    Bench b(plan, std::move(executable));
    initialise(b);
    for (std::int64_t i = 0; i < steps; ++i) {
      load_digits(b, (i * world + (same_images ? 0 : rank)) * batch_of_a_gpu);
      StepArgs a = step_args(i, batch_of_a_gpu, 0.05);
      a.global_valid = world * batch_of_a_gpu;
      NW_TRY(b.executable().run(a));
      learned[r].losses.push_back(b.executable().metrics().loss_sum);
      learned[r].norm = b.executable().metrics().grad_norm;
    }
    read_state(b, learned[r]);
    if (rank == 0) choices = b.executable().choices();
    return b.executable().health();
  }
};

/// The result of one device alone for the shard of `rank`.
Learned share_of(int rank, std::int64_t steps) {
  const auto gpu = fake_gpu();
  Bench b(net_of_several_buckets(batch_of_a_gpu, 1).tiny, *gpu, 1);
  initialise(b);
  Learned l;
  for (std::int64_t i = 0; i < steps; ++i) {
    load_digits(b, (i * world + rank) * batch_of_a_gpu);
    EXPECT_TRUE(static_cast<bool>(b.executable().run(step_args(i, batch_of_a_gpu, 0.05))));
    l.losses.push_back(b.executable().metrics().loss_sum);
  }
  read_state(b, l);
  return l;
}
Learned on_one_device(std::int64_t steps) {
  const auto gpu = fake_gpu();
  Bench b(net_of_several_buckets(world * batch_of_a_gpu, 1).tiny, *gpu, 1);
  initialise(b);
  Learned l;
  for (std::int64_t i = 0; i < steps; ++i) {
    load_digits(b, i * world * batch_of_a_gpu);
    EXPECT_TRUE(static_cast<bool>(b.executable().run(step_args(i, world * batch_of_a_gpu, 0.05))));
    l.losses.push_back(b.executable().metrics().loss_sum);
  }
  l.norm = b.executable().metrics().grad_norm;
  read_state(b, l);
  return l;
}

TEST_F(Nccl, FourRanksTrainAsOneDevice) {
  Ranks ranks;
  ranks.train(4);
  const Learned wanted = on_one_device(4);
  for (int r = 0; r < world; ++r) {
    const auto i = static_cast<std::size_t>(r);
    ASSERT_TRUE(static_cast<bool>(ranks.ended[i])) << ranks.ended[i].error().str();
    EXPECT_EQ(ranks.learned[i], ranks.learned[0]) << "rank " << r;
  }
  for (std::size_t s = 0; s < 4; ++s)
    EXPECT_NEAR(ranks.learned[0].losses[s], wanted.losses[s], 1e-5 * wanted.losses[s]);
  EXPECT_LT(relative_distance(ranks.learned[0].weights, wanted.weights), 1e-5);
  EXPECT_LT(relative_distance(ranks.learned[0].buffers, wanted.buffers), 1e-5);
  EXPECT_NEAR(ranks.learned[0].norm, wanted.norm, 1e-5 * wanted.norm);
  EXPECT_THAT(ranks.choices, testing::Contains(testing::HasSubstr("NCCL")));
}
TEST_F(Nccl, RanksWithLocalBatchStatisticsNormalizeAsASingleDevice) {
  Ranks own;
  own.own_statistics = true;
  own.train(1);
  double losses = 0;
  for (int r = 0; r < world; ++r) {
    const auto i = static_cast<std::size_t>(r);
    ASSERT_TRUE(static_cast<bool>(own.ended[i])) << own.ended[i].error().str();
    const Learned alone = share_of(r, 1);
    EXPECT_EQ(own.learned[i].buffers, alone.buffers) << "running statistics of rank " << r;
    EXPECT_EQ(own.learned[i].weights, own.learned[0].weights) << "gradients are still summed";
    losses += alone.losses[0];
  }
  EXPECT_NE(own.learned[1].buffers, own.learned[0].buffers);
  EXPECT_NEAR(own.learned[0].losses[0], losses, 1e-6 * losses);
  Ranks shared;
  shared.train(1);
  EXPECT_GT(std::abs(shared.learned[0].losses[0] - losses), 1e-4 * losses) << "or the option would be none";
}
TEST_F(Nccl, LocalStatisticsOfIdenticalImagesEqualGlobalOnes) {
  Ranks own, shared;
  own.own_statistics = own.same_images = shared.same_images = true;
  own.train(3);
  shared.train(3);
  EXPECT_LT(relative_distance(own.learned[0].weights, shared.learned[0].weights), 1e-5);
  EXPECT_NEAR(own.learned[0].losses[2], shared.learned[0].losses[2], 1e-5 * shared.learned[0].losses[2]);
}
TEST_F(Nccl, DelayedAllReducesDoNotChangeTheResult) {
  Ranks early, late;
  early.train(3);
  cuda::fake_late(true);
  late.train(3);
  EXPECT_EQ(late.learned[0], early.learned[0]);
}
TEST_F(Nccl, BucketsAreReducedInOrderDuringTheBackwardPass) {
  Ranks ranks;
  ranks.train(1);
  const auto calls = cuda::fake_last_graph();
  std::vector<std::size_t> sums, last_backward;
  std::size_t gradients = 0;
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].what == "nw_conv2d_grad_weight_f32") last_backward.push_back(i);
    if (calls[i].what != "all_reduce") continue;
    if (calls[i].count > 1000) sums.push_back(i), gradients += calls[i].count;
  }
  ASSERT_GE(sums.size(), 3u);
  ASSERT_FALSE(last_backward.empty());
  EXPECT_LT(sums[1], last_backward.front()) << "sums begin before the backward pass is over";
  for (std::size_t i = sums[0]; i < sums[1]; ++i)
    EXPECT_FALSE(calls[i].what == "wait" && calls[i].stream == 0) << "nothing waits for a bucket but the update";
  const auto update =
      std::find_if(calls.begin(), calls.end(), [](const auto& c) { return c.what == "nw_squares_of_gradients"; });
  ASSERT_NE(update, calls.end());
  EXPECT_TRUE(std::any_of(calls.begin() + static_cast<std::ptrdiff_t>(sums.back()), update,
                          [](const auto& c) { return c.what == "wait"; }));
  EXPECT_GE(gradients, 400u * 600 + 600 * 500);
}
/// Batch norm's statistics over all devices: the step waits for them at once, so they must not queue behind gradients.
TEST_F(Nccl, StatisticsOfBatchNormDoNotWaitForGradients) {
  Ranks ranks;
  ranks.train(1);
  const auto calls = cuda::fake_last_graph();
  std::size_t first_bucket = calls.size(), statistics = 0;
  int buckets = 0, urgent = 0;  // their streams
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (calls[i].what != "all_reduce") continue;
    if (calls[i].priority < 0) {
      urgent = calls[i].stream;
      statistics += i > first_bucket;
    } else {
      first_bucket = std::min(first_bucket, i);
      buckets = calls[i].stream;
    }
  }
  ASSERT_NE(urgent, 0) << "no sum has a high priority";
  EXPECT_NE(urgent, buckets);
  EXPECT_GT(statistics, 0u) << "or nothing is proved: no statistics come after the first gradients";
  const auto update =
      std::find_if(calls.begin(), calls.end(), [](const auto& c) { return c.what == "nw_squares_of_gradients"; });
  for (auto c = calls.begin(); c != update; ++c)
    EXPECT_FALSE(c->what == "wait" && c->stream == urgent && c->waits_for == buckets);
  const auto waits = std::count_if(calls.begin(), update, [&](const auto& c) {
    return c.what == "wait" && c.stream == 0 && c.waits_for == buckets;
  });
  EXPECT_EQ(waits, 1) << "the step waits for gradients once, before the update";
}
/// A plan without such statistics needs no second communicator, whose buffers take memory.
TEST_F(Nccl, OneCommunicatorServesAPlanWithoutSharedStatistics) {
  Ranks own;
  own.own_statistics = true;
  own.train(1);
  for (const auto& call : cuda::fake_last_graph()) {
    EXPECT_EQ(call.priority, 0);
    EXPECT_LE(call.stream, 1);
  }
}
TEST_F(Nccl, AFailedRankEndsAllRanksWithItsError) {
  Ranks all;
  all.train(2);  // opens the GPUs
  for (const int gpu : {0, 2}) {
    int failures = 0;
    for (std::int64_t at = 0; at < 400; at += sanitized ? 39 : 13) {
      EXPECT_EQ(cuda::fake_nccl_stuck(), 0) << "before call " << at;
      Ranks ranks;
      ranks.train(2, {at, 46, gpu});
      const Status& lost = ranks.ended[static_cast<std::size_t>(gpu)];
      if (lost) break;  // the device made fewer calls
      ++failures;
      EXPECT_EQ(lost.error().code, Errc::no_device) << "call " << at << ": " << lost.error().str();
      for (int r = 0; r < world; ++r) {
        const Status& s = ranks.ended[static_cast<std::size_t>(r)];
        EXPECT_TRUE(r == gpu || s || s.error().code == Errc::stopped)
            << "call " << at << " rank " << r << ": " << s.error().str();
      }
    }
    EXPECT_GE(failures, 3) << "GPU " << gpu << ": the steps were over before a call failed";
  }
}
// Its sums never came: no other rank may take the step for trained.
TEST_F(Nccl, AStepThatOneRankDidNotFinishCountsOnNone) {
  Ranks ranks;
  ranks.train(2, {.code = 700, .gpu = 2, .at_kernel = 5});
  for (std::size_t r = 0; r < world; ++r) {
    ASSERT_FALSE(static_cast<bool>(ranks.ended[r])) << "rank " << r;
    EXPECT_EQ(ranks.ended[r].error().code, r == 2 ? Errc::other : Errc::stopped);
    EXPECT_TRUE(ranks.learned[r].losses.empty()) << "rank " << r;
  }
}
/// A context may be made current although its GPU has failed. NCCL could wait for that GPU for ever.
TEST_F(Nccl, TheCommunicatorOfAGpuThatFailedIsLeftToTheEndOfTheProcess) {
  Ranks all;
  all.train(2);  // opens the GPUs
  (void)cuda::fake_nccl_stuck();
  int failures = 0;
  for (std::int64_t at = 0; at < 400; at += sanitized ? 21 : 7) {
    Ranks ranks;
    ranks.train(2, {.at_call = at, .code = 700, .gpu = 1, .quiet_contexts = true});
    ASSERT_EQ(cuda::fake_nccl_stuck(), 0) << "call " << at;
    failures += !ranks.ended[1];
    if (ranks.ended[1]) break;  // the device made fewer calls
  }
  EXPECT_GT(failures, sanitized ? 3 : 10);
}
/// Every call of the preparation fails once, among them those between the exchange of NCCL's key and its
/// initialization, which waits for all ranks.
TEST_F(Nccl, ARankThatFailsWhilePreparingLeavesNoOtherWaiting) {
  Ranks all;
  all.train(1);  // opens the GPUs
  (void)cuda::fake_nccl_stuck();
  int failures = 0;
  for (const int gpu : {0, 3})
    for (std::int64_t at = 0; at < 60; at += sanitized ? 3 : 1) {
      Ranks ranks;
      ranks.train(1, {at, 46, gpu});
      failures += !ranks.ended[static_cast<std::size_t>(gpu)];
      ASSERT_EQ(cuda::fake_nccl_stuck(), 0) << "GPU " << gpu << ", call " << at;
    }
  EXPECT_GT(failures, sanitized ? 33 : 100) << "or the faults are beyond the preparation";
}
TEST_F(Nccl, GraphsAreDestroyedBeforeACommunicatorIsAborted) {
  Ranks all;
  all.train(2);
  const std::int64_t calls = cuda::fake_calls() / world;
  (void)cuda::fake_nccl_stuck();
  for (const std::int64_t back : {1, 2, 3, 5, 8, 13}) {  // in the last step and after it
    Ranks ranks;
    ranks.train(2, {calls - back, 46, 1});
    EXPECT_EQ(cuda::fake_nccl_stuck(), 0) << back << " calls before the end";
  }
}
TEST_F(Nccl, IsReportedAsMissingWhereSeveralGpusAre) {
  (void)fake_gpu();
  const auto named = [](int used) {  // other libraries may also be missing
    int times = 0;
    for (const Text& t : cuda::cuda_backend().missing(used)) times += t.str() == "no NCCL";
    return times;
  };
  EXPECT_EQ(named(0), 0);
  cuda::fake_nccl(false);
  EXPECT_EQ(named(0), 1);
  EXPECT_EQ(named(2), 1);
  EXPECT_EQ(named(1), 0) << "a run on one GPU does not need it";
}
TEST_F(Nccl, WithoutNcclGradientsAreReducedThroughTheHost) {
  cuda::fake_nccl(false);
  Ranks ranks;
  ranks.train(3);
  const Learned wanted = on_one_device(3);
  EXPECT_LT(relative_distance(ranks.learned[0].weights, wanted.weights), 1e-5);
  EXPECT_THAT(ranks.choices, testing::Contains("gradients: through host memory"));
}

}  // namespace
}  // namespace nw::test
