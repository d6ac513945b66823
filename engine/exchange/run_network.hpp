// SPDX-License-Identifier: Apache-2.0
// The outputs of a network with given weights, forward only, in fp32 on the processor.
#pragma once
#include <span>

#include "engine/exchange/weights.hpp"
#include "kernels/api.hpp"

namespace nw::exchange {

/// Images as normalized numbers (N,C,H,W). Returns the values that the loss reads, (N, outputs): what an exported file
/// computes.
Result<std::vector<float>> run_network(const GraphDoc&, const Weights&, std::span<const float> nchw,
                                       std::int64_t count);

/// Writes the weights of the plan, and zeros for labels. Errc::bad_input: some are missing, or of another size.
Status write_weights(const Plan&, const Weights&, Executable&);

/// Runs the plan on `count` images (H,W,C), at least one and at most the plan's batch, and reads its value `output` for
/// the whole batch.
Status run_batch(const Plan&, Executable&, std::span<const float> nhwc, std::int64_t count, int output,
                 std::vector<float>& numbers);

}  // namespace nw::exchange
