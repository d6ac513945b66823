// SPDX-License-Identifier: Apache-2.0
// The context in which kernels are prepared and run: losses, sums of squares, attributes, and the sum over replicas.
#include <algorithm>
#include <cmath>

#include "kernels/executor.hpp"
#include "kernels/summed_metrics.hpp"

namespace nw {

void RunState::collect_losses() {
  if (losses_collected) return;
  for (const auto& partials : losses)
    for (const LossPartial& p : partials) {
      metrics.loss_sum += p.loss;
      metrics.correct += p.correct;
      metrics.samples += p.samples;
    }
  losses_collected = true;
}

bool RunState::may_update() {
  collect_losses();
  if (!std::isfinite(metrics.loss_sum)) metrics.finite = false;
  for (std::size_t s = 0; args.inputs && s < loaded.size(); ++s)
    if (!loaded[s]) metrics.finite = false;
  return metrics.finite;
}

std::span<LossPartial> KernelContext::losses(std::int64_t count) {
  std::span<LossPartial> s(own<LossPartial>(count), static_cast<std::size_t>(count));
  state.losses.push_back(s);
  return s;
}

double* KernelContext::square_sums(int i, std::int64_t parts) {
  if (!has_out(i) || out_value(i).role != Role::weight_grad || plan.world > 1) return nullptr;
  auto* sums = own<double>(parts);
  state.squares.push_back(
      {out(i) - storage.weight_grads(), out_value(i).shape.elements(), {sums, static_cast<std::size_t>(parts)}});
  return sums;
}

PackedValue KernelContext::packed(int i) const {
  for (const PackedValue& p : state.packed)
    if (has_in(i) && p.value == step.inputs[static_cast<std::size_t>(i)]) return p;
  return {};
}

void KernelContext::share_gradient(int i, std::vector<std::int64_t> first) {
  if (has_out(i) && out_value(i).role == Role::weight_grad)
    state.shares.push_back({out(i) - storage.weight_grads(), std::move(first)});
}

const PixelLanes* KernelContext::pixels(int i) const {
  PixelLanes& p = state.pixels;
  if (!has_in(i) ||
      std::find(p.values.begin(), p.values.end(), step.inputs[static_cast<std::size_t>(i)]) == p.values.end())
    return nullptr;
  ++p.readers;
  return &p;
}

bool KernelContext::planned_before(std::string_view kernel) const {
  for (const Step& s : plan.steps) {
    if (&s == &step) return false;
    if (s.kernel == kernel) return true;
  }
  return false;
}

Pair pair_attr(const Step& s, std::string_view name, std::int64_t otherwise) {
  const auto it = s.attrs.find(name);
  if (it == s.attrs.end()) return {otherwise, otherwise};
  const auto& list = std::get<std::vector<std::int64_t>>(it->second);
  assert(list.size() == 2);
  return {list[0], list[1]};
}

const KernelEntry* find_entry(const KernelTable& table, std::string_view name) {
  const auto it = std::find_if(table.begin(), table.end(), [&](const KernelEntry& e) { return e.name == name; });
  return it == table.end() ? nullptr : &*it;
}

// Metrics are reduced as doubles; counts below 2^53 are exact.
PreparedKernel prepare_all_reduce(KernelContext& c) {
  RunState& s = c.state;
  if (c.has_in(0)) {
    const std::int64_t count = c.in_value(0).shape.elements();
    const bool wide = c.in_value(0).dtype == DType::f64;
    double* d = c.in<double>(0);
    float* f = c.in<float>(0);
    return {{{1, false,
              [&s, d, f, wide, count](std::int64_t, int) {
                if (s.communicator &&
                    !(wide ? s.communicator->all_reduce_sum(d, count) : s.communicator->all_reduce_sum(f, count)))
                  s.failed = true;
              }}},
            ""};
  }
  float* grads = c.storage.weight_grads();
  const std::int64_t count = c.storage.weight_elements();
  return {{{1, false,
            [&s, grads, count](std::int64_t, int) {
              s.collect_losses();
              if (!s.communicator) return;
              sum_metrics(s, [&](double* m) {
                return (!grads || s.communicator->all_reduce_sum(grads, count)) && s.communicator->all_reduce_sum(m, 3);
              });
            }}},
          ""};
}

}  // namespace nw
