// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/export_jobs.hpp"

#include <QDateTime>
#include <QFileInfo>
#include <algorithm>

#include "engine/runs/run_folder.hpp"
#include "ui/deploy/export_item.hpp"
#include "ui/session/background.hpp"
#include "ui/session/command_process.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

const QString start_stage = QStringLiteral("start");

QString checkpointOf(qint64 step) { return QString::fromStdString(checkpoint_name(step)); }

/// Whether what the program computed now is within what the proof allows.
bool agreesWith(const Json& proof, const Json& reader) {
  const double limit = numberAt(proof, "tolerance") * std::max(1e-3, numberAt(proof, "largest_output"));
  return textAt(reader, "problem").isEmpty() && numberAt(reader, "max_abs_diff", 1e300) <= limit;
}

QStringList namesOfProblems(const Json& line) {
  QStringList names;
  if (const auto found = line.find("problems"); found != line.end() && found->is_array())
    for (const Json& problem : *found) names << textAt(problem, "file");
  return names;
}

}  // namespace

ExportJobs::~ExportJobs() {
  for (auto& [id, job] : jobs_) {
    delete job.process;  // ends it, before what it was writing is removed
    if (!job.file.isEmpty()) removeUnfinished(job.file);
  }
}

double ExportJobs::elapsed(const QString& format) const {
  const auto job = jobs_.find(format);
  return job == jobs_.end() ? 0 : static_cast<double>(job->second.clock.elapsed()) / 1000;
}

QString ExportJobs::stage(const QString& format) const {
  const auto job = jobs_.find(format);
  return job == jobs_.end() ? QString() : job->second.stage;
}

ExportJobs::Job& ExportJobs::begin(const NetworkFormat& format, const ExportRecord& record, const QString& run) {
  const QString id = QLatin1String(format.id);
  stop(id);
  Job& job = jobs_[id];
  job.record = record;
  job.run = run;
  job.stage = start_stage;
  job.turn = ++turn_;
  job.clock.start();
  job.stageClock.start();
  return job;
}

void ExportJobs::start(const NetworkFormat& format, const QString& file, const DeployWeights& weights) {
  const ExportRecord record{.format = QLatin1String(format.id),
                            .file = QFileInfo(file).absoluteFilePath(),
                            .checkpoint = weights.checkpoint,
                            .step = weights.step,
                            .at = 0};
  Job& job = begin(format, record, weights.run);
  job.file = record.file;
  // "best" may become other weights while this runs: its step is what is recorded.
  command(record.format, exportArguments(format, record.file, weights.run, checkpointOf(weights.step)),
          [this, id = record.format](Job&, const Json& proof) { finishExport(id, proof); });
}

void ExportJobs::command(const QString& id, const QStringList& arguments, Done done) {
  Job& job = jobs_[id];
  auto* process = new CommandProcess(this);
  job.process = process;
  const quint64 turn = job.turn;
  const auto current = [this, id, turn]() -> Job* {
    const auto found = jobs_.find(id);
    return found != jobs_.end() && found->second.turn == turn ? &found->second : nullptr;
  };
  process->onLine([this, id, current](const Json& line) {
    if (current()) takeLine(id, line);
  });
  process->start(
      arguments,
      [process, current, done = std::move(done)](const Json& answer) {
        process->deleteLater();
        if (Job* job = current()) done(*job, answer);
      },
      [this, id, process, current](const QString& sentence) {
        process->deleteLater();
        Job* job = current();
        if (!job) return;
        if (const QStringList changed = namesOfProblems(job->line); !changed.isEmpty() && job->file.isEmpty())
          return finishCheck(id, changed, sentence);
        giveUp(id, sentence);
      });
}

void ExportJobs::takeLine(const QString& id, const Json& line) {
  Job& job = jobs_[id];
  job.line = line;
  if (textAt(line, "type") != QLatin1String("stage")) return;
  const double seconds = static_cast<double>(job.stageClock.restart()) / 1000;
  job.record.stages.push_back({job.stage, seconds});
  job.stage = textAt(line, "stage");
}

