// SPDX-License-Identifier: Apache-2.0
// R², the fraction of the targets' variance that predictions explain. Private to engine/data, engine/predict and
// engine/train: a run and its evaluation must agree.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace nw {

/// Mean of numbers and the sum of their squared distances to it, one number at a time (Welford, "Note on a method for
/// calculating corrected sums of squares and products", 1962).
class Moments {
 public:
  void add(double v) {
    const double d = v - mean_;
    mean_ += d / static_cast<double>(++count_);
    squares_ += d * (v - mean_);
  }
  std::int64_t count() const { return count_; }
  double mean() const { return mean_; }
  /// Sum of the squared distances to the mean: exactly 0 if all numbers are equal.
  double squares() const { return squares_; }
  double variance() const { return count_ > 0 ? squares_ / static_cast<double>(count_) : 0; }

 private:
  std::int64_t count_ = 0;
  double mean_ = 0, squares_ = 0;
};

/// R² of samples with the same number of targets each, as scikit-learn's r2_score, but undefined where all targets are
/// the same.
class ExplainedVariance {
 public:
  explicit ExplainedVariance(std::size_t targets) : moments_(targets), errors_(targets) {}
  /// Adds a sample: its targets and their predictions.
  void add(std::span<const float> targets, std::span<const float> predictions);
  const Moments& moments(std::size_t target) const { return moments_[target]; }
  /// Sum of squared errors.
  double errors(std::size_t target) const { return errors_[target]; }
  /// 1 - squared errors / squared distances to the mean; below 0 if the mean would be the better prediction. Empty if
  /// all samples have the same target.
  std::optional<double> of(std::size_t target) const;
  /// The mean over targets, weighted by their variance ("variance_weighted"), so without those that are the same in all
  /// samples. Empty if no others are left.
  std::optional<double> all() const;

 private:
  std::vector<Moments> moments_;
  std::vector<double> errors_;
};

}  // namespace nw
