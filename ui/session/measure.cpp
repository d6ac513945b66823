// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/measure.hpp"

#include <QCoreApplication>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {
struct Words {
  Q_DECLARE_TR_FUNCTIONS(Measure)
};
bool isAccuracy(const std::string& measure) { return measure != "all_labels" && measure != "r2"; }
}  // namespace

QString measureTitle(const std::string& measure) {
  if (measure == "r2") return QStringLiteral("R²");
  return measure == "all_labels" ? Words::tr("All labels right") : Words::tr("Accuracy");
}

QString measureText(const std::string& measure, double value, int decimals) {
  return measure == "r2" ? QString::number(value, 'f', decimals + 2) : percentText(value, decimals);
}

QString bestCaption(const std::string& measure, bool validated) {
  if (isAccuracy(measure))
    return validated ? Words::tr("Best validation accuracy") : Words::tr("Best training accuracy");
  return (validated ? Words::tr("%1, best in validation") : Words::tr("%1, best in training"))
      .arg(measureTitle(measure));
}

QString testSentence(const std::string& measure, double value) {
  const QString text = measureText(measure, value, 2);
  return isAccuracy(measure) ? Words::tr("Test accuracy %1").arg(text)
                             : Words::tr("Test: %1 %2").arg(measureTitle(measure), text);
}

}  // namespace nw::ui
