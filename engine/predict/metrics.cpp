// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/metrics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/core/explained_variance.hpp"
#include "engine/core/scores.hpp"

namespace nw {
namespace {

double share(double part, double whole) { return whole > 0 ? part / whole : 0; }

/// True and false positives at each distinct score, in descending order of scores.
struct Counts {
  std::vector<double> threshold, right, wrong;
};

Counts counts_of(std::span<const float> score, const std::vector<bool>& positive) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < score.size(); ++i)
    if (!std::isnan(score[i])) order.push_back(i);
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return score[a] > score[b]; });
  Counts c;
  double right = 0, wrong = 0;
  for (std::size_t k = 0; k < order.size(); ++k) {
    (positive[order[k]] ? right : wrong) += 1;
    if (k + 1 < order.size() && score[order[k + 1]] == score[order[k]]) continue;
    c.threshold.push_back(score[order[k]]);
    c.right.push_back(right);
    c.wrong.push_back(wrong);
  }
  return c;
}

/// The rows with a known class and finite probabilities.
std::vector<std::size_t> known(std::span<const std::int64_t> label, std::span<const float> probability,
                               std::int64_t classes) {
  const auto width = static_cast<std::size_t>(classes);
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < label.size(); ++i)
    if (label[i] >= 0 && label[i] < classes && predicting::all_finite(probability.subspan(i * width, width)))
      rows.push_back(i);
  return rows;
}

OneVsRest one_of_rows(const std::vector<std::size_t>& rows, std::span<const std::int64_t> label,
                      std::span<const float> probability, std::int64_t classes, std::int64_t one) {
  OneVsRest o;
  for (const std::size_t i : rows) {
    o.score.push_back(probability[i * static_cast<std::size_t>(classes) + static_cast<std::size_t>(one)]);
    o.positive.push_back(label[i] == one);
  }
  return o;
}

/// The mean over the classes that define the figure; `otherwise` if none does.
double mean_of(const std::vector<ClassMetrics>& all, double ClassMetrics::*figure, bool by_support, double otherwise) {
  double sum = 0, weights = 0;
  for (const ClassMetrics& c : all) {
    const double weight = by_support ? static_cast<double>(c.support) : 1;
    if (std::isnan(c.*figure)) continue;
    weights += weight;
    sum += weight * (c.*figure);
  }
  return weights > 0 ? sum / weights : otherwise;
}

ClassMetrics mean_of(const std::vector<ClassMetrics>& all, bool by_support) {
  ClassMetrics m;
  for (const ClassMetrics& c : all) m.support += c.support;
  for (const auto figure : {&ClassMetrics::precision, &ClassMetrics::recall, &ClassMetrics::f1})
    m.*figure = mean_of(all, figure, by_support, 0);
  for (const auto figure : {&ClassMetrics::roc_auc, &ClassMetrics::average_precision})
    m.*figure = mean_of(all, figure, by_support, undefined);
  return m;
}

}  // namespace

Curve roc_curve(std::span<const float> score, const std::vector<bool>& positive) {
  const Counts c = counts_of(score, positive);
  if (c.right.empty() || c.right.back() == 0 || c.wrong.back() == 0) return {};
  Curve curve{{0}, {0}, {std::numeric_limits<double>::infinity()}};
  for (std::size_t i = 0; i < c.right.size(); ++i) {
    curve.x.push_back(c.wrong[i] / c.wrong.back());
    curve.y.push_back(c.right[i] / c.right.back());
    curve.threshold.push_back(c.threshold[i]);
  }
  return curve;
}

Curve precision_recall_curve(std::span<const float> score, const std::vector<bool>& positive) {
  const Counts c = counts_of(score, positive);
  if (c.right.empty() || c.right.back() == 0) return {};
  Curve curve{{0}, {1}, {std::numeric_limits<double>::infinity()}};
  for (std::size_t i = 0; i < c.right.size(); ++i) {
    curve.x.push_back(c.right[i] / c.right.back());
    curve.y.push_back(c.right[i] / (c.right[i] + c.wrong[i]));
    curve.threshold.push_back(c.threshold[i]);
  }
  return curve;
}

