// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/measure.hpp"

#include <QCoreApplication>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {
struct MeasureTexts {
  Q_DECLARE_TR_FUNCTIONS(Measure)
};
bool isAccuracy(const std::string& measure) { return measure != "all_labels" && measure != "r2"; }
}  // namespace

QString measureTitle(const std::string& measure) {
  if (measure == "r2") return QStringLiteral("R²");
  return measure == "all_labels" ? MeasureTexts::tr("All labels right") : MeasureTexts::tr("Accuracy");
}

QString measureText(const std::string& measure, double value, int decimals) {
  return measure == "r2" ? QString::number(value, 'f', decimals + 2) : percentText(value, decimals);
}

QString bestCaption(const std::string& measure, bool validated) {
  if (isAccuracy(measure))
    return validated ? MeasureTexts::tr("Best validation accuracy") : MeasureTexts::tr("Best training accuracy");
  return (validated ? MeasureTexts::tr("%1, best in validation") : MeasureTexts::tr("%1, best in training"))
      .arg(measureTitle(measure));
}

QString testSentence(const std::string& measure, double value) {
  const QString text = measureText(measure, value, 2);
  return isAccuracy(measure) ? MeasureTexts::tr("Test accuracy %1").arg(text)
                             : MeasureTexts::tr("Test: %1 %2").arg(measureTitle(measure), text);
}

}  // namespace nw::ui
