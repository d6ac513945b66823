// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/metric.hpp"

#include <QCoreApplication>
#include <cmath>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {
struct MeasureTexts {
  Q_DECLARE_TR_FUNCTIONS(Measure)
};
}  // namespace

QString metricTitle(Metric metric) {
  switch (metric) {
    case Metric::accuracy:
      return MeasureTexts::tr("Accuracy");
    case Metric::all_labels:
      return MeasureTexts::tr("All labels correct");
    case Metric::r2:
      break;
  }
  return QStringLiteral("R²");
}

QString metricText(Metric metric, double value) {
  constexpr int decimals = 2;
  if (std::isnan(value)) return QStringLiteral("–");
  return metric == Metric::r2 ? QString::number(value, 'f', decimals + 2) : percentText(value, decimals);
}

QString bestCaption(Metric metric, bool validated) {
  if (metric == Metric::accuracy)
    return validated ? MeasureTexts::tr("Best validation accuracy") : MeasureTexts::tr("Best training accuracy");
  return (validated ? MeasureTexts::tr("%1, best in validation") : MeasureTexts::tr("%1, best in training"))
      .arg(metricTitle(metric));
}

QString testSentence(Metric metric, double value) {
  const QString text = metricText(metric, value);
  return metric == Metric::accuracy ? MeasureTexts::tr("Test accuracy %1").arg(text)
                                    : MeasureTexts::tr("Test: %1 %2").arg(metricTitle(metric), text);
}

}  // namespace nw::ui
