// SPDX-License-Identifier: Apache-2.0
// Evaluations of multi-label classification and regression: the groups that replace classes, and the specific metrics.
// Private to engine/predict.
#pragma once
#include "engine/predict/metrics.hpp"
#include "engine/predict/predictor.hpp"

namespace nw::predicting {

/// Sets label, predicted, confidence, names, classes, confusion and accuracy from targets and probability. Multi-label:
/// the label sets that occur replace classes, at most 64 and one for the rest; the confidence is that of the least
/// certain label, the accuracy the fraction of samples with all labels correct. Regression: ranges of the first number;
/// there is no confidence (-1), the accuracy is R².
void judge(Evaluation&, const std::vector<std::string>& outputs);

/// "circle + square", "none".
std::string name_of_labels(std::span<const float> shares, const std::vector<std::string>& names);
/// Multi-label: fraction of samples with all labels correct. Regression: R² (ExplainedVariance::all()), undefined if
/// all samples have the same targets.
double measure(TargetKind, std::span<const float> targets, std::span<const float> answers, std::int64_t outputs);

}  // namespace nw::predicting
