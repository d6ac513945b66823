// SPDX-License-Identifier: Apache-2.0
#include "engine/search/metrics.hpp"

namespace nw::search {

std::span<const MetricRow> all_metrics() {
  static const MetricRow rows[] = {
      {"accuracy", text(NW_TR("fraction of correct validation samples, or R² of numeric targets: the best epoch's")),
       true, &Figures::accuracy, true},
      {"loss", text(NW_TR("validation loss: the best epoch's")), false, &Figures::loss, true},
      {"parameters", text(NW_TR("number of weights that are learned")), false, &Figures::parameters},
      {"multiply_adds", text(NW_TR("multiply-adds of one sample's prediction")), false, &Figures::multiply_adds},
      {"seconds", text(NW_TR("time of the training")), false, &Figures::seconds},
      {"energy", text(NW_TR("energy of the training in joules, where it can be measured")), false, &Figures::energy_j}};
  return rows;
}

const MetricRow* find_metric(std::string_view name) {
  for (const MetricRow& row : all_metrics())
    if (row.name == name) return &row;
  return nullptr;
}

}  // namespace nw::search
