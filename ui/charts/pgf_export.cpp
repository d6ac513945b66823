// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/pgf_export.hpp"

#include <cmath>

#include "kernels/printable.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/theme/tex.hpp"
#include "ui/theme/tokens.hpp"

namespace nw::ui {
namespace {

QString pgfNumber(double value) { return QString::number(value, 'g', 10); }

QString lineOf(const CurveStyle& style, int index) {
  QStringList options{QStringLiteral("color=series%1").arg(style.series), QStringLiteral("line join=round")};
  switch (style.kind) {
    case CurveKind::raw:
      options << QStringLiteral("thin") << QStringLiteral("opacity=0.35");
      break;
    case CurveKind::validation:
      options << QStringLiteral("thick") << QStringLiteral("mark=o") << QStringLiteral("mark options={solid}");
      break;
    case CurveKind::dots:
      options << QStringLiteral("only marks") << QStringLiteral("mark size=0.8pt");
      break;
    case CurveKind::future:
      options << QStringLiteral("thick") << QStringLiteral("dotted");
      break;
    case CurveKind::line:
    case CurveKind::dashed:
    case CurveKind::area:
      options << QStringLiteral("thick");
      break;
  }
  QStringList dashes;
  const QVector<qreal> pattern = style.kind == CurveKind::dashed ? QVector<qreal>{5, 2.5}
                                 : style.kind == CurveKind::line ? seriesDash(style.series)
                                                                 : QVector<qreal>{};
  for (qsizetype i = 0; i < pattern.size(); ++i)
    dashes << QStringLiteral("%1 %2pt").arg(i % 2 ? QStringLiteral("off") : QStringLiteral("on"),
                                            QString::number(pattern[i], 'g', 3));
  if (!dashes.isEmpty()) options << QStringLiteral("dash pattern=%1").arg(dashes.join(u' '));
  if (!style.inLegend) options << QStringLiteral("forget plot");
  return QStringLiteral("  %% curve %1: %2\n  \\addplot[%3] coordinates {")
      .arg(index)
      .arg(QString::fromStdString(printable(style.name.toStdString())), options.join(QStringLiteral(", ")));
}

/// A value that is not finite interrupts the line.
QString coordinatesOf(const MetricChart& chart, int curve) {
  QString out;
  const QVector<double>&x = chart.curveX(curve), &y = chart.curveY(curve);
  for (qsizetype i = 0; i < x.size(); ++i) {
    if (i % 8 == 0) out += QStringLiteral("\n   ");
    out +=
        QStringLiteral(" (%1,%2)").arg(pgfNumber(x[i]), std::isfinite(y[i]) ? pgfNumber(y[i]) : QStringLiteral("nan"));
  }
  return out + QStringLiteral("\n  };\n");
}

}  // namespace

QString pgfOf(const MetricChart& chart) {
  const ChartOptions& o = chart.options();
  const Theme paper = lightTheme();
  QString out = QStringLiteral(
      "\\documentclass{standalone}\n\\usepackage{pgfplots}\n\\pgfplotsset{compat=1.16}\n\\begin{document}\n\\begin{"
      "tikzpicture}\n");
  for (int i = 0; i < 6; ++i)
    out += QStringLiteral("\\definecolor{series%1}{HTML}{%2}\n").arg(i).arg(paper.series[i].name().mid(1).toUpper());
  QStringList axis{QStringLiteral("title={%1}").arg(texOf(o.title)),
                   QStringLiteral("xlabel={%1}").arg(texOf(o.xName)),
                   QStringLiteral("ylabel={%1}").arg(texOf(o.unit)),
                   QStringLiteral("width=12cm"),
                   QStringLiteral("height=7cm"),
                   QStringLiteral("ymajorgrids"),
                   QStringLiteral("unbounded coords=jump"),
                   QStringLiteral("legend cell align=left")};
  if (o.logAxis)
    axis << QStringLiteral("ymode=log");
  else if (o.fromZero)
    axis << QStringLiteral("ymin=0");
  out += QStringLiteral("\\begin{axis}[%1]\n").arg(axis.join(QStringLiteral(", ")));
  for (int i = 0; i < chart.curves(); ++i) {
    if (chart.curveX(i).isEmpty()) continue;
    out += lineOf(chart.style(i), i) + coordinatesOf(chart, i);
    if (chart.style(i).inLegend) out += QStringLiteral("  \\addlegendentry{%1}\n").arg(texOf(chart.style(i).name));
  }
  for (const ChartMark& mark : chart.marks())
    out += QStringLiteral(
               "  \\draw[dashed, gray] ({axis cs:%1,1} |- {rel axis cs:0,0}) -- ({axis cs:%1,1} |- {rel axis cs:0,1}) "
               "node[pos=0.95, right, font=\\scriptsize] {%2};\n")
               .arg(pgfNumber(mark.x), texOf(mark.text));
  return out + QStringLiteral("\\end{axis}\n\\end{tikzpicture}\n\\end{document}\n");
}

}  // namespace nw::ui
