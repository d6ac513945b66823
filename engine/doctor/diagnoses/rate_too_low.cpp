// SPDX-License-Identifier: Apache-2.0
// Steps that are too small: the weights hardly change and the loss falls slowly and steadily.
#include <algorithm>
#include <cmath>

#include "engine/doctor/curves.hpp"
#include "engine/doctor/diagnosis.hpp"

namespace nw {
namespace doctor {
namespace {

constexpr double small_update = 2e-5;  // of the weights, in one step
constexpr double learned = 0.5;        // of the loss of guessing: below it the network learns

/// Of the records since the end of the first epoch; -1: none. Before it, a step of Adam has the length of the rate in
/// every weight, whatever the gradients are, and whether such a step was recorded is chance.
double greatest_change(const Record& r) {
  double greatest = -1;
  for (const LayerStatistics& s : r.statistics)
    if (s.step >= r.epochs.front().step) greatest = std::max(greatest, update_ratio_of(s));
  return greatest;
}

std::optional<Finding> judge_rate_too_low(const Record& r) {
  if (r.classes < 2 || r.epochs.size() < 2) return {};
  const double ratio = greatest_change(r);
  const double guess = std::log(static_cast<double>(r.classes));
  if (ratio < 0 || ratio >= small_update || r.epochs.back().train_loss < learned * guess) return {};
  Finding f;
  f.sentence =
      text(NW_TR("The learning rate {0} is too low: a step changes the weights by {1} of their size, and the "
                 "loss went from {2} to {3} in {4} epochs."),
           short_number(r.settings.learning_rate), short_number(ratio), short_number(r.epochs.front().train_loss),
           short_number(r.epochs.back().train_loss), r.epochs.size());
  f.evidence = {of_epochs(r, "train loss", [](const EpochEnd& e) { return e.train_loss; })};
  f.recommendation = {text(NW_TR("Multiply the learning rate by ten; the learning-rate finder suggests one.")),
                      "learning_rate", short_number(r.settings.learning_rate * 10)};
  return f;
}

constexpr std::string_view explains_low_rate[] = {"vanishing_gradients", "dead_units", "non_finite"};

}  // namespace
}  // namespace doctor

extern const doctor::Diagnosis rate_too_low_diagnosis{.id = "rate_too_low",
                                                      .title = text(NW_TR("Learning rate too low")),
                                                      .judge = doctor::judge_rate_too_low,
                                                      .explained_by = doctor::explains_low_rate};

}  // namespace nw
