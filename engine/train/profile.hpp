// SPDX-License-Identifier: Apache-2.0
// The time of a run's steps by layer and kernel: profile.json of the run folder, for charts and the canvas.
#pragma once
#include <map>
#include <string>
#include <utility>

#include "engine/core/files.hpp"
#include "engine/core/json.hpp"
#include "kernels/api.hpp"

namespace nw {

class Profile {
 public:
  /// `plan` determines the direction (forward, backward, update) of a kernel; it must outlive the profile.
  explicit Profile(const Plan& plan) : plan_(plan) {}
  /// Adds the times of one step; the first step is ignored, because it accesses all memory for the first time.
  void add(const std::vector<StepTime>& times);
  /// {"schema":1, "device", "steps", "seconds", "layers": [{"layer", "forward_s", "backward_s", "update_s", "kernels":
  /// [{"kernel", "seconds"}]}]}, layers in the order of computation. Seconds are means of a step; on processors they
  /// are summed over its threads.
  Json json(const std::string& device) const;
  bool empty() const { return steps_ <= 0; }

 private:
  const Plan& plan_;
  std::vector<std::pair<std::string, std::string>> order_;  // layer, kernel
  std::map<std::pair<std::string, std::string>, double> seconds_;
  std::int64_t steps_ = -1;
};

/// Writes profile.json into the run's folder, atomically.
Status save_profile(const fs::path& run, const Profile&, const std::string& device);

}  // namespace nw