double area_under(const Curve& c) {
  if (c.x.empty()) return undefined;
  double area = 0;
  for (std::size_t i = 1; i < c.x.size(); ++i) area += (c.x[i] - c.x[i - 1]) * (c.y[i] + c.y[i - 1]) / 2;
  return area;
}

double average_precision(const Curve& c) {
  if (c.x.empty()) return undefined;
  double sum = 0;
  for (std::size_t i = 1; i < c.x.size(); ++i) sum += (c.x[i] - c.x[i - 1]) * c.y[i];
  return sum;
}

Curve thinned(const Curve& c, std::size_t points) {
  if (c.x.size() <= points || points < 2) return c;
  Curve out;
  for (std::size_t k = 0; k < points; ++k) {
    const std::size_t i = k * (c.x.size() - 1) / (points - 1);
    out.x.push_back(c.x[i]);
    out.y.push_back(c.y[i]);
    out.threshold.push_back(c.threshold[i]);
  }
  return out;
}

Calibration calibration_of(std::span<const float> confidence, const std::vector<bool>& right, int bins) {
  Calibration c;
  for (int b = 0; b < bins; ++b)
    c.bins.push_back({.from = static_cast<double>(b) / bins, .to = static_cast<double>(b + 1) / bins});
  std::int64_t count = 0;
  for (std::size_t i = 0; i < confidence.size(); ++i) {
    if (std::isnan(confidence[i])) continue;
    const double b = std::clamp(std::ceil(static_cast<double>(confidence[i]) * bins) - 1, 0.0, bins - 1.0);
    CalibrationBin& bin = c.bins[static_cast<std::size_t>(b)];
    ++bin.count;
    ++count;
    bin.confidence += confidence[i];
    bin.accuracy += right[i];
  }
  for (CalibrationBin& bin : c.bins) {
    bin.confidence = share(bin.confidence, static_cast<double>(bin.count));
    bin.accuracy = share(bin.accuracy, static_cast<double>(bin.count));
    const double gap = std::abs(bin.confidence - bin.accuracy);
    c.expected_error += gap * share(static_cast<double>(bin.count), static_cast<double>(count));
    c.largest_error = std::max(c.largest_error, gap);
  }
  return c;
}

OneVsRest one_against_rest(std::span<const std::int64_t> label, std::span<const float> probability,
                           std::int64_t classes, std::int64_t one) {
  return one_of_rows(known(label, probability, classes), label, probability, classes, one);
}

OneVsRest one_label(std::span<const float> targets, std::span<const float> probability, std::int64_t labels,
                    std::int64_t one) {
  OneVsRest o;
  for (std::size_t i = static_cast<std::size_t>(one); i < targets.size(); i += static_cast<std::size_t>(labels)) {
    if (std::isnan(probability[i])) continue;
    o.score.push_back(probability[i]);
    o.positive.push_back(targets[i] > 0.5F);
  }
  return o;
}

Metrics metrics_of_labels(std::span<const float> targets, std::span<const float> probability, std::int64_t labels) {
  Metrics m;
  std::vector<float> confidence;
  std::vector<bool> hit;
  for (std::int64_t k = 0; k < labels; ++k) {
    const OneVsRest o = one_label(targets, probability, labels, k);
    std::int64_t right = 0, read = 0, are = 0;
    for (std::size_t i = 0; i < o.score.size(); ++i) {
      const bool yes = o.score[i] > 0.5F;
      right += yes && o.positive[i];
      read += yes;
      are += o.positive[i];
      confidence.push_back(yes ? o.score[i] : 1 - o.score[i]);
      hit.push_back(yes == o.positive[i]);
    }
    const double hits = static_cast<double>(right);
    m.classes.push_back({are, share(hits, static_cast<double>(read)), share(hits, static_cast<double>(are)),
                         share(2 * hits, static_cast<double>(read + are)), area_under(roc_curve(o.score, o.positive)),
                         average_precision(precision_recall_curve(o.score, o.positive))});
  }
  m.macro = mean_of(m.classes, false);
  m.weighted = mean_of(m.classes, true);
  m.calibration = calibration_of(confidence, hit);
  return m;
}

