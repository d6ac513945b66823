// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_scanner.hpp"

#include "engine/runs/index/run_field.hpp"
#include "kernels/optimizer.hpp"
#include "kernels/printable.hpp"
#include "ui/runs/run_changes.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"

#include <QFileInfo>
#include <QPointer>
#include <algorithm>
#include <cmath>
#include <map>

namespace nw::ui {

namespace {
constexpr int soon_ms = 150, regular_ms = 2000;

QString optimizerTitle(const std::string& name) {
  const Optimizer* o = find_optimizer(name);
  return QString::fromStdString(o != nullptr ? std::string(o->title) : name);
}

/// The extremes of the completed epochs.
void readBest(RunRow& row) {
  for (const EpochFigures& e : row.summary.history) {
    row.bestTrainAccuracy = std::fmax(row.bestTrainAccuracy, e.train_accuracy);
    if (!std::isfinite(e.validation_loss)) continue;
    row.bestValidationLoss =
        row.bestValidationLoss < 0 ? e.validation_loss : std::min(row.bestValidationLoss, e.validation_loss);
  }
}

/// -1: the run has no such number.
double numberOf(const RunRecord& record, const char* field) {
  const FieldValue value = field_value(record, field);
  const double* number = std::get_if<double>(&value);
  return number ? *number : -1;
}

RunRow rowOf(const std::shared_ptr<const RunRecord>& record) {
  RunRow row;
  row.record = record;
  row.summary = record->summary;
  row.notes = record->notes;
  if (!record->notes_problem.empty()) row.notesProblem = translated(record->notes_problem);
  readBest(row);
  row.learningRate = numberOf(*record, "learning_rate");
  row.batch = static_cast<std::int64_t>(std::max(0.0, numberOf(*record, "batch")));
  row.seed = static_cast<std::int64_t>(numberOf(*record, "seed"));
  const FieldValue optimizer = field_value(*record, "optimizer");
  if (const auto* name = std::get_if<std::string>(&optimizer)) row.optimizer = optimizerTitle(*name);
  return row;
}

QVector<RunRow> read(RunIndex& index, const fs::path& runs, bool trials) {
  QVector<RunRow> rows;
  std::map<std::string, const RunRecord*> byName;
  for (const auto& record : index.refresh(trials)) {
    rows.append(rowOf(record));
    const fs::path place = record->summary.folder.lexically_relative(runs).parent_path();
    if (!place.empty()) {
      rows.last().study = QString::fromStdString(printable(place.string()));
      continue;
    }
    byName[record->summary.folder.filename().string()] = record.get();
  }
  for (RunRow& row : rows)
    if (row.record->parent_step >= 0)
      if (const auto parent = byName.find(row.record->parent); parent != byName.end())
        row.changes = changesOf(*parent->second, *row.record);
  return rows;
}
}  // namespace

RunScanner::RunScanner(fs::path runs, QObject* parent)
    : QObject(parent), runs_(std::move(runs)), index_(std::make_shared<RunIndex>(runs_)) {
  soon_.setSingleShot(true);
  soon_.setInterval(soon_ms);
  regular_.setInterval(regular_ms);
  connect(&soon_, &QTimer::timeout, this, &RunScanner::scan);
  connect(&regular_, &QTimer::timeout, this, &RunScanner::scan);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, &RunScanner::scanSoon);
}

void RunScanner::setFolder(const fs::path& runs) {
  if (runs == runs_) return;
  if (!watcher_.directories().isEmpty()) watcher_.removePaths(watcher_.directories());
  runs_ = runs;
  index_ = std::make_shared<RunIndex>(runs_);
}

void RunScanner::setTrials(bool on) {
  if (on == trials_) return;
  trials_ = on;
  scanSoon();
}

void RunScanner::scanSoon() {
  if (!soon_.isActive()) soon_.start();
}

void RunScanner::setWatching(bool on) {
  if (on) {
    scan();
    regular_.start();
  } else {
    regular_.stop();
  }
}

void RunScanner::scan() {
  // A folder that does not exist, or cannot, is looked for again by the next scan.
  const QString folder = QString::fromStdString(runs_.string());
  if (watcher_.directories().isEmpty() && QFileInfo(folder).isDir()) watcher_.addPath(folder);
  if (busy_) {
    again_ = true;
    return;
  }
  busy_ = true;
  inBackground(
      this, [index = index_, runs = runs_, trials = trials_] { return read(*index, runs, trials); },
      [this](const QVector<RunRow>& rows) {
        busy_ = false;
        Q_EMIT scanned(rows);
        if (std::exchange(again_, false)) scanSoon();
      },
      [this] { busy_ = false; });
}

}  // namespace nw::ui
