// SPDX-License-Identifier: Apache-2.0
// Norm, clipping and optimizers over the flat regions, in fixed blocks, so that sums never depend on the threads.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>
#include <set>

#include "kernels/cpu/operators.hpp"
#include "kernels/optimizer_step.hpp"
#include "kernels/state_shard.hpp"
#include "kernels/update_blocks.hpp"
#include "kernels/weight_totals.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t block_elements = update_block_elements;

// The learned (not frozen) weights in blocks. `without`: offsets of weights to omit.
std::vector<WeightSpan> blocks_of(const Storage& storage, Blocks form = Blocks::joined,
                                  const std::set<std::int64_t>& without = {}) {
  return update_blocks(storage.weight_spans(), form, without);
}

// What other replicas update becomes empty.
void keep_part(std::vector<WeightSpan>& blocks, const StateShard& shard) {
  for (WeightSpan& b : blocks) {
    const std::int64_t begin = std::clamp(shard.begin(), b.offset, b.offset + b.count),
                       end = std::clamp(shard.end(), begin, b.offset + b.count);
    b.count = end - begin;
    if (b.count > 0) b.offset = begin;
  }
}

// The part of the gradients that this replica has: where they are scattered, others are those of its own samples.
std::optional<StateShard> scattered(const KernelContext& c) {
  return c.planned_before("reduce_scatter") ? state_shard(c.plan) : std::nullopt;
}

// Blocks of gradients that are those of the whole batch here.
std::vector<WeightSpan> complete_blocks(const KernelContext& c) {
  std::vector<WeightSpan> blocks = blocks_of(c.storage);
  if (const auto shard = scattered(c)) keep_part(blocks, *shard);
  std::erase_if(blocks, [](const WeightSpan& b) { return b.count == 0; });
  return blocks;
}

// Sums of blocks of which each replica has its own, the others' being zero.
void sum_over_replicas(RunState& state, double* sums, std::int64_t count) {
  if (state.communicator && count > 0 && !state.communicator->all_reduce_sum(sums, count)) state.failed = true;
}

/// Blocks in the order of the workers that should update them: those of worker w begin at first[w].
struct OwnedBlocks {
  std::vector<WeightSpan> blocks;
  std::vector<std::int64_t> first;
};

// The shares are whole cache lines. Where it is unknown which worker computes the gradient, large weights are divided
// evenly and small ones go to the worker with the least load.
std::vector<std::int64_t> shares_of(const KernelContext& c, const WeightSpan& s,
                                    const std::vector<std::int64_t>& load) {
  constexpr std::int64_t line = 16;
  const auto workers = std::ssize(load);
  const auto known = std::find_if(c.state.shares.begin(), c.state.shares.end(),
                                  [&](const GradientShares& g) { return g.offset == s.offset; });
  const std::int64_t least = std::min_element(load.begin(), load.end()) - load.begin();
  std::vector<std::int64_t> first;
  for (std::int64_t w = 0; w <= workers; ++w) {
    const std::int64_t at = known != c.state.shares.end() ? known->first[static_cast<std::size_t>(w)]
                            : s.count >= block_elements   ? s.count * w / workers
                            : w <= least                  ? 0
                                                          : s.count;
    first.push_back(w == workers ? s.count : std::min(at, s.count) / line * line);
  }
  return first;
}

OwnedBlocks owned_blocks(const KernelContext& c, Blocks form) {
  std::vector<std::vector<WeightSpan>> runs(static_cast<std::size_t>(c.workers));
  std::vector<std::int64_t> load(runs.size());
  for (const WeightSpan& s : c.storage.weight_spans()) {
    if (s.lr_scale == 0) continue;
    const std::vector<std::int64_t> first = shares_of(c, s, load);
    for (std::size_t w = 0; w < runs.size(); ++w) {
      WeightSpan part = s;
      part.offset += first[w];
      part.count = first[w + 1] - first[w];
      if (part.count == 0) continue;
      load[w] += part.count;
      WeightSpan* const last = runs[w].empty() ? nullptr : &runs[w].back();
      if (form == Blocks::joined && last && round_up(last->offset + last->count, 16) == part.offset &&
          same_rules(*last, part))
        last->count = part.offset + part.count - last->offset;
      else
        runs[w].push_back(part);
    }
  }
  OwnedBlocks all;
  for (const auto& own : runs) {
    all.first.push_back(std::ssize(all.blocks));
    for (const WeightSpan& r : own)
      for (std::int64_t at = 0; at < r.count; at += block_elements)
        all.blocks.push_back({r.offset + at, std::min(block_elements, r.count - at), r.decay, r.lr_scale});
  }
  all.first.push_back(std::ssize(all.blocks));
  return all;
}

