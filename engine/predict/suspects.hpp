// SPDX-License-Identifier: Apache-2.0
// Samples whose label may be wrong: those that a trained network reads surely as something else.
#pragma once
#include "engine/predict/predictor.hpp"

namespace nw {

struct Suspect {
  std::int64_t sample = 0;                // data-set index
  std::int64_t label = 0, predicted = 0;
  float confidence = 0, loss = 0;
};
/// Below it a network is not sure.
inline constexpr float sure_from = 0.5f;
/// Predicted otherwise with at least `surer_than`, the largest loss first, at most `most` of them. A network that has learned its
/// training set by heart has no suspects: an early checkpoint tells more.
std::vector<Suspect> label_suspects(const Evaluation&, std::size_t most, float surer_than = sure_from);

}  // namespace nw
