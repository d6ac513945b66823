// SPDX-License-Identifier: Apache-2.0
// Model parallelism: one network on several devices, each of which computes a stage of it. The micro-batches of an
// update pass through the stages at the same time. Weights and optimizer state are those of one executable, which the
// stages' executables share: the update is that of one device which accumulates the same micro-batches.
#pragma once
#include <map>
#include <memory>
#include <vector>

#include "engine/backend/devices.hpp"
#include "engine/compile/stages.hpp"
#include "engine/parallel/stage_link.hpp"
#include "engine/runs/pipeline_record.hpp"
#include "engine/train/pipeline_schedule.hpp"

namespace nw {

/// sum[i] += by * part[i]
void add_scaled(std::span<float> sum, std::span<const float> part, float by);

class Pipeline {
 public:
  /// `update`: holds the weights, the gradients and the optimizer's steps, on the first stage's device; outlives this.
  /// `parts`: the largest number of micro-batches in an update.
  static Result<std::unique_ptr<Pipeline>> make(StagedPlan, const std::vector<ResolvedDevice>&, PipelineSchedule,
                                                std::int64_t parts, Executable& update);
  ~Pipeline();

  /// Sums of the gradients, by the index of the value in the update's plan.
  using Sums = std::map<std::size_t, std::vector<float>>;
  struct Part {
    StepArgs args;
    float share = 0;  // factor of its gradients
  };
  /// Forward and backward passes of all parts; adds their gradients to `sums`, in the order of the parts. The metrics
  /// are of each part.
  Result<std::vector<StepMetrics>> run(const std::vector<Part>& parts, Sums& sums);

  int stages() const { return static_cast<int>(stages_.size()); }
  std::int64_t memory_bytes_of(int stage) const;
  std::vector<std::string> choices() const;
  int threads() const;
  /// Without what only the run knows: samples of a micro-batch, batch norm.
  PipelinePlan plan() const;
  /// Since the last call.
  PipelineTimes take_times();

 private:
  struct Stage;
  Pipeline() = default;
  Status run_stage(Stage&, const std::vector<Part>&, Sums&, std::vector<StepMetrics>&);
  Status run_action(Stage&, const PipelineAction&, const Part&, Sums&, std::vector<StepMetrics>&);
  Status exchange(Stage&, Executable&, const Plan&, const PipelineAction&, bool sends);
  static void add_gradients(Stage&, Executable&, float share, Sums&);

  std::vector<std::unique_ptr<Stage>> stages_;
  std::vector<StageTransfer> transfers_;
  std::unique_ptr<StageLink> link_;
  std::unique_ptr<Team> threads_;  // one for each stage; the caller is stage 0
  PipelineSchedule schedule_ = PipelineSchedule::one_forward_one_backward;
  std::int64_t parts_ = 1;
  PipelineTimes times_;
};

}  // namespace nw
