// SPDX-License-Identifier: Apache-2.0
// Units behind a ReLU that are zero for every measured image: no gradient reaches their weights.
#include <algorithm>

#include "engine/doctor/curves.hpp"
#include "engine/doctor/diagnosis.hpp"

namespace nw {
namespace doctor {
namespace {

constexpr double dead_share = 0.75;  // of a layer's units
// On few images units look dead that answer to rare ones: one image in twenty is missed by 26 every fourth time.
constexpr double dead_share_of_few = 0.95;
constexpr std::int64_t few_images = 64;
constexpr std::int64_t fewest_units = 4;

double share_dead(const LayerState& l) {
  return l.units < fewest_units ? 0 : static_cast<double>(l.dead) / static_cast<double>(l.units);
}

double least_share(const LayerStatistics& s) { return s.images < few_images ? dead_share_of_few : dead_share; }

std::optional<Finding> judge_dead_units(const Record& r) {
  if (r.statistics.empty()) return {};
  const auto& layers = r.statistics.back().layers;
  const auto worst = std::max_element(layers.begin(), layers.end(), [](const LayerState& a, const LayerState& b) {
    return share_dead(a) < share_dead(b);
  });
  if (worst == layers.end() || share_dead(*worst) < least_share(r.statistics.back())) return {};
  Finding f;
  f.sentence = text(NW_TR("{0} of the {1} units of {2} are zero for all {3} measured images: they no longer learn."),
                    worst->dead, worst->units, worst->layer, r.statistics.back().images);
  f.evidence = {of_layer(r, worst->layer, "share of dead units in " + worst->layer, share_dead)};
  f.recommendation = {text(NW_TR("Lower the learning rate, use LeakyReLU in place of ReLU, or normalize before it.")),
                      "learning_rate", short_number(r.settings.learning_rate / 3)};
  f.layer = worst->layer;
  return f;
}

constexpr std::string_view explains_dead_units[] = {"rate_too_high"};

}  // namespace
}  // namespace doctor

extern const doctor::Diagnosis dead_units_diagnosis{.id = "dead_units",
                                                    .title = text(NW_TR("Dead units")),
                                                    .judge = doctor::judge_dead_units,
                                                    .explained_by = doctor::explains_dead_units};

}  // namespace nw
