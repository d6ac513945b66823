// SPDX-License-Identifier: Apache-2.0
// Norm, clipping and optimizers over the flat regions, cut into fixed blocks so that sums never depend on the threads.
#include <cmath>
#include <numeric>
#include <set>

#include "kernels/cpu/operators.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t block_elements = 8192;

bool alike(const WeightSpan& a, const WeightSpan& b) { return a.decay == b.decay && a.lr_scale == b.lr_scale; }

// Learned (not frozen) weights in blocks; neighbours of one kind share a block, padding between them included: it is
// zero. `without`: weights that begin here are left out.
std::vector<WeightSpan> blocks_of(const Storage& storage, const std::set<std::int64_t>& without = {}) {
  std::vector<WeightSpan> runs;
  for (const WeightSpan& s : storage.weight_spans()) {
    if (s.lr_scale == 0 || without.contains(s.offset)) continue;
    WeightSpan* last = runs.empty() ? nullptr : &runs.back();
    const bool joins = last && round_up(last->offset + last->count, 16) == s.offset && alike(*last, s);
    if (joins)
      last->count = s.offset + s.count - last->offset;
    else
      runs.push_back(s);
  }
  std::vector<WeightSpan> blocks;
  for (const WeightSpan& r : runs)
    for (std::int64_t at = 0; at < r.count; at += block_elements)
      blocks.push_back({r.offset + at, std::min(block_elements, r.count - at), r.decay, r.lr_scale});
  return blocks;
}

/// Blocks in the order of who had better update them: worker w from first[w] on.
struct OwnedBlocks {
  std::vector<WeightSpan> blocks;
  std::vector<std::int64_t> first;
};

// Whole cache lines each; where nobody says who makes the gradient, large weights in equal parts, small ones to who has
// least so far.
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

