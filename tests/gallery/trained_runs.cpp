// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/trained_runs.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>
#include <QProcess>
#include <algorithm>
#include <fstream>
#include <list>
#include <map>
#include <utility>

#include "kernels/nested_text.hpp"
#include "tests/support/run_writer.hpp"

namespace nw::ui {
namespace {

struct Training {
  const char* project;
  int epochs;
  const char* options;
};
/// A small learning-rate search; the last run is the one most screens show.
const Training trainings[] = {
    {"mlp", 3, "--lr 0.0003 --seed 1"},
    {"mlp", 3, "--lr 0.01 --batch 128 --seed 2"},
    {"mlp", 4, "--lr 0.003 --seed 4"},
    {"lenet5", 2, "--lr 0.05 --batch 128"},
    {"lenet5", 6, ""},
};

/// Sanitizers make training slow; what the runs have learnt matters to the forms alone, which are not compared there.
QStringList epochsOf(int epochs) {
#ifdef NW_SANITIZED
  epochs = std::max(1, epochs / 3);
#endif
  return {QStringLiteral("--epochs"), QString::number(epochs)};
}

/// Templates with targets other than classes; each of their runs has its own folder.
const char* const other_targets[] = {"shapes-labels", "shapes-values"};

int call(const QString& program, const QStringList& arguments) {
  QProcess process;
  process.setStandardOutputFile(QProcess::nullDevice());
  process.setStandardErrorFile(QProcess::nullDevice());
  process.start(program, arguments);
  process.waitForFinished(600000);
  return process.exitCode();
}

/// What was measured of the computer, and how often, would differ from one to the next.
bool isMeasured(const Event& event) {
  return std::holds_alternative<StepSplit>(event.what) || std::holds_alternative<DeviceSample>(event.what);
}

std::string fixedMeasurements(double t, std::int64_t step) {
  const StepSplit split{.last = step, .count = 40, .seconds = 2.1e-3, .compute_s = 2e-3, .wait_s = 1e-4};
  const DeviceSample device{
      .cpu = 90, .process_cpu = 85, .memory_used_bytes = 6e9, .memory_total_bytes = 16e9, .process_memory_bytes = 9e7};
  return event_line(Event{t, split}) + "\n" + event_line(Event{t, device}) + "\n";
}

/// Gives the run the same measurements on each computer: at its first steps and at the end of each epoch.
void fixMeasurements(const fs::path& run) {
  std::ifstream file(run / "events.jsonl");
  std::string line, kept;
  bool began = false;
  while (std::getline(file, line)) {
    const Result<Event> event = parse_event(line);
    if (event && isMeasured(*event)) continue;
    kept += line + "\n";
    if (!event) continue;
    if (const auto* epoch = std::get_if<EpochEnd>(&event->what)) kept += fixedMeasurements(event->t, epoch->step);
    if (const auto* steps = std::get_if<Steps>(&event->what); steps && !std::exchange(began, true))
      kept += fixedMeasurements(event->t, steps->last);
  }
  file.close();
  std::ofstream(run / "events.jsonl", std::ios::binary | std::ios::trunc) << kept;
}

/// The events up to the given fraction of the run's steps, with the time and step of the last one.
std::string eventsUntil(const fs::path& run, double share, double* t, std::int64_t* step) {
  std::ifstream file(run / "events.jsonl");
  std::int64_t last = 0;
  std::string line, kept;
  while (std::getline(file, line)) {
    const Result<Event> event = parse_event(line);
    if (!event) continue;
    if (const auto* s = std::get_if<Started>(&event->what))
      last = static_cast<std::int64_t>(share * static_cast<double>(s->epochs * s->steps_per_epoch));
    if (const auto* s = std::get_if<Steps>(&event->what)) {
      if (s->last > last) break;
      *step = s->last;
    }
    kept += line + "\n";
    *t = event->t;
  }
  return kept;
}

}  // namespace

void trainForPictures(const QString& runs) {
  const QString program = QCoreApplication::applicationDirPath() + QStringLiteral("/netwright-cli");
  if (!QFileInfo::exists(program)) return;
  for (const Training& training : trainings) {
    const QString project = QDir(runs).filePath(QLatin1String(training.project) + QStringLiteral(".netwright"));
    if (!QFileInfo::exists(project))
      call(program, {QStringLiteral("new"), QStringLiteral("--template"), QLatin1String(training.project),
                     QStringLiteral("-o"), project});
    call(program, QStringList{QStringLiteral("train"), project} + epochsOf(training.epochs) +
                      QString::fromLatin1(training.options).split(u' ', Qt::SkipEmptyParts));
  }
  for (const char* name : other_targets)
    call(program,
         QStringList{QStringLiteral("train"), QLatin1String(name), QStringLiteral("--run-dir"), runOf(runs, name)} +
             epochsOf(4));
  for (const RunSummary& run : list_runs(runs.toStdString())) fixMeasurements(run.folder);
  for (const char* name : other_targets) fixMeasurements(runOf(runs, name).toStdString());
}

QString runOf(const QString& runs, const char* name) {
  return QDir::cleanPath(QDir(runs).filePath(QStringLiteral("../other-targets/") + QLatin1String(name)));
}

QString finishedRun(const QString& runs) {
  const std::vector<RunSummary> all = list_runs(runs.toStdString());
  const RunSummary* longest = nullptr;
  for (const RunSummary& run : all)
    if (run.name == "lenet5" && run.status == RunStatus::finished && (!longest || run.epochs > longest->epochs))
      longest = &run;
  return longest ? QString::fromStdString(longest->folder.string()) : QString();
}

QString halfway(const QString& run, Halfway state, double share) {
  struct Copies {
    test::TemporaryFolder place;
    std::map<std::pair<QString, Halfway>, fs::path> made;
    std::list<FileLock> locks;
  };
  static Copies copies;
  fs::path& copy = copies.made[{run, state}];
  if (!copy.empty()) return QString::fromStdString(copy.string());
  const fs::path whole = run.toStdString();
  copy = copies.place.path() / std::to_string(copies.made.size()) / whole.filename();
  fs::create_directories(copy.parent_path());
  fs::copy(whole, copy, fs::copy_options::recursive);
  double t = 0;
  std::int64_t step = 0;
  std::string events = eventsUntil(whole, share, &t, &step);
  if (state == Halfway::waiting) {
    const Text full = text(NW_TR("{0} cannot be written: not enough space for {1} bytes ({2}); free some space and try "
                                 "again. The old file is unchanged"),
                           "/home/ada/runs/2026-11-26-lenet5-a7/checkpoints/step-00004220/model.safetensors", 246'832,
                           "No space left on device");
    const Text reason = text(NW_TR("{0}. Training is paused until this is mended. It tries again by itself; the last "
                                   "checkpoint is kept."),
                             nested(full));
    events += event_line(Event{t, Health{HealthLevel::error, reason, step}}) + "\n";
  }
  if (state == Halfway::paused || state == Halfway::waiting) events += event_line(Event{t, Paused{step}}) + "\n";
  std::ofstream(copy / "events.jsonl", std::ios::binary | std::ios::trunc) << events;
  std::ofstream layers(copy / statistics_file, std::ios::binary | std::ios::trunc);
  for (const LayerStatistics& s : read_statistics(whole).records)
    if (s.step <= step) layers << event_line(Event{t, s}) << "\n";
  if (state != Halfway::interrupted)
    if (auto lock = FileLock::take(copy / "lock")) copies.locks.push_back(*std::move(lock));
  return QString::fromStdString(copy.string());
}

}  // namespace nw::ui
