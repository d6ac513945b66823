// SPDX-License-Identifier: Apache-2.0
// A plan's convolutions as graphs for cuDNN. In Graph::tensors the operands come first, in the order that the comment
// of each function gives, then virtual tensors, then the results.
#pragma once
#include "kernels/cuda/cudnn_graph.hpp"
#include "kernels/cuda/elements/conv2d.hpp"
#include "kernels/executor.hpp"

namespace nw::cuda {

/// The convolution of a step: conv2d, conv2d_relu, or a gradient. A transposed convolution is described by the
/// convolution whose gradients it computes: its y is the dx of that convolution, and its dx is the y.
ConvShape conv_shape(const Plan&, const Step&);

struct ConvGraphs {
  ConvShape shape;
  DType type = DType::f32;  // in which images and filters are stored
  bool tf32 = false;

  /// The same with the channels of image and filter padded with zeros to a multiple of eight, the unit of tensor cores
  /// for 16-bit numbers; unchanged where they are a multiple.
  ConvGraphs padded() const;
  /// x, filter > y
  Graph forward() const;
  /// x, filter, bias (in the type of x), ~, y; with relu: x, filter, bias, ~, ~, y
  Graph forward_bias(bool relu) const;
  /// x, filter > y, sums (f32), sums of squares (f32) of y's channels
  Graph forward_statistics() const;
  /// dy, filter > dx
  Graph input_gradient() const;
  /// dy, x > dfilter
  Graph filter_gradient() const;
};
ConvGraphs conv_graphs(const Plan&, const Step&);

/// True: the batch norm after this convolution requires sums of its channels, and cuDNN fuses both, which it does only
/// in fp16 and for multiples of eight channels (see padded).
bool wants_statistics(const Plan&, const Step&);

}  // namespace nw::cuda
