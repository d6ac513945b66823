// SPDX-License-Identifier: Apache-2.0
// The loss stays where it was: the network answers validation images no better than guessing.
#include <algorithm>
#include <cmath>

#include "engine/doctor/curves.hpp"
#include "engine/doctor/diagnosis.hpp"

namespace nw {
namespace doctor {
namespace {

constexpr std::size_t epochs_given = 3;
constexpr double deviations = 3, margin = 0.01;

double best_compared(const Record& r) {
  double best = 0;
  for (const EpochEnd& e : r.epochs) best = std::max(best, e.has_validation ? e.validation_accuracy : e.train_accuracy);
  return best;
}

std::optional<Finding> judge_saturated(const Record& r) {
  if (r.chance <= 0 || r.epochs.size() < epochs_given) return {};
  const double n = static_cast<double>(std::max<std::int64_t>(1, r.validation_images));
  const double limit = r.chance + margin + deviations * std::sqrt(r.chance * (1 - r.chance) / n);
  const double best = best_compared(r);
  if (best > limit) return {};
  Finding f;
  f.sentence = text(NW_TR("After {0} epochs the best accuracy is {1} %, no better than always answering the same class "
                          "({2} %)."),
                    r.epochs.size(), percent_of(best), percent_of(r.chance));
  f.evidence = {of_epochs(r, "train loss", [](const EpochEnd& e) { return e.train_loss; }),
                of_epochs(r, "validation accuracy", [](const EpochEnd& e) { return e.validation_accuracy; })};
  f.recommendation = {
      text(NW_TR("Check that the labels belong to the images, and whether the network can learn one batch by "
                 "heart (netwright-cli memorise).")),
      {},
      {}};
  return f;
}

constexpr std::string_view explains_saturation[] = {"exploding_gradients", "non_finite", "rate_too_high",
                                                    "rate_too_low", "vanishing_gradients"};

}  // namespace
}  // namespace doctor

extern const doctor::Diagnosis saturated_loss_diagnosis{.id = "saturated_loss",
                                                        .title = text(NW_TR("The loss does not fall")),
                                                        .judge = doctor::judge_saturated,
                                                        .explained_by = doctor::explains_saturation};

}  // namespace nw
