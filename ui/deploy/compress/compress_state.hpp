// SPDX-License-Identifier: GPL-3.0-or-later
// What the Compress tab shows of a run, read from its folder and those beside it. Reads files: not for the GUI thread.
#pragma once
#include <QStringList>
#include <memory>

#include "engine/compress/pruning/plan_costs.hpp"
#include "ui/deploy/compress/step_record.hpp"

namespace nw::ui {

struct CompressState {
  std::vector<CompressionRecord> chain;                  // from the original to the run
  std::vector<CompressionRecord> attempts;               // of the original, itself too
  std::shared_ptr<const compress::PlanCostTable> table;  // null: see `problem`
  QStringList classes;
  QString project;  // its name
  QString locked;   // why the run cannot be made smaller; empty: it can
  QString problem;  // why nothing is shown
  Json sensitivity;
};
/// `checkpoint`: name of the run's weights.
CompressState readCompressState(const QString& run, const QString& checkpoint, const QString& criterion);
/// The record of a run with its costs, from its definition.
CompressionRecord withCosts(CompressionRecord record);

}  // namespace nw::ui
