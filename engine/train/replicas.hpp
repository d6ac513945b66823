// SPDX-License-Identifier: Apache-2.0
// One network on every device of a run: compiled, prepared and stepped together. A batch is split into contiguous
// shards in rank order; the plan's reduce steps give all replicas the same update, so rank 0 represents all. With model
// parallelism a pipeline of several devices computes the training steps of each replica. With several processes each
// has one replica, or one stage of a pipeline; ranks are then those of all replicas.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/backend/devices.hpp"
#include "engine/compile/compile.hpp"
#include "engine/data/batches/batches.hpp"
#include "engine/io/safetensors.hpp"
#include "engine/parallel/process_group.hpp"
#include "engine/runs/not_finite_event.hpp"
#include "engine/runs/rank_times.hpp"
#include "engine/train/pipeline.hpp"
#include "engine/train/timed_communicator.hpp"

namespace nw {

class Replicas {
 public:
  /// `doc`'s settings give the global batch. Compiles for training and, sharing weights, for evaluation. `epoch`,
  /// 0-based: layers that are frozen in it are not trained; by default those that are frozen at first are.
  static Result<std::unique_ptr<Replicas>> make(const GraphDoc& doc, const DataFacts&, std::vector<ResolvedDevice>,
                                                bool profile = false, std::int64_t epoch = Target{}.epoch,
                                                ProcessGroup* processes = nullptr);
  ~Replicas();

  int world() const { return world_; }
  std::int64_t share() const { return share_; }               // samples of a full batch per device
  std::int64_t capacity() const { return share_ * world(); }  // number of samples for which a batch must have room
  // the same for the batches of one update, one after another
  std::int64_t update_capacity() const { return capacity() * accumulate_; }
  std::int64_t target_width() const;  // 0: labels
  std::int64_t parameters() const;
  std::int64_t memory_bytes() const;  // over all devices
  std::int64_t memory_bytes_of(int rank) const;
  /// Of the optimizer's state: all of it, and what this device of the process does not keep because others do.
  std::int64_t state_bytes() const;
  std::int64_t saved_bytes_of(int rank) const;
  bool sharded() const { return sharded_; }
  std::vector<std::string> choices() const;
  /// What a device of this process has done in training steps since the replicas were made.
  struct Work {
    std::string device;
    double running_s = 0;   // in steps
    double reducing_s = 0;  // of that, in the exchange with the others
    double waiting_s = 0;   // of that, until the others had begun it
    std::int64_t memory_bytes = 0;
  };
  std::vector<Work> work() const;
  /// When each device computed and exchanged gradients in the last step, by rank, of the first `most_ranks_with_spans`;
  /// empty for a device that does not tell. All processes call it at the same step.
  Result<std::vector<std::vector<StepSpan>>> timelines();
  // time that the first device has spent in the gradient exchange, including the wait for the others
  double reduce_seconds() const;
  int threads() const;         // of all devices
  Pipeline* pipeline() const;  // of the first replica here; null without model parallelism
  /// True: this process holds the weights, gradients and optimizer's state of one stage only.
  bool is_spread() const { return spread_ != nullptr; }
  /// What the run records of its pipeline; called only if there is one.
  PipelinePlan pipeline_plan() const;
  /// Since the last call, of each replica; where the stages are processes, known in all of them. All processes of a
  /// pipeline call it at the same step.
  Result<std::vector<PipelineTimes>> take_pipeline_times();
  /// Where the stages of a pipeline are.
  struct StagePlace {
    std::string host, device;  // host: empty where the stages are devices of this process
  };
  /// Of each replica's stages in order.
  std::vector<StagePlace> stage_places() const;
  bool own_memory() const;   // the first device has its own memory: a GPU
  const Plan& plan() const;  // of a training step; with model parallelism, of its update
  /// Of a whole training step on one device.
  Result<Compiled> whole_plan() const;
  /// Samples over which batch norm takes its statistics: a batch's, or a device's; 0: the network has none.
  std::int64_t statistics_over() const;
  // of the last step of the first device; empty without `profile`
  std::vector<StepTime> step_times() const;

