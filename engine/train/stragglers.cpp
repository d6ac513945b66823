// SPDX-License-Identifier: Apache-2.0
#include "engine/train/stragglers.hpp"

#include <algorithm>
#include <cmath>

namespace nw {

std::optional<Text> Stragglers::judge(const RankTimes& t) {
  const auto slow = std::find_if(t.ranks.begin(), t.ranks.end(), [&](const RankUse& r) { return r.rank == t.slowest; });
  if (slow == t.ranks.end() || t.slowest != rank_) {
    rank_ = t.slowest;
    seconds_ = excess_s_ = 0;
    named_ = false;
  }
  if (slow == t.ranks.end() || named_) return std::nullopt;
  seconds_ += slow->seconds;
  excess_s_ += slow->seconds * t.slower_by;
  if (seconds_ < patience_s) return std::nullopt;
  named_ = true;
  return text(
      NW_TR("rank {0} ({1} on {2}) is slower than the others, which wait for it: for {3} s its own work took {4} % "
            "longer than theirs"),
      rank_, slow->device, slow->host, std::lround(seconds_), std::lround(100 * excess_s_ / seconds_));
}

}  // namespace nw
