// SPDX-License-Identifier: Apache-2.0
// What `compress` prints of the training that belongs to a smaller run, and of sizes.
#pragma once
#include "engine/compress/measured/fine_tune.hpp"
#include "engine/core/json.hpp"

namespace nw::cli {

/// "12,345 of 49,380 bytes (0.250x)"
std::string size_text(std::int64_t after, std::int64_t before);

/// A line on the terminal for each part of the training.
bool show_fine_tuning(const compress::FineTuningProgress&);
/// "fine-tuned: 2 epochs at 0.001, loss 0.0512 to 0.0431"; nothing without epochs.
void show_losses(double learning_rate, const std::vector<double>& losses);
Json fine_tuning_json(double learning_rate, const std::vector<double>& losses);

}  // namespace nw::cli
