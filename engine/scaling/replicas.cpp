// SPDX-License-Identifier: Apache-2.0
// Every device has the whole network and computes a part of the batch.
#include <algorithm>

#include "engine/scaling/exchange.hpp"
#include "engine/scaling/predict.hpp"

namespace nw::scaling {
namespace {

double bytes_of_value(const Plan& p, int v) {
  const Value& one = p.values[static_cast<std::size_t>(v)];
  return static_cast<double>(one.shape.elements()) * static_cast<double>(size_of(one.dtype));
}

/// The forward and the backward pass of one device.
struct Passes {
  WorkTime work;
  double statistics_s = 0;  // sums that batch norm waits for
  std::vector<ReadyGradient> gradients;
  double total_s() const { return work.total_s() + statistics_s; }
};

Passes passes_of(const Plan& plan, const Setup& setup, double devices) {
  Passes all;
  for (const Step& s : plan.steps) {
    if (s.phase > Phase::backward || setup.compiled_for->is_view(plan, s)) continue;
    if (s.kernel == "all_reduce") {
      all.statistics_s += all_reduce_s(setup.link, devices, bytes_of_value(plan, s.inputs[0]));
      continue;
    }
    all.work += time_of(plan, s, setup.device);
    for (const int v : s.outputs)
      if (v >= 0 && plan.values[static_cast<std::size_t>(v)].role == Role::weight_grad)
        all.gradients.push_back({all.total_s(), bytes_of_value(plan, v)});
  }
  return all;
}

std::int64_t state_bytes(const Plan& plan) {
  std::int64_t bytes = 0;
  for (const Value& v : plan.values)
    if (v.role == Role::optimizer) bytes += v.shape.elements() * 4;
  return bytes;
}

std::int64_t rounded_up(std::int64_t n, std::int64_t by) { return (n + by - 1) / by; }

/// Samples of a device in each of the parts that it computes one after another.
struct Share {
  std::int64_t samples = 0, parts = 1, batch = 0;  // batch: of an update, over all devices
};
Result<Share> share_of(const TrainSettings& s, const Setup& setup, std::int64_t devices) {
  Share share{.parts = s.micro_batches * s.accumulate};
  const std::int64_t batch = setup.batch_of_device > 0 ? setup.batch_of_device * devices : s.batch;
  if (batch < devices * s.micro_batches)
    return fail(Errc::usage, NW_TR("a batch of {0} cannot be divided among {1} devices; make it larger"), batch,
                devices * s.micro_batches);
  share.samples = rounded_up(batch, devices * s.micro_batches);
  share.batch = batch * s.accumulate;
  return share;
}

}  // namespace

Result<Prediction> predict_replicas(const GraphDoc& doc, const DataFacts& facts, const Setup& setup,
                                    std::int64_t devices) {
  NW_ASSIGN(const Share share, share_of(doc.settings(), setup, devices));
  const Target target{
      .batch = share.samples, .world = static_cast<int>(devices), .device = setup.compiled_for, .data = facts};
  NW_ASSIGN(const Compiled compiled, compile(doc, target));
  const Plan& plan = compiled.plan;
  const bool sharded = setup.split == Split::sharded && devices > 1;
  const double n = static_cast<double>(devices), parts = static_cast<double>(share.parts);

  const Passes passes = passes_of(plan, setup, n);
  const Exchange e = exchange_of(passes.gradients, passes.total_s(), setup.link, n,
                                 sharded && setup.device.scatters_sums ? 1 : 2, setup.device.overlaps);
  const double gathered_s =
      sharded ? scatter_or_gather_s(setup.link, n, 4.0 * static_cast<double>(plan.weight_elements)) : 0;

  Prediction p{.devices = devices, .batch = share.batch, .micro_batches = share.parts};
  p.work = passes.work * parts;
  p.work += time_of(plan, Phase::update, setup) * (sharded ? 1 / n : 1);
  p.link_s = passes.statistics_s * parts + e.exposed_s + gathered_s;
  p.exchange_s = passes.statistics_s * parts + e.total_s + gathered_s;
  p.memory_bytes = analyse(doc, target).memory_bytes;
  if (sharded) p.memory_bytes -= state_bytes(plan) - state_bytes(plan) / devices;
  finish(p, setup);
  return p;
}

}  // namespace nw::scaling
