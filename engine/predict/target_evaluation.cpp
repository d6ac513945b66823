// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/target_evaluation.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/core/explained_variance.hpp"
#include "engine/core/scores.hpp"
#include "engine/data/sources/targets.hpp"

namespace nw::predicting {
namespace {

constexpr std::size_t most_sets = 64;
using Set = std::vector<bool>;

std::span<const float> row(const std::vector<float>& all, std::size_t i, std::int64_t width) {
  return std::span(all).subspan(i * static_cast<std::size_t>(width), static_cast<std::size_t>(width));
}

Set set_of(std::span<const float> shares) {
  Set s;
  for (const float p : shares) s.push_back(p > 0.5F);
  return s;
}

/// The lowest confidence of all labels.
float confidence_of(std::span<const float> p) {
  float least = 1;
  for (const float v : p) least = std::min(least, std::max(v, 1 - v));
  return least;
}

std::string name_of_set(const Set& s, const std::vector<std::string>& names) {
  std::string name;
  for (std::size_t k = 0; k < s.size(); ++k)
    if (s[k]) name += (name.empty() ? "" : " + ") + (k < names.size() ? names[k] : std::to_string(k));
  return name.empty() ? "none" : name;
}

/// The most frequent true label sets; if fewer than the limit occur, the most frequent predicted ones follow.
std::map<Set, std::int64_t> common_sets(const std::vector<Set>& truth, const std::vector<Set>& read) {
  std::map<Set, std::pair<std::int64_t, std::int64_t>> count;
  for (const Set& s : truth) ++count[s].first;
  for (const Set& s : read) ++count[s].second;
  std::vector<std::pair<std::pair<std::int64_t, std::int64_t>, Set>> order;
  for (const auto& [set, n] : count) order.emplace_back(n, set);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  order.resize(std::min(order.size(), most_sets));
  // Sorted by the number of labels, then in the order of the labels.
  const auto labels = [](const Set& s) { return std::count(s.begin(), s.end(), true); };
  std::sort(order.begin(), order.end(), [&](const auto& a, const auto& b) {
    return std::pair(labels(a.second), b.second) < std::pair(labels(b.second), a.second);
  });
  std::map<Set, std::int64_t> number;
  for (const auto& [n, set] : order) number.emplace(set, static_cast<std::int64_t>(number.size()));
  return number;
}

void judge_labels(Evaluation& e, const std::vector<std::string>& outputs) {
  const std::size_t samples = e.sample.size();
  std::vector<Set> truth, read;
  for (std::size_t i = 0; i < samples; ++i) {
    truth.push_back(set_of(row(e.targets, i, e.outputs)));
    read.push_back(set_of(row(e.probability, i, e.outputs)));
    e.confidence.push_back(confidence_of(row(e.probability, i, e.outputs)));
  }
  const auto number = common_sets(truth, read);
  e.names.resize(number.size());
  e.sets.resize(number.size());
  for (const auto& [set, n] : number) {
    e.names[static_cast<std::size_t>(n)] = name_of_set(set, outputs);
    for (std::size_t k = 0; k < set.size(); ++k)
      if (set[k]) e.sets[static_cast<std::size_t>(n)].push_back(static_cast<std::int64_t>(k));
  }
  const auto rare = static_cast<std::int64_t>(number.size());
  const auto of = [&](const Set& s) { return number.contains(s) ? number.at(s) : rare; };
  for (std::size_t i = 0; i < samples; ++i) {
    e.label.push_back(of(truth[i]));
    e.predicted.push_back(truth[i] != read[i] && of(truth[i]) == rare && of(read[i]) == rare ? rare + 1 : of(read[i]));
  }
  const auto last = samples == 0 ? -1
                                 : std::max(*std::max_element(e.label.begin(), e.label.end()),
                                            *std::max_element(e.predicted.begin(), e.predicted.end()));
  if (last >= rare) e.names.emplace_back("other labels");
  if (last > rare) e.names.emplace_back("different other labels");
}

void judge_values(Evaluation& e) {
  std::vector<float> first;
  for (std::size_t i = 0; i < e.sample.size(); ++i) first.push_back(row(e.targets, i, e.outputs).front());
  const ValueRanges ranges = ranges_of(first);
  e.names = ranges.names;
  for (std::size_t i = 0; i < e.sample.size(); ++i) {
    e.label.push_back(ranges.of(first[i]));
    e.predicted.push_back(ranges.of(row(e.probability, i, e.outputs).front()));
    e.confidence.push_back(-1);
  }
}

double r_squared(std::span<const float> targets, std::span<const float> answers, std::size_t width) {
  ExplainedVariance explained(width);
  for (std::size_t i = 0; i < targets.size(); i += width)
    explained.add(targets.subspan(i, width), answers.subspan(i, width));
  return explained.all().value_or(undefined);
}

}  // namespace

std::string name_of_labels(std::span<const float> shares, const std::vector<std::string>& names) {
  return name_of_set(set_of(shares), names);
}

double measure(TargetKind kind, std::span<const float> targets, std::span<const float> answers, std::int64_t outputs) {
  const auto width = static_cast<std::size_t>(outputs);
  if (targets.empty()) return 0;
  if (kind == TargetKind::values) return r_squared(targets, answers, width);
  std::int64_t right = 0;
  for (std::size_t i = 0; i < targets.size(); i += width)
    right +=
        all_finite(answers.subspan(i, width)) && set_of(targets.subspan(i, width)) == set_of(answers.subspan(i, width));
  return static_cast<double>(right) / static_cast<double>(targets.size() / width);
}

void judge(Evaluation& e, const std::vector<std::string>& outputs) {
  e.accuracy = measure(e.kind, e.targets, e.probability, e.outputs);
  if (e.kind == TargetKind::labels)
    judge_labels(e, outputs);
  else
    judge_values(e);
  e.classes = static_cast<std::int64_t>(e.names.size());
  e.confusion.assign(static_cast<std::size_t>(e.classes * e.classes), 0);
  for (std::size_t i = 0; i < e.sample.size(); ++i)
    if (all_finite(row(e.probability, i, e.outputs)))
      ++e.confusion[static_cast<std::size_t>(e.label[i] * e.classes + e.predicted[i])];
}

}  // namespace nw::predicting
