// SPDX-License-Identifier: Apache-2.0
// A plan on the threads of a team: the Executable returned by make_executable(). Private to executor*.cpp.
#pragma once
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "kernels/executor.hpp"
#include "kernels/overlapped_sums.hpp"
#include "kernels/state_shard.hpp"
#include "kernels/step_progress.hpp"

namespace nw {

// Phases between which all workers synchronize. `serial`: run by the first worker to arrive, one after another;
// `shards`: each shard runs through all phases; `tasks`: concurrent phases, their tasks distributed over the workers.
struct Segment {
  enum class Kind { serial, shards, tasks } kind;
  std::vector<const KernelPhase*> phases;
  std::int64_t tasks = 1;
  std::size_t first_cursor = 0;  // one per worker
  bool open = false;             // `tasks`: the next kernel's phases may join
  std::int64_t parts = 1;        // `tasks`: one phase over shards, each divided into this number of parts
  // of other `tasks`: worker w's own tasks are order[first[w]] up to order[first[w + 1]]
  std::vector<std::int64_t> order, first;
  int step = -1;   // of the plan: its first one
  int ended = -1;  // of the plan: the last one that is complete when the segment is; -1: none more
};

struct alignas(64) Cursor {
  std::atomic<std::int64_t> next{0};
};

// The number of unfinished tasks of a segment.
struct alignas(64) Left {
  std::atomic<std::int64_t> tasks{0};
};

class PlanExecutable final : public Executable, public StepProgress, public StepTimeline {
 public:
  PlanExecutable(const Plan& plan, const PrepareArgs& args, ExecutorOptions options)
      : plan_(plan), options_(std::move(options)), team_(args.team), profile_(args.profile) {
    state_.communicator = args.communicator;
  }

  Status prepare(const PrepareArgs&);
  Status run(const StepArgs& args) override;
  StepMetrics metrics() const override { return state_.metrics; }
  void write(int value, std::span<const std::byte> bytes) override;
  void read(int value, std::span<std::byte> bytes) const override;
  std::int64_t memory_bytes() const override { return storage_->bytes(); }
  std::vector<std::string> choices() const override { return choices_; }
  std::vector<StepTime> step_times() const override;
  std::vector<StepSpan> timeline() const override { return sums_ ? sums_->timeline() : std::vector<StepSpan>(); }
  int running_step() const override { return running_.load(std::memory_order_relaxed); }

 private:
  Status prepare_step(const Step&);
  /// The kernel of a step that sums all gradients over replicas; nullopt: not such a step.
  std::optional<PreparedKernel> sum_over_replicas(const Step&, const KernelEntry&);
  // A view that the plan placed in its input's storage: nothing runs.
  bool shares_storage(const Step& s) const {
    return options_.is_view(s) && storage_->at(s.outputs[0]) == storage_->at(s.inputs[0]);
  }
  void add_input_loads();
  void find_filled_inputs();
  Status fill_inputs(const StepInputs&);
  void find_views_of_images();
  std::int64_t uses_of_images() const;
  void take_times();
  void cut_into_segments();
  void share_out(Segment&) const;
  void work(int worker);
  std::int64_t tasks_of(const Segment& s) const {
    if (s.parts > 1) return std::min(s.tasks, state_.active_shards) * s.parts;
    return s.kind == Segment::Kind::shards ? std::min(s.tasks, state_.active_shards) : s.tasks;
  }
  std::int64_t parts_for(const KernelPhase&) const;
  void run_tasks(std::size_t segment, int worker);
  void run_task(const Segment&, std::int64_t task, int worker);
  void run_shard(const Segment&, std::int64_t shard, int worker);
  void finish_tasks(std::size_t segment, std::int64_t count);
  void end_waiting();
  void wait_for(std::size_t segment);

  const Plan plan_;
  const ExecutorOptions options_;
  Team* const team_;
  const bool profile_;
  RunState state_;
  std::unique_ptr<Storage> storage_;
  std::vector<PreparedKernel> kernels_;
  std::vector<int> steps_;                    // of the plan, of kernels_; -1: the load of an input
  std::vector<StepTime> names_;               // of kernels_, if profiling
  std::vector<std::vector<double>> seconds_;  // per worker, per kernel
  std::vector<Segment> segments_;
  std::unique_ptr<Cursor[]> cursors_;
  std::size_t cursor_count_ = 0;
  std::unique_ptr<Left[]> left_;  // per segment
  // segment in which a kernel failed: all workers return after it
  std::atomic<bool> broken_{false};  // a task threw an exception in this step
  std::atomic<std::size_t> stop_after_{~std::size_t{0}};
  std::vector<std::string> choices_;
  std::unique_ptr<OverlappedSums> sums_;  // null: no gradients are summed over replicas
  std::optional<StateShard> shard_;       // nullopt: all of the optimizer's state is here
  std::atomic<int> running_{-1};
  std::int64_t worker_bytes_ = 0, shared_bytes_ = 0;
  bool makes_images_ = false;  // a phase of the step converts "images" into lanes
  std::vector<int> filled_;    // the inputs that StepArgs::inputs fills before the step
};

}  // namespace nw
