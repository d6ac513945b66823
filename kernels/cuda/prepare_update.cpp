// SPDX-License-Identifier: Apache-2.0
// What happens to the flat regions, each time only where the step is finite.
#include "kernels/cuda/launches.hpp"

namespace nw::cuda {
namespace {

constexpr i64 stripes = 4096;

Penalty penalty_of(const Step& s) {
  return {static_cast<float>(real_attr(s.attrs, "l1", 0)), static_cast<float>(real_attr(s.attrs, "l2", 0))};
}

void judge(Preparing& p) { p.each(1, JudgeLoss{p.block}); }

void norm(Preparing& p) {
  auto *parts = p.scratch<double>(stripes), *sum = p.scratch<double>(1);
  p.each(stripes, SquaredNorm{p.flat, parts, stripes});
  p.sum(parts, sum, 1, stripes);
  p.each(1, FinishNorm{sum, p.block});
  judge(p);
}
// The first step of every update.
void grad_norm(Preparing& p) {
  if (p.scaler) p.each(p.flat.elements, UnscaleGrads{p.flat, p.scaler});
  norm(p);
}
void clip_grad_norm(Preparing& p) {
  norm(p);
  p.each(p.flat.elements, ClipNorm{p.flat, static_cast<float>(real_attr(p.c.step.attrs, "max_norm")), p.block});
}
void clip_grad_value(Preparing& p) {
  judge(p);
  p.each(p.flat.elements, ClipValue{p.flat, static_cast<float>(real_attr(p.c.step.attrs, "limit")), p.block});
}

void add_penalty(Preparing& p, const Penalty& penalty) {
  judge(p);
  if (penalty.l1 == 0 && penalty.l2 == 0) return;
  auto *parts = p.scratch<double>(stripes), *sum = p.scratch<double>(1);
  p.each(stripes, PenaltySum{p.flat, penalty, parts, stripes});
  p.sum(parts, sum, 1, stripes);
  p.each(1, FinishPenalty{sum, p.block});
}
// The last thing of every update.
void advance(Preparing& p) {
  if (p.scaler) p.each(1, AdvanceLossScale{p.scaler, p.block});
}
void sgd(Preparing& p) {
  const StepAttrs& a = p.c.step.attrs;
  const Penalty penalty = penalty_of(p.c.step);
  add_penalty(p, penalty);
  p.each(p.flat.elements,
         Sgd{p.flat, p.c.storage.region("momentum"), penalty, static_cast<float>(real_attr(a, "momentum", 0)),
             int_attr(a, "nesterov", 0) != 0, p.block});
  advance(p);
}
void adam(Preparing& p) {
  const StepAttrs& a = p.c.step.attrs;
  const Penalty penalty = penalty_of(p.c.step);
  const double beta1 = real_attr(a, "beta1", 0.9), beta2 = real_attr(a, "beta2", 0.999);
  auto* scalars = p.scratch<AdamScalars>(1);
  add_penalty(p, penalty);
  p.each(1, PrepareAdam{beta1, beta2, scalars, p.block});
  p.each(p.flat.elements,
         Adam{p.flat, p.c.storage.region("adam_m"), p.c.storage.region("adam_v"), penalty, beta1, beta2,
              real_attr(a, "weight_decay", 0), static_cast<float>(real_attr(a, "eps", 1e-8)), scalars, p.block});
  advance(p);
}

}  // namespace

Table update_entries() {
  return {{"grad_norm", grad_norm},
          {"clip_grad_norm", clip_grad_norm},
          {"clip_grad_value", clip_grad_value},
          {"sgd", sgd},
          {"adam", adam}};
}

}  // namespace nw::cuda