  Status start_weights(std::uint64_t seed);
  /// Takes every weight that the file holds under the same name and with the same shape, but those of the layers
  /// `fresh`.
  struct Taken {
    std::int64_t taken = 0;
    std::vector<std::string> left;  // weights of the network that the file does not hold so
  };
  Result<Taken> take_weights(const SafetensorsFile&, std::span<const std::string> fresh = {});
  /// One update on all devices, of up to update_capacity() samples. The caller sets step, epoch, seed and learning rate
  /// in `args`; this method sets the other members.
  Result<StepMetrics> train(const BatchSamples&, StepArgs args);
  /// Several updates in order, with as little host work between them as possible; `results`: the metrics of each.
  /// `go_on`: asked before each but the first, on any thread. Returns the number of updates, at least one.
  Result<std::size_t> train(std::span<const BatchSamples> batches, std::span<StepArgs> args,
                            std::span<StepMetrics> results, const std::function<bool()>& go_on);
  /// The number of steps that the devices currently prefer to execute at once.
  std::int64_t steps_at_once(const BatchBuilder&) const;
  /// Stores the data set on the devices that can keep it; they then prepare the images of `maker`'s batches themselves.
  /// Called once the replicas are complete.
  Status keep(const BatchBuilder& maker);
  /// Copies the running statistics of the first device to all devices: they differ if each device normalizes over its
  /// own shard. Files contain those of the first device. Called before an evaluation.
  Status share_buffers();
  /// Brings the weights that are evaluated (see averages()) and the buffers to where they are evaluated, which is the
  /// first stage of each replica, if evaluates_copy(). All processes call it together.
  Status gather_weights();
  /// The stages of a replica have their weights in different memories; the whole network is computed with copies.
  bool evaluates_copy() const;
  /// As gather_weights(), of the weights that are trained; without effect where is_spread().
  Status copy_trained_weights();
  // ---- where is_spread(), else these do nothing, except for collect(). All processes call them together.
  /// Brings all that model() and optimizer() hold to the first process, as gather_state() where is_spread() is false.
  /// Kept there until forget_collected().
  Status collect();
  void forget_collected();
  /// Whether this is true in any process.
  Result<bool> is_true_somewhere(bool here);
  /// The first process's number.
  Result<double> of_first(double here);
  /// Measures how long the stages of a pipeline take, for its predicted bubble; the weights are set afterwards.
  Status measure(const BatchSamples&);
  /// An error that names the device and the first weight if not all replicas have the same weights, bit by bit. Every
  /// process calls it at the same step.
  Status compare_weights();
  /// Copies the optimizer's state of other processes here, until the next update; without effect where this process has
  /// all that it will ever read. Called by all processes at the same step, before optimizer() is read or copy() is
  /// called.
  Status gather_state();
  /// What the loss of a batch is divided by: its samples, or with weights of classes the sum of those of its labels.
  double loss_weight(const BatchSamples& batch) const { return loss_weight(batch, 0, batch.valid); }
  /// Forward only, running statistics; sums over the batch.
  Result<StepMetrics> evaluate(const BatchSamples&);
  /// The network's scores for the batch's images, (valid, scores_per_image()): forward only, running statistics, on the
  /// first device. At most share() images.
  Result<std::vector<float>> scores(const BatchSamples&);
  std::int64_t scores_per_image() const;
  // converts scores to probabilities (Compiled::activation)
  const std::string& activation() const;
  /// The first tensor that is not finite in the step of this batch, which did not update the weights: the step is
  /// repeated with memory for every value. nullopt: it cannot be repeated, or shows nothing.
  std::optional<NotFinite> find_not_finite(const BatchSamples&, StepArgs args);

