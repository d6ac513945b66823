// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/changed_predictions.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace nw {
namespace {

constexpr double z = 1.959963984540054;  // 95 %

void count(ChangedPredictions& c, bool before, bool after) {
  if (before)
    ++(after ? c.both : c.only_before);
  else
    ++(after ? c.only_after : c.neither);
}

float margin_of(const Evaluation& e, std::size_t i, std::int64_t to) {
  const auto at = [&](std::int64_t c) {
    return e.probability[i * static_cast<std::size_t>(e.outputs) + static_cast<std::size_t>(c)];
  };
  if (e.outputs == 1) return 2 * e.confidence[i] - 1;
  if (e.probability.empty() || std::max(e.predicted[i], to) >= e.outputs)
    return std::numeric_limits<float>::quiet_NaN();
  return at(e.predicted[i]) - at(to);
}

void set_interval(ChangedPredictions& c) {
  const auto n = static_cast<double>(c.samples);
  const auto lost = static_cast<double>(c.only_before), won = static_cast<double>(c.only_after);
  c.change = (won - lost) / n;
  const double half = z * std::sqrt(std::max(0.0, won + lost - (won - lost) * (won - lost) / n)) / n;
  c.change_low = c.change - half;
  c.change_high = c.change + half;
}

}  // namespace

double mcnemar(std::int64_t a, std::int64_t b) {
  const std::int64_t n = a + b, least = std::min(a, b);
  if (n == 0) return 1;
  double sum = 0;  // of the binomial distribution with 1/2, up to `least`
  for (std::int64_t k = 0; k <= least; ++k)
    sum += std::exp(std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1) -
                    static_cast<double>(n) * std::log(2.0));
  return std::min(1.0, 2 * sum);
}

std::pair<double, double> share_interval(double share, std::int64_t of) {
  const auto n = static_cast<double>(of);
  const double centre = share + z * z / (2 * n), half = z * std::sqrt(share * (1 - share) / n + z * z / (4 * n * n)),
               all = 1 + z * z / n;
  return {(centre - half) / all, (centre + half) / all};
}

Result<ChangedPredictions> changed_predictions(const Evaluation& before, const Evaluation& after) {
  if (before.kind != TargetKind::classes || after.kind != TargetKind::classes)
    return fail(Errc::bad_input, NW_TR("Only predictions of classes can be compared one by one"));
  if (before.sample != after.sample || before.label != after.label || before.samples == 0)
    return fail(Errc::bad_input, NW_TR("The evaluations are not of the same images"));
  ChangedPredictions c{.samples = before.samples, .accuracy_before = before.accuracy, .accuracy_after = after.accuracy};
  for (std::size_t i = 0; i < before.sample.size(); ++i) {
    count(c, before.predicted[i] == before.label[i], after.predicted[i] == after.label[i]);
    if (before.predicted[i] != after.predicted[i])
      c.flips.push_back({before.sample[i], before.label[i], before.predicted[i], after.predicted[i],
                         before.confidence[i], after.confidence[i], margin_of(before, i, after.predicted[i])});
  }
  std::stable_sort(c.flips.begin(), c.flips.end(),
                   [](const Flip& a, const Flip& b) { return a.confidence_before > b.confidence_before; });
  set_interval(c);
  c.p = mcnemar(c.only_before, c.only_after);
  return c;
}

}  // namespace nw
