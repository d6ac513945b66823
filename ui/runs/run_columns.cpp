// SPDX-License-Identifier: GPL-3.0-or-later
#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>
#include <cmath>
#include <limits>

#include "ui/charts/chart_scale.hpp"
#include "ui/runs/computed_columns.hpp"
#include "ui/runs/run_table.hpp"
#include "ui/session/metric.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
struct RunModelTexts {
  Q_DECLARE_TR_FUNCTIONS(RunModel)
};

QString none() { return QStringLiteral("–"); }
QString number(double v, int digits) { return v >= 0 ? QString::number(v, 'g', digits) : none(); }
QString count(std::int64_t n) { return n > 0 ? grouped(n) : none(); }
/// R² is named, because the column shows accuracies otherwise.
QString accuracy(const RunRow& r, double v) {
  if (!std::isfinite(v)) return none();
  const QString text = metricText(r.summary.metric, v);
  return r.summary.metric == Metric::r2 ? QStringLiteral("R² %1").arg(text) : text;
}

QString nameText(const RunRow& r) { return r.title(); }
QString tagsColumn(const RunRow& r) { return tagsText(r.notes); }
QString notesText(const RunRow& r) { return QString::fromStdString(r.notes.notes).section(u'\n', 0, 0); }
QString changesColumn(const RunRow& r) { return r.changes.join(QStringLiteral(", ")); }
QString trainText(const RunRow& r) { return accuracy(r, r.bestTrainAccuracy); }
QString checkedLossText(const RunRow& r) { return number(r.bestValidationLoss, r.bestValidationLoss < 0.001 ? 3 : 4); }
QString statusText(const RunRow& r) { return statusStyle(r).text; }
QString bestText(const RunRow& r) { return accuracy(r, r.summary.best_accuracy); }
double lastAccuracy(const RunRow& r) {
  return r.summary.history.empty() ? std::numeric_limits<double>::quiet_NaN()
                                   : r.summary.history.back().validation_accuracy;
}
QString lastText(const RunRow& r) { return accuracy(r, lastAccuracy(r)); }
QString testText(const RunRow& r) { return accuracy(r, r.summary.test_accuracy); }
QString lossText(const RunRow& r) { return number(r.summary.last_loss, r.summary.last_loss < 0.001 ? 3 : 4); }
QString rateText(const RunRow& r) { return r.learningRate >= 0 ? tickText(r.learningRate) : none(); }
QString batchText(const RunRow& r) { return count(r.batch); }
QString parameterText(const RunRow& r) {
  return r.summary.parameters > 0 ? rounded(static_cast<double>(r.summary.parameters)) : none();
}
QString epochText(const RunRow& r) {
  return QStringLiteral("%1 / %2").arg(r.summary.epochs_done).arg(r.summary.epochs);
}
QString timeText(const RunRow& r) { return r.summary.wall_s > 0 ? durationText(r.summary.wall_s) : none(); }
QString optimizerText(const RunRow& r) { return r.optimizer.isEmpty() ? none() : r.optimizer; }
QString deviceColumn(const RunRow& r) { return r.summary.device.empty() ? none() : deviceText(r.summary.device); }
QString startedText(const RunRow& r) { return whenText(r.summary.created); }
QString noText(const RunRow&) { return {}; }
/// Unknown figures sort below all others.
double orderOf(double accuracy) {
  return std::isfinite(accuracy) ? accuracy : -std::numeric_limits<double>::infinity();
}
QVariant best(const RunRow& r) { return orderOf(r.summary.best_accuracy); }
QVariant created(const RunRow& r) { return r.summary.created; }

struct StatusRow {
  RunStatus status;
  const char* icon;
  const char* tone;
  const char* text;
};
constexpr StatusRow status_rows[] = {
    {RunStatus::running, "play", "ok", QT_TRANSLATE_NOOP("RunModel", "Running")},
    {RunStatus::finished, "check", "", QT_TRANSLATE_NOOP("RunModel", "Finished")},
    {RunStatus::stopped, "stop", "", QT_TRANSLATE_NOOP("RunModel", "Stopped")},
    {RunStatus::failed, "alert-octagon", "error", QT_TRANSLATE_NOOP("RunModel", "Failed")},
    {RunStatus::interrupted, "alert-triangle", "warn", QT_TRANSLATE_NOOP("RunModel", "Interrupted")},
};
}  // namespace

QString whenText(double unixSeconds) {
  if (unixSeconds <= 0) return none();
  const QDateTime then = QDateTime::fromMSecsSinceEpoch(static_cast<qint64>(unixSeconds * 1000));
  const qint64 days = then.date().daysTo(QDate::currentDate());
  const QString clock = QLocale().toString(then.time(), QLocale::ShortFormat);
  if (days == 0) return RunModelTexts::tr("today %1").arg(clock);
  if (days == 1) return RunModelTexts::tr("yesterday %1").arg(clock);
  return QLocale().toString(then.date(), QLocale::ShortFormat);
}

StatusStyle statusStyle(const RunSummary& summary) {
  for (const StatusRow& row : status_rows) {
    if (row.status != summary.status) continue;
    QString text = QCoreApplication::translate("RunModel", row.text);
    if (summary.status == RunStatus::running && summary.epochs > 0)
      text =
          RunModelTexts::tr("Epoch %1 / %2").arg(std::min(summary.epochs, summary.epochs_done + 1)).arg(summary.epochs);
    return {QLatin1String(row.icon), QLatin1String(row.tone), text};
  }
  return {};
}

StatusStyle statusStyle(const RunRow& row) {
  if (row.summary.status == RunStatus::running && row.record && row.record->paused)
    return {QStringLiteral("pause"), QStringLiteral("warn"), RunModelTexts::tr("Paused")};
  return statusStyle(row.summary);
}

