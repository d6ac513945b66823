// SPDX-License-Identifier: Apache-2.0
// Evaluates operators whose inputs are all constants: the plumbing of shapes and weights that exporters leave behind.
#pragma once
#include "engine/exchange/onnx/model.hpp"

namespace nw::exchange {

/// Whether fold() evaluates the operator at all.
bool is_foldable(const onnx::Node&);
/// The operator's outputs. `inputs`: nullptr where absent. Fails with the reason: an operator or sizes that it does not
/// evaluate, or a result of more than `most_elements`. `batch`: a number in lists of sizes that stands for the number
/// of images; nothing is computed with it.
Result<std::vector<onnx::Tensor>> fold(const onnx::Node&, const std::vector<const onnx::Tensor*>& inputs,
                                       std::int64_t opset, std::int64_t batch,
                                       std::int64_t most_elements = std::int64_t{1} << 27);

}  // namespace nw::exchange
