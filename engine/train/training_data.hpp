// SPDX-License-Identifier: Apache-2.0
// The data of a run, opened according to its definition.
#pragma once
#include <optional>

#include "engine/data/batches/batch.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/split/split.hpp"
#include "engine/design/data_facts.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {

/// Data of a run, opened, split and normalised.
struct TrainingData {
  OpenedData opened;
  Splits splits;
  DataFacts facts;
  std::optional<BatchBuilder> train, validation, test;  // absent: that split is empty
  std::vector<Text> notes;                              // warnings, for when the run can post events
};
/// Fills in the missing members of the definition: data folder, hash, normalisation, classes, sizes. `resume`: warns
/// when the data has changed, and keeps the definition's normalisation.
Result<TrainingData> open_training_data(RunDefinition&, bool allow_synthetic, bool resume);

}  // namespace nw
