// SPDX-License-Identifier: Apache-2.0
// Attribution for one network's predictions. Private to engine/predict.
#pragma once
#include "engine/predict/explain.hpp"
#include "engine/predict/forward.hpp"

namespace nw::predicting {

/// Computes attributions. One thread at a time. It must not outlive the Forward object it was made from.
class Explainer {
 public:
  static Result<Explainer> make(const RunDefinition&, const Forward&);
  /// `image`: normalized, host layout (H,W,C). `scores`: the network's output for it.
  Result<Explanation> explain(std::span<const float> image, std::span<const float> scores, const ExplainOptions&);

 private:
  Explainer(const RunDefinition& d, Forward back) : definition_(&d), back_(std::move(back)) {}
  /// Runs `count` images forward and back-propagates the score of class `target` for each.
  Status follow(std::span<const float> images, std::int64_t count, std::int64_t target);
  /// The first `count` samples of a value, in host layout.
  std::vector<float> read(int value, std::int64_t count) const;
  double score(std::int64_t sample, std::int64_t target) const;
  Result<int> maps_of(const std::string& layer) const;

  Result<Explanation> class_activation(std::span<const float> image, const ExplainOptions&, std::int64_t target);
  Result<Explanation> saliency(std::span<const float> image, std::int64_t target);
  Result<Explanation> integrated_gradients(std::span<const float> image, std::int64_t steps, std::int64_t target);
  Result<Explanation> occlusion(std::span<const float> image, std::int64_t patch, std::int64_t target);
  Explanation blank() const;

  const RunDefinition* definition_;
  Forward back_;
  std::vector<float> scores_;  // scores of the last images of follow()
};

}  // namespace nw::predicting
