// SPDX-License-Identifier: GPL-3.0-or-later
// Layer statistics on the Train page.
#include "ui/train/layer_board.hpp"

#include <gtest/gtest.h>

#include <QTableView>
#include <QTest>

#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/train/layer_column.hpp"
#include "ui/train/train_page.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

using test::wait_for;

LayerStatistics look(std::int64_t step, double scale) {
  const auto figures = [&](float size) {
    const std::vector<float> numbers = {-size, 0, size};
    const std::span<const float> all = numbers;
    return figures_of({&all, 1});
  };
  const auto s = static_cast<float>(scale);
  LayerState conv{.layer = "conv1",
                  .weights = figures(1),
                  .gradients = figures(s),
                  .outputs = figures(2),
                  .update_ratio = 0.001 * scale};
  LayerState relu{.layer = "relu1", .outputs = figures(3), .units = 6, .dead = 2};
  LayerState fc{.layer = "fc1",
                .weights = figures(4),
                .gradients = figures(2 * s),
                .outputs = figures(5),
                .update_ratio = 0.002 * scale};
  return {.step = step, .epoch = static_cast<double>(step) / 844, .images = 64, .layers = {conv, relu, fc}};
}

struct LayerBoardTest : testing::Test {
  test::TemporaryFolder runs;
  Session session;
  TrainPage page{session};
  std::optional<test::RunWriter> run;

  void write(const LayerStatistics& s) {
    std::ofstream(run->folder() / statistics_file, std::ios::binary | std::ios::app) << event_line(Event{1, s}) << "\n";
  }
  void SetUp() override {
    run.emplace(runs.path(), test::definition_of("lenet5"));
    test::write_training(*run, {.epochs_done = 2});
    run->lock();
    page.resize(1400, 900);
    page.show();
  }
  void follow() {
    session.feed().follow(QString::fromStdString(run->folder().string()));
    ASSERT_TRUE(wait_for([&] { return session.feed().loaded() && !page.layers().rows().isEmpty(); }));
  }
  QTableView& table() { return *page.board().findChild<QTableView*>(); }
  qsizetype row(const char* name) {
    for (qsizetype i = 0; i < page.layers().rows().size(); ++i)
      if (page.layers().rows()[i].name == QLatin1String(name)) return i;
    return -1;
  }
};

TEST_F(LayerBoardTest, TheTableShowsTheLastRecordAndTheChartsTheChosenLayer) {
  write(look(100, 4));
  write(look(844, 2));
  follow();
  page.views().setCurrent(1);
  ASSERT_TRUE(wait_for([&] { return page.board().figures().rowCount() == 3; }));
  const auto cell = [&](int r, int c) { return table().model()->index(r, c).data().toString(); };
  EXPECT_EQ(cell(0, 0), QStringLiteral("conv1"));
  EXPECT_EQ(cell(0, 1), QString::number(std::sqrt(8.0), 'g', 3));
  EXPECT_EQ(cell(0, 3), QStringLiteral("2")) << "the greatest gradient";
  EXPECT_EQ(cell(0, 5), QStringLiteral("0.002"));
  EXPECT_EQ(cell(0, 6), QString()) << "not a ReLU";
  EXPECT_EQ(cell(1, 1), QString()) << "no weights";
  EXPECT_TRUE(cell(1, 6).contains(u'2') && cell(1, 6).contains(u'6')) << cell(1, 6).toStdString();
  EXPECT_EQ(page.board().layer(), QStringLiteral("conv1"));
  ASSERT_EQ(page.board().gradients().curveY(0).size(), 2);
  EXPECT_NEAR(page.board().gradients().curveY(0)[0], look(100, 4).layers[0].gradients.norm, 1e-4);
  EXPECT_NEAR(page.board().gradients().curveY(0)[1], look(844, 2).layers[0].gradients.norm, 1e-4);
  EXPECT_EQ(page.board().updates().curveY(0), (QVector<double>{0.004, 0.002}));
  EXPECT_EQ(page.board().histogram(0).columns().size(), 2);

  table().setFocus();
  QTest::keyClick(&table(), Qt::Key_Down);
  EXPECT_EQ(page.board().layer(), QStringLiteral("relu1"));
  EXPECT_TRUE(page.board().gradients().curveY(0).isEmpty());
  EXPECT_EQ(page.board().histogram(2).columns().size(), 2);
  EXPECT_TRUE(page.board().histogram(0).columns().isEmpty());
}

