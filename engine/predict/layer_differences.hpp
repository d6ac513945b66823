// SPDX-License-Identifier: Apache-2.0
// What each layer puts out on two devices. Private to engine/predict.
#pragma once
#include "engine/predict/device_comparison.hpp"
#include "engine/predict/forward.hpp"

namespace nw::predicting {

/// Both made by with_every_layer; `count` images, normalised, border layout. Layers that only one of them has are left
/// out.
Result<std::vector<LayerDifference>> layer_differences(Forward& a, Forward& b, std::span<const float> images,
                                                       std::int64_t count);

}  // namespace nw::predicting
