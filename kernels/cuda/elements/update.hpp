// SPDX-License-Identifier: Apache-2.0
// What happens to the flat regions of weights, gradients and optimizer state: norms, clipping, and the optimizers of
// kernels/optimizers.
#pragma once
#include <math.h>

#include "kernels/cuda/elements/common.hpp"
#include "kernels/optimizer_list.hpp"  // made by CMake from the files in kernels/optimizers

namespace nw::cuda {

/// The rules of a weight. Weights begin at multiples of `group` elements, so a table by group tells which one an
/// element is of.
struct WeightRule {
  double lr_scale;  // 0: frozen, or padding
  i64 decay;
  i64 first, count;  // elements of the flat region; padding has none
};
struct FlatRegion {
  static constexpr i64 group = 16;
  float *weights, *grads;
  i64 elements;
  const std::int32_t* rule_of;  // by group
  const WeightRule* rules;      // 0 is padding's, then one for each weight in the order of the region
  i64 rule_count;
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

/// Index: stripe by stripe, for each weight the sum of the squares of every stripes-th element, then the same of its
/// gradient. So parts[stripe] holds what weight_norms puts out, squared.
struct WeightSquares {
  FlatRegion r;
  double* parts;
  i64 stripes;
  NW_HOST_DEVICE void operator()(i64 index) const {
    const i64 weights = r.rule_count - 1, of = index % (2 * weights);
    const WeightRule& rule = r.rules[1 + of % weights];
    const float* const from = (of < weights ? r.weights : r.grads) + rule.first;
    double sum = 0;
    for (i64 e = index / (2 * weights); rule.lr_scale != 0 && e < rule.count; e += stripes)
      sum += static_cast<double>(from[e]) * from[e];
    parts[index] = sum;
  }
};
/// Index: a number, whose root takes its place.
struct Root {
  double* x;
  NW_HOST_DEVICE void operator()(i64 i) const { x[i] = sqrt(x[i]); }
};

struct UpdateValues {
  double at[Optimizer::most_fields];
};
/// Index: a rule. The scalars that optimizer O computes once for each weight in one step.
template <class O>
struct PrepareUpdate {
  FlatRegion r;
  UpdateValues values;
  const double* norms;  // of weight_norms; null where O needs none
  typename O::Scalars* scalars;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 i) const {
    const WeightRule& rule = r.rules[i];
    UpdatePoint at{block->step, block->learning_rate * rule.lr_scale, rule.decay != 0};
    if (norms && i > 0) {
      at.weight_norm = norms[i - 1];
      at.gradient_norm = norms[r.rule_count - 1 + i - 1];
    }
    scalars[i] = O::scalars(values.at, at);
  }
};
/// Index: an element of the flat region. A state that is null is not kept, and 0 in every step.
template <class O>
struct Update {
  static constexpr int states = static_cast<int>(sizeof(O::state) / sizeof(OptimizerState));
  FlatRegion r;
  float* state[states];
  Penalty penalty;
  const typename O::Scalars* scalars;
  const StepBlock* block;
  NW_HOST_DEVICE void operator()(i64 e) const {
    const i64 of = r.rule_of[e / FlatRegion::group];
    const WeightRule& rule = r.rules[of];
    if (!block->finite || rule.lr_scale == 0) return;
    float w = r.weights[e], g = r.grads[e], s[states];
    if (rule.decay) g += penalty.gradient(w);
    for (int i = 0; i < states; ++i) s[i] = state[i] ? state[i][e] : 0.0f;
    O::template update<ScalarMath>(scalars[of], w, g, s);
    for (int i = 0; i < states; ++i)
      if (state[i]) state[i][e] = s[i];
    r.weights[e] = w;
  }
};

}  // namespace nw::cuda
