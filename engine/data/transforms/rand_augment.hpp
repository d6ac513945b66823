// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/design/transform.hpp"

namespace nw {

/// Cubuk et al., "RandAugment: practical automated data augmentation with a reduced search space", 2020, with the
/// fourteen operations and the strengths of torchvision.transforms.v2.RandAugment (31 magnitudes); shears are about the
/// centre.
void rand_augment(TransformImage&, int operations, int magnitude, RandomStream&);

}  // namespace nw
