// SPDX-License-Identifier: Apache-2.0
// Where a run's steps spend their time, layer by layer: profile.json of the run folder, for charts and the canvas.
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
  /// `plan` tells which direction a kernel belongs to; it outlives the profile.
  explicit Profile(const Plan& plan) : plan_(plan) {}
  /// One step's times; the first step, which touches all memory for the first time, is left out.
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

/// Writes it into the run's folder, whole or not at all.
Status save_profile(const fs::path& run, const Profile&, const std::string& device);

}  // namespace nw
