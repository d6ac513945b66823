// SPDX-License-Identifier: Apache-2.0
// Opens the data of a run according to its definition.
#pragma once
#include <optional>

#include "engine/data/batches/batch.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/split/split.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {

/// The opened, split and normalized data of a run.
struct TrainingData {
  OpenedData opened;
  Splits splits;
  DataFacts facts;
  std::optional<BatchBuilder> train, validation, test;  // nullopt: that split is empty
  std::vector<Text> notes;                              // warnings, to be posted once the run can post events
};
/// Sets missing members of the definition: data folder, hash, normalization, classes, sizes. `resume`: warns if the
/// data has changed, and keeps the definition's normalization.
Result<TrainingData> open_training_data(RunDefinition&, bool allow_synthetic, bool resume);

}  // namespace nw