/// Weights that an update treats equally.
struct WeightKind {
  std::int64_t begin, end;  // elements of the flat region; the range of one weight if it has a kind of its own
  bool decay;
  double lr_scale;
};
// One kind for each weight, including frozen ones, in the order of the flat region; or one for each combination of
// rules.
std::vector<WeightKind> kinds_of(const Storage& storage, Blocks form) {
  std::vector<WeightKind> kinds;
  for (const WeightSpan& s : storage.weight_spans()) {
    const bool known = form == Blocks::joined && std::any_of(kinds.begin(), kinds.end(), [&](const WeightKind& k) {
                         return k.decay == s.decay && k.lr_scale == s.lr_scale;
                       });
    if (form == Blocks::of_one_weight)
      kinds.push_back({s.offset, s.offset + s.count, s.decay, s.lr_scale});
    else if (!known)
      kinds.push_back({0, storage.weight_elements(), s.decay, s.lr_scale});
  }
  return kinds;
}
// The index of each block's kind in `kinds`.
std::vector<int> kinds_of_blocks(const std::vector<WeightSpan>& blocks, const std::vector<WeightKind>& kinds) {
  std::vector<int> all;
  for (const WeightSpan& b : blocks) {
    const auto at = std::find_if(kinds.begin(), kinds.end(), [&](const WeightKind& k) {
      return b.offset >= k.begin && b.offset < k.end && b.decay == k.decay && b.lr_scale == k.lr_scale;
    });
    all.push_back(static_cast<int>(at - kinds.begin()));
  }
  return all;
}

// A phase over blocks: run(index, block); skipped if the step is not finite.
template <class F>
KernelPhase over_blocks(const KernelContext& c, const std::vector<WeightSpan>& blocks, bool always, F run) {
  const RunState& state = c.state;
  return {static_cast<std::int64_t>(blocks.size()), false, [=, &state](std::int64_t i, int) {
            if (always || state.metrics.finite) run(i, blocks[static_cast<std::size_t>(i)]);
          }};
}

KernelPhase record_losses(const KernelContext& c) {
  RunState& state = c.state;
  return serial([&state] { state.may_update(); });
}

// For each part of a weight: the weight's number in the order of the flat region.
template <class Parts>
std::vector<int> places_of(const Storage& storage, const Parts& parts) {
  const auto& spans = storage.weight_spans();
  std::vector<int> all;
  for (const auto& part : parts) {
    const auto after =
        std::find_if(spans.begin(), spans.end(), [&](const WeightSpan& s) { return s.offset > part.offset; });
    all.push_back(static_cast<int>(after - spans.begin()) - 1);
  }
  return all;
}

// The sums of squares stored by the kernels that computed the gradients, without those of frozen weights.
std::vector<SquareSums> sums_at_hand(const KernelContext& c) {
  std::vector<SquareSums> all;
  for (const WeightSpan& s : c.storage.weight_spans())
    for (const SquareSums& q : c.state.squares)
      if (s.lr_scale != 0 && q.offset == s.offset && q.count == s.count) all.push_back(q);
  return all;
}

// The sum of squares of each weight: those at hand, else those of its blocks, in order.
std::vector<KernelPhase> norm_phases(KernelContext& c) {
  const std::vector<SquareSums> at_hand = sums_at_hand(c);
  std::set<std::int64_t> known;
  for (const SquareSums& q : at_hand) known.insert(q.offset);
  auto blocks = blocks_of(c.storage, Blocks::of_one_weight, known);
  const bool parted = scattered(c).has_value();
  if (parted) keep_part(blocks, *scattered(c));
  const auto count = static_cast<std::int64_t>(blocks.size()), weights = std::ssize(c.storage.weight_spans());
  auto *sums = c.own<double>(count), *totals = c.own<double>(weights);
  const std::vector<int> weight = places_of(c.storage, blocks), known_weight = places_of(c.storage, at_hand);
  const float* g = c.storage.weight_grads();
  const VectorKernels& k = vector_of(c);
  RunState& state = c.state;
  std::vector<KernelPhase> phases;
  if (count > 0)
    phases.push_back(over_blocks(c, blocks, true, [=, &k](std::int64_t i, const WeightSpan& b) {
      sums[i] = b.count > 0 ? k.square_sum(g + b.offset, b.count) : 0;
    }));
  phases.push_back(serial([=, &state, attrs = c.step.attrs] {
    if (parted) sum_over_replicas(state, sums, count);
    std::fill_n(totals, weights, 0.0);
    for (std::size_t i = 0; i < at_hand.size(); ++i)
      totals[known_weight[i]] = std::accumulate(at_hand[i].parts.begin(), at_hand[i].parts.end(), 0.0);
    for (std::int64_t i = 0; i < count; ++i) totals[weight[static_cast<std::size_t>(i)]] += sums[i];
    const std::span<const double> all(totals, static_cast<std::size_t>(weights));
    state.metrics.grad_norm = std::sqrt(total_over_weights(state, attrs, all));
    if (update_overflows(state.args.learning_rate, state.metrics.grad_norm)) state.metrics.finite = false;
    state.may_update();
  }));
  return phases;
}