std::vector<ValueMetrics> metrics_of_values(std::span<const float> targets, std::span<const float> answers,
                                            std::int64_t values) {
  std::vector<ValueMetrics> all(static_cast<std::size_t>(values));
  const auto width = all.size();
  const double samples = static_cast<double>(targets.size() / width);
  if (samples == 0) return all;
  ExplainedVariance explained(width);
  for (std::size_t i = 0; i < targets.size(); i += width)
    explained.add(targets.subspan(i, width), answers.subspan(i, width));
  for (std::size_t k = 0; k < width; ++k) {
    ValueMetrics& m = all[k];
    for (std::size_t i = k; i < targets.size(); i += width)
      m.mean_absolute_error += std::abs(static_cast<double>(answers[i]) - static_cast<double>(targets[i])) / samples;
    m.root_mean_squared_error = std::sqrt(explained.errors(k) / samples);
    m.mean = explained.moments(k).mean();
    m.deviation = std::sqrt(explained.moments(k).variance());
    m.r2 = explained.of(k).value_or(undefined);
  }
  return all;
}

std::vector<Decisions> decisions_of(const OneVsRest& o, int steps) {
  std::vector<Decisions> all;
  for (int k = 0; k <= steps; ++k) {
    Decisions d{.threshold = static_cast<double>(k) / steps};
    for (std::size_t i = 0; i < o.score.size(); ++i) {
      const bool yes = static_cast<double>(o.score[i]) >= d.threshold;
      ++(yes ? o.positive[i] ? d.right_yes : d.wrong_yes : o.positive[i] ? d.wrong_no : d.right_no);
    }
    all.push_back(d);
  }
  return all;
}

Metrics metrics_of(std::span<const std::int64_t> label, std::span<const float> probability, std::int64_t classes) {
  Metrics m;
  const auto width = static_cast<std::size_t>(classes);
  const std::vector<std::size_t> rows = known(label, probability, classes);
  std::vector<std::int64_t> right(width, 0), read(width, 0), are(width, 0);
  std::vector<float> confidence;
  std::vector<bool> hit;
  m.top_k.assign(std::min<std::size_t>(5, width), 0.0);
  for (const std::size_t i : rows) {
    const std::span<const float> p = probability.subspan(i * width, width);
    const auto truth = static_cast<std::size_t>(label[i]);
    const auto top = static_cast<std::size_t>(std::max_element(p.begin(), p.end()) - p.begin());
    ++are[truth];
    ++read[top];
    right[truth] += top == truth;
    confidence.push_back(p[top]);
    hit.push_back(top == truth);
    // Of equal probabilities the lower class index ranks first, as in the prediction.
    std::size_t before = 0;
    for (std::size_t k = 0; k < width; ++k) before += p[k] > p[truth] || (p[k] == p[truth] && k < truth);
    for (std::size_t k = before; k < m.top_k.size(); ++k) m.top_k[k] += 1;
  }
  for (double& k : m.top_k) k = share(k, static_cast<double>(rows.size()));
  for (std::size_t c = 0; c < width; ++c) {
    const double hits = static_cast<double>(right[c]);
    ClassMetrics one{.support = are[c],
                     .precision = share(hits, static_cast<double>(read[c])),
                     .recall = share(hits, static_cast<double>(are[c]))};
    one.f1 = share(2 * hits, static_cast<double>(read[c] + are[c]));
    const OneVsRest o = one_of_rows(rows, label, probability, classes, static_cast<std::int64_t>(c));
    one.roc_auc = area_under(roc_curve(o.score, o.positive));
    one.average_precision = average_precision(precision_recall_curve(o.score, o.positive));
    m.classes.push_back(one);
  }
  m.macro = mean_of(m.classes, false);
  m.weighted = mean_of(m.classes, true);
  m.calibration = calibration_of(confidence, hit);
  return m;
}

}  // namespace nw
