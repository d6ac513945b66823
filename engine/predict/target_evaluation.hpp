// SPDX-License-Identifier: Apache-2.0
// Evaluations where labels or numbers are learned: what stands in for classes, and figures of their own. Private to
// engine/predict.
#pragma once
#include "engine/predict/metrics.hpp"
#include "engine/predict/predictor.hpp"

namespace nw::predicting {

/// Fills in label, predicted, confidence, names, classes, confusion and accuracy from targets and probability. Labels:
/// the sets of labels that occur stand in for classes, at most 64 and the rest together; confidence is that of the
/// least sure label, accuracy the share of samples whose labels are all right. Values: ranges of the first number;
/// there is no confidence (-1), accuracy is R².
void judge(Evaluation&, const std::vector<std::string>& outputs);

/// "circle + square", "none".
std::string name_of_labels(std::span<const float> shares, const std::vector<std::string>& names);
/// Share of samples whose labels are all right; or 1 - sum of squared errors / sum of squared distances to the mean
/// over all numbers (scikit-learn's r2_score, variance_weighted), 0 where nothing varies.
double measure(TargetKind, std::span<const float> targets, std::span<const float> answers, std::int64_t outputs);

}  // namespace nw::predicting
