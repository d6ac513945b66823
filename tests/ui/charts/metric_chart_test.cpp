// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QImage>
#include <QMouseEvent>
#include <QSvgRenderer>
#include <QTest>
#include <cmath>

#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/charts/device_chart.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/charts/plot.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

struct MetricChartTest : testing::Test {
  ChartCursor cursor;
  MetricChart chart{{.title = "Loss", .xName = "Epoch"}, &cursor};
  int line = chart.addCurve({"train", 0, CurveKind::line});
  int check = chart.addCurve({"validation", 1, CurveKind::validation});

  void SetUp() override {
    chart.resize(600, 300);
    chart.show();
    chart.setHorizontal({0, 10});
    chart.setCurve(line, {0.5, 1, 1.5, 2}, {4, 3, 2, 1});
    chart.setCurve(check, {1, 2}, {3.2, 1.4});
  }
  bool drawn() {
    QCoreApplication::processEvents();  // draws what was queued earlier
    bool done = false;
    const auto connection = QObject::connect(chart.plot(), &QCustomPlot::afterReplot, [&] { done = true; });
    chart.replotSoon();
    const bool ok = test::wait_for([&] { return done; });
    QObject::disconnect(connection);
    return ok;
  }
};

TEST_F(MetricChartTest, ShowsTheDataItWasGivenOverTheWholePlannedRun) {
  ASSERT_TRUE(drawn());
  const QCPGraph* graph = chart.plot()->graph(line);
  ASSERT_EQ(graph->dataCount(), 4);
  EXPECT_EQ(graph->data()->at(3)->value, 1);
  EXPECT_EQ(chart.plot()->xAxis->range().upper, 10);
  EXPECT_LE(chart.vertical().low, 1);
  EXPECT_GE(chart.vertical().high, 4);
}

TEST_F(MetricChartTest, ALongCurveIsDrawnWholeAndTheAreaBelowItCoarser) {
  const int area = chart.addCurve({"images/s", 3, CurveKind::area});
  QVector<double> x, y;
  for (int i = 1; i <= 5000; ++i) {
    x << i / 500.0;
    y << (i % 2 == 0 ? 90 : 110);
  }
  chart.setCurve(area, x, y);
  ASSERT_EQ(chart.plot()->graphCount(), 4);
  EXPECT_EQ(chart.plot()->graph(area)->dataCount(), 5000);
  const QCPGraph* fill = chart.plot()->graph(3);
  EXPECT_GT(fill->dataCount(), 200);
  EXPECT_LT(fill->dataCount(), 320);
  EXPECT_EQ(fill->data()->at(0)->key, x.first());
  EXPECT_EQ(fill->data()->at(fill->dataCount() - 1)->key, x.last());
  EXPECT_NEAR(fill->data()->at(100)->value, 100, 1);
  EXPECT_NE(fill->brush().style(), Qt::NoBrush);
  EXPECT_TRUE(chart.plot()->plottingHints().testFlag(QCP::phFastPolylines));
}

TEST_F(MetricChartTest, ManyUpdatesBecomeOneReplot) {
  ASSERT_TRUE(drawn());
  int replots = 0;
  QObject::connect(chart.plot(), &QCustomPlot::afterReplot, [&] { ++replots; });
  for (int i = 0; i < 1000; ++i) chart.setCurve(line, {1, 2}, {1.0 * i, 2});
  ASSERT_TRUE(test::wait_for([&] { return replots > 0; }));
  EXPECT_EQ(replots, 1);
  EXPECT_TRUE(chart.plot()->graph(line)->adaptiveSampling());
}