  /// The first device with its training step, for reading only, and what holds the weights of the whole network there:
  /// where evaluates_copy(), those of the last gather_weights().
  struct First {
    const Device& device;
    Team* team;
    Executable& step;
    Executable& whole;
  };
  First first() const;

  /// While it exists, the weights are their moving average, where the settings ask for one: what is evaluated and
  /// saved. Training steps must not be run meanwhile.
  class Averaged;
  bool averages() const;

  /// Adds the weights to the mean of stochastic weight averaging, which holds those of `already` epochs. From then on
  /// the mean is what is evaluated and saved.
  Status add_to_mean(std::int64_t already);
  /// Measures the statistics of batch norm for the mean: their mean over the batches that `next` gives, as in training.
  /// `args`: seed and epoch.
  Status measure_statistics(const std::function<const BatchSamples*()>& next, const StepArgs& args);

  /// Everything that a training changes, in host memory: weights, buffers, the optimizer's state, loss scaling, the
  /// mean of weights.
  struct Copy {
    std::map<std::string, std::vector<std::byte>> tensors, mean;
    LossScale loss_scale;
  };
  Copy copy() const;
  /// Takes over the copy of a network whose weights have the same names and shapes. Of the optimizer's state, what both
  /// have; other state is zero, an average begins with the weights.
  void put(const Copy&);

  /// State of dynamic loss scaling: the same on all devices.
  LossScale loss_scale() const;
  void set_loss_scale(const LossScale&);

  /// Tensors as stored in files: weights and buffers under PyTorch's names; "momentum conv1.weight" and so on. With a
  /// moving average or a mean, the model holds the averaged weights, and the optimizer the trained ones: "trained
  /// conv1.weight".
  std::vector<TensorSource> model() const;
  std::vector<TensorSource> optimizer() const;
  /// Loads the tensors into all replicas. Every tensor must be present with its shape. `of_mean`: the model is a mean
  /// that further epochs are added to.
  Status restore(const SafetensorsFile& model, const SafetensorsFile& optimizer, bool of_mean = false);
  /// Takes what fits by name and shape, of the model and of the optimizer's state; other tensors stay as they are.
  Result<Taken> carry(const SafetensorsFile& model, const SafetensorsFile& optimizer, bool of_mean = false);

