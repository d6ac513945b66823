// SPDX-License-Identifier: Apache-2.0
#include "engine/train/training_health.hpp"

#include <algorithm>
#include <cmath>

#include "engine/runs/epochs.hpp"

namespace nw {
namespace {

constexpr std::int64_t epochs_to_learn = 3;  // before the accuracy is judged
constexpr double exploded_times = 10;        // the loss of guessing
constexpr double risen_times = 1.3;          // the lowest validation loss
constexpr std::int64_t risen_epochs = 3;
constexpr double gap_of_accuracy = 0.1;  // between training and validation

std::string percentage(double share) { return fmt::format("{:.1f}", 100 * share); }
std::string short_number(double v) { return fmt::format("{:.3g}", v); }

}  // namespace

std::optional<ChanceLevel> chance_level(const TrainingData& data) {
  if (data.facts.targets != TargetKind::classes || data.facts.classes < 2) return {};
  const std::vector<std::int64_t>& indices = data.validation ? data.splits.validation : data.splits.train;
  std::vector<std::int64_t> counts(static_cast<std::size_t>(data.facts.classes), 0);
  for (const std::int64_t i : indices)
    if (const std::int64_t label = data.opened.train->label(i); label >= 0 && label < data.facts.classes)
      ++counts[static_cast<std::size_t>(label)];
  if (indices.empty()) return {};
  const double most = static_cast<double>(*std::max_element(counts.begin(), counts.end()));
  return ChanceLevel{data.facts.classes, std::ssize(indices), most / static_cast<double>(indices.size())};
}

std::vector<Text> TrainingHealth::judge(const EpochEnd& e) {
  ++seen_;
  std::vector<Text> warnings;
  for (auto& warning : {exploded(e), at_chance(e), over_fitting(e)})
    if (warning) warnings.push_back(*warning);
  return warnings;
}

void TrainingHealth::restore(std::span<const EpochEnd> epochs) {
  for (const EpochEnd& e : epochs) (void)judge(e);
}

/// The first epoch is left out: running statistics of batch norm need some steps.
std::optional<Text> TrainingHealth::exploded(const EpochEnd& e) {
  if (reported_explosion_ || !chance_ || !e.has_validation || (seen_ < 2 && e.epoch < epochs_)) return {};
  const double guess = std::log(static_cast<double>(chance_->classes));
  if (!(e.validation_loss > exploded_times * guess)) return {};
  reported_explosion_ = true;
  return text(NW_TR("The validation loss is {1} after epoch {0}; guessing would give {2}. Lower the learning rate."),
              e.epoch, short_number(e.validation_loss), short_number(guess));
}

/// Within two standard deviations of always answering the most common class.
std::optional<Text> TrainingHealth::at_chance(const EpochEnd& e) {
  if (reported_chance_ || !chance_ || seen_ < epochs_to_learn) return {};
  const double p = chance_->accuracy, accuracy = compared_accuracy(e);
  if (accuracy > p + 2 * std::sqrt(p * (1 - p) / static_cast<double>(chance_->samples))) return {};
  reported_chance_ = true;
  return text(NW_TR("The accuracy is {1} % after epoch {0}, no better than always answering the most common class "
                    "({2} %). Try another learning rate, and check the labels."),
              e.epoch, percentage(accuracy), percentage(p));
}

std::optional<Text> TrainingHealth::over_fitting(const EpochEnd& e) {
  if (!e.has_validation) return {};
  if (!lowest_ || e.validation_loss < lowest_->validation_loss) lowest_ = e;
  const bool risen = e.validation_loss > risen_times * lowest_->validation_loss && e.train_loss < lowest_->train_loss &&
                     e.train_accuracy - e.validation_accuracy > gap_of_accuracy;
  risen_ = risen ? risen_ + 1 : 0;
  if (reported_over_fitting_ || risen_ < risen_epochs) return {};
  reported_over_fitting_ = true;
  return text(
      NW_TR("Over-fitting: since epoch {0} the validation loss has risen from {1} to {2} while the training loss "
            "fell. More images, augmentation, weight decay or early stopping help."),
      lowest_->epoch, short_number(lowest_->validation_loss), short_number(e.validation_loss));
}

}  // namespace nw
