// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/rank_panel.hpp"

#include <gtest/gtest.h>

#include <QTest>

#include "tests/support/rank_times.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/step_lanes.hpp"
#include "ui/train/train_page.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

using test::wait_for;

TEST(RankRows, HaveThePartsOfAStepInOrder) {
  const QVector<RankRow> rows = rankRows(test::four_ranks());
  ASSERT_EQ(rows.size(), 4);
  EXPECT_EQ(rows[0].parts.size(), 4);
  EXPECT_EQ(rows[0].parts[0].name, QStringLiteral("Computing"));
  EXPECT_EQ(rows[0].parts[2].series, -1) << "waiting is hatched";
  EXPECT_NEAR(rows[0].stepSeconds, 1.0 / 20, 1e-12);
  EXPECT_EQ(rows[3].parts.size(), 3) << "the slow device waits for nobody";
  EXPECT_EQ(rows[0].host, QString()) << "one host needs no name";
  EXPECT_TRUE(rows[0].details.contains(QStringLiteral("busy 56 %"))) << rows[0].details.toStdString();
  EXPECT_TRUE(rows[0].details.contains(QStringLiteral("84 W"))) << rows[0].details.toStdString();
  EXPECT_FALSE(rows[1].details.contains(QStringLiteral("W"))) << "not known there";
}

TEST(RankRows, MarkTheOneThatIsWaitedForOnly) {
  const QVector<RankRow> rows = rankRows(test::four_ranks());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(rows[i].slower.isEmpty()) << i;
  EXPECT_TRUE(rows[3].slower.contains(QStringLiteral("% slower")));
  EXPECT_TRUE(rows[3].whole().contains(QStringLiteral("the others wait for it")));
}

TEST(RankRows, WhatIsNotKnownIsLeftOut) {
  const RankTimes t{.ranks = {{.rank = 0, .device = "cpu", .steps = 10, .seconds = 1}}};
  const QVector<RankRow> rows = rankRows(t);
  ASSERT_EQ(rows.size(), 1);
  EXPECT_TRUE(rows[0].parts.isEmpty());
  EXPECT_EQ(rows[0].details, QString());
  EXPECT_NEAR(rows[0].seconds, 1, 1e-12);
}

TEST(RankRows, SeveralHostsAreNamed) {
  RankTimes t = test::four_ranks();
  t.ranks[1].host = "node2";
  EXPECT_EQ(rankRows(t)[1].host, QStringLiteral("node2"));
  EXPECT_TRUE(rankRows(t)[1].whole().contains(QStringLiteral("node2")));
}

TEST(RankPanelOfARun, FollowsTheEventsAndForgetsThemWithTheRun) {
  test::TemporaryFolder runs;
  Session session;
  TrainPage page(session);
  test::RunWriter run(runs.path(), test::definition_of());
  test::write_training(run, {.epochs_done = 1});
  session.feed().follow(QString::fromStdString(run.folder().string()));
  ASSERT_TRUE(wait_for([&] { return session.feed().loaded(); }));
  RankPanel& panel = page.ranks();
  EXPECT_EQ(panel.model().rowCount(), 0);
  EXPECT_FALSE(panel.summary().isEmpty()) << "says what will be there";
  const std::size_t events = session.feed().log().size();
  run.post(50, test::four_ranks(true));
  run.post(51, test::four_ranks());
  ASSERT_TRUE(wait_for([&] { return panel.model().rowCount() == 4; }));
  EXPECT_EQ(session.feed().log().size(), events) << "measurements are no events of the list";
  EXPECT_TRUE(panel.summary().contains(QStringLiteral("1.5 Wh"))) << panel.summary().toStdString();
  EXPECT_TRUE(panel.summary().contains(QStringLiteral("Efficiency beside one device: 68 %")))
      << panel.summary().toStdString();
  EXPECT_TRUE(panel.straggler().contains(QStringLiteral("slower"))) << panel.straggler().toStdString();
  const QString spoken = panel.model().data(panel.model().index(3), Qt::AccessibleTextRole).toString();
  EXPECT_TRUE(spoken.contains(QStringLiteral("Computing: 86 %"))) << spoken.toStdString();
  run.post(60, Resumed{.from_step = 10});
  EXPECT_TRUE(wait_for([&] { return panel.model().rowCount() == 0; })) << "later than what the run resumed from";
  session.feed().follow({});
}

