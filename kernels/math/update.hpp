// SPDX-License-Identifier: Apache-2.0
// The operations of optimizers' element functions, which are templates over a class M of operations on M::Number: a
// float here, a vector in kernels/cpu/vector.
#pragma once
#include <math.h>

#include "kernels/math/philox.hpp"

// Always inlined, without a symbol, so that vector code for one processor is never linked into that for another.
#if defined(__CUDACC__)
#define NW_ELEMENT __host__ __device__ __forceinline__
#else
#define NW_ELEMENT inline __attribute__((always_inline))
#endif

namespace nw {

/// The arguments of Optimizer::scalars for one weight in one step.
struct UpdatePoint {
  std::int64_t step = 0;                      // 0-based
  double rate = 0;                            // scheduled learning rate times Value::lr_scale
  bool decay = true;                          // Value::decay
  double weight_norm = 0, gradient_norm = 0;  // L2 of the whole tensor, if the optimizer uses norms
};

/// Whether an update may leave the range of f32: the norm of all gradients is not finite, or the rate times it, or
/// times the 1 to which many optimizers scale gradients, is near the largest float. Such a step counts as not finite,
/// so no weight is written.
NW_HOST_DEVICE inline bool update_overflows(double rate, double norm) {
  constexpr double most = 1e37;
  return !(rate * norm < most) || !(rate < most);
}

/// A correction that divides a root: sqrt(v) / root. Stored in both forms, since backends divide or multiply.
struct RootScale {
  float root = 1, inverse = 1;
};
NW_HOST_DEVICE inline RootScale root_scale(double squared) {
  return {static_cast<float>(sqrt(squared)), static_cast<float>(1 / sqrt(squared))};
}

/// A moving average after the weight w: a whole step (by = 1) gives exactly w.
NW_HOST_DEVICE inline float averaged(float average, float w, float by) {
  return by == 1 ? w : average + by * (w - average);
}

/// L1 and L2 terms, which are added to the gradient of a weight that decays.
struct Penalty {
  float l1, l2;
  NW_HOST_DEVICE double value(float w) const {
    return static_cast<double>(l1) * fabsf(w) + 0.5 * l2 * static_cast<double>(w) * w;
  }
  NW_HOST_DEVICE float gradient(float w) const { return l2 * w + l1 * static_cast<float>((w > 0) - (w < 0)); }
};

/// The operations on single numbers: for the reference and CUDA.
struct ScalarMath {
  using Number = float;
  NW_HOST_DEVICE static float shrink(float w, float factor) { return factor == 1 ? w : w * factor; }
  NW_HOST_DEVICE static float weighted_square(float weight, float g) { return weight * g * g; }
  /// rate * number / (sqrt(v) / scale + eps), for v >= 0
  NW_HOST_DEVICE static float over_root(float rate, float number, float v, RootScale scale, float eps) {
    return rate * (number / (sqrtf(v) / scale.root + eps));
  }
  /// a * x, rounded: in a sum of two products only the other one may be fused with the addition. Without this the
  /// compiler chooses, and not always the same one for whole and for partial vectors.
  NW_HOST_DEVICE static float product(float a, float x) { return a * x; }
  NW_HOST_DEVICE static float positive_part(float v) { return v < 0 ? 0.0f : v; }
  NW_HOST_DEVICE static float sign(float v) { return static_cast<float>((v > 0) - (v < 0)); }
};

}  // namespace nw
