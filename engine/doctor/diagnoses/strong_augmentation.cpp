// SPDX-License-Identifier: Apache-2.0
// Training images that are changed so much that the network answers unseen images better. Before an epoch it answers
// the validation images; during the epoch, already better trained, the augmented training images: these are harder.
#include <algorithm>

#include "engine/doctor/curves.hpp"
#include "engine/doctor/diagnosis.hpp"

namespace nw {
namespace doctor {
namespace {

constexpr double harder = 0.03, times_harder = 1.12;  // between the accuracies: their difference, their ratio
constexpr std::size_t fewest_epochs_augmented = 3;

/// MixUp and CutMix: their training accuracy is that of mixed labels.
bool mixes(const Transform& t) {
  const TransformType* type = find_transform(t.type);
  return type && !type->apply;
}

std::optional<Finding> judge_augmentation(const Record& r) {
  const TrainSettings& s = r.settings;
  if (std::any_of(s.transforms.begin(), s.transforms.end(), mixes) || s.augment_strength <= 0 ||
      (s.transforms.empty() && !s.random_crop) || r.epochs.size() < fewest_epochs_augmented ||
      !r.epochs.back().has_validation)
    return {};
  std::vector<double> unseen, augmented, gaps;
  for (std::size_t e = r.epochs.size() / 2; e < r.epochs.size(); ++e) {
    unseen.push_back(r.epochs[e - 1].validation_accuracy);
    augmented.push_back(r.epochs[e].train_accuracy);
    gaps.push_back(unseen.back() - augmented.back());
  }
  const double before = median_of(unseen), after = median_of(augmented);
  if (median_of(gaps) < harder || before < times_harder * after) return {};
  Finding f;
  f.sentence = text(NW_TR("The augmentation is too strong: {0} % of unseen images are answered correctly, but an epoch "
                          "later only {1} % of the augmented training images."),
                    percent_of(before), percent_of(after));
  f.evidence = {of_epochs(r, "train accuracy", [](const EpochEnd& e) { return e.train_accuracy; }),
                of_epochs(r, "validation accuracy", [](const EpochEnd& e) { return e.validation_accuracy; })};
  f.recommendation = {text(NW_TR("Augment every second image only, or choose weaker transforms.")), "augment_strength",
                      short_number(s.augment_strength / 2)};
  return f;
}

}  // namespace
}  // namespace doctor

extern const doctor::Diagnosis strong_augmentation_diagnosis{
    .id = "strong_augmentation", .title = text(NW_TR("Augmentation too strong")), .judge = doctor::judge_augmentation};

}  // namespace nw
