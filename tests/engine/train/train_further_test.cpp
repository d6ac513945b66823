// SPDX-License-Identifier: Apache-2.0
// A run that has ended is trained for more epochs: the bytes of one that was started so, and its schedule.
#include <gtest/gtest.h>

#include "tests/engine/train/trial.hpp"
#include "tests/support/sparse_tensor.hpp"

namespace nw {
namespace {

Result<TrainResult> train_further(const Trial& t, std::int64_t epochs, Recording& events) {
  TrainControl control;
  TrainRequest again;
  again.run = t.request.run;
  again.resume = true;
  again.epochs = epochs;
  return train(again, control, events);
}

Trial::Change steady(std::int64_t epochs, ScheduleKind schedule = ScheduleKind::constant) {
  return [=](TrainSettings& s, DataChoice&) {
    s.epochs = epochs;
    s.schedule = schedule;
    s.step_epochs = 3;
  };
}

/// Makes a file of the newest checkpoint a tensor of 64 GiB that takes no room on the disk, as its manifest says.
bool make_sparse(const fs::path& run) {
  const fs::path place = run / "checkpoints" / latest_checkpoint(run)->name;
  const std::uint64_t bytes = test::write_sparse_tensor(place / "model.safetensors", "fc1.weight");
  auto manifest = parse_json(*read_file(place / "manifest.json", 1 << 20), "manifest");
  (*manifest)["files"]["model.safetensors"]["bytes"] = bytes;
  EXPECT_TRUE(save_file(place / "manifest.json", canonical(*manifest)));
  return bytes > 0;
}

TEST(Resume, AHugeSparseCheckpointIsPassedOverUnread) {
  Trial t(steady(2));
  ASSERT_TRUE(t.run());
  ASSERT_GE(list_checkpoints(t.request.run).size(), 2U);
  if (!make_sparse(t.request.run)) GTEST_SKIP() << "the file system keeps no holes of this size";
  const auto before = std::chrono::steady_clock::now();
  Recording events;
  const auto resumed = train_further(t, 3, events);
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(8));
  ASSERT_TRUE(resumed) << resumed.error().str();
  EXPECT_EQ(resumed->ended.reason, EndReason::finished) << "it goes on from the checkpoint before";
}

TEST(Resume, AFinishedRunTrainedFurtherHasTheBytesOfOneThatWasStartedSo) {
  for (const ScheduleKind schedule : {ScheduleKind::constant, ScheduleKind::step}) {
    Trial whole(steady(5, schedule)), part(steady(2, schedule));
    ASSERT_TRUE(whole.run());
    ASSERT_TRUE(part.run());
    const std::string definition = *read_file(part.request.run / "run.json", 1 << 20);
    Recording events;
    const auto result = train_further(part, 5, events);
    ASSERT_TRUE(result) << result.error().str();
    EXPECT_EQ(part.final_weights(), whole.final_weights());
    ASSERT_EQ(events.all<Knob>().size(), 1U);
    EXPECT_EQ(events.all<Knob>().front().name, epochs_knob);
    EXPECT_EQ(events.all<Knob>().front().value, 5);
    EXPECT_TRUE(events.all<Health>().empty()) << "neither schedule depends on the number of epochs";
    EXPECT_EQ(*read_file(part.request.run / "run.json", 1 << 20), definition);
    const auto summary = summarize_run(part.request.run);
    EXPECT_EQ(summary->status, RunStatus::finished);
    EXPECT_EQ(summary->epochs, 5);
    EXPECT_EQ(summary->epochs_done, 5);
    EXPECT_EQ(summary->history.size(), 5U);
    EXPECT_TRUE(summary->can_train_further);
  }
}

TEST(Resume, AnInterruptedTrainingFurtherIsResumedToItsNewEnd) {
  Trial whole(steady(6)), part(steady(2));
  ASSERT_TRUE(whole.run());
  ASSERT_TRUE(part.run());
  TrainControl control;
  Recording events;
  events.then = [&](const Event& e) {
    if (const auto* epoch = std::get_if<EpochEnd>(&e.what); epoch && epoch->epoch == 4) control.stop(false);
  };
  TrainRequest again;
  again.run = part.request.run;
  again.resume = true;
  again.epochs = 6;
  ASSERT_TRUE(train(again, control, events));
  EXPECT_EQ(summarize_run(part.request.run)->epochs, 6);
  Recording rest;
  ASSERT_TRUE(part.resume(rest));
  EXPECT_EQ(part.final_weights(), whole.final_weights());
}

TEST(Resume, ANumberOfEpochsThatIsDoneIsRejectedAndNothingChanges) {
  Trial t(steady(3));
  ASSERT_TRUE(t.run());
  const std::string log = *read_file(t.request.run / "events.jsonl", 1 << 20);
  for (const std::int64_t epochs : {std::int64_t{1}, std::int64_t{3}, std::int64_t{-1}, most_epochs + 1}) {
    Recording events;
    const auto result = train_further(t, epochs, events);
    ASSERT_FALSE(result) << epochs;
    EXPECT_EQ(result.error().code, Errc::usage);
  }
  EXPECT_EQ(summarize_run(t.request.run)->epochs, 3);
  EXPECT_EQ(summarize_run(t.request.run)->epochs_done, 3);
}

TEST(Resume, TheCosineOfARunTrainedFurtherSaysThatItEndsLater) {
  Trial t(steady(2, ScheduleKind::cosine));
  ASSERT_TRUE(t.run());
  Recording events;
  ASSERT_TRUE(train_further(t, 4, events));
  ASSERT_EQ(events.all<Health>().size(), 1U);
  const std::string said = events.all<Health>().front().message.str();
  EXPECT_NE(said.find("epoch 4 instead of 2"), std::string::npos) << said;
  const auto history = summarize_run(t.request.run)->history;
  ASSERT_EQ(history.size(), 4U);
  EXPECT_GT(history[2].learning_rate, 0.1 * t.request.definition.doc.settings().learning_rate)
      << "three quarters of the longer half wave, not the end of the shorter one";
}

TEST(Resume, EarlyStoppingCountsFromTheEpochThatIsTrainedFurther) {
  Trial t([](TrainSettings& s, DataChoice& d) {
    s.epochs = 40;
    s.learning_rate = 1e-12;  // nothing improves
    s.early_stopping_epochs = 2;
    d.validation_fraction = 0.2;
  });
  ASSERT_TRUE(t.run());
  const std::int64_t done = summarize_run(t.request.run)->epochs_done;
  ASSERT_LT(done, 10);
  Recording events;
  ASSERT_TRUE(train_further(t, 40, events));
  EXPECT_EQ(summarize_run(t.request.run)->epochs_done, done + 2);
}

}  // namespace
}  // namespace nw
