// SPDX-License-Identifier: Apache-2.0
#include "engine/doctor/curves.hpp"

#include <algorithm>
#include <cmath>

namespace nw::doctor {
namespace {

void add(Series& s, double x, double y) {
  if (!std::isfinite(y)) return;
  s.x.push_back(x);
  s.y.push_back(y);
}

}  // namespace

Series of_epochs(const Record& r, std::string name, const std::function<double(const EpochEnd&)>& value) {
  Series s{.name = std::move(name), .x_unit = "epoch", .x = {}, .y = {}};
  for (const EpochEnd& e : r.epochs) add(s, static_cast<double>(e.epoch), value(e));
  return s;
}

Series of_steps(const Record& r, std::string name, const std::function<double(const Steps&)>& value) {
  Series s{.name = std::move(name), .x_unit = "step", .x = {}, .y = {}};
  for (const Steps& e : r.steps) add(s, static_cast<double>(e.last), value(e));
  return s;
}

Series of_layer(const Record& r, const std::string& layer, std::string name,
                const std::function<double(const LayerState&)>& value) {
  Series s{.name = std::move(name), .x_unit = "step", .x = {}, .y = {}};
  for (const LayerStatistics& one : r.statistics)
    for (const LayerState& l : one.layers)
      if (l.layer == layer) add(s, static_cast<double>(one.step), value(l));
  return s;
}

LayerGradients gradients_of(const LayerStatistics& s) {
  LayerGradients g;
  for (const LayerState& l : s.layers) {
    if (l.gradients.count == 0 || l.weights.count == 0) continue;
    g.layers.push_back(l.layer);
    g.rms.push_back(l.gradients.norm / std::sqrt(static_cast<double>(l.gradients.count)));
  }
  return g;
}

Series over_layers(const LayerGradients& g) {
  Series s{.name = "root mean square of the gradient", .x_unit = "layer", .x = {}, .y = {}};
  for (std::size_t i = 0; i < g.rms.size(); ++i) add(s, static_cast<double>(i + 1), g.rms[i]);
  return s;
}

double median_of(std::vector<double> v) {
  if (v.empty()) return 0;
  const auto middle = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2);
  std::nth_element(v.begin(), middle, v.end());
  return *middle;
}

double update_ratio_of(const LayerStatistics& s) {
  std::vector<double> ratios;
  for (const LayerState& l : s.layers)
    if (l.update_ratio >= 0) ratios.push_back(l.update_ratio);
  return ratios.empty() ? -1 : median_of(ratios);
}

std::string short_number(double v) { return fmt::format("{:.3g}", v); }
std::string percent_of(double share) { return fmt::format("{:.1f}", 100 * share); }

}  // namespace nw::doctor
