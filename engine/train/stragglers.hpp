// SPDX-License-Identifier: Apache-2.0
// Names a device that the others wait for again and again.
#pragma once
#include <optional>

#include "engine/runs/rank_times.hpp"

namespace nw {

class Stragglers {
 public:
  static constexpr double margin = 0.2;    // its own work takes so much longer than the median of the others'
  static constexpr double patience_s = 5;  // of training, without a break
  /// Takes the record of an interval. A sentence when its slowest rank has been the slowest for `patience_s`; not again
  /// before another one, or none, was the slowest in an interval.
  std::optional<Text> judge(const RankTimes&);

 private:
  int rank_ = -1;
  double seconds_ = 0, excess_s_ = 0;  // of its records in a row: time, and time by how much it was slower
  bool named_ = false;
};

}  // namespace nw
