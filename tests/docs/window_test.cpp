// SPDX-License-Identifier: GPL-3.0-or-later
// The examples of docs/adding.md for the window.
#include "tests/docs/examples/window.hpp"

#include <gtest/gtest.h>

#include <QTest>

#include "engine/design/project_file.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/design/tabbed_panel.hpp"

namespace nw::ui {
namespace {

TEST(AddedChart, ShowsAPointForEachEpochWithAValidation) {
  const test::TemporaryFolder runs;
  test::RunWriter run(runs.path(), test::definition_of());
  test::write_training(run, {.epochs = 4, .epochs_done = 3, .end = EndReason::finished});
  RunFeed feed;
  feed.follow(QString::fromStdString(run.folder().string()));
  ASSERT_TRUE(test::wait_for([&] { return feed.epochs().size() == 3; }));
  ChartCursor cursor;
  QWidget page;
  QGridLayout grid(&page);
  const auto charts = charts_of<RunFeed>(std::span(&gap_chart, 1), "TrainCharts", cursor, grid);
  EXPECT_EQ(grid.rowStretch(gap_chart.row), usual_row_stretch) << "a row without a stretch has the height of a line";
  gap_chart.fill(*charts.front(), feed);
  const QVector<double>& gap = charts.front()->curveY(0);
  ASSERT_EQ(gap.size(), 3);
  const EpochEnd& last = feed.epochs().back();
  EXPECT_DOUBLE_EQ(gap[2], last.validation_loss - last.train_loss);
}

TEST(AddedDock, CountsLayersAndFollowsTheDocument) {
  Session session;
  TabbedPanel dock(QStringLiteral("panel"), QStringLiteral("Panel"));
  auto* census = new LayerCensus(session);
  EXPECT_EQ(dock.addPage(QStringLiteral("Census"), census), 0);
  session.replace(find_template("lenet5")->make(), {}, QStringLiteral("lenet5"));
  EXPECT_FALSE(census->findItems(QStringLiteral("Conv2d: 2"), Qt::MatchExactly).isEmpty());
  EXPECT_FALSE(census->findItems(QStringLiteral("Linear: 3"), Qt::MatchExactly).isEmpty());
}

TEST(AddedCommand, SelectsTheFrozenLayersOnly) {
  Session session;
  GraphDoc doc = find_template("lenet5")->make();
  Node frozen = doc.graph().nodes.begin()->second;
  frozen.frozen = true;
  const NodeId id = doc.graph().nodes.begin()->first;
  ASSERT_TRUE(doc.apply({PutNode{"", id, frozen}}));
  session.replace(doc, {}, QStringLiteral("lenet5"));
  Canvas canvas(session);
  select_frozen.run(canvas.view());
  EXPECT_EQ(canvas.scene().selection().nodes(), std::vector<NodeId>{id});
}

}  // namespace
}  // namespace nw::ui
