// SPDX-License-Identifier: Apache-2.0
// A plan on a GPU: one arena, step state on the device, the whole step captured once as a graph and launched again and
// again, many steps at a time where the samples lie on the device. Sums over replicas are part of the graph where NCCL
// does them; otherwise the step is cut there, and each part is a graph.
#pragma once
#include <array>

#include "kernels/cuda/gpu.hpp"
#include "kernels/cuda/launches.hpp"
#include "kernels/cuda/reduce.hpp"
#include "kernels/cuda/samples.hpp"
#include "kernels/cuda/watchdog.hpp"

namespace nw::cuda {

class CudaExecutable final : public Executable {
 public:
  CudaExecutable(const Plan& plan, const PrepareArgs& args, std::shared_ptr<Gpu> gpu);
  ~CudaExecutable() override;
  Status prepare(const PrepareArgs&);
  Status run(const StepArgs&) override;
  StepMetrics metrics() const override;
  void write(int value, std::span<const std::byte>) override;
  void read(int value, std::span<std::byte>) const override;
  std::int64_t memory_bytes() const override { return storage_ ? storage_->bytes() : 0; }
  std::vector<std::string> choices() const override;
  Status health() const override { return broken_; }
  Result<std::shared_ptr<DeviceSamples>> keep(const SampleSet&) override;
  std::int64_t steps_at_once(bool of_kept) const override {
    if (of_kept) return may_burst() ? at_once_ : 1;
    return may_load_ahead() ? loaded_at_once_ : 1;
  }
  Status run_many(std::span<const StepArgs>, std::span<StepMetrics>) override;
  std::vector<StepTime> step_times() const override { return times_; }
  LossScale loss_scale() const override;
  void set_loss_scale(const LossScale&) override;

 private:
  enum Inputs { copied, kept };  // where a step's inputs come from
  // Between two parts of a step: sums over replicas, through host memory.
  struct Exchange {
    std::byte* device = nullptr;  // null: only the metrics
    std::shared_ptr<std::byte> host;
    std::int64_t count = 0;
    bool wide = false;  // f64
    bool metrics = false;
  };
  struct Part {
    std::vector<Launch> launches;
    std::optional<Exchange> before, after;
    std::array<DriverGraphExec, 2> graph{};  // by Inputs; parts behind the first have one
  };

  Status take_memory(const PrepareArgs&);
  Error no_memory(const Error& otherwise) const;
  void take_step_state();
  Status upload_rules();
  Status prepare_steps();
  Status warm_up();
  Status prepare_step(int index, std::byte* scratch, i64& scratch_bytes, std::vector<Part>&);
  Status reduce_here(const Step&, std::vector<Part>&);
  void find_buckets();
  void begin_buckets(int step, std::vector<Launch>&);
  void make_prologues();
  void make_epilogue();
  Result<Exchange> exchange_of(const Step&);

  Status capture(DriverGraphExec&, const std::function<Status()>& enqueue);
  Status capture_parts(Inputs);
  Status capture_burst();
  Status enqueue(const Part&, Inputs);
  Status enqueue_before(const Part&, Inputs);
  Status enqueue_after(const Part&);
  Status copy_inputs();
  Status take_inputs();
  Status load(const StepArgs&);
  Status run_loaded(std::span<const StepArgs>);
  Status enqueue_launch(const Launch&);
  Status run_eagerly(Inputs);
  Status run_one_by_one(const Part&, Inputs);
  Status time_launches(const std::vector<Launch>&);

  bool may_load_ahead() const { return parts_.size() == 1 && !profile_; }
  bool may_burst() const { return graphs_kept_ && may_load_ahead(); }
  Status exchange(Exchange&);
  Status check(int code) const { return gpu_->check(code, doing_); }
  Status replayed(int code) const { return code == 0 ? Status() : gpu_->check(code, reached()); }
  Status wait();
  WatchedCall waiting(double patience, bool for_others = false) const;
  void mark_launches();
  std::string place() const;
  std::string reached() const;
  void describe(std::span<const StepArgs>);
  Status upload(std::size_t steps);
  Status run_parts(Inputs);
  Status launch_steps(std::size_t count);
  Status end(const Status&);
  StepMetrics metrics_of(std::size_t line) const;
  void put(std::byte* to, std::span<const std::byte>);
  void get(const std::byte* from, std::span<std::byte>) const;
  std::byte* pinned(std::int64_t bytes, std::shared_ptr<std::byte>& keep);
  template <class T>
  T* pinned_as(std::int64_t count) {
    std::shared_ptr<std::byte> memory;
    return reinterpret_cast<T*>(pinned(count * static_cast<std::int64_t>(sizeof(T)), memory));
  }
  std::string label_of(int step) const { return step < 0 ? "" : plan_.steps[static_cast<std::size_t>(step)].label; }

  const Plan plan_;
  Team* const team_;
  Communicator* const communicator_;
  const bool profile_;
  std::shared_ptr<Gpu> gpu_;
  std::unique_ptr<NcclReducer> reducer_;  // null: one device, or sums through host memory
  std::vector<Bucket> buckets_;
  DriverStream stream_ = nullptr;
  DriverEvent begun_ = nullptr, ended_ = nullptr;  // of profile_
  std::unique_ptr<Engines> engines_;
  std::map<int, ChannelStatistics> sums_;  // see Preparing
  std::vector<std::string> choices_;       // which library or kernel computes a step
  std::unique_ptr<Storage> storage_;
  int memory_code_ = 0;
  FlatRegion flat_{};
  StepBlock *block_ = nullptr, *host_block_ = nullptr;  // on the device, and where an exchange sees it
  Burst *burst_ = nullptr, *host_burst_ = nullptr;
  i64 *order_ = nullptr, *host_order_ = nullptr;  // (max_steps, batch) data-set indices
  i64* sample_ = nullptr;                         // of the step at hand
  LossScaler* scaler_ = nullptr;                  // on the device; null: this plan scales nothing
  std::optional<LossScale> set_scale_;            // until the next step
  StepRecord* ring_ = nullptr;                    // pinned: written by the device, read by the host
  std::size_t last_line_ = 0;
  // pinned: the last launch that has begun, counted from 1
  std::int32_t* mark_ = nullptr;
  std::vector<int> step_of_launch_;  // over all parts
  std::vector<std::int32_t> marks_;  // the launches that record it
  // pinned, by value index; one is filled while the other is copied
  std::array<std::vector<std::shared_ptr<std::byte>>, 2> inputs_;
  std::size_t slot_ = 0;  // the one to be filled
  // on the device: where copies go, so that a step's own input is not touched
  std::vector<std::byte*> brought_;
  DriverStream side_ = nullptr;                      // of the copies
  DriverEvent arrived_ = nullptr, taken_ = nullptr;  // brought_ is full; brought_ may be written again
  DriverGraphExec take_graph_ = nullptr;             // from brought_ to the step's inputs
  std::vector<std::shared_ptr<std::byte>> pinned_;
  std::array<std::vector<Launch>, 2> prologue_;  // by Inputs
  std::vector<Part> parts_;
  DriverGraphExec burst_graph_ = nullptr;  // burst_steps_ steps over kept samples
  std::size_t burst_steps_ = 1;
  bool graphs_kept_ = false;
  std::int64_t at_once_ = 4, loaded_at_once_ = 4;  // to begin with
  std::vector<StepTime> times_;
  std::string doing_ = "preparing";
  mutable Status broken_;  // the first failed read or write
};

}  // namespace nw::cuda