void ExportJobs::finishExport(const QString& id, const Json& proof) {
  Job& job = jobs_[id];
  job.record.stages.push_back({job.stage, static_cast<double>(job.stageClock.elapsed()) / 1000});
  job.record.at = QDateTime::currentSecsSinceEpoch();
  job.record.proof = proof;
  const auto work = [record = job.record, run = job.run]() -> Result<ExportRecord> {
    ExportRecord whole = record;
    NW_ASSIGN(whole.digests, digestsOf(whole));
    NW_TRY(saveExport(run.toStdString(), whole));
    return whole;
  };
  inBackground(this, work, [this, id, turn = job.turn](Result<ExportRecord> whole) {
    const auto found = jobs_.find(id);
    if (found == jobs_.end() || found->second.turn != turn) return;
    jobs_.erase(found);
    if (whole)
      Q_EMIT ended(id, *whole);
    else
      Q_EMIT failed(id, translated(whole.error().what));
  });
}

void ExportJobs::check(const NetworkFormat& format, const ExportRecord& record, const QString& run) {
  const Job& job = begin(format, record, run);
  inBackground(
      this, [record] { return changedFiles(record); },
      [this, &format, turn = job.turn, id = record.format](const QStringList& changed) {
        const auto found = jobs_.find(id);
        if (found == jobs_.end() || found->second.turn != turn) return;
        if (!changed.isEmpty() || format.check == NetworkCheck::digests) return finishCheck(id, changed, {});
        computeAgain(format);
      });
}

void ExportJobs::computeAgain(const NetworkFormat& format) {
  const QString id = QLatin1String(format.id);
  Job& job = jobs_[id];
  if (format.check == NetworkCheck::bundle)
    return command(id, {QStringLiteral("verify"), job.record.file}, [this, id](Job&, const Json& answer) {
      finishCheck(id, {},
                  tr("model.onnx computes the golden samples within %1.")
                      .arg(differenceText(numberAt(answer, "max_abs_diff"))));
    });
  job.scratch = std::make_unique<QTemporaryDir>();
  const QString samples = job.scratch->filePath(QStringLiteral("samples.safetensors"));
  command(id,
          {QStringLiteral("export"), job.run, QStringLiteral("--checkpoint"), checkpointOf(job.record.step),
           QStringLiteral("--samples"), samples},
          [this, id](Job&, const Json&) { compareSamples(id); });
}

void ExportJobs::compareSamples(const QString& id) {
  const Job& job = jobs_[id];
  const QString samples = job.scratch->filePath(QStringLiteral("samples.safetensors"));
  command(id, {QStringLiteral("verify"), job.record.file, samples}, [this, id](Job& now, const Json& reader) {
    const QString difference = differenceText(numberAt(reader, "max_abs_diff"));
    if (agreesWith(now.record.proof, reader))
      return finishCheck(id, {}, tr("A fresh process computes the run's outputs from it within %1.").arg(difference));
    finishCheck(id, {QFileInfo(now.record.file).fileName()},
                tr("A fresh process computes other outputs from it: they differ by %1.").arg(difference));
  });
}

void ExportJobs::finishCheck(const QString& id, const QStringList& changed, const QString& sentence) {
  jobs_.erase(id);
  Q_EMIT checked(id, changed, sentence);
}

void ExportJobs::giveUp(const QString& id, const QString& sentence) {
  const QString file = jobs_[id].file;
  jobs_.erase(id);
  if (!file.isEmpty()) removeUnfinished(file);
  Q_EMIT failed(id, sentence);
}

void ExportJobs::stop(const QString& format) {
  const auto found = jobs_.find(format);
  if (found == jobs_.end()) return;
  if (found->second.process) found->second.process->stop();
  giveUp(format, {});
}

void ExportJobs::stopAll() {
  while (!jobs_.empty()) stop(QString(jobs_.begin()->first));
}

}  // namespace nw::ui
