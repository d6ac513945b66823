// SPDX-License-Identifier: Apache-2.0
// What happens to the flat regions of weights, gradients and optimizer state: norm, clipping, SGD (Sutskever et al.,
// 2013), Adam and AdamW (Kingma and Ba, 2015; Loshchilov and Hutter, 2019), in the order of PyTorch's operations.
#pragma once
#include <math.h>

#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

/// What a weight may do. Weights begin at multiples of `group` elements, so a table by group tells which one an element
/// is of.
struct WeightRule {
  double lr_scale;  // 0: frozen, or padding
  i64 decay;
};
struct FlatRegion {
  static constexpr i64 group = 16;
  float *weights, *grads;
  i64 elements;
  const std::int32_t* rule_of;  // by group
  const WeightRule* rules;
  NW_HOST_DEVICE const WeightRule& rule(i64 e) const { return rules[rule_of[e / group]]; }
};

/// Index: an element of the flat region: gradients of a scaled loss become those of the loss.
struct UnscaleGrads {
  FlatRegion r;
  const LossScaler* scaler;
  NW_HOST_DEVICE void operator()(i64 e) const { r.grads[e] *= static_cast<float>(1 / scaler->scale); }
};
/// Index 0, behind the update. An overflow of what was scaled up is the scale's fault: it is halved, and only this
/// update was skipped. After 2000 good steps it is doubled. As torch.amp.GradScaler, which however goes on below 1.
struct AdvanceLossScale {
  static constexpr double first = 65536, growth = 2, backoff = 0.5;
  static constexpr i64 interval = 2000;
  LossScaler* scaler;
  StepBlock* block;
  NW_HOST_DEVICE void operator()(i64) const {
    if (block->finite)
      grow();
    else if (isfinite(block->loss_sum) && scaler->scale > 1)
      shrink();
    block->loss_scale = scaler->scale;
    block->good_steps = scaler->good_steps;
  }

 private:
  NW_HOST_DEVICE void grow() const {
    if (++scaler->good_steps < interval) return;
    scaler->good_steps = 0;
    if (isfinite(static_cast<float>(scaler->scale * growth))) scaler->scale *= growth;
  }
  NW_HOST_DEVICE void shrink() const {
    scaler->scale *= backoff;
    scaler->good_steps = 0;
    block->finite = block->skipped = 1;
    block->grad_norm = 0;
  }
};

/// Index: one of `stripes` sums over every stripes-th element, so that neighbours read neighbouring memory.
struct SquaredNorm {
  FlatRegion r;
  double* parts;
  i64 stripes;
  NW_HOST_DEVICE void operator()(i64 index) const {
    double sum = 0;
    for (i64 e = index; e < r.elements; e += stripes)
      if (r.rule(e).lr_scale != 0) sum += static_cast<double>(r.grads[e]) * r.grads[e];
    parts[index] = sum;
  }
};

/// L1 and L2 terms of one step.
struct Penalty {
  float l1, l2;
  NW_HOST_DEVICE double value(float w) const {
    return static_cast<double>(l1) * fabsf(w) + 0.5 * l2 * static_cast<double>(w) * w;
  }
  NW_HOST_DEVICE float gradient(float w) const { return l2 * w + l1 * static_cast<float>((w > 0) - (w < 0)); }
};
/// Index: as SquaredNorm.
struct PenaltySum {
  FlatRegion r;
  Penalty penalty;
  double* parts;
  i64 stripes;
  NW_HOST_DEVICE void operator()(i64 index) const {
    double sum = 0;
    for (i64 e = index; e < r.elements; e += stripes)
      if (r.rule(e).lr_scale != 0 && r.rule(e).decay) sum += penalty.value(r.weights[e]);
    parts[index] = sum;
  }
};

/// Index 0: the norm of all gradients.
struct FinishNorm {
  const double* sum;
  StepBlock* block;
  NW_HOST_DEVICE void operator()(i64) const {
    block->grad_norm = sqrt(*sum);
    if (!isfinite(*sum)) block->finite = 0;
  }
};
/// Index 0: the penalty of a step that is taken.
struct FinishPenalty {
  const double* sum;
  StepBlock* block;
  NW_HOST_DEVICE void operator()(i64) const {
    if (block->finite) block->penalty += *sum;
  }
};

/// Index: an element of the flat region.
struct ClipNorm {
  FlatRegion r;
  float max_norm;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 e) const {
    const float ratio = max_norm / (static_cast<float>(block->grad_norm) + 1e-6f);
    if (block->finite && ratio < 1 && r.rule(e).lr_scale != 0) r.grads[e] *= ratio;
  }
};
struct ClipValue {
  FlatRegion r;
  float limit;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 e) const {
    if (!block->finite || r.rule(e).lr_scale == 0) return;
    const float g = r.grads[e];
    r.grads[e] = g < -limit ? -limit : g > limit ? limit : g;
  }
};

struct Sgd {
  FlatRegion r;
  float* velocity;
  Penalty penalty;
  float momentum;
  bool nesterov;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 e) const {
    const WeightRule& rule = r.rule(e);
    if (!block->finite || rule.lr_scale == 0) return;
    float g = r.grads[e];
    if (rule.decay) g += penalty.gradient(r.weights[e]);
    const float v = momentum * velocity[e] + g;
    velocity[e] = v;
    if (nesterov)
      g += momentum * v;
    else if (momentum != 0)
      g = v;
    r.weights[e] -= static_cast<float>(block->learning_rate * rule.lr_scale) * g;
  }
};

/// Adam's corrections of this step: the same for all weights.
struct AdamScalars {
  double bias1;
  float root_bias2;
};
/// Index 0.
struct PrepareAdam {
  double beta1, beta2;
  AdamScalars* scalars;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64) const {
    const auto t = static_cast<double>(block->step + 1);
    scalars->bias1 = 1 - pow(beta1, t);
    scalars->root_bias2 = static_cast<float>(sqrt(1 - pow(beta2, t)));
  }
};
struct Adam {
  FlatRegion r;
  float *m, *v;
  Penalty penalty;
  double beta1, beta2, weight_decay;
  float eps;
  const AdamScalars* scalars;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 e) const {
    const WeightRule& rule = r.rule(e);
    if (!block->finite || rule.lr_scale == 0) return;
    const double rate = block->learning_rate * rule.lr_scale;
    float w = r.weights[e], g = r.grads[e];
    if (rule.decay) {
      g += penalty.gradient(w);
      w *= static_cast<float>(1 - rate * weight_decay);
    }
    m[e] += (g - m[e]) * static_cast<float>(1 - beta1);
    v[e] = v[e] * static_cast<float>(beta2) + static_cast<float>(1 - beta2) * g * g;
    r.weights[e] = w - static_cast<float>(rate / scalars->bias1) * (m[e] / (sqrtf(v[e]) / scalars->root_bias2 + eps));
  }
};

}  // namespace nw::cuda
