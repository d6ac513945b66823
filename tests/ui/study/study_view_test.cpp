// SPDX-License-Identifier: GPL-3.0-or-later
// What the views of a study compute from its snapshot, and what 10,000 trials cost the GUI thread.
#include "ui/study/study_view.hpp"

#include <gtest/gtest.h>

#include <QImage>
#include <QPainter>
#include <QTest>
#include <cstdio>
#include <ctime>

#include "engine/search/random.hpp"
#include "tests/support/study_writer.hpp"
#include "ui/study/front_chart.hpp"
#include "ui/study/importance_view.hpp"
#include "ui/study/parallel_view.hpp"
#include "ui/study/rung_bars.hpp"
#include "ui/study/study_strip.hpp"
#include "ui/study/study_text.hpp"
#include "ui/study/trial_table.hpp"

namespace nw::ui {
namespace {

/// The snapshot of a whole journal.
StudyData snapshotOfText(const std::string& text, bool running = false) {
  QTemporaryDir place;
  const fs::path folder = place.path().toStdString();
  EXPECT_TRUE(save_file(folder / search::journal_file, text));
  search::StudyTail tail(folder);
  for (auto more = tail.poll(); more && *more; more = tail.poll()) {}
  return snapshotOf(tail, running, tail.timeline().last_clock());
}

StudyData written(const test::StudyScript& script) { return snapshotOfText(test::StudyWriter(script).text()); }

TEST(StudySnapshot, HasTheAxesThatMatterAndTheBestTrial) {
  const test::StudyWriter writer({.trials = 40});
  const StudyData s = snapshotOfText(writer.text());
  EXPECT_EQ(s->best, writer.study().best()->number);
  ASSERT_EQ(s->axes.size(), 7U) << "six parameters and the objective";
  EXPECT_EQ(static_cast<std::size_t>(s->axes.front().parameter), s->importance.front().parameter);
  const StudyAxis* rate = s->axis(0);
  ASSERT_TRUE(rate);
  for (const search::Trial& t : s->trials) {
    EXPECT_NEAR(rate->value(rate->places[t.number]), t.point[0], 1e-3 * t.point[0]);
    EXPECT_FALSE(std::isnan(s->seconds[t.number]));
  }
  EXPECT_EQ(s->axis(-1)->places[s->best], 1) << "the best one is at the end of its axis";
  EXPECT_EQ(s->rungs, (QVector<qint64>{1, 3, 9, 27}));
  EXPECT_EQ(s->count(search::TrialState::failed), 1);
}

TEST(StudySnapshot, RungsCountWhoCameAndWhoWasPromoted) {
  const StudyData s = written({.trials = 40});
  const auto rows = RungBars::rows(*s);
  ASSERT_EQ(rows.size(), 4);
  EXPECT_EQ(rows[0].count, 39) << "all but the one that failed";
  for (int i = 1; i < 4; ++i) {
    EXPECT_LT(rows[i].count, rows[i - 1].count);
    EXPECT_EQ(rows[i - 1].below, QStringLiteral("%1 promoted").arg(rows[i].count));
  }
}

TEST(StudyStrip, SaysThatTrialsFailedHoweverNarrowItIs) {
  const StudyData s = written({.trials = 40});
  ASSERT_EQ(s->count(search::TrialState::failed), 1);
  const QVector<StateWords> wide = stateWords(*s, 2000);
  ASSERT_GE(wide.size(), 3);
  for (const StateWords& each : wide) EXPECT_TRUE(each.words.contains(u' ')) << each.words.toStdString();
  const QVector<StateWords> narrow = stateWords(*s, 150), none = stateWords(*s, 0);
  ASSERT_EQ(narrow.size(), wide.size()) << "no state is left out";
  EXPECT_EQ(narrow.last().words, wide.last().words) << "failed trials keep their words";
  EXPECT_EQ(narrow.first().words, QString::number(s->count(search::TrialState::complete)));
  EXPECT_EQ(none.last().words, QStringLiteral("1"));
}

TEST(StudyModel, SelectsTheBestUntilAnAxisIsBrushed) {
  StudyModel model;
  const StudyData s = written({.trials = 60});
  model.setData(s);
  EXPECT_EQ(model.current(), s->best);
  EXPECT_GE(model.selectedCount(), 10);
  EXPECT_LE(model.selectedCount(), 13) << "the best fifth; equal ones together";
  double worstIn = 1, bestOut = 0;
  for (const search::Trial& t : s->trials)
    if (!std::isnan(s->values[t.number])) {
      if (model.isSelected(t.number))
        worstIn = std::min(worstIn, s->values[t.number]);
      else
        bestOut = std::max(bestOut, s->values[t.number]);
    }
  EXPECT_GE(worstIn, bestOut);
  model.setBrush(1, Range{0.9, 1});  // batch: 256
  for (const search::Trial& t : s->trials) EXPECT_EQ(model.isSelected(t.number), t.point[1] == 3) << t.number;
  model.setBrush(1, std::nullopt);
  EXPECT_EQ(model.selectedCount(), 60);
}

TEST(StudyFollower, TellsOnceWhatIsNewAndOnceWhatIsWrong) {
  QTemporaryDir place;
  const fs::path folder = place.path().toStdString();
  const std::string text = test::StudyWriter({.trials = 10}).text();
  ASSERT_TRUE(save_file(folder / search::journal_file, text));
  StudyFollower follower;
  int changes = 0;
  QStringList problems;
  QObject::connect(&follower, &StudyFollower::changed, &follower, [&] { ++changes; });
  QObject::connect(&follower, &StudyFollower::failed, &follower, [&](const QString& s) { problems += s; });
  follower.follow(folder);
  ASSERT_TRUE(QTest::qWaitFor([&] { return changes == 1; }));
  follower.setWatching(true);
  QTest::qWait(1600);
  EXPECT_EQ(changes, 1) << "nothing was written";
  ASSERT_TRUE(save_file(folder / search::journal_file, text + "no record\n"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return !problems.isEmpty(); }));
  QTest::qWait(1200);
  EXPECT_EQ(problems.size(), 1) << problems.join(u' ').toStdString();
}

TEST(StudyTable, PutsTrialsWithoutAValueLastInBothDirections) {
  StudyModel model;
  TrialTable table(model);
  model.setData(written({.trials = 30}));
  for (const Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder}) {
    table.trials().sort(TrialTableModel::value, order);
    EXPECT_EQ(table.trials().trialAt(29), 9) << "the failed one";
  }
  EXPECT_EQ(table.trials().trialAt(0), model.data()->best);
}

