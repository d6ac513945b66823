// SPDX-License-Identifier: Apache-2.0
// The training images are known by heart while the validation loss rises.
#include <algorithm>

#include "engine/doctor/curves.hpp"
#include "engine/doctor/diagnosis.hpp"

namespace nw {
namespace doctor {
namespace {

constexpr double known_gap = 0.08;   // between the accuracies
constexpr double risen_loss = 1.15;  // times the lowest validation loss, as the median of the last epochs
constexpr std::size_t last_epochs = 3;
constexpr double by_heart = 0.99, wide_gap = 0.15;  // accuracy on training images, and the gap that then suffices

double recent_loss(const Record& r) {
  std::vector<double> losses;
  for (std::size_t e = r.epochs.size() - last_epochs; e < r.epochs.size(); ++e)
    losses.push_back(r.epochs[e].validation_loss);
  return median_of(losses);
}

/// The accuracy on validation images was never as high as in the last epochs: to stop earlier would lose the best one,
/// whatever the loss says of its confidence.
bool still_improves(const Record& r) {
  const auto lower = [](const EpochEnd& a, const EpochEnd& b) { return a.validation_accuracy < b.validation_accuracy; };
  const auto recent = r.epochs.end() - static_cast<std::ptrdiff_t>(last_epochs);
  const auto before = std::max_element(r.epochs.begin(), recent, lower);
  return before != recent &&
         before->validation_accuracy < std::max_element(recent, r.epochs.end(), lower)->validation_accuracy;
}

/// Epochs to wait for a better one: a quarter of those that were in vain. As many as these would stop no earlier.
std::int64_t patience(std::int64_t epochs_in_vain) { return std::clamp<std::int64_t>(epochs_in_vain / 4, 2, 10); }

std::optional<Finding> judge_over_fitting(const Record& r) {
  if (r.epochs.size() < last_epochs || !r.epochs.back().has_validation) return {};
  const EpochEnd& last = r.epochs.back();
  const auto lowest = std::min_element(r.epochs.begin(), r.epochs.end(), [](const EpochEnd& a, const EpochEnd& b) {
    return a.validation_loss < b.validation_loss;
  });
  const double gap = last.train_accuracy - last.validation_accuracy;
  const bool risen = recent_loss(r) > risen_loss * lowest->validation_loss && last.train_loss < lowest->train_loss;
  const bool known = last.train_accuracy >= by_heart && gap >= wide_gap;
  if (gap < known_gap || !((risen && !still_improves(r)) || known)) return {};
  Finding f;
  f.sentence = text(NW_TR("The accuracy is {0} % on training images and {1} % on validation images, whose "
                          "loss went from {2} in epoch {4} to {3}."),
                    percent_of(last.train_accuracy), percent_of(last.validation_accuracy),
                    short_number(lowest->validation_loss), short_number(last.validation_loss), lowest->epoch);
  f.evidence = {of_epochs(r, "train loss", [](const EpochEnd& e) { return e.train_loss; }),
                of_epochs(r, "validation loss", [](const EpochEnd& e) { return e.validation_loss; })};
  f.recommendation = {text(NW_TR("Stop early, augment the images, or regularize: more images help most.")),
                      "early_stopping_epochs", std::to_string(patience(last.epoch - lowest->epoch))};
  return f;
}

}  // namespace
}  // namespace doctor

extern const doctor::Diagnosis over_fitting_diagnosis{
    .id = "over_fitting", .title = text(NW_TR("Over-fitting")), .judge = doctor::judge_over_fitting};

}  // namespace nw