TEST_F(LayerBoardTest, GrowsWithTheRunKeepsTheChoiceAndDropsRecordsAfterAResume) {
  write(look(100, 4));
  follow();
  page.views().setCurrent(1);
  ASSERT_TRUE(wait_for([&] { return page.board().figures().rowCount() == 3; }));
  page.board().choose(QStringLiteral("fc1"));
  write(look(844, 2));
  write(look(1600, 1));
  ASSERT_TRUE(wait_for([&] { return page.board().gradients().curveY(0).size() == 3; }));
  EXPECT_EQ(page.board().layer(), QStringLiteral("fc1"));
  run->post(20, Resumed{844, 1, 0});
  ASSERT_TRUE(wait_for([&] { return session.feed().statistics().size() == 2; }));
  write(look(1600, 3));
  ASSERT_TRUE(wait_for([&] { return page.board().updates().curveY(0).size() == 3; }));
  EXPECT_DOUBLE_EQ(page.board().updates().curveY(0).last(), 0.006);
}

TEST_F(LayerBoardTest, TheColumnOfLayersIsTintedByGradientsAndUpdates) {
  write(look(844, 2));
  follow();
  ASSERT_TRUE(wait_for([&] { return session.feed().statistics().size() == 1; }));
  EXPECT_FALSE(page.layers().value(row("conv1"))) << "sizes at first";
  page.tints().setFocus();
  QTest::keyClick(&page.tints(), Qt::Key_Right);
  ASSERT_EQ(page.layers().tint(), LayerTint::gradients);
  EXPECT_DOUBLE_EQ(*page.layers().value(row("conv1")), session.feed().statistics()[0].layers[0].gradients.norm);
  EXPECT_FALSE(page.layers().value(row("relu1")));
  EXPECT_DOUBLE_EQ(page.layers().most(), session.feed().statistics()[0].layers[2].gradients.norm);
  EXPECT_TRUE(page.layers().accessibleDescription().contains(QStringLiteral("conv1 2.83")))
      << page.layers().accessibleDescription().toStdString();
  QTest::keyClick(&page.tints(), Qt::Key_Right);
  EXPECT_DOUBLE_EQ(*page.layers().value(row("fc1")), 0.004);
}

TEST_F(LayerBoardTest, ARunWithoutLayerStatisticsIsReported) {
  follow();
  page.views().setCurrent(1);
  EXPECT_EQ(page.board().figures().rowCount(), 0);
  EXPECT_FALSE(table().isVisible());
  page.tints().setCurrent(1);
  EXPECT_FALSE(page.layers().value(row("conv1")));
}

TEST_F(LayerBoardTest, DamagedRecordsLeaveTheOthers) {
  std::ofstream(run->folder() / statistics_file) << "nonsense\n";
  write(look(844, 2));
  std::ofstream(run->folder() / statistics_file, std::ios::app) << "{\"type\":\"statistics\",\"layers\":7}\n";
  follow();
  page.views().setCurrent(1);
  ASSERT_TRUE(
      wait_for([&] { return session.feed().statistics().size() == 1 && session.feed().damagedStatistics() == 2; }));
  EXPECT_TRUE(page.board().damage().contains(QStringLiteral("2"))) << page.board().damage().toStdString();
  const auto shown = [&] {
    for (const QLabel* label : page.board().findChildren<QLabel*>())
      if (label->isVisible() && label->accessibleName() == page.board().damage()) return true;
    return false;
  };
  EXPECT_TRUE(wait_for(shown)) << "it stands above the figures";
}

TEST_F(LayerBoardTest, WithoutDamageNothingIsReported) {
  write(look(844, 2));
  follow();
  page.views().setCurrent(1);
  ASSERT_TRUE(wait_for([&] { return session.feed().statistics().size() == 1; }));
  EXPECT_EQ(page.board().damage(), QString());
}

}  // namespace
}  // namespace nw::ui
