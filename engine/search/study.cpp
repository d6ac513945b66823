// SPDX-License-Identifier: Apache-2.0
#include "engine/search/study.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nw::search {
namespace {

bool all_finite(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

Error contradiction(std::int64_t trial) {
  return fail(Errc::bad_input, NW_TR("a record about trial {0} contradicts earlier ones"), trial);
}

}  // namespace

const Pruner* find_pruner(std::string_view name) {
  for (const Pruner* p : all_pruners())
    if (p->name == name) return p;
  return nullptr;
}

std::string run_of(std::int64_t trial) { return fmt::format("trial-{:04}", trial); }
std::string run_of(std::int64_t trial, std::uint64_t seed) { return fmt::format("{}-seed-{}", run_of(trial), seed); }

Spread spread_of(std::span<const Repeated> repeats, std::int64_t trial) {
  std::vector<double> values;
  for (const Repeated& r : repeats)
    if (r.trial == trial && !r.values.empty()) values.push_back(r.values.front());
  if (values.empty()) return {};
  const auto n = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
  double squares = 0;
  for (const double v : values) squares += (v - mean) * (v - mean);
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return {values.size(), mean, n > 1 ? std::sqrt(squares / (n - 1)) : 0, *low, *high};
}

Status Study::take(const Record& record) {
  if (!began_ && !std::holds_alternative<Began>(record))
    return fail(Errc::bad_input, NW_TR("the first record does not begin a study"));
  return std::visit([this](const auto& what) { return take(what); }, record);
}

Status Study::take(const Began& b) {
  if (began_) return fail(Errc::bad_input, NW_TR("a second record begins a study"));
  const StudyDefinition& d = b.definition;
  if (!find_sampler(d.sampler) || !find_pruner(d.pruner))
    return fail(Errc::bad_input, NW_TR("this version has no sampler \"{0}\" or no pruner \"{1}\""),
                d.sampler.substr(0, 80), d.pruner.substr(0, 80));
  if (d.objectives.empty() || d.objectives.size() > most_objectives || d.space.parameters.empty() || d.epochs < 1 ||
      d.first_rung < 1 || d.reduction < 2)
    return fail(Errc::bad_input, NW_TR("the record that begins the study is incomplete"));
  definition_ = d;
  began_ = true;
  return {};
}

Status Study::take(const WentOn& w) {
  if (w.trials < 1 || w.trials > most_trials)
    return fail(Errc::bad_input, NW_TR("a study makes 1 to {0} trials"), most_trials);
  wanted_ = w.trials;
  held_ = false;
  return {};
}

Status Study::take(const Proposed& p) {
  const auto number = static_cast<std::int64_t>(trials_.size());
  if (p.trial != number || number >= most_trials || !is_point(definition_.space, p.point) || p.to_epoch < 1 ||
      p.to_epoch > definition_.epochs)
    return contradiction(p.trial);
  trials_.push_back({.number = number, .point = p.point, .to_epoch = p.to_epoch, .run = run_of(number)});
  return {};
}

Result<Trial*> Study::running(std::int64_t trial) {
  const bool is = trial >= 0 && trial < static_cast<std::int64_t>(trials_.size()) &&
                  trials_[static_cast<std::size_t>(trial)].state == TrialState::running;
  if (!is) return contradiction(trial);
  return &trials_[static_cast<std::size_t>(trial)];
}

Status Study::take(const Promoted& p) {
  const bool known = p.trial >= 0 && p.trial < static_cast<std::int64_t>(trials_.size());
  Trial* t = known ? &trials_[static_cast<std::size_t>(p.trial)] : nullptr;
  if (!t || t->state != TrialState::paused || p.to_epoch <= t->to_epoch || p.to_epoch > definition_.epochs)
    return contradiction(p.trial);
  t->state = TrialState::running;
  t->to_epoch = p.to_epoch;
  return {};
}

// A trial that was killed trains some epochs again, with the same result: what is known is not reported twice.
Status Study::take(const Reported& r) {
  NW_ASSIGN(Trial * t, running(r.trial));
  if (r.epoch < 1 || r.epoch > definition_.epochs || !std::isfinite(r.value)) return contradiction(r.trial);
  if (t->reports.empty() || t->reports.back().epoch < r.epoch) t->reports.push_back({r.epoch, r.value});
  return {};
}

Status Study::take(const Paused& p) {
  NW_ASSIGN(Trial * t, running(p.trial));
  t->state = TrialState::paused;
  return {};
}

Status Study::take(const Closed& c) {
  NW_ASSIGN(Trial * t, running(c.trial));
  const bool complete = c.state == TrialState::complete;
  const bool ends = complete || c.state == TrialState::pruned || c.state == TrialState::failed;
  if (!ends || !all_finite(c.values) || c.values.size() != (complete ? definition_.objectives.size() : 0))
    return contradiction(c.trial);
  t->state = c.state;
  t->values = c.values;
  t->message = c.message;
  return {};
}

Status Study::take(const Repeated& r) {
  const bool known = r.trial >= 0 && r.trial < static_cast<std::int64_t>(trials_.size());
  const auto is_same = [&](const Repeated& o) { return o.trial == r.trial && o.seed == r.seed; };
  if (!known || std::any_of(repeats_.begin(), repeats_.end(), is_same) || repeats_.size() >= most_repeats ||
      !all_finite(r.values) || (!r.values.empty() && r.values.size() != definition_.objectives.size()))
    return contradiction(r.trial);
  repeats_.push_back(r);
  return {};
}

Status Study::take(const Stopped&) {
  held_ = false;
  return {};
}

Status Study::take(const Held& h) {
  held_ = h.on;
  return {};
}

Budget Study::budget() const {
  return {definition_.epochs, definition_.first_rung, definition_.reduction, definition_.objectives.front()};
}

Step Study::next(const std::set<std::int64_t>& live) const {
  for (const Trial& t : trials_)
    if (t.state == TrialState::running && !live.contains(t.number))
      return {.kind = Step::Kind::go_on, .trial = t.number};
  const Pruner& pruner = *find_pruner(definition_.pruner);
  const auto promotion = [&](bool closing) {
    return pruner.promote ? pruner.promote(budget(), trials_, closing) : std::nullopt;
  };
  const auto promote = [](const Promotion& p) {
    return Step{.kind = Step::Kind::promote, .trial = p.trial, .point = {}, .to_epoch = p.to_epoch};
  };
  if (const auto best = promotion(false)) return promote(*best);
  const auto number = static_cast<std::int64_t>(trials_.size());
  if (number < wanted_) {
    const History history{definition_.space, definition_.objectives, trials_, definition_.seed, number};
    const std::int64_t to = pruner.first_pause ? pruner.first_pause(budget()) : definition_.epochs;
    if (auto point = find_sampler(definition_.sampler)->propose(history))
      return {.kind = Step::Kind::start, .trial = number, .point = *std::move(point), .to_epoch = to};
  }
  if (!live.empty()) return {.kind = Step::Kind::wait};
  if (const auto best = promotion(true)) return promote(*best);
  return {.kind = Step::Kind::done};
}

bool Study::gives_up(std::int64_t trial) const {
  const Pruner& pruner = *find_pruner(definition_.pruner);
  return pruner.gives_up && pruner.gives_up(budget(), trials_, trials_[static_cast<std::size_t>(trial)]);
}

const Trial* Study::best() const {
  return definition_.objectives.size() == 1 ? best_trial(trials_, definition_.objectives.front()) : nullptr;
}

}  // namespace nw::search
