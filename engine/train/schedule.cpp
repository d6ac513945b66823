// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/design/settings.hpp"

namespace nw {

double learning_rate_at(const TrainSettings& s, std::int64_t step, std::int64_t steps_per_epoch) {
  const std::int64_t per_epoch = std::max<std::int64_t>(1, steps_per_epoch);
  const std::int64_t warmup = std::llround(s.warmup_epochs * static_cast<double>(per_epoch));
  if (step < warmup) return s.learning_rate * static_cast<double>(step + 1) / static_cast<double>(warmup);
  switch (s.schedule) {
    case ScheduleKind::constant:
      break;
    case ScheduleKind::step:
      return s.learning_rate *
             std::pow(s.step_gamma, static_cast<double>(step / per_epoch / std::max<std::int64_t>(1, s.step_epochs)));
    case ScheduleKind::cosine: {
      const std::int64_t left = std::max<std::int64_t>(1, s.epochs * per_epoch - warmup);
      const double done = std::min(1.0, static_cast<double>(step - warmup) / static_cast<double>(left));
      return s.min_learning_rate +
             (s.learning_rate - s.min_learning_rate) * (1 + std::cos(std::numbers::pi * done)) / 2;
    }
  }
  return s.learning_rate;
}

}  // namespace nw
