// SPDX-License-Identifier: Apache-2.0
// Converts a network's scores to probabilities and losses. Private to engine/predict and engine/train.
#pragma once
#include <cmath>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nw::predicting {

/// The probabilities of one sample: softmax or sigmoid of the scores, or the scores. One sigmoid output gives {1 - p,
/// p}.
std::vector<float> probabilities(std::span<const float> scores, const std::string& activation);
/// For multi-label data and regression: the probability of each label, or each number.
std::vector<float> answers(std::span<const float> scores, const std::string& activation);
/// Whether all are finite numbers: after a training that diverged they may not be.
bool all_finite(std::span<const float>);
/// a > b; NaN is below every number.
inline bool above(float a, float b) { return std::isnan(b) ? !std::isnan(a) : a > b; }
/// Index of the largest number, the first of equal ones; 0 if all are NaN.
std::int64_t largest(std::span<const float>);
/// What a loss has beside its activation: label smoothing of "softmax", the exponent of the focal loss, and the weights
/// of classes ("softmax") or of targets that are 1 ("sigmoid"), empty where all are 1.
struct LossForm {
  double smoothing = 0, gamma = 0;
  std::span<const double> weights = {};
  bool plain() const { return smoothing == 0 && gamma == 0 && weights.empty(); }
  /// What a sample of this class counts in the mean over samples of "softmax".
  double weight_of(std::int64_t label) const;
};
/// The loss of one sample, from its scores, without penalties; 0 where `label` is not a class.
double loss_of(std::span<const float> scores, std::int64_t label, const std::string& activation,
               const LossForm& form = {});
/// The same for a sample with as many targets as scores; not for "softmax".
double loss_of(std::span<const float> scores, std::span<const float> targets, const std::string& activation,
               const LossForm& form = {});

/// The cross-entropy of one sample from its class probabilities; -1 if `label` is not a class.
float cross_entropy_of(std::span<const float> probability, std::int64_t label);

/// Accuracy, loss and confusion over samples with known labels.
struct PredictionSummary {
  double loss = 0, accuracy = 0;
  std::vector<std::int64_t> confusion;  // (classes, classes), row = true class
};
struct LabelledPrediction {
  std::int64_t label = 0, predicted = 0;  // both below the number of classes
  double loss = 0;
};
/// Requires at least one sample.
PredictionSummary summary_of(std::span<const LabelledPrediction>, std::int64_t classes);

}  // namespace nw::predicting
