// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/histogram_chart.hpp"

#include <gtest/gtest.h>

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

HistogramChart::Column column(double epoch, std::int64_t step, std::vector<float> numbers) {
  const std::span<const float> all = numbers;
  return {epoch, step, figures_of({&all, 1})};
}

struct Histogram : testing::Test {
  ChartCursor cursor;
  HistogramChart chart{QStringLiteral("Weights"), &cursor};
  void fill() {
    chart.resize(400, 240);
    chart.setHorizontal({0, 4});
    chart.setColumns(
        {column(1, 100, {-1, -1, 1}), column(2, 200, {-2, 0, 2}), {3, 250, {}}, column(4, 400, {0, 0, 2})});
    chart.show();
  }
};

TEST_F(Histogram, EmptyStepsAreOmittedAndTheLastStepIsDescribed) {
  EXPECT_EQ(chart.chosen(), nullptr);
  EXPECT_FALSE(chart.accessibleDescription().isEmpty()) << "it says that there is nothing yet";
  fill();
  ASSERT_EQ(chart.columns().size(), 3);
  EXPECT_EQ(chart.chosen()->step, 400);
  EXPECT_TRUE(chart.accessibleDescription().contains(QStringLiteral("400")))
      << chart.accessibleDescription().toStdString();
}

TEST_F(Histogram, ArrowKeysMoveBetweenRecordedSteps) {
  fill();
  QTest::keyClick(&chart, Qt::Key_Home);
  EXPECT_EQ(chart.chosen()->step, 100);
  EXPECT_EQ(cursor.x(), 1) << "the other charts point there too";
  QTest::keyClick(&chart, Qt::Key_Right);
  EXPECT_EQ(chart.chosen()->step, 200);
  EXPECT_TRUE(chart.accessibleDescription().contains(QStringLiteral("-2")))
      << chart.accessibleDescription().toStdString();
  QTest::keyClick(&chart, Qt::Key_End);
  QTest::keyClick(&chart, Qt::Key_Right);
  EXPECT_EQ(chart.chosen()->step, 400);
  QTest::keyClick(&chart, Qt::Key_Left);
  EXPECT_EQ(chart.chosen()->step, 200);
}

TEST_F(Histogram, OnlyNonEmptyBinsAreColoured) {
  fill();
  QImage image(chart.size(), QImage::Format_RGB32);
  chart.render(&image);
  const auto at = [&](double epoch, double value) {
    return image.pixelColor(static_cast<int>(66 + (400 - 66 - 14) * epoch / 4),
                            static_cast<int>(240 - 40 - (240 - 38 - 40) * (value + 2) / 4));
  };
  const QColor none = at(0.5, -1.5), most = Theme::ramp(theme().countRamp, 1);
  EXPECT_EQ(at(0.5, -0.97), most) << "two thirds of the first look's numbers";
  EXPECT_NE(at(0.5, 0.97), none);
  EXPECT_NE(at(0.5, 0.97), most);
  EXPECT_EQ(at(3.5, -0.5), none) << "the last look has nothing below zero";
  EXPECT_EQ(at(3.5, 0.05), most);
}

TEST_F(Histogram, IsWrittenAsTableAndImages) {
  fill();
  QTemporaryDir folder;
  for (const char* name : {"h.png", "h.svg", "h.pdf", "h.csv"}) {
    const QString file = folder.filePath(QLatin1String(name));
    ASSERT_TRUE(chart.exportTo(file)) << name;
    QFile written(file);
    ASSERT_TRUE(written.open(QIODevice::ReadOnly));
    EXPECT_GT(written.size(), 500) << name;
  }
  EXPECT_EQ(QImage(folder.filePath(QStringLiteral("h.png"))).size(), chart.size() * 2);
  const QStringList lines = chart.csv().split(u'\n', Qt::SkipEmptyParts);
  EXPECT_EQ(lines.size(), 1 + 3 * static_cast<int>(histogram_bins));
  EXPECT_EQ(lines[0], QStringLiteral("step,epoch,from,to,count"));
  EXPECT_TRUE(lines[1].startsWith(QStringLiteral("100,1,-1,"))) << lines[1].toStdString();
  EXPECT_TRUE(lines[1].endsWith(QStringLiteral(",2"))) << lines[1].toStdString();
  EXPECT_FALSE(chart.exportTo(QStringLiteral("/nowhere/h.png")));
}

TEST_F(Histogram, TheReadoutIsPaintedUnderThePointerAsInOtherCharts) {
  fill();
  const QImage before = chart.grab().toImage();
  QTest::keyClick(&chart, Qt::Key_Home);
  chart.setFocus();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&chart));
  const QImage after = chart.grab().toImage();
  int changed = 0;
  for (int y = 0; y < after.height(); ++y)
    for (int x = 0; x < after.width(); ++x) changed += after.pixel(x, y) != before.pixel(x, y) ? 1 : 0;
  EXPECT_GT(changed, 80 * 60) << "a box, not only a line";
  EXPECT_TRUE(chart.toolTip().isEmpty()) << "said once";
}

}  // namespace
}  // namespace nw::ui
