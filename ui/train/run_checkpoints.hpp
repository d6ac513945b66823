// SPDX-License-Identifier: GPL-3.0-or-later
// A run's checkpoints as they are shown.
#pragma once
#include <QString>
#include <QVector>
#include <limits>

#include "engine/runs/run_folder.hpp"

namespace nw::ui {

struct RunCheckpoint {
  std::int64_t step = 0;
  double epoch = -1;                                           // -1: unknown
  double accuracy = std::numeric_limits<double>::quiet_NaN();  // of an epoch's end: compared_accuracy(); NaN: unknown
  Metric metric = Metric::accuracy;                            // which quantity that is
  qint64 bytes = 0;                                            // of its tensors
  bool best = false, latest = false;
  bool operator==(const RunCheckpoint& o) const {
    return step == o.step && epoch == o.epoch && bytes == o.bytes && best == o.best && latest == o.latest;
  }
};

/// The complete ones, oldest first; what cannot be read is left out. Reads files: not for the GUI thread.
QVector<RunCheckpoint> readCheckpoints(const fs::path& run);
/// The same where the run's epochs are known.
QVector<RunCheckpoint> readCheckpoints(const fs::path& run, const std::vector<EpochEnd>& epochs, Metric metric);
/// "Epoch 4", "Epoch 4.5", or "Step 1 200" where the epoch is unknown.
QString checkpointTitle(const RunCheckpoint& checkpoint);
/// "step 1 200 · accuracy 97.10 % · 134 MB · the best"
QString checkpointFacts(const RunCheckpoint& checkpoint);

}  // namespace nw::ui
