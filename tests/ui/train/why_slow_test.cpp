// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/why_slow.hpp"

#include <gtest/gtest.h>

#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/train/train_page.hpp"

namespace nw::ui {
namespace {

using test::wait_for;

StepSplit slowInput() {
  return {.last = 80,
          .count = 10,
          .seconds = 0.01,
          .decode_s = 0.001,
          .augment_s = 0.006,
          .copy_s = 0.0005,
          .compute_s = 0.0025,
          .reduce_s = 0,
          .wait_s = 0};
}

TEST(SplitParts, EmptyPartsAreOmittedAndTheOthersAddUp) {
  const QVector<SplitPart> parts = splitParts(slowInput());
  ASSERT_EQ(parts.size(), 4);
  EXPECT_EQ(parts[1].name, QStringLiteral("Augment"));
  double sum = 0;
  for (const SplitPart& p : parts) sum += p.seconds;
  EXPECT_NEAR(sum, 0.01, 1e-12);
}

TEST(StepTime, UsesTheUnitThatSuitsItsSize) {
  EXPECT_EQ(stepTimeText(0.00087), QStringLiteral("870 µs"));
  EXPECT_EQ(stepTimeText(0.0523), QStringLiteral("52.3 ms"));
  EXPECT_EQ(stepTimeText(1.2449), QStringLiteral("1.24 s"));
}

TEST(WhySlowCard, FollowsTheRunAndShowsTheVerdict) {
  test::TemporaryFolder runs;
  Session session;
  TrainPage page(session);
  test::RunWriter run(runs.path(), test::definition_of());
  test::write_training(run, {.epochs_done = 1});
  session.feed().follow(QString::fromStdString(run.folder().string()));
  ASSERT_TRUE(wait_for([&] { return session.feed().loaded(); }));
  EXPECT_TRUE(page.whySlow().isHidden()) << "a run that was not measured says nothing";
  const std::size_t events = session.feed().log().size();
  run.post(50, slowInput());
  ASSERT_TRUE(wait_for([&] { return !page.whySlow().isHidden(); }));
  EXPECT_EQ(page.whySlow().verdictText(),
            QStringLiteral("Input-bound: loading images takes 75 % of a step, mostly their transforms"));
  EXPECT_EQ(session.feed().log().size(), events) << "measurements are no events of the list";
  session.feed().follow({});
  EXPECT_TRUE(wait_for([&] { return page.whySlow().isHidden(); }));
}

}  // namespace
}  // namespace nw::ui
