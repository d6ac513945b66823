// SPDX-License-Identifier: Apache-2.0
// Model parallelism: one network on several devices, each of which computes a stage of it. The micro-batches of an
// update pass through the stages at the same time. Weights and optimizer state are those of one executable, which the
// stages' executables share: the update is that of one device which accumulates the same micro-batches. Where a stage's
// device has its own memory, or the stage is a process, each has an executable of its own weights.
#pragma once
#include <functional>
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

/// The stages of a pipeline that this process computes, and how they reach the others.
struct PipelineSetup {
  StagedPlan plan;
  std::vector<ResolvedDevice> devices;  // of the stages that are here
  // for each device, on it: holds the weights of its stage, their gradients and the optimizer's steps; outlives the
  // pipeline, as do the communicators
  std::vector<Executable*> updates;
  int first = 0;                   // the stage of the first of them
  std::vector<std::string> names;  // of the devices of all stages, as a run records them
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  std::int64_t parts = 1;               // the largest number of micro-batches in an update
  std::unique_ptr<StageLink> link;      // between all stages
  Communicator* processes = nullptr;    // between the processes of the stages; null: all stages are here
  std::vector<Communicator*> replicas;  // for each device: between the replicas of its stage; empty: there is one
  std::function<void(const std::string&)> doing;  // told what a stage does; may be empty
};

class Pipeline {
 public:
  static Result<std::unique_ptr<Pipeline>> make(PipelineSetup);
  ~Pipeline();

  /// Sums of the gradients, by the index of the value in the update's plan.
  using Sums = std::map<std::size_t, std::vector<float>>;
  struct Part {
    StepArgs args;
    float share = 0;  // factor of its gradients
  };
  /// Forward and backward passes of all parts; adds their gradients to `sums`, in the order of the parts. The metrics
  /// are of each part, as far as they are computed here: the loss is one stage's.
  Result<std::vector<StepMetrics>> run(const std::vector<Part>& parts, Sums& sums);
  /// Measures how long the passes of a micro-batch take, for the predicted bubble. Changes buffers and gradients, so
  /// the weights are set afterwards. All processes and replicas call it together.
  Status measure(const Part&);

  int stages() const { return static_cast<int>(facts_.size()); }
  int stages_here() const { return static_cast<int>(stages_.size()); }
  std::int64_t memory_bytes_of(int stage) const;
  std::vector<std::string> choices() const;
  int threads() const;
  /// Without what only the run knows: samples of a micro-batch, batch norm.
  PipelinePlan plan() const;
  /// Of all stages since the last call; all processes of the pipeline call it together.
  Result<PipelineTimes> take_times();

 private:
  struct Stage;
  Pipeline() = default;
  Status add_stage(PipelineSetup&, std::size_t index);
  void describe(const StagedPlan&, const std::vector<std::string>& devices);
  Status on_stages(const std::function<Status(Stage&)>& work);
  Status run_stage(Stage&, const std::vector<Part>&, Sums&, std::vector<StepMetrics>&);
  Status run_action(Stage&, const PipelineAction&, const Part&, Sums&, std::vector<StepMetrics>&);
  Status exchange(Stage&, Executable&, const Plan&, const PipelineAction&, bool sends);
  Status copy_of(Stage&, Executable&, const Plan&, bool backward, bool sends);
  static void add_gradients(Stage&, Executable&, float share, Sums&);
  Status measure_stage(Stage&, const Part&, int rounds);
  Status measure_messages();
  void say(const Stage&, const PipelineAction&) const;
  Status share(std::vector<double>& numbers) const;

  std::vector<std::unique_ptr<Stage>> stages_;  // those that are here
  std::vector<PipelineStage> facts_;            // of all stages
  std::vector<StageCost> costs_;                // likewise; as estimated, or as measured
  double message_s_ = 0;                        // until a value that was sent can be read; measured
  std::vector<StageTransfer> transfers_;
  std::unique_ptr<StageLink> link_;
  Communicator* processes_ = nullptr;
  std::function<void(const std::string&)> doing_;
  std::unique_ptr<Team> threads_;  // one for each stage that is here; the caller is the first
  PipelineSchedule schedule_ = PipelineSchedule::one_forward_one_backward;
  std::int64_t parts_ = 1;
  PipelineTimes times_;
};

}  // namespace nw