TEST(RankPanelOfARun, SaysHowLongThePipelineIsIdleBesideThePrediction) {
  test::TemporaryFolder runs;
  Session session;
  TrainPage page(session);
  test::RunWriter run(runs.path(), test::definition_of());
  test::write_training(run, {.epochs_done = 1});
  session.feed().follow(QString::fromStdString(run.folder().string()));
  ASSERT_TRUE(wait_for([&] { return session.feed().loaded(); }));
  RankPanel& panel = page.ranks();
  run.post(50, PipelinePlan{.schedule = "1f1b", .micro_batch = 16, .micro_batches = 4, .predicted_bubble = 0.25});
  ASSERT_TRUE(wait_for([&] {
    return panel.summary().startsWith(QStringLiteral("Idle share (bubble): 25 % predicted"));
  })) << panel.summary().toStdString();
  run.post(51, PipelineTimes{.epoch = 1, .step = 20, .seconds = 2, .bubble = 0.28});
  run.post(52, test::four_ranks(true));
  ASSERT_TRUE(wait_for([&] { return panel.model().rowCount() == 4; }));
  EXPECT_TRUE(panel.summary().startsWith(QStringLiteral("Idle share (bubble): 28 %, predicted 25 %")))
      << panel.summary().toStdString();
  EXPECT_FALSE(panel.summary().contains(QStringLiteral("Efficiency"))) << "that is of devices that do the same";
  run.post(60, Resumed{.from_step = 10});
  EXPECT_TRUE(wait_for([&] { return panel.summary().endsWith(QStringLiteral("25 % predicted")); }))
      << panel.summary().toStdString();
  run.post(61, Steps{.last = 11, .count = 1});
  run.post(70, Resumed{.from_step = 11});
  EXPECT_TRUE(wait_for([&] { return !panel.summary().contains(QStringLiteral("Idle")); })) << "resumed on one device";
  session.feed().follow({});
}

TEST(RankPanelOfARun, IsReachedByItsSwitchAndTakesTheMachinesRoom) {
  Session session;
  TrainPage page(session);
  SegmentedControl& views = page.sideViews();
  views.setCurrent(views.count() - 1);
  EXPECT_FALSE(page.ranks().isHidden());
  EXPECT_EQ(page.ranks().view().accessibleName(), QStringLiteral("Devices of the run"));
}

TEST(RankPanelOfARun, AnEpochsEnergyIsNotThatOfASecond) {
  RankPanel panel;
  RankTimes second = test::four_ranks();
  second.ranks[0].energy_j = 84;
  panel.setTimes(second, test::four_ranks(true));
  EXPECT_TRUE(panel.summary().contains(QStringLiteral("Energy of an epoch: 1.5 Wh"))) << panel.summary().toStdString();
  panel.setTimes(second, {});
  EXPECT_FALSE(panel.summary().contains(QStringLiteral("Energy"))) << "no epoch has ended";
}

TEST(RankPanelOfOneDevice, NamesNoStraggler) {
  RankPanel panel;
  RankTimes t = test::four_ranks();
  t.ranks.resize(1);
  t.slowest = 0;
  panel.setTimes(t, {});
  EXPECT_EQ(panel.straggler(), QString());
  EXPECT_FALSE(panel.summary().contains(QStringLiteral("Efficiency")));
}

TEST(RankPanelOfARun, ShowsAStepOfEachDeviceOnceAnEpochHasEnded) {
  RankPanel panel;
  panel.setTimes(test::four_ranks(), {});
  EXPECT_TRUE(panel.step().isHidden()) << "no epoch has ended";
  panel.setTimes(test::four_ranks(), test::four_ranks(true));
  EXPECT_FALSE(panel.step().isHidden());
  ASSERT_EQ(panel.step().model().rowCount(), 4);
  EXPECT_NEAR(panel.step().model().end(), 0.05, 1e-12);
  EXPECT_TRUE(panel.step().summary().contains(QStringLiteral("47 % of the exchange while devices computed")))
      << panel.step().summary().toStdString();
  EXPECT_EQ(panel.step().view().accessibleName(), QStringLiteral("Timeline of one step, by device"));
  const QString spoken = panel.step().model().data(panel.step().model().index(0), Qt::AccessibleTextRole).toString();
  for (const char* part : {"Forward: 12.0 ms", "Backward: 18.0 ms", "Waiting: 16.0 ms", "Update: 4.0 ms"})
    EXPECT_TRUE(spoken.contains(QLatin1String(part))) << part << ": " << spoken.toStdString();
}

TEST(RankPanelOfARun, PaintsTheBucketsOfAStepBelowItsPasses) {
  StepLanes lanes;
  lanes.resize(400, 300);
  lanes.setTimes(test::four_ranks(true));
  const QImage image = lanes.grab().toImage();
  const QRectF row(lanes.view().geometry().topLeft() + QPointF(0, 0), QSizeF(lanes.view().viewport()->width(), 44));
  const QRectF track = StepLanes::trackIn(row);
  const auto colour = [&](double seconds, bool below) {
    return image.pixelColor(qRound(track.left() + track.width() * seconds / 0.05),
                            qRound(below ? track.bottom() - 3 : track.top() + 6));
  };
  EXPECT_EQ(colour(0.02, false), theme().series[0]) << "the backward pass";
  EXPECT_NE(colour(0.006, false), theme().series[0]) << "the forward pass";
  EXPECT_EQ(colour(0.026, false), theme().series[2]) << "the device exchanges";
  EXPECT_EQ(colour(0.006, true), theme().track) << "no bucket yet";
  EXPECT_NE(colour(0.02, true), theme().track) << "the first bucket";
}

}  // namespace
}  // namespace nw::ui
