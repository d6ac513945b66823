// SPDX-License-Identifier: Apache-2.0
// The steps over the flat regions; they change weights only if the step is finite.
#include <algorithm>

#include "kernels/cuda/launches.hpp"
#include "kernels/optimizer_step.hpp"
#include "kernels/state_shard.hpp"

namespace nw::cuda {
namespace {

/// The sum of a term over the flat region, as one number; of a pipeline's stage, over those of all stages.
template <class Term>
const double* flat_sum(Preparing& p, const Term& term) {
  constexpr i64 least = 4096;  // numbers of a block
  const i64 blocks = larger(1, smaller(blocks_of_sum, p.flat.elements / least));
  auto *parts = p.scratch<double>(blocks), *sum = p.scratch<double>(1);
  p.each(blocks, FlatSum<Term>{p.flat, term, parts, blocks});
  p.sum(parts, sum, 1, blocks);
  p.sum_over_stages(sum);
  return sum;
}

void judge(Preparing& p) { p.each(1, JudgeLoss{p.block}); }

void norm(Preparing& p, const LossScaler* scaler) {
  p.each(1, FinishNorm{flat_sum(p, SquareOfGradient{scaler}), p.block});
}
// The first step of every update: it divides the gradients by the loss scale.
void grad_norm(Preparing& p) { norm(p, p.scaler); }
void clip_grad_norm(Preparing& p) {
  norm(p, nullptr);
  p.each(p.flat.elements, ClipNorm{p.flat, static_cast<float>(real_attr(p.c.step.attrs, "max_norm")), p.block});
}
void clip_grad_value(Preparing& p) {
  judge(p);
  p.each(p.flat.elements, ClipValue{p.flat, static_cast<float>(real_attr(p.c.step.attrs, "limit")), p.block});
}

void add_penalty(Preparing& p, const Penalty& penalty) {
  if (penalty.l1 == 0 && penalty.l2 == 0) return;
  judge(p);
  p.each(1, FinishPenalty{flat_sum(p, PenaltyOfWeight{penalty}), p.block});
}
/// What this replica updates: the flat region from its element `begin` on, with the state from there on.
struct OwnPart {
  FlatRegion flat;
  i64 begin;
};
OwnPart own_part(const Preparing& p) {
  const auto shard = state_shard(p.c.plan);
  if (!shard) return {p.flat, 0};
  FlatRegion r = p.flat;
  r.weights += shard->begin();
  r.grads += shard->begin();
  r.rule_of += shard->begin() / FlatRegion::group;
  r.elements = shard->end() - shard->begin();
  return {r, shard->begin()};
}

void average_weights(Preparing& p) {
  const auto rest = static_cast<float>(1 - real_attr(p.c.step.attrs, "decay"));
  const OwnPart own = own_part(p);
  p.each(own.flat.elements, AverageWeights{own.flat, p.c.storage.region("average") + own.begin, rest, p.block});
}
// The last step of every optimizer.
void advance(Preparing& p) {
  if (p.scaler) p.each(1, AdvanceLossScale{p.scaler, p.block});
}

// The same number of stripes for every weight: large sums are divided among threads, and the order of additions depends
// on the weights alone.
void weight_norms(Preparing& p) {
  constexpr i64 stripes_of_each = 64;
  const i64 norms = 2 * (p.flat.rule_count - 1);
  auto *parts = p.scratch<double>(norms * stripes_of_each), *out = p.c.out<double>(0);
  p.each(norms * stripes_of_each, WeightSquares{p.flat, parts, stripes_of_each});
  p.each(norms, SumParts<double>{parts, out, norms, stripes_of_each});
  p.each(norms, Root{out});
}

template <class O>
void optimizer(Preparing& p) {
  const OptimizerValues values = optimizer_values(O::record, p.c.step.attrs);
  const Penalty penalty = penalty_of(p.c.step.attrs);
  auto* scalars = p.scratch<typename O::Scalars>(p.flat.rule_count);
  PrepareUpdate<O> prepare{p.flat, {}, p.c.in<double>(0), scalars, p.block};
  std::copy(values.begin(), values.end(), prepare.values.at);
  const OwnPart own = own_part(p);
  Update<O> update{own.flat, {}, penalty, scalars, p.block};
  for (std::size_t i = 0; i < std::size(O::state); ++i)
    if (keeps_state(O::record, O::state[i], values))
      update.state[i] = p.c.storage.region(std::string(O::state[i].name)) + own.begin;
  add_penalty(p, penalty);
  p.each(p.flat.rule_count, prepare);
  p.each(own.flat.elements / Update<O>::at_once, update);
  advance(p);
}

}  // namespace

Table update_entries() {
  return {{"grad_norm", grad_norm},
          {"clip_grad_norm", clip_grad_norm},
          {"clip_grad_value", clip_grad_value},
          {"average_weights", average_weights},
#define NW_ENTRY(E, name, Type) {#name, optimizer<optimizers::Type>},
          NW_OPTIMIZERS(NW_ENTRY, )
#undef NW_ENTRY
              {"weight_norms", weight_norms}};
}

}  // namespace nw::cuda
