// SPDX-License-Identifier: Apache-2.0
// Differences of each layer's output between two devices. Private to engine/predict.
#pragma once
#include "engine/predict/device_comparison.hpp"
#include "engine/predict/forward.hpp"

namespace nw::predicting {

/// Compares the outputs of all layers. `a`, `b`: made by with_every_layer; `images`: `count` normalized images in host
/// layout. Layers that only one network has are ignored.
Result<std::vector<LayerDifference>> layer_differences(Forward& a, Forward& b, std::span<const float> images,
                                                       std::int64_t count);

}  // namespace nw::predicting
