// SPDX-License-Identifier: Apache-2.0
// The metrics of an evaluation: classification, multi-label or regression. Names are those of the run's classes, labels
// or values.
#pragma once
#include "engine/core/json.hpp"
#include "engine/predict/metrics.hpp"
#include "engine/predict/predictor.hpp"

namespace nw {

/// Metrics of every class or label; empty for regression or if probabilities were not stored.
Metrics metrics_of(const Evaluation&);
/// Metrics of every value; empty unless the network is a regression.
std::vector<ValueMetrics> values_of(const Evaluation&);
/// One class or label against all others.
OneVsRest one_of(const Evaluation&, std::int64_t one);
/// Predictions and targets of value `one`, for at most `most` samples spread over all.
struct TargetsAndPredictions {
  std::vector<float> truth, predictions;
};
TargetsAndPredictions pairs_of(const Evaluation&, std::int64_t one, std::size_t most);

/// A figure in this format of fmt; `none` if it is undefined.
std::string figure_text(const char* format, double, const char* none = "–");
/// "accuracy", "all labels right" or "R²", and its formatted value: 98.10 %, 0.9312.
std::string measure_name(TargetKind);
std::string measure_text(TargetKind, double);
/// [{name, mae, rmse, r2, mean, deviation}]
Json to_json(const std::vector<ValueMetrics>&, const std::vector<std::string>& names);

}  // namespace nw
