// SPDX-License-Identifier: Apache-2.0
// From a network's scores to probabilities and losses. Private to engine/predict and engine/train.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nw::predicting {

/// Scores to probabilities of one sample: softmax, sigmoid, or unchanged. One sigmoid output gives {1 - p, p}.
std::vector<float> probabilities(std::span<const float> scores, const std::string& activation);
/// Where labels or numbers are learned: each label's probability, or each number.
std::vector<float> answers(std::span<const float> scores, const std::string& activation);
/// The data term of the loss for one sample, from its scores.
double loss_of(std::span<const float> scores, std::int64_t label, const std::string& activation);
/// The same for a sample with targets, as many as scores; not for "softmax".
double loss_of(std::span<const float> scores, std::span<const float> targets, const std::string& activation);

/// The cross-entropy of one sample whose class probabilities are known; -1 where `label` is none of the classes.
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
/// Of at least one sample.
PredictionSummary summary_of(std::span<const LabelledPrediction>, std::int64_t classes);

}  // namespace nw::predicting
