// SPDX-License-Identifier: Apache-2.0
// What a network's scores mean. Private to engine/predict and engine/train.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace nw::predicting {

/// Scores → probabilities of one sample: softmax, sigmoid, or as they are. One sigmoid output gives {1 - p, p}.
std::vector<float> probabilities(std::span<const float> scores, const std::string& activation);
/// Where labels or numbers are learned: each label's probability, or each number.
std::vector<float> answers(std::span<const float> scores, const std::string& activation);
/// The data term of the loss for one sample, from its scores.
double loss_of(std::span<const float> scores, std::int64_t label, const std::string& activation);
/// The same for a sample with targets, as many as scores; not for "softmax".
double loss_of(std::span<const float> scores, std::span<const float> targets, const std::string& activation);

}  // namespace nw::predicting
