// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/suspects.hpp"

#include <algorithm>
#include <cmath>

namespace nw {

std::vector<Suspect> label_suspects(const Evaluation& e, std::size_t most, float surer_than) {
  std::vector<Suspect> all;
  for (std::size_t i = 0; i < e.sample.size(); ++i)
    if (e.predicted[i] != e.label[i] && e.confidence[i] >= surer_than && std::isfinite(e.loss_per_sample[i]))
      all.push_back({e.sample[i], e.label[i], e.predicted[i], e.confidence[i], e.loss_per_sample[i]});
  std::stable_sort(all.begin(), all.end(), [](const Suspect& a, const Suspect& b) { return a.loss > b.loss; });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace nw
