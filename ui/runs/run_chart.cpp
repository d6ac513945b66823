// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_chart.hpp"

#include <QComboBox>
#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QSettings>
#include <algorithm>
#include <cmath>

#include "ui/session/metric.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
const char* const metricKey = "runs/metric";
const char* const axisKey = "runs/axis";

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

int axisOf(const QString& id) {
  for (int i = 0; i < runAxes().size(); ++i)
    if (id == QLatin1String(runAxes()[i].id)) return i;
  return 0;
}

/// A unit in which the longest value is a number that can be read.
struct AxisUnit {
  double from;  // the longest value, in the quantity's own unit
  const char* name;
  double scale;
};
constexpr AxisUnit time_units[] = {{2 * 3600, "h", 1.0 / 3600}, {120, "min", 1.0 / 60}, {0, "s", 1}};
constexpr AxisUnit energy_units[] = {{1e7, "MJ", 1e-6}, {1e4, "kJ", 1e-3}, {0, "J", 1}};

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

const QVector<RunAxis>& runAxes() {
  static const QVector<RunAxis> axes{
      {"epoch", QT_TRANSLATE_NOOP("RunChart", "Epoch"),
       [](const EpochFigures& e) { return static_cast<double>(e.epoch); }, true},
      {"step", QT_TRANSLATE_NOOP("RunChart", "Step"), [](const EpochFigures& e) { return static_cast<double>(e.step); },
       true},
      {"time", QT_TRANSLATE_NOOP("RunChart", "Time"), [](const EpochFigures& e) { return e.seconds; }, false},
      {"energy", QT_TRANSLATE_NOOP("RunChart", "Energy"), [](const EpochFigures& e) { return e.gpu_energy_j; }, false},
  };
  return axes;
}

RunChart::RunChart(const RunModel& model, ChartCursor* cursor, QWidget* parent)
    : MetricChart(optionsOf(runMetrics()[0]), cursor, parent),
      model_(model),
      chooser_(new QComboBox),
      over_(new QComboBox) {
  setTitleControl(makeChoosers());
  connect(chooser_, &QComboBox::activated, this, &RunChart::choose);
  connect(over_, &QComboBox::activated, this, &RunChart::chooseAxis);
  connect(this, &MetricChart::smoothingChanged, this, &RunChart::refresh);
  chooser_->setCurrentIndex(indexOf(QSettings().value(QLatin1String(metricKey)).toString()));
  over_->setCurrentIndex(axisOf(QSettings().value(QLatin1String(axisKey)).toString()));
  refresh();
}

QWidget* RunChart::makeChoosers() {
  for (const RunMetric& m : runMetrics()) chooser_->addItem(QCoreApplication::translate("RunChart", m.title));
  chooser_->setObjectName(QStringLiteral("runMetric"));
  chooser_->setAccessibleName(tr("What the chart shows"));
  chooser_->setToolTip(tr("The quantity that the chart compares"));
  for (const RunAxis& a : runAxes()) over_->addItem(QCoreApplication::translate("RunChart", a.title));
  over_->setObjectName(QStringLiteral("runAxis"));
  over_->setAccessibleName(tr("What the curves are drawn over"));
  over_->setToolTip(tr("Energy is that of the GPUs, from their measured power."));
  auto* both = new QWidget;
  auto* row = new QHBoxLayout(both);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::s);
  row->addWidget(chooser_);
  row->addWidget(makeLabel(tr("over"), 2, static_cast<int>(TextRole::secondary)));
  row->addWidget(over_);
  return both;
}

const RunAxis& RunChart::axis() const { return runAxes()[std::max(0, over_->currentIndex())]; }

void RunChart::setAxis(const QString& id) {
  over_->setCurrentIndex(axisOf(id));
  chooseAxis(over_->currentIndex());
}

void RunChart::chooseAxis(int index) {
  QSettings().setValue(QLatin1String(axisKey), QLatin1String(runAxes()[index].id));
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

/// Behind a smoothed curve are its own values.
void RunChart::addCurves(const RunRow& row, int slot, const QVector<double>& x, const QVector<double>& y) {
  const bool coloured = slot < RunModel::slots_count;
  const double smoothing = options().smoothing;
  if (smoothing > 0 && coloured) setCurve(addCurve({row.title(), slot, CurveKind::raw, false, false, false}), x, y);
  const int curve =
      addCurve({row.title(), slot, coloured ? CurveKind::dashed : CurveKind::future, coloured, coloured, true});
  setCurve(curve, x, smoothed(y, smoothing));
}

void RunChart::addRun(const RunRow& row, int slot) {
  QVector<double> x, y;
  for (const EpochFigures& e : row.summary.history) {
    const double value = metric().value(e), at = axis().value(e);
    if (!std::isfinite(value) || !std::isfinite(at)) continue;
    x.append(across_ * at);
    y.append(scale_ * value);
  }
  addCurves(row, slot, x, y);
}

/// Over epochs the whole planned run.
double RunChart::longestOf(const RunRow& row) const {
  const bool epochs = qstrcmp(axis().id, "epoch") == 0;
  double longest = epochs ? static_cast<double>(row.summary.epochs) : 0;
  for (const EpochFigures& e : row.summary.history)
    if (const double at = axis().value(e); std::isfinite(at)) longest = std::max(longest, at);
  return longest;
}

void RunChart::showAxis(double longest) {
  const QString title = QCoreApplication::translate("RunChart", axis().title);
  const AxisUnit* unit = nullptr;
  if (qstrcmp(axis().id, "time") == 0)
    for (const AxisUnit& u : time_units)
      if (!unit && longest >= u.from) unit = &u;
  if (qstrcmp(axis().id, "energy") == 0)
    for (const AxisUnit& u : energy_units)
      if (!unit && longest >= u.from) unit = &u;
  across_ = unit ? unit->scale : 1;
  setHorizontalName(unit ? QStringLiteral("%1 (%2)").arg(title, QLatin1String(unit->name)) : title, axis().whole);
  setHorizontal({0, longest > 0 ? across_ * longest : 1});
}

void RunChart::refresh() {
  showQuantity();
  removeCurves();
  double longest = 0;
  for (const QString& id : model_.chosen()) longest = std::max(longest, longestOf(model_.row(model_.find(id))));
  showAxis(longest);
  for (const QString& id : model_.chosen()) addRun(model_.row(model_.find(id)), model_.slotOf(id));
}

}  // namespace nw::ui