PreparedKernel grad_norm(KernelContext& c) { return {norm_phases(c), ""}; }

// The norm measured by grad_norm is that of these gradients unless they were clipped by value in between.
PreparedKernel clip_grad_norm(KernelContext& c) {
  std::vector<KernelPhase> phases;
  if (!c.planned_before("grad_norm") || c.planned_before("clip_grad_value")) phases = norm_phases(c);
  float* g = c.storage.weight_grads();
  const double max_norm = real_attr(c.step.attrs, "max_norm");
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  phases.push_back(over_blocks(c, complete_blocks(c), false, [=, &k, &state](std::int64_t, const WeightSpan& b) {
    const double by = max_norm / (state.metrics.grad_norm + 1e-6);
    if (by < 1) k.scale(g + b.offset, b.count, static_cast<float>(by));
  }));
  return {phases, ""};
}

PreparedKernel clip_grad_value(KernelContext& c) {
  c.state.squares.clear();  // those are of the gradients before clipping; later steps sum their own
  float* g = c.storage.weight_grads();
  const auto limit = static_cast<float>(real_attr(c.step.attrs, "limit"));
  const VectorKernels& k = vector_of(c);
  return {{record_losses(c),
           over_blocks(c, complete_blocks(c), false,
                       [=, &k](std::int64_t, const WeightSpan& b) { k.clamp(g + b.offset, b.count, limit); })},
          ""};
}

// Computes the sum of squares of each block of a weight, then adds them in order and takes the root.
PreparedKernel weight_norms(KernelContext& c) {
  const std::vector<WeightSpan> blocks = blocks_of(c.storage, Blocks::of_one_weight);
  const auto count = static_cast<std::int64_t>(blocks.size()), weights = std::ssize(c.storage.weight_spans());
  auto *sums = c.own<double>(2 * count), *norms = c.out<double>(0);
  const float *w = c.storage.weights(), *g = c.storage.weight_grads();
  const VectorKernels& k = vector_of(c);
  const std::vector<int> weight = kinds_of_blocks(blocks, kinds_of(c.storage, Blocks::of_one_weight));
  return {{over_blocks(c, blocks, false,
                       [=, &k](std::int64_t i, const WeightSpan& b) {
                         sums[i] = k.square_sum(w + b.offset, b.count);
                         sums[count + i] = k.square_sum(g + b.offset, b.count);
                       }),
           serial([=] {
             std::fill_n(norms, 2 * weights, 0.0);
             for (std::int64_t i = 0; i < count; ++i) {
               norms[weight[static_cast<std::size_t>(i)]] += sums[i];
               norms[weights + weight[static_cast<std::size_t>(i)]] += sums[count + i];
             }
             for (std::int64_t i = 0; i < 2 * weights; ++i) norms[i] = std::sqrt(norms[i]);
           })},
          ""};
}

/// The scalars that an optimizer computes once a step for all weights of one kind.
struct alignas(16) StepScalars {
  unsigned char bytes[Optimizer::most_scalar_bytes];
};

// Checks whether the weights may be updated, and computes the scalars of each kind.
KernelPhase prepare_scalars(KernelContext& c, const Optimizer& o, const std::vector<WeightKind>& kinds,
                            StepScalars* scalars) {
  const OptimizerValues values = optimizer_values(o, c.step.attrs);
  const auto* norms = c.in<double>(0);
  const auto weights = std::ssize(c.storage.weight_spans());
  RunState& state = c.state;
  return serial([=, &o, &state] {
    if (!state.may_update()) return;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      UpdatePoint at{state.args.step, state.args.learning_rate * kinds[i].lr_scale, kinds[i].decay};
      if (norms) {
        at.weight_norm = norms[i];
        at.gradient_norm = norms[weights + static_cast<std::int64_t>(i)];
      }
      o.scalars(values.data(), at, scalars[i].bytes);
    }
  });
}

