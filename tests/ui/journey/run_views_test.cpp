// SPDX-License-Identifier: GPL-3.0-or-later
// The Runs page's curves over other axes, saved views and computed columns, by mouse and keyboard.
#include <QComboBox>
#include <QHeaderView>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>

#include "tests/ui/journey/runs_journey.hpp"
#include "ui/runs/column_choice.hpp"
#include "ui/runs/computed_columns.hpp"
#include "ui/runs/saved_views.hpp"
#include "ui/train/branch_card.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class RunViewsJourney : public RunsJourney {
 protected:
  void compute(const QString& name, const QString& expression) {
    inDialog([&] { pick(QStringLiteral("Add a computed column…"), [&] { hand.click(part<QPushButton>("columns")); }); },
             [&](QDialog& asks) {
               hand.fill(asks.findChild<QLineEdit*>(QStringLiteral("computedName")), name);
               auto* line = asks.findChild<QLineEdit*>(QStringLiteral("computedExpression"));
               auto* add = asks.findChild<QPushButton*>(QStringLiteral("computedAdd"));
               hand.fill(line, QStringLiteral("best_acuracy * 100"));
               EXPECT_FALSE(add->isEnabled()) << "there is no such field";
               EXPECT_TRUE(asks.findChild<QLabel*>(QStringLiteral("computedNote"))->text().contains(u"best_acuracy"));
               hand.fill(line, expression);
               hand.click(add);
             });
  }
  QString computed(const fs::path& run, const QString& expression) {
    const int column = runColumn(QStringLiteral("computed/") + expression);
    return column < 0 ? QStringLiteral("none") : cell(run).siblingAtColumn(column).data().toString();
  }
};

TEST_F(RunViewsJourney, CurvesAreDrawnOverStepsAndTimeWithTheirValuesBehindTheSmoothedLine) {
  addThree();
  openRuns(3);
  auto* over = part<QComboBox>("runAxis");
  const auto summary = summarize_run(last);
  ASSERT_TRUE(summary && summary->history.size() == 5);
  const RunChart& chart = page().chart();
  ASSERT_EQ(chart.style(0).name, text(last, "run"));
  EXPECT_EQ(chart.curveX(0), (QVector<double>{1, 2, 3, 4, 5}));
  hand.choose(over, QStringLiteral("Step"));
  EXPECT_EQ(chart.curveX(0).last(), static_cast<double>(summary->history.back().step));
  EXPECT_GT(chart.curveX(0).last(), 5);
  EXPECT_EQ(chart.options().xName, QStringLiteral("Step"));
  hand.choose(over, QStringLiteral("Time"));
  EXPECT_TRUE(chart.options().xName.startsWith(QStringLiteral("Time ("))) << chart.options().xName.toStdString();
  EXPECT_GT(summary->history.back().seconds, summary->history.front().seconds);
  EXPECT_NEAR(chart.curveX(0).last() / chart.curveX(0).first(),
              summary->history.back().seconds / summary->history.front().seconds, 1e-9);
  const int before = chart.curves();
  page().chart().setSmoothing(0.9);
  ASSERT_EQ(chart.curves(), 2 * before);
  EXPECT_EQ(chart.style(0).kind, CurveKind::raw);
  EXPECT_NE(chart.curveY(0), chart.curveY(1)) << "the values and the smoothed line";
  EXPECT_EQ(chart.curveY(0).first(), chart.curveY(1).first());
  page().chart().setLogHorizontal(true);
  QTest::qWait(300);
  EXPECT_GT(chart.place(chart.curveX(0)[0], 50).x(), 0) << "a logarithmic axis has a place for every point above 0";
  const double left = chart.place(chart.curveX(0)[0], 50).x(), second = chart.place(chart.curveX(0)[1], 50).x(),
               fourth = chart.place(chart.curveX(0)[3], 50).x();
  EXPECT_GT(second - left, (fourth - second) / 2) << "distances are those of the logarithms";
  openRuns(3);
  EXPECT_EQ(part<QComboBox>("runAxis")->currentText(), QStringLiteral("Time")) << "after a new start";
}

