// SPDX-License-Identifier: Apache-2.0
// A training whose replicas begin to differ ends after that epoch, on devices of one process and in all of several.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/train/ranks.hpp"
#include "tests/engine/train/replicas_seam.hpp"
#include "tests/engine/train/training_seam.hpp"

namespace nw {
namespace {
using testing::HasSubstr;

Trial::Change three_epochs(const std::vector<std::string>& devices) {
  return [=](TrainSettings& s, DataChoice& d) {
    d.synthetic_train = 130;
    s.epochs = 3;
    s.devices = devices;
  };
}

/// Before the second epoch a weight of this device of the process becomes another one.
void change_after_an_epoch(Training& training, Recording& sink, std::size_t device) {
  sink.then = [&training, device](const Event& e) {
    const auto* end = std::get_if<EpochEnd>(&e.what);
    if (!end || end->epoch != 1) return;
    Replicas& replicas = *TrainingSeam::state(training).replicas;
    EXPECT_TRUE(ReplicasSeam::change(replicas, device, "conv2.weight", [](float w) { return w + 0.01F; }));
  };
}

/// The second epoch is neither reported nor kept.
void expect_that_the_first_epoch_is_the_last(const Trial& t) {
  const auto epochs = t.sink.all<EpochEnd>();
  ASSERT_EQ(epochs.size(), 1U);
  EXPECT_EQ(latest_checkpoint(t.request.run)->name, checkpoint_name(epochs[0].step));
  const auto ended = t.sink.all<Ended>();
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0].reason, EndReason::failed);
  EXPECT_EQ(ended[0].exit_code, 1);
}

TEST(WeightsOfReplicas, ThatDifferFromTheSecondEpochOnEndTheTraining) {
  Trial t(three_epochs({"cpu:0", "cpu:1", "cpu:2"}), "lenet5");
  Training training(t.request, t.control, t.sink);
  change_after_an_epoch(training, t.sink, 2);
  const auto done = training.run();
  ASSERT_FALSE(done);
  EXPECT_THAT(done.error().str(), HasSubstr("rank 2 (cpu:2) differ from the others', first in conv2.weight"));
  expect_that_the_first_epoch_is_the_last(t);
}

TEST(WeightsOfReplicas, ThatDifferFromTheSecondEpochOnEndTheTrainingOfAllProcesses) {
  Trial t(three_epochs({"cpu"}), "lenet5");
  std::vector<std::string> said(3);
  test::on_thread_ranks(3, [&](ProcessGroup& group, std::size_t rank) {
    TrainControl control;
    Recording own;
    Training training(test::request_of(group.rank(), t.request, group), control, rank == 0 ? t.sink : own);
    if (rank == 2) change_after_an_epoch(training, own, 0);
    const auto done = training.run();
    said[rank] = done ? "" : done.error().str();
  });
  for (const std::string& each : said)
    EXPECT_THAT(each, HasSubstr("rank 2 (other) differ from the others', first in conv2.weight"));
  expect_that_the_first_epoch_is_the_last(t);
}

}  // namespace
}  // namespace nw
