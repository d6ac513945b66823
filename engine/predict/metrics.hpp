// SPDX-License-Identifier: Apache-2.0
// Metrics of a classifier beyond accuracy. Definitions and corner cases follow scikit-learn (sklearn.metrics): a
// fraction with denominator 0 is 0, what is undefined there is NaN here, and left out of means. Scores that are not
// numbers, as of a training that diverged, are left out.
#pragma once
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace nw {

/// A figure that the samples do not define; null in JSON, "–" in tables.
inline constexpr double undefined = std::numeric_limits<double>::quiet_NaN();

struct ClassMetrics {
  std::int64_t support = 0;  // samples of the class
  double precision = 0, recall = 0, f1 = 0;
  // one class against all others; undefined without positives, the area also without negatives
  double roc_auc = undefined, average_precision = undefined;
};

/// A curve over decreasing thresholds: a sample counts as positive if its score is at least the threshold.
struct Curve {
  std::vector<double> x, y, threshold;
};
/// False-positive rate (x) against true-positive rate (y), from (0, 0) at an infinite threshold. Empty without
/// positives or without negatives.
Curve roc_curve(std::span<const float> score, const std::vector<bool>& positive);
/// Recall (x) against precision (y), from recall 0 and precision 1. Empty without positives.
Curve precision_recall_curve(std::span<const float> score, const std::vector<bool>& positive);
/// Area under the curve by the trapezoidal rule; undefined if it is empty.
double area_under(const Curve&);
/// Sum of (change of recall) * precision along a precision_recall_curve; undefined if it is empty.
double average_precision(const Curve&);
/// At most `points` of the curve's points, including the first and the last, so that the plot looks the same.
Curve thinned(const Curve&, std::size_t points);

/// Predictions with a confidence between two edges, and their accuracy (Guo et al., arXiv 1706.04599).
struct CalibrationBin {
  double from = 0, to = 0;
  std::int64_t count = 0;
  double confidence = 0, accuracy = 0;  // means
};
struct Calibration {
  std::vector<CalibrationBin> bins;              // of equal width, (from, to]
  double expected_error = 0, largest_error = 0;  // ECE, MCE
};
Calibration calibration_of(std::span<const float> confidence, const std::vector<bool>& right, int bins = 10);

struct Metrics {
  std::vector<ClassMetrics> classes;
  ClassMetrics macro, weighted;  // means over classes, of each figure over those that define it; weighted by support
  std::vector<double> top_k;     // fraction of samples whose class is among the 1, 2, … 5 most probable
  Calibration calibration;
};
/// `probability`: (samples, classes); samples with labels outside 0…classes-1 are ignored.
Metrics metrics_of(std::span<const std::int64_t> label, std::span<const float> probability, std::int64_t classes);
/// One class's scores and truth values, the input of the curves.
struct OneVsRest {
  std::vector<float> score;
  std::vector<bool> positive;
};
OneVsRest one_against_rest(std::span<const std::int64_t> label, std::span<const float> probability,
                           std::int64_t classes, std::int64_t one);

/// Metrics for multi-label classification: each label separately, predicted if its probability is above 0.5. `targets`
/// (0 or 1) and `probability`: (samples, labels). No top_k; calibration is over all predictions of all labels.
Metrics metrics_of_labels(std::span<const float> targets, std::span<const float> probability, std::int64_t labels);
OneVsRest one_label(std::span<const float> targets, std::span<const float> probability, std::int64_t labels,
                    std::int64_t one);

/// Metrics of one numeric target. r2: ExplainedVariance::of(); undefined if all samples have the same target.
struct ValueMetrics {
  double mean_absolute_error = 0, root_mean_squared_error = 0, r2 = undefined;
  double mean = 0, deviation = 0;  // mean and standard deviation of the targets
};
/// `targets`, `answers` (the predictions): (samples, values). Returns one entry for each value.
std::vector<ValueMetrics> metrics_of_values(std::span<const float> targets, std::span<const float> answers,
                                            std::int64_t values);

/// Counts of decisions if scores at or above the threshold are predicted as positive.
struct Decisions {
  double threshold = 0;
  // true and false positives, false and true negatives
  std::int64_t right_yes = 0, wrong_yes = 0, wrong_no = 0, right_no = 0;
};
/// The counts at the thresholds 0, 1/steps … 1.
std::vector<Decisions> decisions_of(const OneVsRest&, int steps = 100);

}  // namespace nw
