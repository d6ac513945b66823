// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/run_checkpoints.hpp"

#include <QCoreApplication>
#include <QStringList>
#include <cmath>

#include "engine/runs/contained.hpp"
#include "engine/runs/epochs.hpp"
#include "ui/session/metric.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
struct RunCheckpointTexts {
  Q_DECLARE_TR_FUNCTIONS(RunCheckpoints)
};

qint64 bytesOf(const fs::path& run, const std::string& name) {
  qint64 bytes = 0;
  for (const char* file : {"model.safetensors", "optimizer.safetensors"})
    if (const auto size = size_inside(run, "checkpoints/" + name + "/" + file)) bytes += static_cast<qint64>(*size);
  return bytes;
}

void takeEpoch(RunCheckpoint& c, const std::vector<EpochEnd>& epochs) {
  c.epoch = epoch_of_step(epochs, c.step);
  for (const EpochEnd& e : epochs)
    if (e.step == c.step) c.accuracy = compared_accuracy(e);
}
}  // namespace

QVector<RunCheckpoint> readCheckpoints(const fs::path& run) {
  const auto summary = summarize_run(run);
  return readCheckpoints(run, recorded_epochs(run), summary ? summary->metric : Metric::accuracy);
}

QVector<RunCheckpoint> readCheckpoints(const fs::path& run, const std::vector<EpochEnd>& epochs, Metric metric) {
  QVector<RunCheckpoint> all;
  const auto latest = latest_checkpoint(run), best = best_checkpoint(run);
  for (const CheckpointName& name : list_checkpoints(run)) {
    RunCheckpoint c;
    c.step = name.step;
    c.metric = metric;
    takeEpoch(c, epochs);
    c.bytes = bytesOf(run, name.name);
    c.best = best && best->step == c.step && std::isfinite(c.accuracy);
    c.latest = latest && latest->step == c.step;
    all.append(c);
  }
  return all;
}

QString checkpointTitle(const RunCheckpoint& c) {
  if (c.epoch < 0) return RunCheckpointTexts::tr("Step %1").arg(grouped(c.step));
  return RunCheckpointTexts::tr("Epoch %1").arg(QString::number(std::round(c.epoch * 100) / 100, 'g', 6));
}

QString checkpointFacts(const RunCheckpoint& c) {
  QStringList facts;
  if (c.epoch >= 0) facts += RunCheckpointTexts::tr("step %1").arg(grouped(c.step));
  if (std::isfinite(c.accuracy)) facts += metricTitle(c.metric) + u' ' + metricText(c.metric, c.accuracy);
  if (c.bytes > 0) facts += bytesText(static_cast<double>(c.bytes));
  if (c.best) facts += RunCheckpointTexts::tr("the best");
  if (c.latest) facts += RunCheckpointTexts::tr("the newest");
  return facts.join(QStringLiteral(" · "));
}

}  // namespace nw::ui