TEST_F(RunViewsJourney, TheTreeSaysWhatABranchGainedAndComparesItsCurves) {
  addThree();
  const auto branch = [&](double created, double accuracy) {
    return add("lenet5", created, {.epochs_done = 6, .best = accuracy, .end = EndReason::finished},
               [&](RunDefinition& d) {
                 d.parent = first.filename().string();
                 d.parent_step = 2;
               });
  };
  const fs::path better = branch(4000, 0.96), worse = branch(5000, 0.91);
  openRuns(5);
  clickRow(better);
  page().lowerViews().setCurrent(1);
  BranchTree& tree = page().branches().tree();
  ASSERT_TRUE(test::wait_for([&] { return tree.lanes().size() == 3; }));
  for (const BranchLane& lane : tree.lanes()) {
    if (lane.parent < 0) {
      EXPECT_TRUE(lane.gain.isEmpty());
      continue;
    }
    const bool up = lane.run.toStdString() == better.string();
    const double gain =
        100 * (summarize_run(lane.run.toStdString())->best_accuracy - summarize_run(first)->best_accuracy);
    EXPECT_EQ(lane.gained, up ? 1 : -1);
    EXPECT_EQ(lane.gain, (up ? QStringLiteral("+") : QStringLiteral("−")) + QString::number(std::abs(gain), 'f', 2));
  }
  window().banner().hide();
  hand.click(part<QPushButton>("compareBranches"));
  EXPECT_EQ(page().lowerViews().current(), 0);
  QStringList shown = page().model().chosen(), family;
  for (const fs::path& run : {first, better, worse}) family += QString::fromStdString(run.string());
  shown.sort();
  family.sort();
  EXPECT_EQ(shown, family);
}

TEST_F(RunViewsJourney, AComputedColumnIsTypedSortedKeptAndRemoved) {
  addThree();
  openRuns(3);
  const QString expression = QStringLiteral("best(validation_accuracy) * 100");
  compute(QStringLiteral("Percent"), expression);
  const auto summary = summarize_run(best);
  ASSERT_TRUE(summary);
  EXPECT_EQ(computed(best, expression), QString::number(100 * summary->best_accuracy, 'g', 5));
  EXPECT_TRUE(page().columns().isShown(runColumn(QStringLiteral("computed/") + expression)));
  page().table().sortByColumn(runColumn(QStringLiteral("computed/") + expression), Qt::DescendingOrder);
  EXPECT_EQ(topRun(), best.string());
  EXPECT_TRUE(page().csv().section(u'\n', 0, 0).contains(QStringLiteral("Percent")));
  openRuns(3);
  EXPECT_EQ(topRun(), best.string()) << "after a new start";
  EXPECT_NE(computed(best, expression), QStringLiteral("none"));
  auto columns = computedColumns();
  ASSERT_EQ(columns.size(), 1);
  saveComputedColumns({});
  openRuns(3);
  EXPECT_EQ(computed(best, expression), QStringLiteral("none"));
}

TEST_F(RunViewsJourney, AViewIsSavedUnderANameAndBringsEverythingBack) {
  addThree();
  openRuns(3);
  auto* views = part<QPushButton>("runsViews");
  hand.fill(&page().search(), QStringLiteral("best_accuracy > 94%"));
  page().columns().show(runColumn("device"), false);
  page().table().sortByColumn(runColumn("best"), Qt::AscendingOrder);
  hand.choose(part<QComboBox>("runMetric"), QStringLiteral("Training loss"));
  hand.choose(part<QComboBox>("runAxis"), QStringLiteral("Step"));
  inDialog([&] { pick(QStringLiteral("Save this view…"), [&] { hand.click(views); }); },
           [&](QDialog& asks) {
             static_cast<QInputDialog&>(asks).setTextValue(QStringLiteral("good ones"));
             asks.accept();
           });
  ASSERT_EQ(savedViews().size(), 1);
  page().search().clear();
  page().columns().reset();
  hand.choose(part<QComboBox>("runMetric"), QStringLiteral("Learning rate"));
  hand.choose(part<QComboBox>("runAxis"), QStringLiteral("Epoch"));
  openRuns(3);
  EXPECT_EQ(page().filter().rowCount(), 3);
  pick(QStringLiteral("good ones"), [&] { hand.click(part<QPushButton>("runsViews")); });
  EXPECT_EQ(page().filter().rowCount(), 2);
  EXPECT_EQ(topRun(), last.string()) << "the lower of the two accuracies first";
  EXPECT_FALSE(page().columns().isShown(runColumn("device")));
  EXPECT_EQ(part<QComboBox>("runMetric")->currentText(), QStringLiteral("Training loss"));
  EXPECT_EQ(part<QComboBox>("runAxis")->currentText(), QStringLiteral("Step"));
  removeView(QStringLiteral("good ones"));
  EXPECT_TRUE(savedViews().isEmpty());
}

}  // namespace
}  // namespace nw::ui
