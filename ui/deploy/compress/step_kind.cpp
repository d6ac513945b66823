// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/step_kind.hpp"

#include <QCoreApplication>
#include <QDir>
#include <algorithm>
#include <cmath>
#include <iterator>

#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

struct StepWords {
  Q_DECLARE_TR_FUNCTIONS(CompressSteps)
};

constexpr int most_layers = 4096, most_epochs_of_step = 100'000;
const QString list_separator = QStringLiteral(", ");

QString percentOf(double share) { return QString::number(std::lround(100 * share)); }

QString titleOfPruning(const CompressPlan& plan) {
  QStringList layers;
  for (auto it = plan.removed.begin(); it != plan.removed.end(); ++it)
    layers << StepWords::tr("%1 %2 %", "layer, share").arg(inOneLine(it.key()), percentOf(*it));
  if (layers.size() > 2) return StepWords::tr("Prune %n layer(s)", nullptr, static_cast<int>(layers.size()));
  return StepWords::tr("Prune %1").arg(layers.join(list_separator));
}

QStringList pruning(const CompressPlan& plan) {
  QStringList words;
  for (auto it = plan.removed.begin(); it != plan.removed.end(); ++it)
    words << QStringLiteral("--layer") << it.key() + u'=' + QString::number(*it, 'g', 6);
  return words;
}

QVector<StepCommand> commandsOfPruning(const CompressPlan& plan, const StepPlaces& at) {
  if (plan.removed.isEmpty()) return {};
  const bool plain = !at.project.isEmpty() && !at.project.contains(u'/') && !at.project.startsWith(u'.');
  const QString name = plain ? at.project : QStringLiteral("network");
  const QString project = QDir(at.to).filePath(name + QStringLiteral(".netwright"));
  QStringList make{QStringLiteral("compress"), at.run, QStringLiteral("--checkpoint"), at.checkpoint};
  make << pruning(plan) << QStringLiteral("--criterion") << plan.criterion << QStringLiteral("--epochs")
       << QString::number(plan.epochs) << QStringLiteral("--output") << project;
  if (!plan.teacher.isEmpty()) make << QStringLiteral("--distill") << plan.teacher;
  return {{QStringLiteral("choose"), make},
          {QStringLiteral("train"), {QStringLiteral("train"), project, QStringLiteral("--run-dir"), at.to}}};
}

QString titleOfInt8(const CompressPlan&) { return StepWords::tr("8 bits"); }

QVector<StepCommand> commandsOfInt8(const CompressPlan& plan, const StepPlaces& at) {
  return {{QStringLiteral("calibrate"),
           {QStringLiteral("compress"), at.run, QStringLiteral("--checkpoint"), at.checkpoint, QStringLiteral("--int8"),
            QStringLiteral("--run-dir"), at.to, QStringLiteral("--calibrate"), plan.calibration,
            QStringLiteral("--seconds"), QStringLiteral("0")}}};
}

constexpr StepKind kinds[] = {
    {"prune", "cut", false, titleOfPruning, commandsOfPruning},
    {"int8", "cpu", true, titleOfInt8, commandsOfInt8},
};

struct StageRow {
  const char *id, *text;
};
constexpr StageRow stages[] = {
    {"choose", QT_TRANSLATE_NOOP("CompressSteps", "Choosing channels")},
    {"train", QT_TRANSLATE_NOOP("CompressSteps", "Training")},
    {"calibrate", QT_TRANSLATE_NOOP("CompressSteps", "Calibrating for 8 bits")},
    {"before", QT_TRANSLATE_NOOP("CompressSteps", "Evaluating the original")},
    {"after", QT_TRANSLATE_NOOP("CompressSteps", "Evaluating the result")},
    {"latency", QT_TRANSLATE_NOOP("CompressSteps", "Measuring latency")},
    {"files", QT_TRANSLATE_NOOP("CompressSteps", "Computing from exported files")},
    {"measure", QT_TRANSLATE_NOOP("CompressSteps", "Measuring")},
    {"sensitivity", QT_TRANSLATE_NOOP("CompressSteps", "Measuring sensitivities")},
    {"trial", QT_TRANSLATE_NOOP("CompressSteps", "Trying the speed")},
};

double latencyOf(const Json& trial, const char* side, qint64 batch) {
  const auto all = trial.find("latency");
  if (all == trial.end() || !all->is_object() || !all->contains(side) || !(*all)[side].is_array()) return 0;
  for (const Json& row : (*all)[side])
    if (row.is_object() && integerAt(row, "batch") == batch) return numberAt(row, "latency_ms");
  return 0;
}

}  // namespace

Json jsonOf(const CompressPlan& plan) {
  Json removed = Json::object();
  for (auto it = plan.removed.begin(); it != plan.removed.end(); ++it) removed[it.key().toStdString()] = *it;
  return {{"removed", removed},
          {"criterion", plan.criterion.toStdString()},
          {"epochs", plan.epochs},
          {"teacher", plan.teacher.toStdString()},
          {"calibration", plan.calibration.toStdString()}};
}

CompressPlan planFrom(const Json& json) {
  CompressPlan plan;
  if (!json.is_object()) return plan;
  if (const auto found = json.find("removed"); found != json.end() && found->is_object())
    for (const auto& [layer, share] : found->items())
      if (share.is_number() && share.get<double>() > 0 && share.get<double>() < 1 && plan.removed.size() < most_layers)
        plan.removed[QString::fromStdString(layer)] = share.get<double>();
  if (const QString text = textAt(json, "criterion"); !text.isEmpty()) plan.criterion = text;
  if (const QString text = textAt(json, "calibration"); !text.isEmpty()) plan.calibration = text;
  plan.teacher = textAt(json, "teacher");
  plan.epochs = static_cast<int>(std::clamp<qint64>(integerAt(json, "epochs", 1), 1, most_epochs_of_step));
  return plan;
}

std::span<const StepKind> stepKinds() { return kinds; }

const StepKind* stepKind(const QString& id) {
  const auto found =
      std::find_if(std::begin(kinds), std::end(kinds), [&](const StepKind& k) { return id == QLatin1String(k.id); });
  return found == std::end(kinds) ? nullptr : found;
}

QString stageOfStep(const QString& stage) {
  for (const StageRow& row : stages)
    if (stage == QLatin1String(row.id)) return StepWords::tr(row.text);
  return {};
}

QStringList trialArguments(const StepKind& kind, const CompressPlan& plan, const StepPlaces& at) {
  QStringList words{QStringLiteral("compress"), at.run, QStringLiteral("--checkpoint"), at.checkpoint};
  if (kind.last)
    words << QStringLiteral("--int8");
  else
    words << pruning(plan);
  return words << QStringLiteral("--trial") << QStringLiteral("--seconds") << QStringLiteral("0.05");
}

QString slowerSentence(const Json& trial) {
  const auto slower = trial.find("not_faster");
  if (slower == trial.end() || !slower->is_array() || slower->empty()) return {};
  QStringList batches, times;
  for (const Json& each : *slower) {
    if (!each.is_number_integer()) continue;
    const qint64 batch = each.get<qint64>();
    batches << QString::number(batch);
    times << millisecondsText(latencyOf(trial, "before", batch)) + QStringLiteral(" → ") +
                 millisecondsText(latencyOf(trial, "after", batch));
  }
  return StepWords::tr("Not faster on this processor (%1) with batches of %2: %3")
      .arg(inOneLine(textAt(trial, "instruction_set")), batches.join(list_separator), times.join(list_separator));
}

}  // namespace nw::ui
