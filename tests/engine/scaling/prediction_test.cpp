// SPDX-License-Identifier: Apache-2.0
// Predictions at their limits, where the answer is known.
#include <gtest/gtest.h>

#include "tests/engine/scaling/setups.hpp"

namespace nw::scaling {
namespace {

using test::Bench;
using test::network;

LinkFigures infinite() { return {"infinite", 0, 1e30, 1, 0}; }

TEST(Prediction, OneDeviceExchangesNothing) {
  for (const Split split : {Split::data, Split::model, Split::sharded}) {
    const Bench bench("H100", split);
    const Prediction p = bench.predicted(network("lenet5", 64), 1);
    EXPECT_EQ(p.link_s, 0);
    EXPECT_EQ(p.exchange_s, 0);
    EXPECT_EQ(p.waiting_s, 0);
    EXPECT_EQ(p.bubble, 0);
    EXPECT_EQ(p.batch, 64);
    EXPECT_GT(p.step_s, 0);
    EXPECT_NEAR(p.step_s, p.work.total_s(), 1e-15);
  }
}

TEST(Prediction, WithAnInfiniteLinkEqualSharesAreLinear) {
  Bench bench("A100");
  bench.setup.link = infinite();
  bench.setup.batch_of_device = 64;
  const GraphDoc doc = network("lenet5", 1);
  const Prediction one = bench.predicted(doc, 1);
  for (const std::int64_t n : {2, 8, 64}) {
    const Prediction p = bench.predicted(doc, n);
    EXPECT_EQ(p.batch, 64 * n);
    EXPECT_NEAR(p.samples_per_s() / (one.samples_per_s() * static_cast<double>(n)), 1, 1e-9) << n;
  }
}

TEST(Prediction, ASlowerLinkOrMoreDevicesNeverHelpEfficiency) {
  Bench bench("H100");
  bench.setup.batch_of_device = 32;
  const GraphDoc doc = network("resnet50", 1, DType::bf16);
  double before = 1;
  for (const char* link : {"nvlink", "pcie5", "pcie4", "infiniband-hdr", "ethernet100", "ethernet10", "ethernet1"}) {
    bench.setup.link = *find_link(link, bench.setup.device);
    const auto curve = predict_curve(doc, test::photos, bench.setup, 16);
    ASSERT_TRUE(curve) << curve.error().str();
    ASSERT_EQ(curve->points.size(), 5U);
    for (std::size_t i = 1; i < curve->points.size(); ++i)
      EXPECT_LE(curve->efficiency(curve->points[i]), curve->efficiency(curve->points[i - 1]) + 1e-9) << link;
    EXPECT_EQ(curve->efficiency(curve->points.front()), 1);
    const double last = curve->efficiency(curve->points.back());
    EXPECT_LE(last, before + 1e-9) << link;
    before = last;
  }
  EXPECT_LT(before, 0.2) << "a gigabit for a hundred megabytes of gradients";
}

TEST(Prediction, PartsOfTheStepAddUp) {
  for (const Split split : {Split::data, Split::model, Split::sharded}) {
    Bench bench("V100", split);
    bench.setup.link = *find_link("ethernet10", bench.setup.device);
    const Prediction p = bench.predicted(network("lenet5", 256), 4);
    EXPECT_NEAR(p.step_s, p.work.total_s() + p.link_s + p.waiting_s, 1e-12);
    EXPECT_GE(p.exchange_s, 0);
    EXPECT_GE(p.link_s, 0);
    EXPECT_GE(p.waiting_s, 0);
    EXPECT_NEAR(p.energy_j, 4 * 300 * p.step_s, 1e-9);
  }
}

TEST(Prediction, MemoryIsThatOfTheCompiledPlan) {
  const Bench cpu("cpu");
  const GraphDoc doc = network("lenet5", 64);
  const auto planned = [&](std::int64_t batch, int world) {
    return analyse(doc, {.batch = batch, .world = world, .device = cpu.setup.compiled_for, .data = test::digits})
        .memory_bytes;
  };
  EXPECT_EQ(cpu.predicted(doc, 1).memory_bytes, planned(64, 1));
  EXPECT_EQ(cpu.predicted(doc, 2).memory_bytes, planned(32, 2));
}

TEST(Prediction, ShardsSaveTheOptimizersStateAndExchangeTheWeightsToo) {
  const Bench data("A100"), sharded("A100", Split::sharded);
  const GraphDoc doc = network("resnet50", 32);
  const Prediction whole = data.predicted(doc, 8, test::photos), parts = sharded.predicted(doc, 8, test::photos);
  const double state = 4.0 * static_cast<double>(analyse(doc, {.data = test::photos}).parameters);  // one momentum
  EXPECT_NEAR(static_cast<double>(whole.memory_bytes - parts.memory_bytes), state * 7 / 8, 0.01 * state);
  const double weights_s = scatter_or_gather_s(sharded.setup.link, 8, state);
  EXPECT_NEAR((parts.exchange_s - whole.exchange_s) / weights_s, 1, 0.01) << "GPUs get all sums, and the weights";
  EXPECT_GE(parts.link_s, whole.link_s) << "the weights come when nothing is left to compute";
  EXPECT_LT(parts.work.memory_s, whole.work.memory_s) << "an eighth of the update";
}

TEST(Prediction, ProcessorsThatDivideTheOptimizersStateExchangeAsMuch) {
  const Bench data("cpu"), sharded("cpu", Split::sharded);
  const GraphDoc doc = network("vgg13", 32);
  const double whole = data.predicted(doc, 8, test::photos).exchange_s;
  EXPECT_NEAR(sharded.predicted(doc, 8, test::photos).exchange_s / whole, 1, 0.1) << "their sums, and the weights";
}

TEST(Prediction, StagesHoldLessAndWaitForEachOther) {
  Bench bench("A100", Split::model);
  const GraphDoc doc = network("resnet50", 64);
  const Prediction one = bench.predicted(doc, 1, test::photos);
  bench.setup.micro_batches = 8;
  const Prediction four = bench.predicted(doc, 4, test::photos);
  EXPECT_EQ(four.micro_batches, 8);
  EXPECT_LT(four.memory_bytes, one.memory_bytes);
  EXPECT_GE(four.bubble, 3.0 / 11) << "(P - 1) / (M + P - 1) is that of equal stages, which are the best";
  EXPECT_LT(four.bubble, 0.6);
  bench.setup.micro_batches = 32;
  EXPECT_LT(bench.predicted(doc, 4, test::photos).bubble, four.bubble);
}

TEST(Prediction, StagesKeepMicroBatchesUntilTheyGoBack) {
  Bench bench("A100", Split::model);
  bench.setup.micro_batches = 8;
  GraphDoc doc = network("resnet50", 64);
  const Prediction few = bench.predicted(doc, 2, test::photos);
  TrainSettings s = doc.settings();
  s.pipeline = PipelineSchedule::gpipe;  // keeps all eight
  ASSERT_TRUE(doc.apply({PutSettings{s}}));
  EXPECT_GT(static_cast<double>(bench.predicted(doc, 2, test::photos).memory_bytes),
            2 * static_cast<double>(few.memory_bytes));
}

TEST(Prediction, ThreadsShareTheComputersMemory) {
  Bench cpu("cpu");
  const GraphDoc doc = network("lenet5", 64);
  cpu.setup.device.memory_bytes = cpu.predicted(doc, 1).memory_bytes;
  EXPECT_TRUE(cpu.predicted(doc, 1).fits);
  EXPECT_FALSE(cpu.predicted(doc, 2).fits) << "half a batch each, and all the weights";
}

TEST(Prediction, BatchesAndStagesThatCannotBeDividedAreErrors) {
  const Bench data("H100"), model("H100", Split::model);
  const auto many = predict(network("lenet5", 8), test::digits, data.setup, 16);
  ASSERT_FALSE(many);
  EXPECT_EQ(many.error().code, Errc::usage);
  EXPECT_FALSE(predict(network("lenet5", 64), test::digits, model.setup, 100));
  EXPECT_FALSE(predict_curve(network("lenet5", 8), test::digits, data.setup, 16));
}

TEST(Prediction, AFormatThatTheDeviceLacksIsAnError) {
  const Bench v100("V100");
  const auto p = predict(network("lenet5", 64, DType::bf16), test::digits, v100.setup, 2);
  ASSERT_FALSE(p);
  EXPECT_EQ(p.error().code, Errc::usage);
}

TEST(Prediction, FewerBitsTakeLessTimeAndMemory) {
  const Bench h100("H100");
  const Prediction wide = h100.predicted(network("resnet50", 64), 1, test::photos),
                   half = h100.predicted(network("resnet50", 64, DType::bf16), 1, test::photos);
  EXPECT_LT(half.step_s, 0.7 * wide.step_s);
  EXPECT_LT(half.memory_bytes, 0.8 * static_cast<double>(wide.memory_bytes));
}

TEST(Prediction, WhatDoesNotFitIsMarked) {
  const Bench t4("T4");
  EXPECT_TRUE(t4.predicted(network("resnet50", 16), 1, test::photos).fits);
  EXPECT_FALSE(t4.predicted(network("resnet50", 1024), 1, test::photos).fits);
  EXPECT_TRUE(t4.predicted(network("resnet50", 1024), 32, test::photos).fits);
}

TEST(Curves, AreOverPowersOfTwoAndTheNumberItself) {
  const Bench bench("H100");
  const auto curve = predict_curve(network("lenet5", 960), test::digits, bench.setup, 12);
  ASSERT_TRUE(curve);
  std::vector<std::int64_t> numbers;
  for (const Prediction& p : curve->points) numbers.push_back(p.devices);
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{1, 2, 4, 8, 12}));
  const Prediction& last = curve->points.back();
  EXPECT_NEAR(curve->epoch_s(last), 6000 / last.samples_per_s(), 1e-9);
  EXPECT_NEAR(curve->epoch_energy_j(last), 12 * 700 * curve->epoch_s(last), 1e-6);
  EXPECT_EQ(Curve{.points = curve->points}.epoch_s(last), 0) << "unknown";
}

