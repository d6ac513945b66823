// SPDX-License-Identifier: Apache-2.0
#include "engine/scaling/prediction.hpp"

#include <algorithm>
#include <array>

#include "engine/design/precision.hpp"
#include "engine/scaling/predict.hpp"

namespace nw::scaling {

std::string_view name_of(Split split) {
  switch (split) {
    case Split::data:
      return "data";
    case Split::model:
      return "model";
    case Split::sharded:
      return "sharded";
  }
  return "";
}

std::string_view name_of(Bound bound) {
  switch (bound) {
    case Bound::products:
      return "products";
    case Bound::memory:
      return "memory";
    case Bound::starts:
      return "starts";
    case Bound::link:
      return "link";
    case Bound::waiting:
      return "waiting";
  }
  return "";
}

Bound Prediction::bound() const {
  const std::array<double, 5> parts{work.products_s, work.memory_s, work.starts_s, link_s, waiting_s};
  return static_cast<Bound>(std::max_element(parts.begin(), parts.end()) - parts.begin());
}

WorkTime time_of(const Plan& plan, Phase phase, const Setup& setup) {
  WorkTime all;
  for (const Step& s : plan.steps)
    if (s.phase == phase && !setup.compiled_for->is_view(plan, s)) all += time_of(plan, s, setup.device);
  return all;
}

void finish(Prediction& p, const Setup& setup) {
  p.step_s = p.work.total_s() + p.link_s + p.waiting_s;
  const std::int64_t there = setup.device.memory_bytes / (setup.device.shares_memory ? p.devices : 1);
  p.fits = p.memory_bytes <= there;
  p.energy_j = setup.device.power_w * p.step_s * static_cast<double>(p.devices);
}

Result<Prediction> predict(const GraphDoc& doc, const DataFacts& facts, const Setup& setup, std::int64_t devices) {
  if (setup.device.peak(doc.settings().precision) <= 0)
    return fail(Errc::usage, NW_TR("{0} does not compute in {1}"), setup.device.name,
                precision_name(doc.settings().precision));
  return setup.split == Split::model && devices > 1 ? predict_stages(doc, facts, setup, devices)
                                                    : predict_replicas(doc, facts, setup, devices);
}

}  // namespace nw::scaling
