// SPDX-License-Identifier: Apache-2.0
#include "engine/search/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace nw::search {

void Timeline::advance(double clock, bool process_begins) {
  if (!std::isfinite(clock)) return;
  if (!process_begins && clock > clock_ && clock_ > 0) now_s_ = std::min(longest_s, now_s_ + (clock - clock_));
  if (process_begins || clock > clock_) clock_ = clock;
}

void Timeline::open(std::int64_t trial, std::int64_t to_epoch) {
  const auto at = static_cast<std::size_t>(trial);
  if (at >= of_trial_.size()) of_trial_.resize(at + 1);
  auto lane = std::find(lanes_.begin(), lanes_.end(), -1);
  if (lane == lanes_.end()) lane = lanes_.insert(lane, -1);
  *lane = trial;
  of_trial_[at].push_back(stretches_.size());
  stretches_.push_back({.trial = trial,
                        .to_epoch = to_epoch,
                        .from_s = now_s_,
                        .to_s = now_s_,
                        .lane = static_cast<std::size_t>(lane - lanes_.begin())});
}

void Timeline::close(std::int64_t trial) {
  const auto at = static_cast<std::size_t>(trial);
  if (at >= of_trial_.size() || of_trial_[at].empty()) return;
  Stretch& last = stretches_[of_trial_[at].back()];
  last.to_s = now_s_;
  last.open = false;
  if (lanes_[last.lane] == trial) lanes_[last.lane] = -1;
}

void Timeline::take(const Record& record) {
  std::visit(
      [this](const auto& r) {
        using R = std::decay_t<decltype(r)>;
        if constexpr (requires { r.time; }) advance(r.time, std::is_same_v<R, WentOn>);
        if constexpr (std::is_same_v<R, Proposed> || std::is_same_v<R, Promoted>) open(r.trial, r.to_epoch);
        if constexpr (std::is_same_v<R, Paused> || std::is_same_v<R, Closed>) close(r.trial);
      },
      record);
}

double Timeline::seconds_of(std::int64_t trial, double now_s) const {
  const auto at = static_cast<std::size_t>(trial);
  double sum = 0;
  if (at < of_trial_.size())
    for (const std::size_t i : of_trial_[at])
      sum += std::max(0.0, (stretches_[i].open ? now_s : stretches_[i].to_s) - stretches_[i].from_s);
  return sum;
}

}  // namespace nw::search
