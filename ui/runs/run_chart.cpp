// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_chart.hpp"

#include <QComboBox>
#include <QCoreApplication>
#include <QSettings>
#include <algorithm>
#include <cmath>

#include "ui/session/metric.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
const char* const metricKey = "runs/metric";

QString percents(double v) { return QString::number(v, 'f', 2); }
QString fraction(double v) { return metricText(Metric::r2, v); }
QString loss(double v) { return QString::number(v, 'g', 4); }
QString rate(double v) { return tickText(QString::number(v, 'g', 3).toDouble()); }

/// Without a validation set the accuracy on the training batches is compared.
double checkedAccuracy(const EpochFigures& e) {
  const bool validated = !std::isnan(e.validation_accuracy) || !std::isnan(e.validation_loss);
  return validated ? e.validation_accuracy : e.train_accuracy;
}

ChartOptions optionsOf(const RunMetric& metric) {
  ChartOptions options;
  options.title = QCoreApplication::translate("RunChart", metric.title);
  options.unit = QLatin1String(metric.unit);
  options.xName = QCoreApplication::translate("RunChart", "Epoch");
  options.highest = metric.highest;
  options.trim = {0.02, 0.02};
  options.smoothing = 0;
  options.format = metric.format;
  options.id = QStringLiteral("runs");
  return options;
}

bool isAccuracy(const RunMetric& metric) { return *metric.unit != '\0'; }

int indexOf(const QString& id) {
  for (int i = 0; i < runMetrics().size(); ++i)
    if (id == QLatin1String(runMetrics()[i].id)) return i;
  return 0;
}
}  // namespace

const QVector<RunMetric>& runMetrics() {
  static const QVector<RunMetric> metrics{
      {"validation_accuracy", QT_TRANSLATE_NOOP("RunChart", "Validation accuracy"), "%", 100, 100, checkedAccuracy,
       percents, "best"},
      {"validation_loss", QT_TRANSLATE_NOOP("RunChart", "Validation loss"), "", 1, qInf(),
       [](const EpochFigures& e) { return e.validation_loss; }, loss, "validation_loss"},
      {"train_accuracy", QT_TRANSLATE_NOOP("RunChart", "Training accuracy"), "%", 100, 100,
       [](const EpochFigures& e) { return e.train_accuracy; }, percents, "train"},
      {"train_loss", QT_TRANSLATE_NOOP("RunChart", "Training loss"), "", 1, qInf(),
       [](const EpochFigures& e) { return e.train_loss; }, loss, "loss"},
      {"learning_rate", QT_TRANSLATE_NOOP("RunChart", "Learning rate"), "", 1, qInf(),
       [](const EpochFigures& e) { return e.learning_rate; }, rate, ""},
  };
  return metrics;
}

RunChart::RunChart(const RunModel& model, ChartCursor* cursor, QWidget* parent)
    : MetricChart(optionsOf(runMetrics()[0]), cursor, parent), model_(model), chooser_(new QComboBox) {
  for (const RunMetric& m : runMetrics()) chooser_->addItem(QCoreApplication::translate("RunChart", m.title));
  chooser_->setObjectName(QStringLiteral("runMetric"));
  chooser_->setAccessibleName(tr("What the chart shows"));
  chooser_->setToolTip(tr("The quantity that the chart compares"));
  setTitleControl(chooser_);
  connect(chooser_, &QComboBox::activated, this, &RunChart::choose);
  connect(this, &MetricChart::smoothingChanged, this, &RunChart::refresh);
  chooser_->setCurrentIndex(indexOf(QSettings().value(QLatin1String(metricKey)).toString()));
  refresh();
}

const RunMetric& RunChart::metric() const { return runMetrics()[std::max(0, chooser_->currentIndex())]; }

void RunChart::setMetric(const QString& id) {
  chooser_->setCurrentIndex(indexOf(id));
  choose(chooser_->currentIndex());
}

void RunChart::choose(int index) {
  QSettings().setValue(QLatin1String(metricKey), QLatin1String(runMetrics()[index].id));
  refresh();
  Q_EMIT metricChanged();
}

/// Of the chosen runs one (or all, and there is one) predicts numbers.
bool RunChart::hasR2(bool all) const {
  const QStringList chosen = model_.chosen();
  const auto isR2 = [&](const QString& id) { return model_.row(model_.find(id)).summary.metric == Metric::r2; };
  return all ? !chosen.isEmpty() && std::all_of(chosen.begin(), chosen.end(), isR2)
             : std::any_of(chosen.begin(), chosen.end(), isR2);
}

QString RunChart::titleOf(const RunMetric& m) const {
  const QString title = QCoreApplication::translate("RunChart", m.title);
  if (!isAccuracy(m) || !hasR2(false)) return title;
  if (!hasR2(true)) return tr("%1 or R²").arg(title);
  return m.value == checkedAccuracy ? tr("Validation R²") : tr("Training R²");
}

/// R² is no percentage; beside it accuracies are fractions too.
void RunChart::showQuantity() {
  const RunMetric& m = metric();
  const bool fractions = isAccuracy(m) && hasR2(false);
  scale_ = fractions ? 1 : m.scale;
  setQuantity(titleOf(m), fractions ? QString() : QLatin1String(m.unit), fractions ? 1 : m.highest,
              fractions ? fraction : m.format);
  for (int i = 0; i < runMetrics().size(); ++i) chooser_->setItemText(i, titleOf(runMetrics()[i]));
}

void RunChart::addRun(const RunRow& row, int slot) {
  const bool coloured = slot < RunModel::slots_count;
  const int curve =
      addCurve({row.title(), slot, coloured ? CurveKind::dashed : CurveKind::future, coloured, coloured, true});
  QVector<double> x, y;
  for (const EpochFigures& e : row.summary.history) {
    const double value = metric().value(e);
    if (!std::isfinite(value)) continue;
    x.append(static_cast<double>(e.epoch));
    y.append(scale_ * value);
  }
  setCurve(curve, x, smoothed(y, options().smoothing));
}

void RunChart::refresh() {
  showQuantity();
  removeCurves();
  double longest = 1;
  for (const QString& id : model_.chosen()) {
    const RunRow& row = model_.row(model_.find(id));
    addRun(row, model_.slotOf(id));
    const double last = row.summary.history.empty() ? 0 : static_cast<double>(row.summary.history.back().epoch);
    longest = std::max({longest, static_cast<double>(row.summary.epochs), last});
  }
  setHorizontal({0, longest});
}

}  // namespace nw::ui
