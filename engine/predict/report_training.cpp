// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/report_training.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/design/project_file.hpp"
#include "engine/predict/evaluation_metrics.hpp"
#include "engine/predict/report_parts.hpp"
#include "engine/runs/epochs.hpp"

namespace nw::predicting {
namespace {

using Rows = std::vector<std::vector<std::string>>;

constexpr std::size_t most_drawn_epochs = 500, longest_value = 200;

/// One quantity of every epoch; epochs without it are left out.
DrawnCurve curve_of(std::span<const EpochEnd> epochs, double EpochEnd::*member, bool validation) {
  DrawnCurve curve{.name = validation ? "validation" : "training", .colour = validation ? 1 : 0, .translated = true};
  const std::size_t stride = (epochs.size() + most_drawn_epochs - 1) / most_drawn_epochs;
  for (std::size_t i = 0; i < epochs.size(); ++i) {
    const bool kept = i % stride == 0 || i + 1 == epochs.size();
    if (!kept || (validation && !epochs[i].has_validation) || !std::isfinite(epochs[i].*member)) continue;
    curve.x.push_back(static_cast<double>(epochs[i].epoch));
    curve.y.push_back(epochs[i].*member);
  }
  return curve;
}

AxisRange range_of(const std::vector<DrawnCurve>& curves, AxisRange range) {
  for (const DrawnCurve& c : curves)
    for (const double y : c.y) {
      range.low = std::min(range.low, y);
      range.high = std::max(range.high, y);
    }
  return range;
}

std::string chart(std::string_view title, std::string_view y_name, const std::vector<DrawnCurve>& curves, AxisRange x,
                  AxisRange least) {
  return drawing(title, "Epoch", y_name, curves, x, range_of(curves, least));
}

const char* title_of(TargetKind kind) {
  return kind == TargetKind::classes ? "Accuracy" : kind == TargetKind::labels ? "All labels correct" : "R²";
}

/// Long lists are counted.
std::string value_text(const Json& value) {
  if (value.is_string()) return escaped(value.get<std::string>());
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  return text.size() <= longest_value || !value.is_structured() ? escaped(text)
                                                                : fmt::format("{} {}", value.size(), words("entries"));
}

void add_all(Rows& rows, const Json& object) {
  for (const auto& [name, value] : object.items()) rows.push_back({escaped(name), value_text(value)});
}

std::string numbers(const std::vector<float>& all) {
  std::string text;
  for (const float v : all) text += fmt::format("{}{:.4g}", text.empty() ? "" : ", ", v);
  return text;
}

std::string titled(std::string_view english, const Rows& rows) {
  return fmt::format("<h2>{}</h2>\n", words(english)) + table_of(rows, "settings");
}

}  // namespace

std::string training_curves(std::span<const EpochEnd> epochs, TargetKind kind) {
  const EpochEnd* best = best_epoch(epochs);
  if (best == nullptr) return {};
  const std::vector<DrawnCurve> loss = {curve_of(epochs, &EpochEnd::train_loss, false),
                                        curve_of(epochs, &EpochEnd::validation_loss, true)},
                                accuracy = {curve_of(epochs, &EpochEnd::train_accuracy, false),
                                            curve_of(epochs, &EpochEnd::validation_accuracy, true)};
  const AxisRange x{0, static_cast<double>(std::max<std::int64_t>(1, epochs.back().epoch))};
  return fmt::format("<h2>{}</h2>\n<div class=\"drawings\">", words("Training")) +
         chart("Loss", "Loss", loss, x, {0, 1e-9}) + chart(title_of(kind), title_of(kind), accuracy, x, {0, 1}) +
         fmt::format("</div>\n<p>{}: {} ({})</p>\n", words("Best epoch"), best->epoch,
                     measure_text(kind, compared_accuracy(*best)));
}

std::string data_table(const RunDefinition& run) {
  Rows rows{{words("Setting"), words("Value")}};
  add_all(rows, to_json(run.doc.data()));
  if (!run.data_dir.empty()) rows.push_back({words("Folder"), escaped(run.data_dir)});
  rows.push_back({words("Classes"), std::to_string(run.classes.size())});
  rows.push_back({words("Size"), fmt::format("{}×{}×{}", run.channels, run.height, run.width)});
  if (!run.mean.empty()) rows.push_back({words("Mean of each channel"), numbers(run.mean)});
  if (!run.deviation.empty()) rows.push_back({words("Standard deviation of each channel"), numbers(run.deviation)});
  rows.push_back({words("Hash of the data"), hex(run.data_hash)});
  if (run.split_hash != 0) rows.push_back({words("Hash of the split"), hex(run.split_hash)});
  return titled("Data", rows);
}

std::string settings_table(const RunDefinition& run) {
  Rows rows{{words("Setting"), words("Value")}};
  add_all(rows, to_json(run.doc.settings()));
  return titled("Settings of the training", rows);
}

}  // namespace nw::predicting
