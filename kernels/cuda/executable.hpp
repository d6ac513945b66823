// SPDX-License-Identifier: Apache-2.0
// A plan on a GPU: one arena, step state on the device. The whole step is captured once as a graph and launched
// repeatedly, many steps at a time if the samples are stored on the device. With NCCL, sums over replicas are part of
// the graph; otherwise the step is divided at each sum, and each part is a graph.
#pragma once
#include "kernels/cuda/samples.hpp"
#include "kernels/cuda/step_profiler.hpp"
#include "kernels/cuda/value_access.hpp"
#include "kernels/step_gate.hpp"

namespace nw::cuda {

/// Runs the steps of one plan. ExecutableMemory holds the memory, LaunchPlanner makes the launches, StepGraphs captures
/// and launches them, HostInputs copies inputs, ValueAccess reads and writes values, StepStream finds the place of a
/// failure, StepProfiler measures times. Used by one thread at a time.
class CudaExecutable final : public Executable, public InterruptibleExecutable {
 public:
  CudaExecutable(const Plan& plan, const PrepareArgs& args, std::shared_ptr<Gpu> gpu);
  ~CudaExecutable() override;
  /// Acquires memory, plans and captures the step. Called once, before all other functions.
  Status prepare(const PrepareArgs&);
  Status run(const StepArgs&) override;
  StepMetrics metrics() const override;
  void write(int value, std::span<const std::byte> bytes) override { values_.write(value, bytes); }
  void read(int value, std::span<std::byte> bytes) const override { values_.read(value, bytes); }
  std::int64_t memory_bytes() const override { return memory_.bytes(); }
  std::vector<std::string> choices() const override;
  Status health() const override { return values_.health(); }
  Result<std::shared_ptr<DeviceSamples>> keep(const SampleSet&) override;
  std::int64_t steps_at_once(bool of_kept) const override {
    if (of_kept) return may_burst() ? at_once_ : 1;
    return may_load_ahead() ? loaded_at_once_ : 1;
  }
  Status run_many(std::span<const StepArgs>, std::span<StepMetrics>) override;
  Result<std::size_t> run_until(std::span<const StepArgs>, std::span<StepMetrics>, StepGate&) override;
  std::vector<StepTime> step_times() const override { return profiler_.times(); }
  LossScale loss_scale() const override;
  void set_loss_scale(const LossScale&) override;

 private:
  Status try_prepare(const PrepareArgs&);
  void drop_graphs();
  Status take_memory(const PrepareArgs& args);
  Status warm_up();
  void describe(std::span<const StepArgs>);
  Status upload(std::size_t steps);
  Status run_parts(InputOrigin);
  Status run_eagerly(InputOrigin);
  using MayBegin = std::function<bool(std::size_t)>;  // whether to begin step i of a burst
  Result<std::size_t> run_single(const StepArgs&, StepMetrics&);
  Result<std::size_t> run_burst(std::span<const StepArgs>, std::span<StepMetrics>, bool are_kept, const MayBegin&);
  Result<std::size_t> run_some(std::span<const StepArgs>, bool are_kept, const MayBegin&);
  Result<std::size_t> run_kept(std::size_t count);
  Result<std::size_t> run_loaded(std::span<const StepArgs>, const MayBegin&);
  void adapt(std::int64_t& at_once, double step_s, bool are_kept) const;
  Status exchange(Exchange&);
  bool may_load_ahead() const { return step_.parts.size() == 1 && !profile_; }
  bool may_burst() const { return graphs_.has_kept() && may_load_ahead(); }
  StepMetrics metrics_of(std::size_t line) const;

  // In the order of dependence: later members use earlier ones.
  const Plan plan_;
  Communicator* const communicator_;
  const bool profile_;
  std::shared_ptr<Gpu> gpu_;
  StepStream stream_;
  std::unique_ptr<Engines> engines_;
  ExecutableMemory memory_;
  StepBuffers at_;
  HostInputs inputs_;
  StepLaunches step_;
  StepGraphs graphs_;
  StepProfiler profiler_;
  ValueAccess values_;
  std::optional<LossScale> set_scale_;             // until the next step
  std::int64_t at_once_ = 2, loaded_at_once_ = 4;  // until the time of a step is known
};

}  // namespace nw::cuda