/// A curve whose points wait for this.
Curve of(std::vector<Bound> bounds) {
  Curve c;
  std::int64_t n = 1;
  for (const Bound b : bounds) {
    Prediction p{.devices = n};
    (b == Bound::link      ? p.link_s
     : b == Bound::waiting ? p.waiting_s
     : b == Bound::memory  ? p.work.memory_s
     : b == Bound::starts  ? p.work.starts_s
                           : p.work.products_s) = 1;
    EXPECT_EQ(p.bound(), b);
    c.points.push_back(p);
    n *= 2;
  }
  return c;
}

TEST(Curves, SayWhatLimitsThemFromWhereOn) {
  const Bound x = Bound::products, l = Bound::link;
  EXPECT_EQ(limit_of(of({x, x, x, l, l})).str(), "limited by the link from 8 devices on");
  EXPECT_EQ(limit_of(of({x, l, x, l, l})).str(), "limited by the link from 8 devices on");
  EXPECT_EQ(limit_of(of({x, x})).str(), "limited by computing, not by the link");
  EXPECT_EQ(limit_of(of({x, Bound::waiting})).str(), "limited by stages that wait for each other from 2 devices on");
  EXPECT_EQ(limit_of({}).str(), "");
}

}  // namespace
}  // namespace nw::scaling