OwnedBlocks owned_blocks(const KernelContext& c) {
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
      if (last && round_up(last->offset + last->count, 16) == part.offset && alike(*last, part))
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

// A phase over blocks: run(index, block), skipped when the step is not finite.
template <class F>
KernelPhase over_blocks(const KernelContext& c, const std::vector<WeightSpan>& blocks, bool always, F run) {
  const RunState& state = c.state;
  return {static_cast<std::int64_t>(blocks.size()), false, [=, &state](std::int64_t i, int) {
            if (always || state.metrics.finite) run(i, blocks[static_cast<std::size_t>(i)]);
          }};
}

KernelPhase look_at_losses(const KernelContext& c) {
  RunState& state = c.state;
  return serial([&state] { state.may_update(); });
}

// Sums of squares that who made the gradients left behind, but for those of frozen weights.
std::vector<SquareSums> sums_at_hand(const KernelContext& c) {
  std::vector<SquareSums> all;
  for (const WeightSpan& s : c.storage.weight_spans())
    for (const SquareSums& q : c.state.squares)
      if (s.lr_scale != 0 && q.offset == s.offset && q.count == s.count) all.push_back(q);
  return all;
}

std::vector<KernelPhase> norm_phases(KernelContext& c) {
  const std::vector<SquareSums> at_hand = sums_at_hand(c);
  std::set<std::int64_t> known;
  for (const SquareSums& q : at_hand) known.insert(q.offset);
  const auto blocks = blocks_of(c.storage, known);
  const auto count = static_cast<std::int64_t>(blocks.size());
  auto* sums = c.own<double>(count);
  const float* g = c.storage.weight_grads();
  const VectorKernels& k = vector_of(c);
  RunState& state = c.state;
  std::vector<KernelPhase> phases;
  if (count > 0)
    phases.push_back(over_blocks(c, blocks, true, [=, &k](std::int64_t i, const WeightSpan& b) {
      sums[i] = k.square_sum(g + b.offset, b.count);
    }));
  phases.push_back(serial([=, &state] {
    double sum = 0;
    for (const SquareSums& q : at_hand) sum = std::accumulate(q.parts.begin(), q.parts.end(), sum);
    for (std::int64_t i = 0; i < count; ++i) sum += sums[i];
    state.metrics.grad_norm = std::sqrt(sum);
    if (!std::isfinite(sum)) state.metrics.finite = false;
    state.may_update();
  }));
  return phases;
}

PreparedKernel grad_norm(KernelContext& c) { return {norm_phases(c), ""}; }

PreparedKernel clip_grad_norm(KernelContext& c) {
  std::vector<KernelPhase> phases;
  if (!c.planned_before("grad_norm")) phases = norm_phases(c);
  float* g = c.storage.weight_grads();
  const double max_norm = real_attr(c.step.attrs, "max_norm");
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  phases.push_back(over_blocks(c, blocks_of(c.storage), false, [=, &k, &state](std::int64_t, const WeightSpan& b) {
    const double by = max_norm / (state.metrics.grad_norm + 1e-6);
    if (by < 1) k.scale(g + b.offset, b.count, static_cast<float>(by));
  }));
  return {phases, ""};
}

PreparedKernel clip_grad_value(KernelContext& c) {
  float* g = c.storage.weight_grads();
  const auto limit = static_cast<float>(real_attr(c.step.attrs, "limit"));
  const VectorKernels& k = vector_of(c);
  return {{look_at_losses(c),
           over_blocks(c, blocks_of(c.storage), false,
                       [=, &k](std::int64_t, const WeightSpan& b) { k.clamp(g + b.offset, b.count, limit); })},
          ""};
}

// Gate, then `update` on every block with penalties where the weights decay, then the penalty's sum.
template <class F>
PreparedKernel optimizer(KernelContext& c, F update) {
  const auto l1 = static_cast<float>(real_attr(c.step.attrs, "l1", 0)),
             l2 = static_cast<float>(real_attr(c.step.attrs, "l2", 0));
  const bool penalised = l1 != 0 || l2 != 0;  // whose sum must not depend on the threads
  const auto [blocks, shares] = penalised ? OwnedBlocks{blocks_of(c.storage), {}} : owned_blocks(c);
  const auto count = static_cast<std::int64_t>(blocks.size());
  auto* penalties = c.own<double>(count);
  float *w = c.storage.weights(), *g = c.storage.weight_grads();
  const VectorKernels& k = vector_of(c);
  RunState& state = c.state;
  PreparedKernel kernel{{look_at_losses(c), over_blocks(c, blocks, false,
                                                        [=, &k](std::int64_t i, const WeightSpan& b) {
                                                          if (penalised && b.decay)
                                                            penalties[i] = k.penalty(w + b.offset, b.count, l1, l2);
                                                          UpdateArgs a{};
                                                          a.w = w + b.offset;
                                                          a.g = g + b.offset;
                                                          a.count = b.count;
                                                          a.l1 = b.decay ? l1 : 0;
                                                          a.l2 = b.decay ? l2 : 0;
                                                          update(a, b);
                                                        })},
                        ""};
  kernel.phases.back().shares = shares;
  if (penalised)
    kernel.phases.push_back(serial([=, &state] {
      for (std::int64_t i = 0; state.metrics.finite && i < count; ++i) state.metrics.penalty += penalties[i];
    }));
  return kernel;
}

PreparedKernel sgd(KernelContext& c) {
  float* velocity = c.storage.region("momentum");
  const auto momentum = static_cast<float>(real_attr(c.step.attrs, "momentum", 0));
  const bool nesterov = int_attr(c.step.attrs, "nesterov", 0) != 0;
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  return optimizer(c, [=, &k, &state](UpdateArgs& a, const WeightSpan& b) {
    a.m = velocity + b.offset;
    a.momentum = momentum;
    a.nesterov = nesterov;
    a.rate = static_cast<float>(state.args.learning_rate * b.lr_scale);
    k.sgd(a);
  });
}

PreparedKernel adam(KernelContext& c) {
  float *m = c.storage.region("adam_m"), *v = c.storage.region("adam_v");
  const double beta1 = real_attr(c.step.attrs, "beta1", 0.9), beta2 = real_attr(c.step.attrs, "beta2", 0.999);
  const double eps = real_attr(c.step.attrs, "eps", 1e-8), decay = real_attr(c.step.attrs, "weight_decay", 0);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  return optimizer(c, [=, &k, &state](UpdateArgs& a, const WeightSpan& b) {
    const double t = static_cast<double>(state.args.step + 1), rate = state.args.learning_rate * b.lr_scale;
    a.m = m + b.offset;
    a.v = v + b.offset;
    a.one_minus_beta1 = static_cast<float>(1 - beta1);
    a.beta2 = static_cast<float>(beta2);
    a.one_minus_beta2 = static_cast<float>(1 - beta2);
    a.inverse_sqrt_bias2 = static_cast<float>(1 / std::sqrt(1 - std::pow(beta2, t)));
    a.eps = static_cast<float>(eps);
    a.rate = static_cast<float>(rate / (1 - std::pow(beta1, t)));
    a.decay_factor = b.decay ? static_cast<float>(1 - rate * decay) : 1.0f;
    k.adam(a);
  });
}

}  // namespace

KernelTable update_kernels() {
  return {{"grad_norm", grad_norm},
          {"clip_grad_norm", clip_grad_norm},
          {"clip_grad_value", clip_grad_value},
          {"sgd", sgd},
          {"adam", adam}};
}

}  // namespace nw::cpu
