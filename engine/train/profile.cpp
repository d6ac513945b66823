// SPDX-License-Identifier: Apache-2.0
#include "engine/train/profile.hpp"

#include <algorithm>

namespace nw {
namespace {

const char* direction_of(Phase phase) {
  switch (phase) {
    case Phase::forward:
      return "forward_s";
    case Phase::backward:
      return "backward_s";
    case Phase::reduce:
    case Phase::update:
      break;
  }
  return "update_s";
}

const char* direction_of(const Plan& plan, const std::string& layer, const std::string& kernel) {
  const auto step = std::find_if(plan.steps.begin(), plan.steps.end(),
                                 [&](const Step& s) { return s.label == layer && s.kernel == kernel; });
  return direction_of(step == plan.steps.end() ? Phase::forward : step->phase);
}

}  // namespace

void Profile::add(const std::vector<StepTime>& times) {
  if (times.empty() || ++steps_ == 0) return;
  for (const StepTime& t : times) {
    const auto [place, is_new] = seconds_.try_emplace({t.label, t.kernel}, 0);
    if (is_new) order_.push_back(place->first);
    place->second += t.seconds;
  }
}

Json Profile::json(const std::string& device) const {
  Json layers = Json::array();
  std::map<std::string, std::size_t> index;
  double all = 0;
  for (const auto& [layer, kernel] : order_) {
    const auto [at, is_new] = index.try_emplace(layer, layers.size());
    if (is_new)
      layers.push_back(
          {{"layer", layer}, {"forward_s", 0.0}, {"backward_s", 0.0}, {"update_s", 0.0}, {"kernels", Json::array()}});
    Json& l = layers[at->second];
    const double mean = seconds_.at({layer, kernel}) / static_cast<double>(std::max<std::int64_t>(1, steps_));
    const char* direction = direction_of(plan_, layer, kernel);
    l[direction] = l[direction].get<double>() + mean;
    l["kernels"].push_back({{"kernel", kernel}, {"seconds", mean}});
    all += mean;
  }
  return {{"schema", 1},
          {"device", device},
          {"steps", std::max<std::int64_t>(0, steps_)},
          {"seconds", all},
          {"layers", layers}};
}

Status save_profile(const fs::path& run, const Profile& profile, const std::string& device) {
  return save_file(run / "profile.json", canonical(profile.json(device)), 0600, Links::replace);
}

}  // namespace nw
