// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/design/settings.hpp"

namespace nw {
namespace {

/// An update after the warm-up.
struct AfterWarmup {
  std::int64_t step = 0;  // of the run, 0-based
  std::int64_t per_epoch = 1;
  std::int64_t warmup = 0, all = 1;  // updates
  double after() const { return static_cast<double>(step - warmup); }
  double left() const { return static_cast<double>(std::max<std::int64_t>(1, all - warmup)); }
  double done() const { return std::min(1.0, after() / left()); }
};

double half_cosine(double from, double to, double done) {
  return to + (from - to) * (1 + std::cos(std::numbers::pi * done)) / 2;
}

double in_steps(const TrainSettings& s, const AfterWarmup& p) {
  return s.learning_rate *
         std::pow(s.step_gamma, static_cast<double>(p.step / p.per_epoch / std::max<std::int64_t>(1, s.step_epochs)));
}

// Both phases end at the update before their share, as torch counts them.
double one_cycle(const TrainSettings& s, const AfterWarmup& p) {
  const double first = s.learning_rate / s.div_factor, last = first / s.final_div_factor;
  const double top = s.pct_start * p.left() - 1, end = std::max(top + 1e-9, p.left() - 1);
  const double at = std::min(p.after(), end);
  if (at <= top) return half_cosine(first, s.learning_rate, top > 0 ? at / top : 1);
  return half_cosine(s.learning_rate, last, (at - std::max(0.0, top)) / (end - std::max(0.0, top)));
}

double polynomial(const TrainSettings& s, const AfterWarmup& p) {
  return s.min_learning_rate + (s.learning_rate - s.min_learning_rate) * std::pow(1 - p.done(), s.polynomial_power);
}

double with_restarts(const TrainSettings& s, const AfterWarmup& p) {
  double period = static_cast<double>(s.restart_epochs * p.per_epoch), at = p.after();
  if (s.restart_factor <= 1) at = std::fmod(at, period);
  for (; at >= period; period *= static_cast<double>(s.restart_factor)) at -= period;
  return half_cosine(s.learning_rate, s.min_learning_rate, at / period);
}

double shaped_rate(const TrainSettings& s, std::int64_t step, std::int64_t per_epoch) {
  const std::int64_t warmup = std::llround(s.warmup_epochs * static_cast<double>(per_epoch));
  if (step < warmup) return s.learning_rate * static_cast<double>(step + 1) / static_cast<double>(warmup);
  const AfterWarmup p{step, per_epoch, warmup, s.epochs * per_epoch};
  switch (s.schedule) {
    case ScheduleKind::constant:
    case ScheduleKind::plateau:
      return s.learning_rate;
    case ScheduleKind::step:
      return in_steps(s, p);
    case ScheduleKind::cosine:
      return half_cosine(s.learning_rate, s.min_learning_rate, p.done());
    case ScheduleKind::one_cycle:
      return one_cycle(s, p);
    case ScheduleKind::polynomial:
      return polynomial(s, p);
    case ScheduleKind::cosine_restarts:
      return with_restarts(s, p);
  }
  return s.learning_rate;
}

}  // namespace

bool has_swa_rate(const TrainSettings& s, std::int64_t epoch) {
  return s.swa_start > 0 && s.swa_learning_rate > 0 && epoch >= s.swa_start;
}

double swa_rate(const TrainSettings& s, double before, std::int64_t epoch) {
  const auto since = static_cast<double>(epoch - s.swa_start + 1);
  const auto all = static_cast<double>(std::max<std::int64_t>(1, s.swa_anneal_epochs));
  const double part = std::min(1.0, since / all);
  return s.swa_linear ? before + (s.swa_learning_rate - before) * part : half_cosine(before, s.swa_learning_rate, part);
}

double learning_rate_at(const TrainSettings& s, std::int64_t step, std::int64_t steps_per_epoch) {
  const std::int64_t per_epoch = std::max<std::int64_t>(1, steps_per_epoch), epoch = step / per_epoch;
  if (has_swa_rate(s, epoch)) return swa_rate(s, shaped_rate(s, s.swa_start * per_epoch - 1, per_epoch), epoch);
  return shaped_rate(s, step, per_epoch);
}

}  // namespace nw
