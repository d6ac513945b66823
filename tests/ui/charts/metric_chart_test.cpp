// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <QApplication>
#include <QFileDialog>
#include <QImage>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QSettings>
#include <QSvgRenderer>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>
#include <cmath>

#include "tests/support/run_writer.hpp"
#include "tests/support/wait_for.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/chart_parts.hpp"
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

TEST(ChartChips, GetTheirWholeTextWhereNoOtherIsCoveredAndTheirNumberElsewhere) {
  QVector<ChipPlace> chips{{100, 80, 16}, {155, 80, 16}, {300, 80, 16}, {308, 80, 16}, {500, 90, 0}, {505, 20, 0}};
  placeChips(chips, 0, 600);
  EXPECT_EQ(chips[0].width, 80);
  EXPECT_EQ(chips[0].left, 60);
  EXPECT_EQ(chips[1].width, 16) << "the whole text would cover the first chip";
  EXPECT_EQ(chips[2].width, 80);
  EXPECT_EQ(chips[3].width, 0) << "not even its number has room";
  EXPECT_EQ(chips[4].width, 90) << "the first of two comes first";
  EXPECT_EQ(chips[5].width, 0);
}

TEST(MetricChartSpike, IsMarkedAtTheUpperEdgeUntilTheWholeRangeIsShown) {
  ChartCursor cursor;
  MetricChart chart({.title = "Throughput", .xName = "Epoch", .fromZero = true, .trim = {0, 0, 3}}, &cursor);
  const int line = chart.addCurve({"images/s", 0, CurveKind::area});
  chart.resize(600, 300);
  chart.show();
  chart.setHorizontal({0, 10});
  chart.setCurve(line, {1, 2, 3, 4, 5, 6, 7, 8}, {900, 950, 1000, 980, 990, 52000, 1010, 970});
  ASSERT_TRUE(test::wait_for([&] { return !chart.spikes().isEmpty(); }));
  EXPECT_LT(chart.vertical().high, 1500);
  EXPECT_EQ(chart.spikes(), (QVector<QPointF>{{6, 52000}}));
  EXPECT_FALSE(chart.accessibleDescription().isEmpty());
  const auto marked = [&] {
    const QImage seen = chart.grab().toImage();
    const QPoint at = chart.plot()->mapTo(&chart, QPoint(qRound(chart.place(6, 0).x()), 0)) +
                      QPoint(0, qRound(chart.plotRect().top()) + 4);
    return seen.pixelColor(at) == theme().warn;
  };
  EXPECT_TRUE(marked());
  chart.setWholeRange(true);
  ASSERT_TRUE(test::wait_for([&] { return chart.vertical().high > 52000; }));
  EXPECT_TRUE(chart.spikes().isEmpty());
  EXPECT_FALSE(marked());
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

TEST(MachineRows, ThePlanIsOfTheGpusThatTrain) {
  QVector<MachineRow> rows = machineRows({{0, test::machine_sample(0, 4)}});
  addPlans(rows, {1, 3, 9}, 6e9);
  EXPECT_LT(rows[0].plannedBytes, 0);
  EXPECT_LT(rows[1].plannedBytes, 0);
  EXPECT_EQ(rows[2].plannedBytes, 2e9);
  EXPECT_LT(rows[3].plannedBytes, 0);
  EXPECT_EQ(rows[4].plannedBytes, 2e9);
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

TEST_F(MetricChartTest, ItsAxesAreNamedWithTheUnitWhereThereIsRoom) {
  chart.setUnit(QStringLiteral("nats"));
  ASSERT_TRUE(drawn());
  EXPECT_EQ(chart.plot()->xAxis->label(), QStringLiteral("Epoch"));
  EXPECT_EQ(chart.plot()->yAxis->label(), QStringLiteral("Loss (nats)"));
  chart.setTitle(QStringLiteral("A quantity of a very long name"));
  chart.resize(600, 200);
  ASSERT_TRUE(drawn());
  EXPECT_EQ(chart.plot()->yAxis->label(), QString()) << "a part of it says less than the title above";
  chart.setTitle(QStringLiteral("Images"));
  chart.setUnit(QStringLiteral("thousands in each second"));
  ASSERT_TRUE(drawn());
  EXPECT_EQ(chart.plot()->yAxis->label(), QStringLiteral("Images")) << "the unit is left out first";
}

/// Types a path into the next file dialog.
void answerFileDialog(const QString& path) {
  auto* timer = new QTimer(qApp);
  QObject::connect(timer, &QTimer::timeout, timer, [timer, path] {
    auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
    if (!dialog) return;
    timer->deleteLater();
    timer->stop();
    dialog->findChild<QLineEdit*>()->setText(path);
    QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
  });
  timer->start(10);
}

TEST(ChartExport, SaysWhereTheFileIsOrWhyThereIsNone) {
  QCoreApplication::setAttribute(Qt::AA_DontUseNativeDialogs);
  const QTemporaryDir folder;
  QWidget chart;
  chart.show();
  QString said;
  int severity = -1;
  NotificationActions offered;
  const auto exportTo = [&](const QString& file, const Status& written) {
    answerFileDialog(file);
    exportChart(
        &chart, QStringLiteral("Loss"), QStringLiteral("csv"), [&](const QString&) { return written; },
        [&](const QString& sentence, int level, const NotificationActions& actions) {
          said = sentence;
          severity = level;
          offered = actions;
        });
  };
  const QString file = folder.filePath(QStringLiteral("loss.csv"));
  exportTo(file, {});
  EXPECT_TRUE(said.contains(QStringLiteral("loss.csv"))) << said.toStdString();
  EXPECT_EQ(severity, 0);
  ASSERT_EQ(offered.size(), 2);
  EXPECT_EQ(offered[0].label, QStringLiteral("Open"));
  EXPECT_EQ(offered[1].label, QStringLiteral("Show folder"));
  exportTo(file, fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), "loss.csv", "no room"));
  EXPECT_TRUE(said.contains(QStringLiteral("no room"))) << said.toStdString();
  EXPECT_EQ(severity, 2);
  EXPECT_TRUE(offered.isEmpty());
}

