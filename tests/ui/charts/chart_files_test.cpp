// SPDX-License-Identifier: GPL-3.0-or-later
// A chart exported as HTML and as LaTeX source, parsed again.
#include <gtest/gtest.h>

#include <QImage>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>

#include "engine/core/files.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/charts/pgf_export.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

struct ChartFiles : testing::Test {
  ChartCursor cursor;
  MetricChart chart{{.title = "Loss & more_100%", .xName = "Epoch"}, &cursor};
  QTemporaryDir folder;
  void SetUp() override {
    chart.resize(600, 300);
    chart.show();
    const int raw = chart.addCurve({"raw", 0, CurveKind::raw, false}),
              line = chart.addCurve({"train_a", 1, CurveKind::line});
    chart.setHorizontal({0, 10});
    chart.setCurve(raw, {0.5, 1}, {4.25, 3.125});
    chart.setCurve(line, {1, 2, 3}, {3, std::numeric_limits<double>::quiet_NaN(), 1e-7});
    chart.setMarks({{2, QStringLiteral("best #1")}});
  }
  QString file(const char* name) { return folder.filePath(QLatin1String(name)); }
};

/// The points of the n-th \addplot, parsed as PGFPlots does.
std::vector<std::pair<double, double>> points(const QString& tex, int n) {
  static const QRegularExpression plot(QStringLiteral("\\\\addplot\\[[^]]*\\] coordinates \\{([^}]*)\\};")),
      pair(QStringLiteral("\\(([^,]+),([^)]+)\\)"));
  auto it = plot.globalMatch(tex);
  for (int i = 0; i < n && it.hasNext(); ++i) it.next();
  std::vector<std::pair<double, double>> all;
  if (!it.hasNext()) return all;
  const QString body = it.next().captured(1);
  for (auto p = pair.globalMatch(body); p.hasNext();) {
    const auto found = p.next();
    all.emplace_back(found.captured(1).toDouble(),
                     found.captured(2) == QLatin1String("nan") ? std::nan("") : found.captured(2).toDouble());
  }
  return all;
}

TEST_F(ChartFiles, LatexHoldsEveryPointInFullPrecision) {
  ASSERT_TRUE(chart.exportTo(file("loss.tex")));
  const auto read = read_file(file("loss.tex").toStdString(), 1 << 20);
  ASSERT_TRUE(read);
  const QString tex = QString::fromStdString(*read);
  const auto raw = points(tex, 0), line = points(tex, 1);
  EXPECT_EQ(raw, (std::vector<std::pair<double, double>>{{0.5, 4.25}, {1, 3.125}}));
  ASSERT_EQ(line.size(), 3u);
  EXPECT_TRUE(std::isnan(line[1].second)) << "the line breaks there";
  EXPECT_EQ(line[2], std::pair(3.0, 1e-7));
}

TEST_F(ChartFiles, LatexIsWellFormedWhateverTheNamesAre) {
  const QString tex = pgfOf(chart);
  for (const char* part : {"document", "tikzpicture", "axis"}) {
    EXPECT_EQ(tex.count(QStringLiteral("\\begin{%1}").arg(QLatin1String(part))), 1) << part;
    EXPECT_EQ(tex.count(QStringLiteral("\\end{%1}").arg(QLatin1String(part))), 1) << part;
  }
  int depth = 0;
  for (qsizetype i = 0; i < tex.size(); ++i) {
    if (tex[i] == u'\\') {
      ++i;
      continue;
    }
    depth += tex[i] == u'{' ? 1 : tex[i] == u'}' ? -1 : 0;
    ASSERT_GE(depth, 0) << i;
  }
  EXPECT_EQ(depth, 0);
  EXPECT_TRUE(tex.contains(QStringLiteral("title={Loss \\& more\\_100\\%}")));
  EXPECT_TRUE(tex.contains(QStringLiteral("\\addlegendentry{train\\_a}")));
  EXPECT_EQ(tex.count(QStringLiteral("\\addlegendentry")), 1) << "what is not in the legend is not in this one";
  EXPECT_EQ(tex.count(QStringLiteral("forget plot")), 1);
  EXPECT_TRUE(tex.contains(QStringLiteral("{best \\#1}")));
  EXPECT_FALSE(tex.contains(QStringLiteral("ymode=log")));
  chart.setLogAxis(true);
  EXPECT_TRUE(pgfOf(chart).contains(QStringLiteral("ymode=log")));
}

// TeX ends a comment at a carriage return, too, and a spreadsheet runs what looks like a formula.
TEST_F(ChartFiles, ANameOfACurveStaysAName) {
  chart.addCurve({"run\r\\input{/etc/passwd}\n\\write18{id}", 2, CurveKind::line});
  chart.addCurve({"=cmd()", 3, CurveKind::line});
  const QString tex = pgfOf(chart);
  EXPECT_FALSE(tex.contains(u'\r'));
  for (const QString& line : tex.split(u'\n'))
    for (const char* word : {"\\input{/etc", "\\write18"}) {
      const qsizetype at = line.indexOf(QLatin1String(word));
      if (at >= 0) { EXPECT_TRUE(line.trimmed().startsWith(u'%')) << line.toStdString(); }
    }
  EXPECT_TRUE(chart.csv().contains(QStringLiteral(",\"'=cmd()\"\n"))) << chart.csv().toStdString();
}

TEST_F(ChartFiles, APdfIsOnePageOfLinesAsLargeAsTheImage) {
  ASSERT_TRUE(chart.exportTo(file("loss.pdf")));
  const auto pdf = read_file(file("loss.pdf").toStdString(), 16 << 20);
  ASSERT_TRUE(pdf);
  EXPECT_TRUE(pdf->starts_with("%PDF-1."));
  EXPECT_NE(pdf->rfind("%%EOF"), std::string::npos);
  EXPECT_EQ(pdf->find("/Subtype /Image"), std::string::npos) << "lines, not a picture of lines";
  static const QRegularExpression box(QStringLiteral("/MediaBox \\[0 0 ([0-9.]+) ([0-9.]+)\\]"));
  const auto found = box.match(QString::fromLatin1(pdf->data(), static_cast<qsizetype>(pdf->size())));
  ASSERT_TRUE(found.hasMatch());
  EXPECT_GT(found.captured(1).toDouble(), 300) << "points, for some 570 pixels";
  EXPECT_LT(found.captured(1).toDouble(), 450);
}

TEST_F(ChartFiles, APdfShowsTheCurveToAnotherReader) {
  if (QStandardPaths::findExecutable(QStringLiteral("pdftoppm")).isEmpty())
    GTEST_SKIP() << "pdftoppm (package poppler-utils) is not here";
  ASSERT_TRUE(chart.exportTo(file("loss.pdf")));
  ASSERT_EQ(QProcess::execute(QStringLiteral("pdftoppm"),
                              {QStringLiteral("-png"), QStringLiteral("-singlefile"), QStringLiteral("-r"),
                               QStringLiteral("96"), file("loss.pdf"), file("page")}),
            0);
  const QImage page(file("page.png"));
  ASSERT_FALSE(page.isNull());
  const QColor curve = theme().series[1];
  int like = 0;
  for (int y = 0; y < page.height(); ++y)
    for (int x = 0; x < page.width(); ++x) {
      const QColor c = page.pixelColor(x, y);
      like +=
          std::abs(c.red() - curve.red()) + std::abs(c.green() - curve.green()) + std::abs(c.blue() - curve.blue()) <
          60;
    }
  EXPECT_GT(like, 20) << "the curve in its colour";
}

}  // namespace
}  // namespace nw::ui