TEST_F(MetricChartTest, TheCursorOfOneChartMovesInAll) {
  MetricChart other({.title = "Accuracy"}, &cursor);
  ASSERT_TRUE(drawn());
  const QPointF at = chart.place(1.5, 2);
  QMouseEvent move(QEvent::MouseMove, at, chart.plot()->mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
  QCoreApplication::sendEvent(chart.plot(), &move);
  EXPECT_NEAR(cursor.x(), 1.5, 0.02);
  EXPECT_NEAR(other.cursor().x(), 1.5, 0.02);
  EXPECT_TRUE(chart.isPointedAt());
  EXPECT_FALSE(other.isPointedAt()) << "one tooltip";
  QEvent leave(QEvent::Leave);
  QCoreApplication::sendEvent(chart.plot(), &leave);
  EXPECT_TRUE(std::isnan(cursor.x()));
}

TEST_F(MetricChartTest, TheValueUnderTheCursorIsTheNearestPointsAndNoneBeyondTheLine) {
  EXPECT_EQ(chart.valueAt(line, 1.1), 3);
  EXPECT_EQ(chart.valueAt(line, 1.4), 2);
  EXPECT_TRUE(std::isnan(chart.valueAt(line, 7)));
}

TEST_F(MetricChartTest, ALogarithmicAxisLeavesOutWhatIsNotAboveZero) {
  chart.setCurve(line, {1, 2, 3}, {0, 0.01, 1});
  chart.setLogAxis(true);
  ASSERT_TRUE(drawn());
  EXPECT_EQ(chart.plot()->yAxis->scaleType(), QCPAxis::stLogarithmic);
  EXPECT_GT(chart.vertical().low, 0.001);
}

TEST_F(MetricChartTest, SwitchingTheThemeRecoloursTheLines) {
  const ThemeMode before = themeMode();
  applyTheme(ThemeMode::light);
  ASSERT_TRUE(test::wait_for([&] { return chart.plot()->graph(line)->pen().color() == theme().series[0]; }));
  const QColor light = chart.plot()->graph(line)->pen().color();
  applyTheme(ThemeMode::dark);
  ASSERT_TRUE(test::wait_for([&] { return chart.plot()->graph(line)->pen().color() == theme().series[0]; }));
  EXPECT_NE(light, theme().series[0]);
  applyTheme(before);
}

TEST_F(MetricChartTest, ExportsWhatItShows) {
  test::TemporaryFolder folder;
  const auto file = [&](const char* name) { return QString::fromStdString((folder.path() / name).string()); };
  ASSERT_TRUE(chart.exportTo(file("loss.csv")));
  const auto csv = read_file(folder.path() / "loss.csv", 1 << 20);
  ASSERT_TRUE(csv);
  EXPECT_EQ(*csv, "epoch,\"train\",\"validation\"\n0.5,4,\n1,3,3.2\n1.5,2,\n2,1,1.4\n");
  ASSERT_TRUE(chart.exportTo(file("loss.png")));
  EXPECT_FALSE(QImage(file("loss.png")).isNull());
  ASSERT_TRUE(chart.exportTo(file("loss.svg")));
  EXPECT_TRUE(QSvgRenderer(file("loss.svg")).isValid());
  const auto svg = read_file(folder.path() / "loss.svg", 16 << 20);
  ASSERT_TRUE(svg);
  EXPECT_EQ(svg->find("<image"), std::string::npos) << "lines, not a picture of lines";
  EXPECT_FALSE(chart.exportTo(file("no/such/folder.csv")));
}

TEST(MachineRows, OneForTheProcessorAndOneForEachGpuOverTheLastMinute) {
  std::vector<std::pair<double, DeviceSample>> samples;
  for (int t = 0; t < 200; ++t) samples.emplace_back(t, test::machine_sample(t, 4));
  const QVector<MachineRow> rows = machineRows(samples);
  ASSERT_EQ(rows.size(), 5);
  EXPECT_EQ(rows[0].utilization.size(), 61);
  EXPECT_EQ(rows[0].utilization.last().x(), 0);
  EXPECT_EQ(rows[4].name, QStringLiteral("GPU 3"));
  EXPECT_EQ(rows[4].capacityBytes, 24e9);
  EXPECT_EQ(rows[4].memory.last().y(), 9.8e9);
}

TEST(MachineRows, ToolTipShowsAdditionalDetails) {
  DeviceSample s;
  s.gpus.push_back({.name = "NVIDIA Test",
                    .utilization = 90,
                    .process_utilization = 55,
                    .process_memory_bytes = 2e9,
                    .processor_mhz = 1980,
                    .pcie_in_bytes_per_s = 5e9,
                    .pcie_out_bytes_per_s = 1e6});
  s.gpus.push_back({.name = "Silent"});
  const QVector<MachineRow> rows = machineRows({{0, s}});
  EXPECT_EQ(rows[1].tip.split(u'\n').size(), 5) << rows[1].tip.toStdString();
  EXPECT_TRUE(rows[1].tip.contains(QStringLiteral("This run: 55"))) << rows[1].tip.toStdString();
  EXPECT_TRUE(rows[1].tip.contains(QStringLiteral("1980 MHz")));
  EXPECT_TRUE(rows[1].tip.contains(QStringLiteral("PCIe")));
  EXPECT_FALSE(rows[1].tip.contains(QStringLiteral("NVLink")));
  EXPECT_EQ(rows[2].tip, QStringLiteral("Silent"));
}

TEST(MachineRows, UnavailableMeasurementsAreOmitted) {
  const QVector<MachineRow> rows = machineRows({{0, DeviceSample{}}});
  ASSERT_EQ(rows.size(), 1);
  EXPECT_TRUE(rows[0].utilization.isEmpty());
  EXPECT_TRUE(rows[0].details.isEmpty());
  EXPECT_EQ(machineRows({}).size(), 1) << "the place is kept before the first sample";
}

}  // namespace
}  // namespace nw::ui
