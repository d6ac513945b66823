// SPDX-License-Identifier: Apache-2.0
// Random cases of every kernel: shapes, attributes and numbers. One generator per kernel name.
#pragma once
#include <functional>
#include <map>
#include <random>

#include "tests/support/tiny_plan.hpp"

namespace nw::test {

using Rng = std::mt19937;
inline std::int64_t pick(Rng& r, std::int64_t low, std::int64_t high) {
  return low + static_cast<std::int64_t>(r() % static_cast<unsigned>(high - low + 1));
}

/// How an input is filled.
enum class Fill {
  noise,
  wide /* noise that reaches -8 … 8, beyond the kinks of every activation */,
  positive,
  probabilities,
  shares /* of classes: each row adds up to one */,
  gradient /* zero in padding samples */,
  argmax,
  labels,
  binary,
  sums,
  statistics,
  sample_statistics,
  rectified /* about half zero */
};

struct TensorCase {
  std::string name;
  Shape shape;
  Fill fill = Fill::noise;
  bool batched = true;
  DType dtype = DType::f32;
  std::function<double(double)> through = {};  // applied to each number
};

/// One call of a kernel. An output named "dx" of a loss or of batch norm must be zero in padding samples.
struct KernelCase {
  std::string kernel;
  std::int64_t batch = 1, valid = 1;
  std::vector<TensorCase> inputs, outputs;
  StepAttrs attrs;
  bool training = true;
  bool zero_padding = false;
  // a product of a bf16 plan that rounds its operands; the reference implementation rounds them in steps before it
  bool rounds = false;
  double tolerance = 3e-6;  // relative distance
  // how a device stores activations, their gradients and the weights of products; tf32: it may round the operands
  DType precision = DType::f32;
};
/// Whether a plan of 16 bits stores this tensor so: batched activations and gradients, not statistics, targets or the
/// weights of attention.
inline bool follows_precision(const TensorCase& t) {
  return t.batched && t.dtype == DType::f32 && t.fill != Fill::sample_statistics && t.name != "targets" &&
         t.name != "mean_invstd" && t.name != "p";
}

using Generator = KernelCase (*)(Rng&);
const std::map<std::string, Generator>& generators();
/// The random cases that a kernel is compared in; more for those that have many forms.
inline int cases_of(const std::string& kernel) {
  return kernel.starts_with("conv2d") || kernel == "cross_entropy" ? 40 : 10;
}
/// Throws if this kernel has no generator; the message names the file to add it to.
Generator generator_of(const std::string& kernel);

// Shared functions of the generators.
KernelCase sized(Rng&);  // a batch, often a short one
Shape image(Rng&, const KernelCase&);
Shape any_shape(Rng&, const KernelCase&);  // a vector or an image
KernelCase activation(Rng&);
KernelCase grad_of_x(Rng&);
// poolings
std::map<std::string, Generator> pool_cases();
// norms within a sample, PReLU, products, resampling, transposed convolution
std::map<std::string, Generator> layer_cases();
// channels, orders of elements, attention
std::map<std::string, Generator> channel_cases();
// programs of element-wise expressions
std::map<std::string, Generator> formula_cases();
// the rows of kernels/math/activation.hpp
std::map<std::string, Generator> element_cases();

}  // namespace nw::test
