// SPDX-License-Identifier: GPL-3.0-or-later
// Tracked samples on the Train page: their predictions at each step, by mouse and keyboard, during a run and after
// it.
#include "ui/train/tracked_sample_panel.hpp"

#include <gtest/gtest.h>

#include <QTest>
#include <fstream>

#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/train/tracked_sample_grid.hpp"
#include "ui/train/tracked_sample_timeline.hpp"
#include "ui/train/train_page.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

using test::wait_for;

struct TrackedSamplesPanel : testing::Test {
  test::TemporaryFolder runs;
  Session session;
  TrainPage page{session};
  test::RunWriter run{runs.path(), test::definition_of("lenet5")};
  std::optional<TrackedSampleFile> file;

  static TrackedSampleHistory nines() {
    TrackedSampleHistory h{.classes = 10, .channels = 1, .height = 4, .width = 4, .every = 100};
    for (int i = 0; i < 9; ++i) h.probes.push_back({700 + i, i});
    h.pixels.assign(9 * 16, 200);
    return h;
  }
  /// Writes a record in which the first `right` samples are predicted correctly, the others as 9.
  void look(std::int64_t step, int right) {
    std::vector<TrackedPrediction> answers;
    for (int i = 0; i < 9; ++i)
      answers.push_back(i < right ? TrackedPrediction{i, 0.75F, 0.75F} : TrackedPrediction{9, 0.5F, 0.25F});
    ASSERT_TRUE(file->append(step, answers));
  }
  void begin() {
    auto opened = TrackedSampleFile::open(run.folder(), nines(), 0);
    ASSERT_TRUE(opened);
    file.emplace(*std::move(opened));
    look(0, 0);
    look(100, 4);
    look(200, 2);
    look(300, 9);
  }
  void follow(bool live = false) {
    test::write_training(
        run, {.epochs_done = live ? 1 : 10, .end = live ? std::nullopt : std::optional(EndReason::finished)});
    if (live) run.lock();
    page.resize(1600, 1000);
    page.show();
    session.feed().follow(QString::fromStdString(run.folder().string()));
    page.sideViews().setCurrent(1);
    ASSERT_TRUE(
        wait_for([&] { return session.feed().loaded() && session.feed().definition() && page.probes().isVisible(); }));
  }
  TrackedSamplePanel& panel() { return page.probes(); }
};

TEST_F(TrackedSamplesPanel, ShowPredictionsAtTheSelectedStep) {
  begin();
  follow();
  ASSERT_TRUE(wait_for([&] { return panel().band().maximum() == 3; }));
  EXPECT_EQ(panel().band().value(), 3) << "the newest first";
  EXPECT_EQ(panel().headline(), QStringLiteral("9 of 9 correct at step 300"));
  panel().band().setFocus();
  QTest::keyClick(&panel().band(), Qt::Key_Home);
  EXPECT_EQ(panel().headline(), QStringLiteral("0 of 9 correct at step 0"));
  QTest::keyClick(&panel().band(), Qt::Key_Right);
  EXPECT_EQ(panel().headline(), QStringLiteral("4 of 9 correct at step 100"));
  QTest::mouseClick(&panel().band(), Qt::LeftButton, {}, QPoint(static_cast<int>(panel().band().xOf(2)), 20));
  EXPECT_EQ(panel().headline(), QStringLiteral("2 of 9 correct at step 200"));
  QTest::mouseClick(&panel().grid(), Qt::LeftButton, {}, panel().grid().cell(2).center().toPoint());
  EXPECT_TRUE(panel().detail().startsWith(QStringLiteral("2, predicted as 9: 50 %, the true class: 25 %")))
      << panel().detail().toStdString();
  EXPECT_TRUE(panel().detail().endsWith(QStringLiteral("First learned at step 100, forgotten at step 200")))
      << panel().detail().toStdString();
  QTest::keyClick(&panel().grid(), Qt::Key_Left);
  EXPECT_TRUE(panel().detail().endsWith(QStringLiteral("Learned at step 100"))) << panel().detail().toStdString();
  QTest::keyClick(&panel().grid(), Qt::Key_End);
  EXPECT_EQ(panel().grid().current(), 8);
  EXPECT_EQ(state_at(*panel().probes().history(), 2, 2), TrackedSampleState::forgotten);
  EXPECT_EQ(state_at(*panel().probes().history(), 2, 8), TrackedSampleState::not_yet);
}

TEST_F(TrackedSamplesPanel, OfALiveRunFollowItsNewestStepUnlessAnotherWasChosen) {
  begin();
  follow(true);
  ASSERT_TRUE(wait_for([&] { return panel().band().maximum() == 3; }));
  look(400, 5);
  ASSERT_TRUE(wait_for([&] { return panel().band().maximum() == 4; }));
  EXPECT_EQ(panel().headline(), QStringLiteral("5 of 9 correct at step 400"));
  panel().band().setValue(1);
  look(500, 6);
  ASSERT_TRUE(wait_for([&] { return panel().band().maximum() == 5; }));
  EXPECT_EQ(panel().headline(), QStringLiteral("4 of 9 correct at step 100"));
}

TEST_F(TrackedSamplesPanel, ReportADamagedOrMissingFile) {
  std::ofstream(run.folder() / "probes.bin") << "NWPROBE1 but nothing else";
  follow();
  ASSERT_TRUE(wait_for([&] { return panel().probes().sentence().contains(QStringLiteral("probes.bin is damaged")); }));
  EXPECT_FALSE(panel().band().isVisible());
  fs::remove(run.folder() / "probes.bin");
  page.sideViews().setCurrent(0);
  page.sideViews().setCurrent(1);
  EXPECT_TRUE(wait_for([&] { return panel().probes().sentence().contains(QStringLiteral("has no tracked samples")); }));
}

}  // namespace
}  // namespace nw::ui
