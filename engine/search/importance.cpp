// SPDX-License-Identifier: Apache-2.0
#include "engine/search/importance.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/search/normal.hpp"
#include "engine/search/random.hpp"

namespace nw::search {
namespace {

constexpr double best_part = 0.1;  // of the trials
constexpr std::int64_t most_cells = 50;
constexpr double least_width = 0.5 / 1.64;  // of a kernel, in cells: 90 % of it are in its own cell
constexpr double tiny = 1e-12;
constexpr std::int32_t absent = -1;
constexpr std::size_t fewest = 2;  // trials that have a parameter

using Counts = std::vector<std::int64_t>;

/// The values of one parameter in cells.
struct Cells {
  std::size_t parameter = 0, count = 0;
  bool choice = false;
  std::vector<std::int32_t> of;  // of each trial; absent: the parameter does not exist there
};

std::int64_t number_of_cells(const Parameter& p) {
  const std::int64_t values = values_of(p);
  if (p.kind == Parameter::Kind::choice) return values;
  if (p.kind == Parameter::Kind::integer && p.log)
    return std::min<std::int64_t>(most_cells, static_cast<std::int64_t>(std::ceil(std::log2(p.high - p.low + 1))) + 1);
  return values == 0 ? most_cells : std::min(most_cells, values);
}

std::int32_t cell_of(const Parameter& p, double value, std::size_t cells) {
  if (std::isnan(value)) return absent;
  if (p.kind == Parameter::Kind::choice) return static_cast<std::int32_t>(value);
  const auto inner = [&](double v) { return p.log ? std::log(v) : v; };
  const double last = static_cast<double>(cells) - 1, size = (inner(p.high) - inner(p.low)) / last;
  const double at = std::ceil((inner(value) - inner(p.low)) / size - 0.5);
  return static_cast<std::int32_t>(at > 0 ? std::min(at, last) : 0);  // also where the range is too large to divide
}

Cells cells_of(const Space& space, std::size_t parameter, const std::vector<const Trial*>& trials) {
  const Parameter& p = space.parameters[parameter];
  Cells c{.parameter = parameter,
          .count = static_cast<std::size_t>(number_of_cells(p)),
          .choice = p.kind == Parameter::Kind::choice,
          .of = {}};
  if (c.count < 2) return c;  // it cannot vary
  for (const Trial* t : trials) c.of.push_back(cell_of(p, t->point[parameter], c.count));
  return c;
}

/// The width of the kernels by Scott's rule, in cells. Optuna's, with its whole-number quartiles.
double kernel_width(const Counts& counts) {
  std::vector<double> place, weight;
  std::vector<std::int64_t> sums;
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0) {
      place.push_back(static_cast<double>(i));
      weight.push_back(static_cast<double>(counts[i]));
      sums.push_back(sum += counts[i]);
    }
  const auto n = static_cast<double>(sum);
  const double mean = std::inner_product(place.begin(), place.end(), weight.begin(), 0.0) / n;
  double squares = 0;
  for (std::size_t i = 0; i < place.size(); ++i) squares += weight[i] * (place[i] - mean) * (place[i] - mean);
  const double deviation = std::sqrt(squares / std::max(1.0, n - 1));
  const auto first = std::lower_bound(sums.begin(), sums.end(), sum / 4) - sums.begin();
  const auto third = std::min<std::ptrdiff_t>(std::upper_bound(sums.begin(), sums.end(), sum * 3 / 4) - sums.begin(),
                                              static_cast<std::ptrdiff_t>(place.size()) - 1);
  const double quartiles = place[static_cast<std::size_t>(third)] - place[static_cast<std::size_t>(first)];
  return std::max(least_width, 1.059 * std::min(quartiles / 1.34, deviation) * std::pow(n, -0.2));
}

/// Adds a normal kernel at `centre`, cut off at the outer cells: the mass in each cell, times `weight`.
void add_kernel(std::vector<double>& density, double centre, double width, double weight,
                std::vector<double>& borders) {
  for (std::size_t i = 0; i <= density.size(); ++i)
    borders[i] = normal_cdf((static_cast<double>(i) - 0.5 - centre) / width);
  const double all = borders[density.size()] - borders[0];
  for (std::size_t i = 0; i < density.size(); ++i) density[i] += weight * (borders[i + 1] - borders[i]) / all;
}

std::vector<double> density_of_numbers(const Counts& counts) {
  const double width = kernel_width(counts), n = static_cast<double>(counts.size());
  const double each = 1 / (static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0})) + 1);
  std::vector<double> density(counts.size(), 0), borders(counts.size() + 1);
  add_kernel(density, (n - 1) / 2, n, each, borders);
  const auto cdf_between = [&](double from, double to) { return normal_cdf(to / width) - normal_cdf(from / width); };
  std::vector<double> mass(counts.size());  // of a kernel in the cell at a distance
  for (std::size_t i = 0; i < mass.size(); ++i)
    mass[i] = cdf_between(-static_cast<double>(i) - 0.5, -static_cast<double>(i) + 0.5);
  for (std::size_t k = 0; k < counts.size(); ++k) {
    if (counts[k] == 0) continue;
    const double all = cdf_between(-0.5 - static_cast<double>(k), n - 0.5 - static_cast<double>(k));
    for (std::size_t i = 0; i < counts.size(); ++i)
      density[i] += each * static_cast<double>(counts[k]) * mass[i > k ? i - k : k - i] / all;
  }
  return density;
}

