// SPDX-License-Identifier: Apache-2.0
// A plan on a GPU: one arena, step state on the device, the whole step captured once as a graph and launched again and again.
// Where replicas exchange sums the step is cut, and each part is a graph.
#pragma once
#include "kernels/cuda/gpu.hpp"
#include "kernels/cuda/launches.hpp"

namespace nw::cuda {

class CudaExecutable final : public Executable {
 public:
  CudaExecutable(const Plan& plan, const PrepareArgs& args, std::shared_ptr<Gpu> gpu);
  ~CudaExecutable() override;
  Status prepare(const Executable* weights_from);
  Status run(const StepArgs&) override;
  StepMetrics metrics() const override;
  void write(int value, std::span<const std::byte>) override;
  void read(int value, std::span<std::byte>) const override;
  void* input_area(int value) override { return inputs_[static_cast<std::size_t>(value)].get(); }
  std::int64_t memory_bytes() const override { return storage_ ? storage_->bytes() : 0; }
  std::vector<std::string> choices() const override;
  Status health() const override { return broken_; }

 private:
  // Between two parts of a step: sums over replicas, through host memory.
  struct Exchange {
    std::byte* device = nullptr;   // null: only the metrics
    std::shared_ptr<std::byte> host;
    std::int64_t count = 0;
    bool wide = false;             // f64
    bool metrics = false;
  };
  struct Part {
    std::vector<Launch> launches;
    std::optional<Exchange> before, after;
    DriverGraphExec graph = nullptr;
  };

  Status take_memory(const Executable* weights_from);
  Status upload_rules();
  Status prepare_steps();
  Status prepare_step(const Step&, std::byte* scratch, i64& scratch_bytes, std::vector<Part>&);
  Result<Exchange> exchange_of(const Step&);
  Status capture(Part&, bool first, bool last);
  Status enqueue(Part&, bool first, bool last);
  Status enqueue_inputs();
  Status enqueue_launch(const Launch&);
  Status exchange(Exchange&);
  Status check(int code) const { return gpu_->check(code, doing_); }
  Status fill_block(const StepArgs&);
  Status run_parts();
  std::byte* pinned(std::int64_t bytes, std::shared_ptr<std::byte>& keep);

  const Plan plan_;
  Communicator* const communicator_;
  std::shared_ptr<Gpu> gpu_;
  DriverStream stream_ = nullptr;
  std::unique_ptr<Storage> storage_;
  int memory_code_ = 0;
  FlatRegion flat_{};
  StepBlock *block_ = nullptr, *host_block_ = nullptr;   // on the device, and where its copies come from and go to
  i64 *sample_ = nullptr, *host_sample_ = nullptr;
  std::vector<std::shared_ptr<std::byte>> inputs_;       // pinned, by value index
  std::vector<std::shared_ptr<std::byte>> pinned_;
  std::vector<Part> parts_;
  std::string doing_ = "preparing";
  mutable Status broken_;                                // the first failed read or write
};

}  // namespace nw::cuda
