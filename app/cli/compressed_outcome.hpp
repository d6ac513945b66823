// SPDX-License-Identifier: Apache-2.0
// What a compression cost, measured on the test part: before and after. Of `compress`.
#pragma once
#include <optional>

#include "engine/compress/measured/fine_tune.hpp"
#include "engine/core/json.hpp"
#include "engine/predict/changed_predictions.hpp"

namespace nw::cli {

struct Outcome {
  TargetKind kind = TargetKind::classes;
  double before = 0, after = 0;  // the measure of the targets
  std::optional<ChangedPredictions> changes;
};
/// `before` with the checkpoint, and the best one of `after`.
Result<Outcome> compare_runs(const fs::path& before, const std::string& checkpoint, const fs::path& after);
void show_outcome(const Outcome&);
/// Adds "metric", "accuracy" and, of classes, "changes".
void add_outcome(Json&, const Outcome&);

/// "12,345 of 49,380 bytes (0.250x)"
std::string size_text(std::int64_t after, std::int64_t before);

/// A line on the terminal for each part of the training.
bool show_fine_tuning(const compress::FineTuningProgress&);
/// "fine-tuned: 2 epochs at 0.001, loss 0.0512 to 0.0431"; nothing without epochs.
void show_losses(double learning_rate, const std::vector<double>& losses);
Json fine_tuning_json(double learning_rate, const std::vector<double>& losses);

}  // namespace nw::cli
