// SPDX-License-Identifier: Apache-2.0
// Gradients that shrink from layer to layer on their way back: the first layers hardly learn. Glorot and Bengio,
// "Understanding the difficulty of training deep feedforward neural networks", 2010.
#include <algorithm>

#include "engine/doctor/curves.hpp"
#include "engine/doctor/diagnosis.hpp"

namespace nw {
namespace doctor {
namespace {

constexpr double vanished = 1e-3;  // of the greatest layer's gradient
constexpr std::size_t fewest_layers = 3;

/// The median gradient of the first half of the layers, divided by the greatest.
double share_that_arrives(const LayerGradients& g) {
  const double most = *std::max_element(g.rms.begin(), g.rms.end());
  if (!(most > 0)) return 0;
  return median_of({g.rms.begin(), g.rms.begin() + static_cast<std::ptrdiff_t>(g.rms.size() / 2)}) / most;
}

std::optional<Finding> judge_vanishing(const Record& r) {
  std::vector<double> shares;
  for (const LayerStatistics& s : r.statistics)
    if (const LayerGradients g = gradients_of(s); g.rms.size() >= fewest_layers)
      shares.push_back(share_that_arrives(g));
  if (shares.empty() || median_of(shares) >= vanished) return {};
  const LayerGradients last = gradients_of(r.statistics.back());
  Finding f;
  f.sentence = text(NW_TR("The gradients vanish on their way back: those of the first layers, from {0} on, are {1} of "
                          "the greatest."),
                    last.layers.front(), short_number(median_of(shares)));
  f.evidence = {over_layers(last)};
  f.recommendation = {
      text(NW_TR("Use ReLU in place of Sigmoid or Tanh, normalize between the layers, or add shortcuts.")), {}, {}};
  f.layer = last.layers.front();
  return f;
}

constexpr std::string_view explains_vanishing[] = {"dead_units", "non_finite", "rate_too_high"};

}  // namespace
}  // namespace doctor

extern const doctor::Diagnosis vanishing_gradients_diagnosis{.id = "vanishing_gradients",
                                                             .title = text(NW_TR("Vanishing gradients")),
                                                             .judge = doctor::judge_vanishing,
                                                             .explained_by = doctor::explains_vanishing};

}  // namespace nw