namespace {
QVector<RunColumn> usualColumns() {
  return {
      {"key", "", RunCell::key, 78, false, noText, created},
      {"run", QT_TRANSLATE_NOOP("RunModel", "Run"), RunCell::name, 168, false, nameText,
       [](const RunRow& r) { return QVariant(nameText(r)); }, BestValue::none, true, true},
      {"tags", QT_TRANSLATE_NOOP("RunModel", "Tags"), RunCell::pills, 110, false, tagsColumn,
       [](const RunRow& r) { return QVariant(tagsColumn(r)); }, BestValue::none, true, true},
      {"status", QT_TRANSLATE_NOOP("RunModel", "Status"), RunCell::status, 120, false, statusText,
       [](const RunRow& r) { return QVariant(static_cast<int>(r.summary.status)); }},
      {"best", QT_TRANSLATE_NOOP("RunModel", "Best accuracy"), RunCell::accuracy, 184, false, bestText, best,
       BestValue::highest},
      {"curve", QT_TRANSLATE_NOOP("RunModel", "Validation accuracy"), RunCell::curve, 156, false, noText, best,
       BestValue::highest},
      {"changes", QT_TRANSLATE_NOOP("RunModel", "What differs"), RunCell::pills, 250, false, changesColumn,
       [](const RunRow& r) { return QVariant(changesColumn(r)); }},
      {"test", QT_TRANSLATE_NOOP("RunModel", "Test accuracy"), RunCell::text, 112, true, testText,
       [](const RunRow& r) { return QVariant(orderOf(r.summary.test_accuracy)); }, BestValue::highest},
      {"train", QT_TRANSLATE_NOOP("RunModel", "Training accuracy"), RunCell::text, 112, true, trainText,
       [](const RunRow& r) { return QVariant(orderOf(r.bestTrainAccuracy)); }, BestValue::highest, false},
      {"validation_loss", QT_TRANSLATE_NOOP("RunModel", "Best validation loss"), RunCell::text, 112, true,
       checkedLossText, [](const RunRow& r) { return QVariant(r.bestValidationLoss); }, BestValue::lowest, false},
      {"loss", QT_TRANSLATE_NOOP("RunModel", "Last loss"), RunCell::text, 88, true, lossText,
       [](const RunRow& r) { return QVariant(r.summary.last_loss); }, BestValue::lowest},
      {"rate", QT_TRANSLATE_NOOP("RunModel", "Learning rate"), RunCell::text, 100, true, rateText,
       [](const RunRow& r) { return QVariant(r.learningRate); }},
      {"batch", QT_TRANSLATE_NOOP("RunModel", "Batch"), RunCell::text, 64, true, batchText,
       [](const RunRow& r) { return QVariant(qlonglong(r.batch)); }},
      {"optimizer", QT_TRANSLATE_NOOP("RunModel", "Optimizer"), RunCell::text, 90, false, optimizerText,
       [](const RunRow& r) { return QVariant(r.optimizer); }},
      {"parameters", QT_TRANSLATE_NOOP("RunModel", "Parameters"), RunCell::text, 92, true, parameterText,
       [](const RunRow& r) { return QVariant(qlonglong(r.summary.parameters)); }},
      {"epochs", QT_TRANSLATE_NOOP("RunModel", "Epochs"), RunCell::text, 78, true, epochText,
       [](const RunRow& r) { return QVariant(qlonglong(r.summary.epochs_done)); }},
      {"time", QT_TRANSLATE_NOOP("RunModel", "Time"), RunCell::text, 96, true, timeText,
       [](const RunRow& r) { return QVariant(r.summary.wall_s); }},
      {"started", QT_TRANSLATE_NOOP("RunModel", "Started"), RunCell::text, 120, false, startedText, created},
      {"device", QT_TRANSLATE_NOOP("RunModel", "Device"), RunCell::text, 90, false, deviceColumn,
       [](const RunRow& r) { return QVariant(deviceColumn(r)); }},
      {"notes", QT_TRANSLATE_NOOP("RunModel", "Notes"), RunCell::text, 180, false, notesText,
       [](const RunRow& r) { return QVariant(notesText(r)); }},
      {"last", QT_TRANSLATE_NOOP("RunModel", "Last accuracy"), RunCell::text, 112, true, lastText,
       [](const RunRow& r) { return QVariant(orderOf(lastAccuracy(r))); }, BestValue::highest, false},
  };
}

QVector<RunColumn>& allColumns() {
  static QVector<RunColumn> columns = usualColumns() + asRunColumns(computedColumns());
  return columns;
}
}  // namespace

const QVector<RunColumn>& runColumns() { return allColumns(); }

void takeComputedColumns() { allColumns() = usualColumns() + asRunColumns(computedColumns()); }

bool isKnown(const RunColumn& column, double value) {
  return column.best == BestValue::lowest    ? value >= 0
         : column.best == BestValue::highest ? std::isfinite(value)
                                             : !std::isnan(value);
}

QString figureText(const RunColumn& column, const RunRow& like, double value) {
  if (column.best == BestValue::highest && column.computed.isEmpty()) return accuracy(like, value);
  return QString::number(value, 'g', std::abs(value) < 0.001 ? 3 : 4);
}

int runColumn(const QString& key) {
  for (int i = 0; i < runColumns().size(); ++i)
    if (runColumns()[i].key() == key) return i;
  return -1;
}

int runColumn(const char* id) {
  for (int i = 0; i < runColumns().size(); ++i)
    if (*id && qstrcmp(runColumns()[i].id, id) == 0) return i;
  return -1;
}

}  // namespace nw::ui
