// SPDX-License-Identifier: Apache-2.0
// The figures of an evaluation, whatever is learned. Their names are the run's: of classes, labels, or numbers.
#pragma once
#include "engine/core/json.hpp"
#include "engine/predict/metrics.hpp"
#include "engine/predict/predictor.hpp"

namespace nw {

/// Of every class or label; empty where numbers are learned, or where probabilities were not kept.
Metrics metrics_of(const Evaluation&);
/// Of every number; empty where none are learned.
std::vector<ValueMetrics> values_of(const Evaluation&);
/// One class or label against all others.
OneVsRest one_of(const Evaluation&, std::int64_t one);
/// Predictions and true values of number `one`, at most `most` samples spread over all.
struct TargetsAndPredictions {
  std::vector<float> truth, said;
};
TargetsAndPredictions pairs_of(const Evaluation&, std::int64_t one, std::size_t most);

/// "accuracy", "all labels right" or "R²", and its formatted value: 98.10 %, 0.9312.
std::string measure_name(TargetKind);
std::string measure_text(TargetKind, double);
/// [{name, mae, rmse, r2, mean, deviation}]
Json to_json(const std::vector<ValueMetrics>&, const std::vector<std::string>& names);

}  // namespace nw
