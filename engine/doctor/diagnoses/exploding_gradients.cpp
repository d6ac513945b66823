// SPDX-License-Identifier: Apache-2.0
// Gradients that grow from layer to layer on their way back. Pascanu, Mikolov and Bengio, "On the difficulty of
// training recurrent neural networks", 2013, whose recommendation is to clip their norm.
#include <algorithm>
#include <cmath>

#include "engine/doctor/curves.hpp"
#include "engine/doctor/diagnosis.hpp"

namespace nw {
namespace doctor {
namespace {

constexpr double exploded_norm = 100;
constexpr double exploded_loss = 10;  // times the loss of guessing, before anything was learned

/// The outputs are as large at the first step, so that soon no gradient can be measured.
bool starts_exploded(const Record& r) {
  return r.classes > 1 && r.first_loss > exploded_loss * std::log(static_cast<double>(r.classes));
}

std::optional<Finding> judge_exploding(const Record& r) {
  std::vector<double> norms;
  for (const Steps& s : r.steps)
    if (std::isfinite(s.grad_norm)) norms.push_back(s.grad_norm);
  const double middle = median_of(norms);
  if (middle < exploded_norm && !starts_exploded(r)) return {};
  Finding f;
  f.sentence = middle < exploded_norm
                   ? text(NW_TR("The signals explode from layer to layer: the loss of the first step is {0}."),
                          short_number(r.first_loss))
                   : text(NW_TR("The gradients explode: their norm is {0} in the middle of the steps, {1} at most."),
                          short_number(middle), short_number(*std::max_element(norms.begin(), norms.end())));
  f.evidence = {of_steps(r, "gradient norm", [](const Steps& s) { return s.grad_norm; })};
  if (!r.statistics.empty()) f.evidence.push_back(over_layers(gradients_of(r.statistics.front())));
  f.recommendation = {text(NW_TR("Clip the norm of the gradients at 1, and normalize between the layers.")),
                      "clip_norm", "1"};
  return f;
}

constexpr std::string_view explains_explosion[] = {"rate_too_high"};

}  // namespace
}  // namespace doctor

extern const doctor::Diagnosis exploding_gradients_diagnosis{.id = "exploding_gradients",
                                                             .title = text(NW_TR("Exploding gradients")),
                                                             .judge = doctor::judge_exploding,
                                                             .explained_by = doctor::explains_explosion};

}  // namespace nw