/// Each value that occurs is a kernel, which gives the others a little too; and one that gives all the same.
std::vector<double> density_of_choices(const Counts& counts) {
  const auto kernels = static_cast<double>(std::count_if(counts.begin(), counts.end(), [](auto c) { return c > 0; }));
  const auto all = static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  const double n = static_cast<double>(counts.size()), little = 1 / (kernels + 1), sum = 1 + n * little;
  std::vector<double> density;
  for (const std::int64_t count : counts)
    density.push_back((static_cast<double>(count) / sum + all * little / sum + 1 / n) / (all + 1));
  return density;
}

/// Pearson's divergence of the best trials' values from those of all.
double divergence(const Counts& best, const Counts& all, bool choice) {
  const auto density = choice ? density_of_choices : density_of_numbers;
  const std::vector<double> p = density(best), q = density(all);
  double sum = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const double ratio = (p[i] + tiny) / (q[i] + tiny) - 1;
    sum += (q[i] + tiny) * ratio * ratio;
  }
  return sum;
}

/// How often each trial counts, in all and among the best.
struct Weights {
  std::vector<std::int64_t> all, best;
};

double weighted_divergence(const Cells& cells, const Weights& w) {
  Counts all(cells.count, 0), best(cells.count, 0);
  std::int64_t trials = 0, good = 0, have = 0, good_have = 0;
  for (std::size_t i = 0; i < cells.of.size(); ++i) {
    trials += w.all[i];
    good += w.best[i];
    if (cells.of[i] == absent) continue;
    all[static_cast<std::size_t>(cells.of[i])] += w.all[i];
    best[static_cast<std::size_t>(cells.of[i])] += w.best[i];
    have += w.all[i];
    good_have += w.best[i];
  }
  if (static_cast<std::size_t>(have) < fewest || good_have == 0) return 0;
  const auto real = [](std::int64_t v) { return static_cast<double>(v); };
  const double part = real(good) / real(trials), of_good = real(good_have) / real(good);
  return part * part * of_good * of_good / (real(have) / real(trials)) * divergence(best, all, cells.choice);
}

std::vector<double> shares_of(const std::vector<double>& divergences) {
  const double sum = std::accumulate(divergences.begin(), divergences.end(), 0.0);
  std::vector<double> shares;
  for (const double d : divergences) shares.push_back(sum > 0 ? d / sum : 1 / static_cast<double>(divergences.size()));
  return shares;
}

