// SPDX-License-Identifier: Apache-2.0
// Streams and events of a step: no work touches what work beside it writes.
#include "tests/kernels/cuda/proof/order.hpp"

#include <gmock/gmock.h>

#include <thread>

#include "engine/compile/shard_update.hpp"
#include "engine/parallel/team.hpp"
#include "tests/kernels/cuda/fakes/fake_gpus.hpp"
#include "tests/support/bucket_net.hpp"

namespace nw::proof {
namespace {

/// Two GPUs with gradients in several buckets and a batch norm over both, each on a thread of its own.
struct TwoGpus {
  explicit TwoGpus(OrderMeter& meter, bool parts = false) : parts_(parts) {
    cuda::use_driver_api(&cuda::fake_driver_api());
    cuda::fake_nccl(true);
    cuda::fake_meter(&meter);
    auto communicators = make_local_communicators(2);
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < 2; ++rank) threads.emplace_back([&, rank] { run(rank, *communicators[rank]); });
    for (std::thread& t : threads) t.join();
  }
  ~TwoGpus() {
    cuda::fake_meter(nullptr);
    cuda::fake_nccl(false);
  }

 private:
  void run(std::size_t rank, Communicator& communicator) {
    const auto gpu = cuda::cuda_backend().devices().at(rank);
    test::TestTeam team(1);
    Plan plan = test::net_of_several_buckets(2, 2).tiny.finish(*gpu);
    if (parts_) shard_update(plan, static_cast<int>(rank), 2);
    auto made = gpu->prepare(plan, {.team = &team, .communicator = &communicator});
    ASSERT_TRUE(static_cast<bool>(made));
    for (int i = 0; i < 2; ++i) {
      StepArgs a = test::step_args(i, 2, 0.05);
      a.global_valid = 4;
      EXPECT_TRUE(static_cast<bool>((*made)->run(a)));
    }
  }
  const bool parts_;  // each keeps a part of the optimizer's state
};

TEST(GpuOrder, WorkOfTwoGpusIsOrderedWhereItSharesMemory) {
  for (const bool parts : {false, true}) {
    OrderMeter meter;
    const TwoGpus run(meter, parts);
    EXPECT_GT(meter.waits(), 0);
    EXPECT_GT(meter.lanes(), 4u) << "nothing runs beside anything";
    EXPECT_THAT(meter.unordered(), testing::IsEmpty());
  }
}
TEST(GpuOrder, AMissingWaitForAnEventIsNoticed) {
  int noticed = 0;
  for (int left_out = 0; left_out < 6; ++left_out) {
    OrderMeter meter(left_out);
    const TwoGpus run(meter);
    noticed += !meter.unordered().empty();
  }
  EXPECT_GT(noticed, 0);
}

}  // namespace
}  // namespace nw::proof
