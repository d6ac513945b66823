// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "tests/support/old_run.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/session/run_feed.hpp"

namespace nw::ui {
namespace {

using test::wait_for;

Steps stepsAt(std::int64_t last, double epoch, double loss) {
  Steps s;
  s.last = last;
  s.count = 1;
  s.epoch = epoch;
  s.loss = {loss - 0.1, loss, loss + 0.1};
  s.images_per_s = 1000;
  return s;
}

EpochEnd epochAt(std::int64_t epoch, std::int64_t step) {
  EpochEnd e;
  e.epoch = epoch;
  e.step = step;
  e.has_validation = true;
  e.validation_accuracy = 0.9;
  e.seconds = 12;
  return e;
}

struct RunFeedTest : testing::Test {
  test::TemporaryFolder runs;
  test::RunWriter run{runs.path(), test::definition_of()};
  RunFeed feed;

  void SetUp() override {
    Started s;
    s.time = 1000;
    s.epochs = 10;
    s.steps_per_epoch = 100;
    s.batch = 64;
    run.post(0, s);
  }
  void follow() { feed.follow(QString::fromStdString(run.folder().string())); }
  bool loaded() {
    return wait_for([&] { return feed.loaded(); });
  }
};

TEST_F(RunFeedTest, ARunOfVersion01IsShown) {
  const fs::path old = runs.path() / "old";
  test::copy_old_run(old);
  feed.follow(QString::fromStdString(old.string()));
  ASSERT_TRUE(loaded());
  EXPECT_EQ(feed.status(), RunStatus::stopped);
  EXPECT_EQ(feed.epochs().size(), 3U);
  EXPECT_EQ(feed.last().last, 87);
  ASSERT_NE(feed.ended(), nullptr);
  EXPECT_EQ(feed.ended()->message.str(), "training was stopped");
  EXPECT_EQ(feed.started().metric, Metric::accuracy);
}

TEST_F(RunFeedTest, AFinishedRunIsReadToItsEnd) {
  run.post(1, stepsAt(50, 0.5, 2.0));
  run.post(2, stepsAt(100, 1.0, 1.0));
  run.post(2, epochAt(1, 100));
  Ended e;
  e.reason = EndReason::finished;
  e.test_accuracy = 0.97;
  e.wall_s = 3;
  run.post(3, e);
  follow();
  ASSERT_TRUE(loaded());
  EXPECT_EQ(feed.status(), RunStatus::finished);
  EXPECT_EQ(feed.loss().y, (QVector<double>{2.0, 1.0}));
  EXPECT_EQ(feed.loss().low.first(), 1.9);
  EXPECT_EQ(feed.epochs().size(), 1U);
  ASSERT_NE(feed.ended(), nullptr);
  EXPECT_EQ(feed.ended()->test_accuracy, 0.97);
  ASSERT_NE(feed.definition(), nullptr);
  EXPECT_EQ(feed.definition()->name, "lenet5");
}

TEST_F(RunFeedTest, AnIncompleteLineIsNotRead) {
  run.lock();
  const std::string line = event_line(Event{1, stepsAt(10, 0.1, 2.0)});
  run.raw(line.substr(0, line.size() / 2));
  follow();
  ASSERT_TRUE(wait_for([&] { return feed.status() == RunStatus::running; }));
  EXPECT_TRUE(feed.loss().x.isEmpty());
  run.raw(line.substr(line.size() / 2) + "\n");
  ASSERT_TRUE(wait_for([&] { return feed.loss().x.size() == 1; }));
  EXPECT_EQ(feed.loss().y.first(), 2.0);
}

TEST_F(RunFeedTest, GarbageBetweenLinesIsSkipped) {
  run.post(1, stepsAt(10, 0.1, 2.0));
  run.raw("{\"schema\":1,\"type\":\"steps\",\"t\":}\n\n\xff\xfe\n{\"type\":\"of a later version\"}\n");
  run.post(2, stepsAt(20, 0.2, 1.5));
  follow();
  ASSERT_TRUE(loaded());
  EXPECT_EQ(feed.loss().x.size(), 2);
}

TEST_F(RunFeedTest, AResumedRunDropsTheRecordsAfterItsCheckpoint) {
  for (int i = 1; i <= 30; ++i) run.post(i, stepsAt(i * 10, i * 0.1, 3.0 - i * 0.05));
  run.post(30, epochAt(1, 100));
  run.post(30, epochAt(2, 200));
  run.post(30, epochAt(3, 300));
  run.post(0.5, Resumed{200, 1, 5000});
  run.post(1, stepsAt(210, 2.1, 9.0));
  follow();
  ASSERT_TRUE(loaded());
  EXPECT_EQ(feed.loss().x.size(), 21);
  EXPECT_EQ(feed.loss().y.last(), 9.0);
  EXPECT_EQ(feed.epochs().size(), 2U);
  EXPECT_EQ(feed.last().last, 210);
  EXPECT_NEAR(feed.elapsedSeconds(), 32, 2) << "the time of both processes";
}

TEST_F(RunFeedTest, ALiveRunIsFollowedUntilItEndsAndAnEndWithoutAnEventIsAnInterruption) {
  run.lock();
  follow();
  ASSERT_TRUE(wait_for([&] { return feed.status() == RunStatus::running; }));
  run.post(1, stepsAt(10, 0.1, 2.0));
  ASSERT_TRUE(wait_for([&] { return feed.loss().x.size() == 1; }));
  run.unlock();
  ASSERT_TRUE(wait_for([&] { return feed.status() == RunStatus::interrupted; }));
}

TEST_F(RunFeedTest, TheLastOutputOfAnEndedProcessIsRead) {
  run.lock();
  follow();
  ASSERT_TRUE(wait_for([&] { return feed.status() == RunStatus::running; }));
  Ended e;
  e.reason = EndReason::stopped;
  run.post(2, e);
  run.unlock();
  ASSERT_TRUE(wait_for([&] { return feed.status() != RunStatus::running; }));
  EXPECT_EQ(feed.status(), RunStatus::stopped) << "never interrupted on the way";
}

TEST_F(RunFeedTest, PauseAndContinueAreSeen) {
  run.lock();
  run.post(1, Paused{10});
  follow();
  ASSERT_TRUE(wait_for([&] { return feed.paused(); }));
  run.post(2, Continued{10});
  ASSERT_TRUE(wait_for([&] { return !feed.paused(); }));
}

TEST_F(RunFeedTest, TheTimeLeftComesFromWholeEpochs) {
  run.lock();
  run.post(1, stepsAt(250, 2.5, 1.0));
  run.post(1, epochAt(2, 200));
  follow();
  ASSERT_TRUE(wait_for([&] { return !feed.epochs().empty() && feed.status() == RunStatus::running; }));
  EXPECT_NEAR(feed.secondsLeft(), 7.5 * 12, 1e-6);
}

TEST_F(RunFeedTest, AnotherRunStartsWithoutRecords) {
  run.post(1, stepsAt(10, 0.1, 2.0));
  follow();
  ASSERT_TRUE(wait_for([&] { return feed.loss().x.size() == 1; }));
  test::RunWriter other(runs.path(), test::definition_of("mlp"));
  feed.follow(QString::fromStdString(other.folder().string()));
  EXPECT_TRUE(feed.loss().x.isEmpty());
  ASSERT_TRUE(loaded());
  EXPECT_EQ(feed.definition()->name, "mlp");
  EXPECT_TRUE(feed.loss().x.isEmpty()) << "nothing of the first run arrives late";
}

TEST_F(RunFeedTest, FeedsOfOneFolderShareItsRecords) {
  run.post(1, stepsAt(100, 1.0, 2.0));
  run.post(1, epochAt(1, 100));
  follow();
  ASSERT_TRUE(loaded());
  RunFeed other;
  int steps = 0, epochs = 0, definitions = 0;
  QObject::connect(&other, &RunFeed::stepsArrived, [&] { ++steps; });
  QObject::connect(&other, &RunFeed::epochArrived, [&] { ++epochs; });
  QObject::connect(&other, &RunFeed::definitionArrived, [&] { ++definitions; });
  other.follow(QString::fromStdString((runs.path() / "." / run.folder().filename() / "").string()));
  EXPECT_TRUE(other.loaded()) << "nothing is read again";
  EXPECT_EQ(&other.loss(), &feed.loss());
  EXPECT_EQ(steps, 1) << "announced at once";
  EXPECT_EQ(epochs, 1);
  EXPECT_EQ(definitions, 1);
  run.post(2, stepsAt(200, 2.0, 1.0));
  ASSERT_TRUE(wait_for([&] { return steps == 2; }));
  EXPECT_EQ(feed.loss().x.size(), 2);
}

TEST_F(RunFeedTest, AFolderWithoutOtherFeedsIsReadAgain) {
  follow();
  ASSERT_TRUE(loaded());
  RunFeed other;
  other.follow(feed.folder());
  follow();
  EXPECT_TRUE(feed.loaded()) << "the other feed holds it";
  other.follow({});
  EXPECT_EQ(other.definition(), nullptr);
  follow();
  EXPECT_FALSE(feed.loaded());
  ASSERT_TRUE(loaded());
}

TEST_F(RunFeedTest, AListenerMayFollowAnotherRun) {
  test::RunWriter second(runs.path(), test::definition_of("mlp"));
  run.post(1, stepsAt(10, 0.1, 2.0));
  QObject::connect(&feed, &RunFeed::stepsArrived,
                   [&] { feed.follow(QString::fromStdString(second.folder().string())); });
  follow();
  ASSERT_TRUE(wait_for([&] { return feed.definition() && feed.definition()->name == "mlp"; }));
  EXPECT_TRUE(feed.loss().x.isEmpty());
}

TEST_F(RunFeedTest, OnlyTheLastTenMinutesOfTheMachineAreKept) {
  for (int t = 0; t < 1000; ++t) run.post(t, test::machine_sample(t, 0));
  follow();
  ASSERT_TRUE(loaded());
  EXPECT_EQ(feed.machine().back().first, 999);
  EXPECT_GE(feed.machine().front().first, 399);
}

TEST_F(RunFeedTest, AHundredThousandRecordsArriveInBatches) {
  std::string bytes;
  for (int i = 1; i <= 100'000; ++i) bytes += event_line(Event{i * 0.01, stepsAt(i, i * 1e-4, 1)}) + "\n";
  run.raw(bytes);
  int batches = 0;
  QObject::connect(&feed, &RunFeed::stepsArrived, [&] { ++batches; });
  follow();
  ASSERT_TRUE(loaded());
  EXPECT_EQ(feed.last().last, 100'000);
  EXPECT_LT(batches, 100);
}

}  // namespace
}  // namespace nw::ui
