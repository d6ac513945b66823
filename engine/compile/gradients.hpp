// SPDX-License-Identifier: Apache-2.0
// The network in prediction mode, followed by the gradient with respect to the images: the basis of explanations.
#pragma once
#include "engine/compile/compile.hpp"

namespace nw {

/// A plan that predicts (running statistics, no dropout) and then follows a gradient back, in f32 whatever the document
/// computes in. Beside what compile() promises, with every layer readable: "seed" (input, f32, shaped like the scores)
/// is propagated back, in place of a loss; "grad NAME" is its gradient at a layer's output, and "grad images" that at
/// the images. Weights have no gradients. `training` of the target is ignored.
Result<Compiled> compile_gradients(const GraphDoc&, Target);

}  // namespace nw
