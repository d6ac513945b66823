// SPDX-License-Identifier: Apache-2.0
// Curves of a record, as evidence and for judgements.
#pragma once
#include <functional>

#include "engine/doctor/finding.hpp"

namespace nw::doctor {

/// Of finished epochs; values that are not finite are left out.
Series of_epochs(const Record&, std::string name, const std::function<double(const EpochEnd&)>& value);
/// Of records of steps.
Series of_steps(const Record&, std::string name, const std::function<double(const Steps&)>& value);
/// Of one layer over the measured steps.
Series of_layer(const Record&, const std::string& layer, std::string name,
                const std::function<double(const LayerState&)>& value);

/// Root mean square of the gradient of each layer with trained weights, in the order of computation.
struct LayerGradients {
  std::vector<std::string> layers;
  std::vector<double> rms;
};
LayerGradients gradients_of(const LayerStatistics&);
/// The same as a curve over the layers' numbers, 1-based.
Series over_layers(const LayerGradients&);

/// 0 for no numbers.
double median_of(std::vector<double>);
/// The median over layers of the update's size relative to the weights'; -1: not measured.
double update_ratio_of(const LayerStatistics&);

std::string short_number(double);  // three digits
std::string percent_of(double share);

}  // namespace nw::doctor
