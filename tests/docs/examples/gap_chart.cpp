// SPDX-License-Identifier: GPL-3.0-or-later
// The generalization gap: validation loss minus training loss, a point for each epoch. In docs/adding.md.
#include "tests/docs/examples/window.hpp"

namespace nw::ui {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(TrainCharts)
};

QString gapText(double value) { return QString::number(value, 'g', 3); }

void fillGap(MetricChart& chart, const RunFeed& feed) {
  QVector<double> x, y;
  for (const EpochEnd& e : feed.epochs()) {
    if (!e.has_validation) continue;
    x.append(static_cast<double>(e.epoch));
    y.append(e.validation_loss - e.train_loss);
  }
  chart.setCurve(0, x, y);
}

}  // namespace

const ChartRow<RunFeed> gap_chart{.id = "gap",
                                  .title = QT_TRANSLATE_NOOP("TrainCharts", "Generalization gap"),
                                  .unit = "",
                                  .xName = QT_TRANSLATE_NOOP("TrainCharts", "Epoch"),
                                  .row = 2,
                                  .column = 0,
                                  .fromZero = false,
                                  .logAxis = false,
                                  .trim = {},
                                  .highest = qInf(),
                                  .smoothing = -1,
                                  .format = gapText,
                                  .fill = fillGap,
                                  .curves = [] {
                                    return std::vector<CurveStyle>{{Words::tr("gap"), 1, CurveKind::validation}};
                                  }};

}  // namespace nw::ui