// The arguments of update() for all blocks; the scalars are added in the step.
UpdateArgs update_args(KernelContext& c, const Optimizer& o) {
  const OptimizerValues values = optimizer_values(o, c.step.attrs);
  UpdateArgs a{};
  a.w = c.storage.weights();
  a.g = c.storage.weight_grads();
  for (std::size_t i = 0; i < o.state.size(); ++i)
    if (keeps_state(o, o.state[i], values)) a.state[i] = c.storage.region(std::string(o.state[i].name));
  return a;
}
UpdateArgs at_block(UpdateArgs a, const WeightSpan& b, const Penalty& penalty, const StepScalars& scalars) {
  a.w += b.offset;
  a.g += b.offset;
  for (float*& state : a.state)
    if (state) state += b.offset;
  a.count = b.count;
  a.l1 = b.decay ? penalty.l1 : 0;
  a.l2 = b.decay ? penalty.l2 : 0;
  std::memcpy(a.scalars, scalars.bytes, sizeof a.scalars);
  return a;
}

// The whole flat region, including frozen weights and the padding, which is zero in both.
PreparedKernel average_weights(KernelContext& c) {
  std::vector<WeightSpan> blocks;
  for (std::int64_t at = 0; at < c.storage.weight_elements(); at += block_elements)
    blocks.push_back({at, std::min(block_elements, c.storage.weight_elements() - at)});
  if (const auto shard = state_shard(c.plan)) keep_part(blocks, *shard);
  float* const average = c.storage.region("average");
  const float* const w = c.storage.weights();
  const auto rest = static_cast<float>(1 - real_attr(c.step.attrs, "decay"));
  const RunState& state = c.state;
  return {{record_losses(c), over_blocks(c, blocks, false,
                                         [=, &state](std::int64_t, const WeightSpan& b) {
                                           const float by = state.args.step == 0 ? 1 : rest;
                                           for (std::int64_t e = b.offset; e < b.offset + b.count; ++e)
                                             average[e] = averaged(average[e], w[e], by);
                                         })},
          ""};
}

// Checks the step, updates every block, with penalties where the weights decay, then sums the penalties.
PreparedKernel optimizer(KernelContext& c) {
  const Optimizer& o = *find_optimizer(c.step.kernel);
  const Penalty penalty = penalty_of(c.step.attrs);
  // the sum of penalties must not depend on the threads
  const bool penalised = penalty.l1 != 0 || penalty.l2 != 0;
  const Blocks form = o.norms ? Blocks::of_one_weight : Blocks::joined;
  auto [blocks, shares] =
      penalised ? OwnedBlocks{blocks_of(c.storage, Blocks::of_one_weight), {}} : owned_blocks(c, form);
  const auto count = static_cast<std::int64_t>(blocks.size());
  const std::vector<WeightKind> kinds = kinds_of(c.storage, form);
  const std::vector<int> kind = kinds_of_blocks(blocks, kinds);
  const std::optional<StateShard> shard = state_shard(c.plan);
  if (shard) keep_part(blocks, *shard);
  auto* scalars = c.own<StepScalars>(std::ssize(kinds));
  const auto weights = std::ssize(c.storage.weight_spans());
  auto *penalties = c.own<double>(count), *totals = c.own<double>(weights);
  const VectorKernels& k = vector_of(c);
  const Update update = k.updates[static_cast<std::size_t>(optimizer_index(o))];
  RunState& state = c.state;
  PreparedKernel kernel{{prepare_scalars(c, o, kinds, scalars),
                         over_blocks(c, blocks, false,
                                     [=, &k, first = update_args(c, o)](std::int64_t i, const WeightSpan& b) {
                                       penalties[i] = 0;
                                       if (b.count == 0) return;
                                       const UpdateArgs a =
                                           at_block(first, b, penalty, scalars[kind[static_cast<std::size_t>(i)]]);
                                       if (penalised && b.decay)
                                         penalties[i] = k.penalty(a.w, a.count, penalty.l1, penalty.l2);
                                       update(a);
                                     })},
                        ""};
  kernel.phases.back().shares = shares;
  if (penalised)
    kernel.phases.push_back(
        serial([=, &state, parted = shard.has_value(), attrs = c.step.attrs, weight = places_of(c.storage, blocks)] {
          if (parted) sum_over_replicas(state, penalties, count);
          if (!state.metrics.finite) return;
          std::fill_n(totals, weights, 0.0);
          for (std::int64_t i = 0; i < count; ++i) totals[weight[static_cast<std::size_t>(i)]] += penalties[i];
          state.metrics.penalty = total_over_weights(state, attrs, {totals, static_cast<std::size_t>(weights)});
        }));
  return kernel;
}

}  // namespace

KernelTable update_kernels() {
  KernelTable all{{"grad_norm", grad_norm, always_alone},
                  {"clip_grad_norm", clip_grad_norm, always_alone},
                  {"clip_grad_value", clip_grad_value, always_alone},
                  {"average_weights", average_weights, always_alone},
                  {"weight_norms", weight_norms, always_alone}};
  for (const Optimizer& o : all_optimizers()) all.push_back({o.name, optimizer, always_alone});
  return all;
}

}  // namespace nw::cpu