 private:
  struct Rank;
  struct Spread;
  friend struct ReplicasSeam;  // of tests
  Replicas() = default;
  Status prepare(const GraphDoc&, const DataFacts&, std::vector<ResolvedDevice>);
  Status divide_batch(const TrainSettings&, std::int64_t batch, std::int64_t world);
  Status prepare_rank(Rank&, const GraphDoc&, const DataFacts&, const Device&);
  Status on_all(const std::function<Status(Rank&)>&);
  const DeviceSamples* kept(const Rank&, const BatchSamples&) const;
  StepArgs args_for(Rank&, const BatchSamples&, StepArgs, std::size_t ahead = 0, std::int64_t part = 0) const;
  /// Of the valid ones of the samples from `first` on, at most `count`.
  double loss_weight(const BatchSamples&, std::int64_t first, std::int64_t count) const;
  void average_over_weights(StepMetrics&, const BatchSamples&) const;
  Status add_ranks(const std::vector<ResolvedDevice>&);
  Status share_buffers_of_first();
  Status sum_over_processes(StepMetrics&);
  static Status prepare_update(Rank&, Plan whole, const Device&);
  Result<std::int64_t> stages_of(const TrainSettings&, std::int64_t devices) const;
  Status prepare_pipelines(const GraphDoc&, const DataFacts&, const std::vector<ResolvedDevice>&, int stages);
  Status prepare_pipeline(Rank&, const GraphDoc&, const DataFacts&, const std::vector<ResolvedDevice>&, int stages);
  void spread(int stages);
  Status take_own_stage(Rank&, StagedPlan&);
  Status hold_stages(Rank&, const StagedPlan&, const std::vector<ResolvedDevice>&);
  static void copy_weights(Rank&);
  PipelineSetup setup_of(const Rank&, StagedPlan, const std::vector<ResolvedDevice>&, const TrainSettings&) const;
  bool trains_in_parts() const { return accumulate_ > 1 || pipeline(); }
  Result<StepMetrics> train_one(const BatchSamples&, const StepArgs&);
  Result<StepMetrics> train_in_parts(const BatchSamples&, const StepArgs&);
  Status run_parts(Rank&, const BatchSamples&, const StepArgs&, std::int64_t parts, std::vector<StepMetrics>& all);
  std::vector<Pipeline::Part> parts_for(Rank&, const BatchSamples&, const StepArgs&, std::int64_t parts) const;
  Status share_metrics(std::vector<StepMetrics>& all);
  Result<Compiled> whole_plan(const Rank&) const;
  double share_of_part(const BatchSamples&, std::int64_t part) const;
  static Status sum_part(Rank&, double share);
  Result<StepMetrics> update(const StepMetrics& sums, const StepArgs&);
  Status update_rank(Rank&, const StepArgs&);
  const Plan& all_values() const;  // of the whole network
  using ValueSink = std::function<void(int value, std::span<const std::byte>)>;
  std::vector<std::byte> packed(const std::function<bool(const Value&)>& which) const;
  Status to_first_stage(const std::function<bool(const Value&)>& which, const ValueSink&);
  Status count_over_stages(Taken&) const;
  std::vector<TensorSource> tensors(bool optimizer) const;
  Status restore_tensors(const SafetensorsFile&, bool optimizer);
  Status restore_average(const SafetensorsFile& optimizer, bool of_mean);
  std::vector<std::byte> trained(int value) const;  // on the first device
  std::vector<int> weights_of_plan() const;         // in the order of their use
  Status share_difference(int& rank, std::string& weight);
  Status gather_digests(std::vector<std::vector<std::uint64_t>>& digests, std::size_t each);
  Status timed_step(Rank&, const std::function<Status()>& run);
  std::string place() const;  // in the current step; any thread
  static Status allow_sharding(const TrainSettings&);
  void shard_plan(Rank&);
  void read_state(int value, std::span<std::byte> bytes) const;
  void write_all(int value, std::span<const std::byte> bytes);
  void take_as_mean();
  void add_statistics(std::map<int, std::vector<double>>& sums) const;
  std::vector<std::byte> mean_statistics(int value, const std::vector<double>& sum, std::int64_t batches) const;
  void begin_averages();

  std::int64_t share_ = 0, accumulate_ = 1;         // samples of a device in a part; parts of an update
  std::map<int, std::vector<std::byte>> mean_;      // of weights, with buffers for them, by value; empty: none
  std::map<int, std::vector<std::byte>> gathered_;  // the optimizer's state of all processes, by value
  ProcessGroup* processes_ = nullptr;
  int world_ = 1;
  bool sharded_ = false;  // each replica keeps a part of the optimizer's state
  bool own_statistics_ = false, has_batch_norm_ = false;
  bool profile_ = false;
  std::int64_t epoch_ = 0, step_ = 0;
  std::vector<std::unique_ptr<TimedCommunicator>> communicators_;          // empty with one device
  std::vector<std::vector<std::unique_ptr<RankCommunicator>>> of_stages_;  // by stage and replica, where all are here
  std::unique_ptr<Spread> spread_;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::unique_ptr<Team> threads_;  // one per device; the caller is rank 0
  // the plan of a whole step on one device, where the replica's own has only the update
  std::function<Result<Compiled>()> compile_whole_;
};

class Replicas::Averaged {
 public:
  explicit Averaged(Replicas&);
  ~Averaged();
  Averaged(const Averaged&) = delete;
  Averaged& operator=(const Averaged&) = delete;

 private:
  Replicas& replicas_;
  std::map<int, std::vector<std::byte>> trained_;  // weights, with a mean buffers too, by value
};

}  // namespace nw
