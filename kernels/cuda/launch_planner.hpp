// SPDX-License-Identifier: Apache-2.0
// How the steps of a plan become launches.
#pragma once
#include "kernels/cuda/host_inputs.hpp"
#include "kernels/gradient_buckets.hpp"
#include "kernels/state_shard.hpp"

namespace nw::cuda {

/// Whether the plan has sums over replicas that the step waits for at once (NcclReducer's lane `urgent`).
bool has_urgent_sums(const Plan&);
/// Whether the step exchanges numbers between replicas. Such steps have no entry in the table of kernels.
bool is_exchange(std::string_view kernel);

/// Whether a step is one. Where gradients are accumulated or a pipeline computes them, the host sums them.
bool has_exchanges(const Plan&);

/// Whether the plan is the update of one of several stages, which sum numbers over all weights.
bool has_stage_sums(const Plan&);

/// Makes the launches of one plan. Used once, while the executable is prepared; the launches contain addresses of its
/// memory and the stream's reducer.
class LaunchPlanner {
 public:
  /// The objects that the launches refer to; all of them, except `flat`, outlive the launches.
  struct Parts {
    const Plan& plan;
    StepStream& stream;
    ExecutableMemory& memory;
    const StepBuffers& at;
    const HostInputs& inputs;
    Engines& engines;
    FlatRegion flat;
    bool replicas;  // sums over replicas are part of the step
  };
  explicit LaunchPlanner(const Parts& p)
      : plan_(p.plan),
        stream_(p.stream),
        memory_(p.memory),
        values_(p.memory.values()),
        at_(p.at),
        inputs_(p.inputs),
        engines_(p.engines),
        flat_(p.flat),
        replicas_(p.replicas) {}
  /// All launches of a step. Error: the device has no such kernel, or no memory.
  Result<StepLaunches> plan();

 private:
  Status prepare_step(int index, std::byte* scratch, i64& scratch_bytes, std::vector<StepPart>&);
  Status exchange_here(const Step&, std::vector<StepPart>&);
  Status reduce_here(const Step&, std::vector<StepPart>&);
  Status gather_here(std::vector<StepPart>&);
  Status sum_over_stages(const std::vector<StageSum>&, std::vector<StepPart>&);
  void find_buckets();
  void begin_buckets(int step, std::vector<Launch>&);
  void make_prologues();
  void make_epilogue();
  Result<Exchange> exchange_of(const Step&);
  Result<Exchange> exchange_of(const StateShard&);
  Status divide_at(const Exchange&, std::vector<StepPart>&);

  const Plan& plan_;
  StepStream& stream_;
  ExecutableMemory& memory_;
  Storage& values_;
  const StepBuffers& at_;
  const HostInputs& inputs_;
  Engines& engines_;
  const FlatRegion flat_;
  const bool replicas_;
  std::vector<GradientBucket> buckets_;
  std::map<int, ChannelStatistics> sums_;  // see Preparing
  StepLaunches made_;
};

}  // namespace nw::cuda
