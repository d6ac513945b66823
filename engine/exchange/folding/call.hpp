// SPDX-License-Identifier: Apache-2.0
// What the functions that fold operators share. Private to engine/exchange/folding.
#pragma once
#include "engine/exchange/folding/fold.hpp"

namespace nw::exchange::folding {

using onnx::Dims;
using onnx::Node;
using onnx::Tensor;
using onnx::Type;

inline Error not_folded(const char* why) { return fail(Errc::bad_input, why); }

struct Call {
  const Node& node;
  const std::vector<const Tensor*>& in;
  std::int64_t opset, batch, most;

  const Tensor* input(std::size_t i) const { return i < in.size() ? in[i] : nullptr; }
  std::optional<std::vector<std::int64_t>> integers(std::size_t i) const {
    return input(i) ? onnx::integers_of(*input(i)) : std::nullopt;
  }
  /// A list that became an input in version `since`, and was an attribute before.
  std::optional<std::vector<std::int64_t>> list(std::size_t i, const char* attribute) const {
    return input(i) ? integers(i) : node.has(attribute) ? std::optional(node.integers(attribute)) : std::nullopt;
  }
};
using Folded = Result<Tensor>;

/// Numpy's broadcasting of two shapes; nothing: they do not fit.
std::optional<Dims> broadcast(const Dims&, const Dims&);
/// The elements of `x` repeated to the sizes `to`.
Folded expanded(const Call&, const Tensor& x, const Dims& to);

// The operators that move elements.
Folded shape(const Call&);
Folded reshape(const Call&);
Folded unsqueeze(const Call&);
Folded squeeze(const Call&);
Folded transpose(const Call&);
Folded expand(const Call&);
Folded concat(const Call&);
Folded gather(const Call&);
Folded slice(const Call&);

}  // namespace nw::exchange::folding
