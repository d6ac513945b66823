// SPDX-License-Identifier: Apache-2.0
// A plan's convolutions as graphs for cuDNN. Operands come first in Graph::tensors, in the order that each function
// names, then what is virtual, then the results.
#pragma once
#include "kernels/cuda/cudnn_graph.hpp"
#include "kernels/cuda/elements/conv2d.hpp"
#include "kernels/executor.hpp"

namespace nw::cuda {

/// The convolution of a step: conv2d, conv2d_relu, or a gradient. A transposed convolution is the one whose gradients
/// it computes: its y is that one's dx, and its dx that one's y.
ConvShape conv_shape(const Plan&, const Step&);

struct ConvGraphs {
  ConvShape shape;
  DType type = DType::f32;  // images and filters are stored in
  bool tf32 = false;

  /// The same with zeros behind the channels of image and filter up to a multiple of eight, as tensor cores take
  /// halves; itself where there is nothing to add.
  ConvGraphs padded() const;
  /// x, filter > y
  Graph forward() const;
  /// x, filter, bias (stored as x is), ~, y; with relu: x, filter, bias, ~, ~, y
  Graph forward_bias(bool relu) const;
  /// x, filter > y, sums (f32), sums of squares (f32) of y's channels
  Graph forward_statistics() const;
  /// dy, filter > dx
  Graph input_gradient() const;
  /// dy, x > dfilter
  Graph filter_gradient() const;
};
ConvGraphs conv_graphs(const Plan&, const Step&);

/// True: the batch norm behind this convolution wants sums of its channels, and cuDNN has both in one piece: in fp16
/// alone, for whole groups of eight channels (see padded).
bool wants_statistics(const Plan&, const Step&);

}  // namespace nw::cuda
