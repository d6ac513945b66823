// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_scanner.hpp"

#include "kernels/optimizer.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"

#include <QFileInfo>
#include <QPointer>
#include <algorithm>
#include <cmath>

namespace nw::ui {

namespace {
constexpr int soon_ms = 150, regular_ms = 2000;

/// A value that changes whenever a run may have new events.
std::uint64_t stampOf(const fs::path& run) {
  std::error_code ignored;
  std::string text = is_running(run) ? "running" : "";
  for (const char* name : {"events.jsonl", "run.json", "latest", notes_file}) {
    const auto time = fs::last_write_time(run / name, ignored).time_since_epoch().count();
    text += ' ' + std::to_string(fs::file_size(run / name, ignored)) + ' ' + std::to_string(time);
  }
  return xxh3(text);
}

QString optimizerTitle(const std::string& name) {
  const Optimizer* o = find_optimizer(name);
  return QString::fromStdString(o != nullptr ? std::string(o->title) : name);
}

void readNotes(const fs::path& run, RunRow& row) {
  if (auto notes = read_run_notes(run))
    row.notes = *std::move(notes);
  else
    row.notesProblem = translated(notes.error().what);
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

RunRow readRow(const fs::path& run) {
  RunRow row;
  readNotes(run, row);
  if (auto summary = summarize_run(run)) {
    row.summary = *std::move(summary);
  } else {
    row.summary.folder = run;
    row.summary.name = run.filename().string();
    row.summary.status = is_running(run) ? RunStatus::running : RunStatus::failed;
    return row;
  }
  readBest(row);
  if (const auto definition = read_run_definition(run)) {
    const TrainSettings& s = row.settings = definition->doc.settings();
    row.learningRate = s.learning_rate;
    row.batch = s.batch;
    row.seed = static_cast<std::int64_t>(s.seed);
    row.optimizer = optimizerTitle(s.optimizer.name());
  }
  return row;
}
}  // namespace

RunScanner::RunScanner(fs::path runs, QObject* parent) : QObject(parent), runs_(std::move(runs)) {
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
      this, [runs = runs_, cache = cache_] { return read(runs, *cache); },
      [this](const QVector<RunRow>& rows) {
        busy_ = false;
        Q_EMIT scanned(rows);
        if (std::exchange(again_, false)) scanSoon();
      },
      [this] { busy_ = false; });
}

QVector<RunRow> RunScanner::read(const fs::path& runs, Cache& cache) {
  QVector<RunRow> out;
  Cache fresh;
  std::error_code error;
  for (fs::directory_iterator it(runs, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    const fs::path& run = it->path();
    if (!fs::is_directory(it->symlink_status(ignored)) || run.filename().string().starts_with('.')) continue;
    const std::uint64_t stamp = stampOf(run);
    const auto known = cache.find(run.string());
    Seen seen = known != cache.end() && known->second.stamp == stamp ? known->second : Seen{stamp, readRow(run)};
    out.append(seen.row);
    fresh.emplace(run.string(), std::move(seen));
  }
  cache = std::move(fresh);
  std::sort(out.begin(), out.end(), [](const RunRow& a, const RunRow& b) {
    return a.summary.created != b.summary.created ? a.summary.created > b.summary.created
                                                  : a.summary.folder > b.summary.folder;
  });
  return out;
}

}  // namespace nw::ui