TEST(Smoothing, IsChosenInTheTitleRowAndRememberedForChartsOfItsName) {
  QSettings().remove(QStringLiteral("charts"));
  ChartCursor cursor;
  const ChartOptions options{.title = QStringLiteral("Loss"), .smoothing = 0.95, .id = QStringLiteral("loss")};
  MetricChart chart(options, &cursor), never({.title = QStringLiteral("Predicted")}, &cursor);
  EXPECT_EQ(chart.options().smoothing, 0.95);
  EXPECT_EQ(never.findChild<QPushButton*>(QStringLiteral("smoothing")), nullptr);
  const auto* button = chart.findChild<QPushButton*>(QStringLiteral("smoothing"));
  ASSERT_NE(button, nullptr);
  EXPECT_FALSE(button->accessibleName().isEmpty());
  chart.chooseSmoothing(0.6);
  EXPECT_TRUE(button->toolTip().contains(QStringLiteral("0.6")));
  EXPECT_EQ(MetricChart(options, &cursor).options().smoothing, 0.6);
  ChartOptions other = options;
  other.id = QStringLiteral("accuracy");
  EXPECT_EQ(MetricChart(other, &cursor).options().smoothing, 0.95);
  for (const char* damaged : {"7", "-1", "nan", "x"}) {
    QSettings().setValue(QStringLiteral("charts/smoothing/loss"), QLatin1String(damaged));
    EXPECT_EQ(MetricChart(options, &cursor).options().smoothing, 0.95) << damaged;
  }
  QSettings().remove(QStringLiteral("charts"));
}

TEST(DeviceChartReadout, HasTheValuesUnderThePointer) {
  DeviceChart chart;
  MachineRow row;
  row.name = QStringLiteral("CPU");
  row.utilization = {{-60, 10}, {-30, 50}, {0, 90}};
  row.memory = {{-60, 1e9}, {-30, 2e9}, {0, 3e9}};
  row.capacityBytes = 8e9;
  chart.setRows({row});
  chart.resize(500, 140);
  chart.show();
  EXPECT_TRUE(chart.readout().isEmpty());
  const auto point = [&](QPointF at) {
    QMouseEvent move(QEvent::MouseMove, at, chart.mapToGlobal(at), Qt::NoButton, Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&chart, &move);
  };
  point({177, 85});  // the middle of the first curve
  ASSERT_EQ(chart.readout().size(), 3);
  EXPECT_TRUE(chart.readout()[0].startsWith(QStringLiteral("CPU, 30 s"))) << chart.readout()[0].toStdString();
  EXPECT_TRUE(chart.readout()[1].startsWith(QStringLiteral("50"))) << chart.readout()[1].toStdString();
  EXPECT_TRUE(chart.readout()[2].startsWith(QStringLiteral("2"))) << chart.readout()[2].toStdString();
  const QImage pointed = chart.grab().toImage();
  point({20, 85});
  EXPECT_TRUE(chart.readout().isEmpty()) << "above the name";
  EXPECT_NE(chart.grab().toImage(), pointed);
}

}  // namespace
}  // namespace nw::ui