/// The complete trials with the best ones marked.
class Sample {
 public:
  Sample(std::span<const Objective> objectives, std::span<const Trial> trials) {
    for (const Trial& t : trials)
      if (t.state == TrialState::complete && t.values.size() == objectives.size()) trials_.push_back(&t);
    if (objectives.size() == 1) {
      for (const Trial* t : trials_) losses_.push_back(as_loss(objectives.front(), t->values.front()));
      order_.resize(trials_.size());
      std::iota(order_.begin(), order_.end(), 0);
      std::sort(order_.begin(), order_.end(), [&](auto a, auto b) { return losses_[a] < losses_[b]; });
    } else {
      const auto count = static_cast<std::size_t>(std::ceil(best_part * static_cast<double>(trials_.size())));
      front_.assign(trials_.size(), 0);
      for (const Trial* t : best_of_both(trials_, objectives, count))
        front_[static_cast<std::size_t>(std::find(trials_.begin(), trials_.end(), t) - trials_.begin())] = 1;
    }
  }
  const std::vector<const Trial*>& trials() const { return trials_; }
  Weights weights(std::vector<std::int64_t> all) const {
    Weights w{std::move(all), std::vector<std::int64_t>(trials_.size(), 0)};
    for (std::size_t i = 0; i < front_.size(); ++i) w.best[i] = front_[i] * w.all[i];
    if (order_.empty()) return w;
    const auto wanted = static_cast<std::int64_t>(std::ceil(best_part * static_cast<double>(trials_.size())));
    double worst = losses_[order_.front()];
    std::int64_t taken = 0;
    for (const std::size_t i : order_) {  // of equal losses all or none
      if (taken >= wanted && losses_[i] > worst) break;
      if (w.all[i] > 0) worst = losses_[i];
      taken += w.best[i] = w.all[i];
    }
    return w;
  }

 private:
  std::vector<const Trial*> trials_;
  std::vector<double> losses_;
  std::vector<std::size_t> order_;   // one objective: by loss
  std::vector<std::int64_t> front_;  // two objectives: whether it is one of the best
};

std::vector<std::int64_t> drawn_again(std::size_t n, int resample) {
  std::vector<std::int64_t> times(n, 0);
  Draw draw(0, resample, 7);
  for (std::size_t i = 0; i < n; ++i) ++times[draw.below(n)];
  return times;
}

void put_intervals(std::vector<Importance>& result, const Sample& sample, const std::vector<Cells>& cells,
                   int resamples) {
  std::vector<std::vector<double>> drawn(cells.size());
  for (int r = 0; r < resamples; ++r) {
    const Weights w = sample.weights(drawn_again(sample.trials().size(), r));
    std::vector<double> each;
    for (const Cells& c : cells) each.push_back(c.of.empty() ? 0 : weighted_divergence(c, w));
    const auto shares = shares_of(each);
    for (std::size_t i = 0; i < shares.size(); ++i) drawn[i].push_back(shares[i]);
  }
  for (Importance& of : result) {
    std::vector<double>& values = drawn[of.parameter];
    std::sort(values.begin(), values.end());
    const double last = static_cast<double>(values.size()) - 1;
    of.low = std::min(of.share, values[static_cast<std::size_t>(std::lround(0.05 * last))]);
    of.high = std::max(of.share, values[static_cast<std::size_t>(std::lround(0.95 * last))]);
  }
}

}  // namespace

std::vector<Importance> importances(const Space& space, std::span<const Objective> objectives,
                                    std::span<const Trial> trials, int resamples) {
  const Sample sample(objectives, trials);
  std::vector<Cells> cells;
  std::vector<double> divergences(space.parameters.size(), 0);
  for (std::size_t i = 0; i < space.parameters.size(); ++i) cells.push_back(cells_of(space, i, sample.trials()));
  const bool enough = sample.trials().size() > 1;
  const Weights w = sample.weights(std::vector<std::int64_t>(sample.trials().size(), 1));
  for (std::size_t i = 0; enough && i < cells.size(); ++i)
    if (!cells[i].of.empty()) divergences[i] = weighted_divergence(cells[i], w);
  const auto shares = shares_of(divergences);
  std::vector<Importance> result;
  for (std::size_t i = 0; i < shares.size(); ++i)
    result.push_back({i, divergences[i], shares[i], shares[i], shares[i]});
  if (enough && resamples > 0) put_intervals(result, sample, cells, resamples);
  std::stable_sort(result.begin(), result.end(), [](const auto& a, const auto& b) { return a.share > b.share; });
  return result;
}

}  // namespace nw::search
