// SPDX-License-Identifier: Apache-2.0
#include "engine/core/scores.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/math/loss.hpp"

namespace nw::predicting {
namespace {

enum class Activation { none, sigmoid, softmax };
/// Converts LayerType::activation.
Activation named(const std::string& name) {
  if (name == "none") return Activation::none;
  if (name == "sigmoid") return Activation::sigmoid;
  if (name == "softmax") return Activation::softmax;
  throw std::logic_error("a loss names no activation \"" + name + "\"");
}

float sigmoid(float v) { return 1.0f / (1.0f + std::exp(-v)); }

}  // namespace

std::vector<float> answers(std::span<const float> scores, const std::string& activation) {
  std::vector<float> p(scores.begin(), scores.end());
  if (named(activation) == Activation::sigmoid)
    for (float& v : p) v = sigmoid(v);
  return p;
}

std::vector<float> probabilities(std::span<const float> scores, const std::string& activation) {
  std::vector<float> p(scores.begin(), scores.end());
  switch (named(activation)) {
    case Activation::softmax: {
      const float top = *std::max_element(p.begin(), p.end());
      double sum = 0;
      for (float& v : p) sum += v = std::exp(v - top);
      for (float& v : p) v = static_cast<float>(v / sum);
      return p;
    }
    case Activation::sigmoid:
      for (float& v : p) v = sigmoid(v);
      break;
    case Activation::none:
      break;
  }
  if (p.size() == 1) p = {1.0f - p[0], p[0]};
  return p;
}

bool all_finite(std::span<const float> all) {
  return std::all_of(all.begin(), all.end(), [](float v) { return std::isfinite(v); });
}

std::int64_t largest(std::span<const float> all) {
  const auto less = [](float a, float b) { return above(b, a); };
  return std::max_element(all.begin(), all.end(), less) - all.begin();
}

double LossForm::weight_of(std::int64_t label) const {
  return label >= 0 && label < std::ssize(weights) ? weights[static_cast<std::size_t>(label)] : 1;
}

namespace {

double softmax_loss(std::span<const float> scores, std::int64_t label, const LossForm& form) {
  const auto n = static_cast<std::int64_t>(scores.size());
  if (label < 0 || label >= n) return 0;
  const double top = *std::max_element(scores.begin(), scores.end());
  double sum = 0, loss = 0;
  for (const float s : scores) sum += std::exp(s - top);
  for (std::int64_t k = 0; k < n; ++k) {
    const double wanted = form.smoothing / static_cast<double>(n) + (k == label ? 1 - form.smoothing : 0);
    const double log_p = static_cast<double>(scores[static_cast<std::size_t>(k)]) - top - std::log(sum);
    loss += math::class_term(form.weight_of(k) * wanted, log_p, form.gamma).loss;
  }
  return loss;
}

}  // namespace

double loss_of(std::span<const float> scores, std::int64_t label, const std::string& activation, const LossForm& form) {
  const auto n = scores.size();
  const auto target = [&](std::size_t k) {
    if (n == 1) return static_cast<double>(label);
    return static_cast<std::int64_t>(k) == label ? 1.0 : 0.0;
  };
  if (named(activation) == Activation::softmax) return softmax_loss(scores, label, form);
  std::vector<float> targets(n);
  for (std::size_t k = 0; k < n; ++k) targets[k] = static_cast<float>(target(k));
  return loss_of(scores, targets, activation, form);
}

double loss_of(std::span<const float> scores, std::span<const float> targets, const std::string& activation,
               const LossForm& form) {
  const bool binary = named(activation) == Activation::sigmoid;
  double loss = 0;
  for (std::size_t k = 0; k < scores.size(); ++k) {
    const double x = scores[k], t = targets[k];
    loss += binary ? math::binary_term(x, t, form.weight_of(static_cast<std::int64_t>(k)), form.gamma).loss
                   : (x - t) * (x - t);
  }
  return loss / static_cast<double>(scores.size());
}

float cross_entropy_of(std::span<const float> probability, std::int64_t label) {
  if (label < 0 || label >= static_cast<std::int64_t>(probability.size())) return -1;
  return -std::log(std::max(probability[static_cast<std::size_t>(label)], 1e-12f));
}

PredictionSummary summary_of(std::span<const LabelledPrediction> all, std::int64_t classes) {
  PredictionSummary s{.confusion = std::vector<std::int64_t>(static_cast<std::size_t>(classes * classes))};
  for (const LabelledPrediction& one : all) {
    const bool counts = one.label >= 0 && one.label < classes && one.predicted >= 0 && one.predicted < classes;
    if (counts) ++s.confusion[static_cast<std::size_t>(one.label * classes + one.predicted)];
    s.loss += one.loss / static_cast<double>(all.size());
    s.accuracy += one.label == one.predicted;
  }
  s.accuracy /= static_cast<double>(all.size());
  return s;
}

}  // namespace nw::predicting
