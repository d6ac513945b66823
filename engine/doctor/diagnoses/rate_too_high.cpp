// SPDX-License-Identifier: Apache-2.0
// Steps that are too large: the loss rises above that of guessing, or stays there while the weights change much.
#include <algorithm>
#include <cmath>

#include "engine/doctor/curves.hpp"
#include "engine/doctor/diagnosis.hpp"

namespace nw {
namespace doctor {
namespace {

constexpr double risen_above_guessing = 1.5;  // times the loss of guessing, as the mean of an epoch or a record
constexpr double starts_higher = 3;           // the same, of the first step: the network itself explodes
constexpr double stays_above = 1.03;          // the same, as the median of later epochs: worse than guessing
constexpr std::size_t epochs_above = 3;
constexpr double large_update = 0.05;  // of the weights, in one step

double worst_loss(const Record& r) {
  double worst = 0;
  for (const EpochEnd& e : r.epochs) worst = std::max(worst, e.train_loss);
  for (const Steps& s : r.steps) {
    const double loss = std::isfinite(s.loss.mean) ? s.loss.mean : s.loss.max;  // a record in which the run ended
    if (std::isfinite(loss)) worst = std::max(worst, loss);
  }
  return worst;
}

double largest_ratio(const Record& r) {
  double most = -1;
  for (const LayerStatistics& s : r.statistics) most = std::max(most, update_ratio_of(s));
  return most;
}

double later_loss(const Record& r) {
  std::vector<double> losses;
  for (const EpochEnd& e : r.epochs)
    if (e.epoch > 1) losses.push_back(e.train_loss);
  return losses.size() < epochs_above ? 0 : median_of(losses);
}

/// Empty: not too high.
Text what_shows_it(const Record& r, double guess) {
  const std::string rate = short_number(r.settings.learning_rate);
  if (const double worst = worst_loss(r); worst > risen_above_guessing * guess)
    return text(NW_TR("The learning rate {0} is too high: the loss rose to {1}, where guessing gives {2}."), rate,
                short_number(worst), short_number(guess));
  if (const double later = later_loss(r); later > stays_above * guess)
    return text(NW_TR("The learning rate {0} is too high: the loss stays at {1}, where guessing gives {2}."), rate,
                short_number(later), short_number(guess));
  if (const double ratio = largest_ratio(r); ratio > large_update)
    return text(NW_TR("The learning rate {0} is too high: one step changed the weights by {1} % of their size."), rate,
                percent_of(ratio));
  return {};
}

std::optional<Finding> judge_rate_too_high(const Record& r) {
  if (r.classes < 2 || r.steps.empty()) return {};
  const double guess = std::log(static_cast<double>(r.classes));
  if (r.first_loss > starts_higher * guess) return {};
  Finding f;
  f.sentence = what_shows_it(r, guess);
  if (f.sentence.empty()) return {};
  f.evidence = {of_steps(r, "loss", [](const Steps& s) { return s.loss.mean; }),
                of_epochs(r, "validation loss", [](const EpochEnd& e) { return e.validation_loss; })};
  f.recommendation = {text(NW_TR("Divide the learning rate by ten; the learning-rate finder suggests one.")),
                      "learning_rate", short_number(r.settings.learning_rate / 10)};
  return f;
}

}  // namespace
}  // namespace doctor

extern const doctor::Diagnosis rate_too_high_diagnosis{
    .id = "rate_too_high", .title = text(NW_TR("Learning rate too high")), .judge = doctor::judge_rate_too_high};

}  // namespace nw
