// SPDX-License-Identifier: Apache-2.0
// The fast CPU backend: one layout (batch in lanes), own kernels, three instruction sets, and tiles of bfloat16.
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "kernels/catalogue.hpp"
#include "kernels/cpu/bf16/tile_products.hpp"
#include "kernels/cpu/instruction_set.hpp"
#include "kernels/cpu/operators.hpp"
#include "kernels/state_shard.hpp"

namespace nw {
namespace cpu {

namespace {

const KernelTable& table() {
  static const KernelTable all = [] {
    KernelTable t{{"all_reduce", prepare_all_reduce, always_alone},
                  {"reduce_scatter", prepare_reduce_scatter, always_alone},
                  {"all_gather", prepare_all_gather, always_alone}};
    for (const KernelTable& part :
         {conv2d_kernels(), conv_transpose2d_kernels(), linear_kernels(), pool_kernels(), batch_norm_kernels(),
          sample_norm_kernels(), elementwise_kernels(), prelu_kernels(), multiply_kernels(), formula_kernels(),
          resample_kernels(), loss_kernels(), shape_kernels(), update_kernels(), channel_kernels(),
          channel_norm_kernels(), attention_kernels()})
      t.insert(t.end(), part.begin(), part.end());
    return t;
  }();
  return all;
}

std::int64_t value_bytes(const Value& v) {
  const auto size = static_cast<std::int64_t>(size_of(v.dtype));
  if (v.layout != Layout::lanes16) return round_up(v.shape.elements() * size, 64);
  return shards_for(v.shape[0]) * shard_samples * v.shape.per_sample() * size;
}

/// A shard has its elements in (C,H,W) order, so these steps move nothing.
bool is_reshape(const Step& s) { return s.kernel == "flatten" || s.kernel == "flatten_grad" || s.kernel == "reshape"; }

std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(std::min(line.size(), line.find(':') + 2));
  return "CPU";
}

class CpuDevice final : public Device {
 public:
  std::string name() const override { return "cpu"; }
  std::string description() const override { return processor_name() + ", " + choose_instruction_set().name; }
  std::int64_t memory_bytes() const override {
    return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
  }
  double peak_flops() const override;
  bool computes_in(DType format) const override { return format == DType::f32 || format == DType::bf16; }
  Text supports(const Plan& plan, const Step& step) const override {
    if (plan.compute == DType::tf32)
      return text(NW_TR("{0} computes in fp32 or bf16; tf32 is a format of CUDA devices"), name());
    if (!computes_in(plan.compute))
      return text(NW_TR("{0} computes in fp32 or bf16; fp16 needs loss scaling, on a GPU"), name());
    if (!find_entry(table(), step.kernel)) return text(NW_TR("{0} has no {1}"), name(), step.kernel);
    if (rounds_operands(step) && !tiles_take(*choose_instruction_set().kernels, plan, step))
      return text(NW_TR("{0} rounds operands by steps of their own"), name());
    if (step.kernel == "conv2d_max_pool2d_relu" && quicker_unpooled(*choose_instruction_set().kernels, plan, step))
      return text(NW_TR("{0} has no {1}"), name(), step.kernel);
    return {};
  }
  void choose_layouts(Plan& plan) const override;
  bool is_view(const Plan&, const Step& s) const override { return is_reshape(s); }
  bool runs_alone(const Plan&, const Step& s) const override;
  bool gathers(const Plan& plan, const Step& s) const override {
    return s.kernel == "linear_grad_weight" && !is_linear_of_pixels(plan, s);
  }
  std::int64_t bytes_of(const Plan&, const Value& v) const override { return value_bytes(v); }
  Result<std::unique_ptr<Executable>> prepare(const Plan&, const PrepareArgs&) const override;
};

// The best of several short runs, since other load on the machine only reduces the rate.
double CpuDevice::peak_flops() const {
  using Clock = std::chrono::steady_clock;
  const VectorKernels& k = *choose_instruction_set().kernels;
  alignas(64) float numbers[shard_samples] = {1, 2, 3, 4};
  double best = 0;
  for (int i = 0; i < 20; ++i) {
    const Clock::time_point begin = Clock::now();
    const auto done = static_cast<double>(k.multiply_adds(200'000, numbers));
    best = std::max(best, done / std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return best;
}

// A forward pass of one shard has nothing to run beside: its steps end one after the other, whatever their workers.
bool CpuDevice::runs_alone(const Plan& plan, const Step& s) const {
  if (!plan.training && shards_for(plan.batch) == 1) return true;
  const KernelEntry* entry = find_entry(table(), s.kernel);
  return entry && entry->runs_alone && entry->runs_alone(plan, s);
}

// Batched values have the batch in lanes; labels and targets stay as the loader wrote them.
void CpuDevice::choose_layouts(Plan& plan) const {
  for (Value& v : plan.values)
    if (v.batched && v.shape.rank() > 0 && (v.dtype == DType::f32 || v.dtype == DType::u8)) v.layout = Layout::lanes16;
  for (const Step& s : plan.steps)
    if (s.kernel == "bce_with_logits" || s.kernel == "mse" || (s.kernel == "cross_entropy" && takes_shares(plan, s)))
      plan.values[static_cast<std::size_t>(s.inputs[1])].layout = Layout::nhwc;
}

Result<std::unique_ptr<Executable>> CpuDevice::prepare(const Plan& plan, const PrepareArgs& args) const {
  const InstructionSet set = choose_instruction_set();
  ExecutorOptions o;
  o.table = &table();
  o.bytes_of = value_bytes;
  o.is_view = is_reshape;
  o.load_input = [k = set.kernels](const Value& v, std::byte* border, std::byte* to, RunState& state) {
    return load_input(*k, v, border, to, state);
  };
  o.load_scratch_bytes = load_scratch_bytes;
  o.begin_step = choose_pixels;
  o.end_work = set.kernels->tiles ? set.kernels->tiles->release : nullptr;
  o.backend = set.kernels;
  o.flush_denormals = true;
  o.notes = {"instruction set: " + set.name};
  if (!set.note.empty()) o.notes.push_back(set.note);
  if (plan.compute == DType::bf16)
    o.notes.emplace_back(std::string("bf16: operands rounded, summed in fp32; ") +
                         (set.kernels->tiles ? "tiles where they pay" : "this processor gains no speed from it"));
  // a plan compiled for a machine with tiles: without them no kernel here would round the operands
  for (const Step& s : plan.steps)
    if (rounds_operands(s) && !tiles_can(*set.kernels, plan, s))
      return fail(Errc::no_device, NW_TR("{0} rounds operands by steps of their own"), name());
  return make_executable(plan, args, std::move(o));
}

std::vector<std::shared_ptr<Device>> devices() { return {std::make_shared<CpuDevice>()}; }

}  // namespace
}  // namespace cpu

const Backend& cpu_backend() {
  static const Backend backend{backend_api_version, "cpu", cpu::devices};
  return backend;
}

}  // namespace nw