TEST(StudyText, OfStrangersIsInOneLine) {
  search::Parameter p;
  p.kind = search::Parameter::Kind::choice;
  p.values = {"a\nb\x1b[31m"};
  EXPECT_FALSE(parameterText(p, 0).contains(u'\n'));
  EXPECT_FALSE(parameterText(p, 0).contains(QChar(0x1b)));
  EXPECT_EQ(parameterTitle("learning_rate"), QStringLiteral("Learning rate"));
  EXPECT_EQ(parameterTitle("conv1.out_channels"), QStringLiteral("conv1.out_channels"));
}

/// 10,000 trials of random points; a quarter paused.
StudyData tenThousand(bool two) {
  const search::Space space = test::script_space();
  search::StudyDefinition d{.name = "net",
                            .space = space,
                            .objectives = {{"accuracy", true}},
                            .sampler = "random",
                            .pruner = "asha",
                            .epochs = 9};
  if (two) d.objectives.push_back({"parameters", false}), d.pruner = "none";
  std::string text = search::record_line(search::Began{d, 1}, space) + "\n";
  for (std::int64_t i = 0; i < 10'000; ++i) {
    search::Draw draw(1, i);
    const double at = 2 + static_cast<double>(i);
    text += search::record_line(search::Proposed{i, search::random_point(space, draw), 9, at}, space) + "\n";
    text += search::record_line(search::Reported{i, 9, draw.uniform()}, space) + "\n";
    std::vector<double> values{draw.uniform()};
    if (two) values.push_back(1000 * draw.uniform());
    text += search::record_line(search::Closed{i, search::TrialState::complete, values, "", at + 0.9}, space) + "\n";
  }
  return snapshotOfText(text);
}

/// Printed; by hand: ui_study_test --gtest_filter=*TenThousand*
TEST(StudyView, TenThousandTrialsDoNotHoldUpTheWindow) {
  for (const bool two : {false, true}) {
    const StudyData s = tenThousand(two);
    ASSERT_EQ(s->trials.size(), 10'000U);
    StudyView view;
    view.resize(1600, 900);
    view.show();
    const auto cpu_ms = [] {  // of this thread: other programs do not count
      timespec now{};
      ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
      return 1e3 * static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e6;
    };
    const auto timed = [&](const char* what, auto act) {
      const double before = cpu_ms();
      act();
      std::printf("%-28s %6.2f ms\n", what, cpu_ms() - before);
    };
    timed("a new snapshot", [&] { view.model().setData(s); });
    timed("the same again", [&] { view.model().setData(s); });
    timed("sorted", [&] { view.table().trials().sort(TrialTableModel::first_parameter, Qt::AscendingOrder); });
    timed("brushed", [&] { view.model().setBrush(0, Range{0.2, 0.6}); });
    QCoreApplication::processEvents();
    for (StudyPlot* plot : view.findChildren<StudyPlot*>()) {
      if (!plot->isVisible()) continue;
      QImage image(plot->size(), QImage::Format_ARGB32_Premultiplied);
      timed(plot->metaObject()->className(), [&] { plot->render(&image); });
    }
    for (const auto mode : {ImportanceView::Mode::slice, ImportanceView::Mode::contour}) {
      view.importance().setMode(mode);
      QImage image(view.importance().size(), QImage::Format_ARGB32_Premultiplied);
      timed(mode == ImportanceView::Mode::slice ? "slice" : "contour", [&] { view.importance().render(&image); });
    }
  }
}

}  // namespace
}  // namespace nw::ui
