// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/evaluation_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/predict/metrics_json.hpp"

namespace nw {

Metrics metrics_of(const Evaluation& e) {
  if (e.probability.empty() || e.kind == TargetKind::values) return {};
  if (e.kind == TargetKind::labels) return metrics_of_labels(e.targets, e.probability, e.outputs);
  return metrics_of(e.label, e.probability, e.classes);
}

std::vector<ValueMetrics> values_of(const Evaluation& e) {
  return e.kind == TargetKind::values ? metrics_of_values(e.targets, e.probability, e.outputs)
                                      : std::vector<ValueMetrics>();
}

OneVsRest one_of(const Evaluation& e, std::int64_t one) {
  return e.kind == TargetKind::labels ? one_label(e.targets, e.probability, e.outputs, one)
                                      : one_against_rest(e.label, e.probability, e.classes, one);
}

TargetsAndPredictions pairs_of(const Evaluation& e, std::int64_t one, std::size_t most) {
  TargetsAndPredictions p;
  const std::size_t samples = e.sample.size(), count = std::min(samples, most);
  for (std::size_t k = 0; k < count; ++k) {
    const std::size_t at = k * samples / count * static_cast<std::size_t>(e.outputs) + static_cast<std::size_t>(one);
    if (!std::isfinite(e.probability[at])) continue;
    p.truth.push_back(e.targets[at]);
    p.predictions.push_back(e.probability[at]);
  }
  return p;
}

std::string figure_text(const char* format, double v, const char* none) {
  return std::isnan(v) ? none : fmt::format(fmt::runtime(format), v);
}

std::string measure_name(TargetKind kind) {
  return kind == TargetKind::classes ? "accuracy" : kind == TargetKind::labels ? "all labels right" : "R²";
}
std::string measure_text(TargetKind kind, double v) {
  return kind == TargetKind::values ? figure_text("{:.4f}", v) : fmt::format("{:.2f} %", v * 100);
}

Json to_json(const std::vector<ValueMetrics>& all, const std::vector<std::string>& names) {
  Json list = Json::array();
  for (std::size_t k = 0; k < all.size(); ++k)
    list.push_back({{"name", name_of_class(names, k)},
                    {"mae", all[k].mean_absolute_error},
                    {"rmse", all[k].root_mean_squared_error},
                    {"r2", all[k].r2},
                    {"mean", all[k].mean},
                    {"deviation", all[k].deviation}});
  return list;
}

}  // namespace nw
