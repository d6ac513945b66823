// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/label_issues.hpp"

#include <algorithm>
#include <cmath>

namespace nw {

std::vector<LabelIssue> find_label_issues(const Evaluation& e, std::size_t most, float surer_than) {
  std::vector<LabelIssue> all;
  for (std::size_t i = 0; i < e.sample.size(); ++i)
    if (e.predicted[i] != e.label[i] && e.confidence[i] >= surer_than && std::isfinite(e.loss_per_sample[i]))
      all.push_back({e.sample[i], e.label[i], e.predicted[i], e.confidence[i], e.loss_per_sample[i]});
  std::stable_sort(all.begin(), all.end(), [](const LabelIssue& a, const LabelIssue& b) { return a.loss > b.loss; });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace nw
