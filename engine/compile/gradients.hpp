// SPDX-License-Identifier: Apache-2.0
// The network in prediction mode, followed by the gradient with respect to the images: the basis of attribution.
#pragma once
#include "engine/compile/compile.hpp"

namespace nw {

/// A plan that predicts (running statistics, no dropout) and then propagates a gradient back, in f32 whatever the
/// document's precision. In addition to the values of compile() with every layer readable, it has "seed" (input, f32,
/// in the shape of the scores), which is propagated back instead of the gradient of a loss; "grad NAME", its gradient
/// at a layer's output; and "grad images", that at the images. Weights have no gradients. `training` of the target is
/// ignored.
Result<Compiled> compile_gradients(const GraphDoc&, Target);

}  // namespace nw
