// SPDX-License-Identifier: Apache-2.0
// The reference backend: every kernel as plain loops, which tests compare other backends with.
#include <unistd.h>

#include "kernels/catalogue.hpp"
#include "kernels/reference/kernels.hpp"
#include "kernels/state_shard.hpp"

namespace nw {
namespace reference {

Image image(float* data, const Value& v) {
  const Shape& s = v.shape;
  Image i{data};
  if (s.rank() > 0) i.n = s[0];
  if (s.rank() > 1) i.c = s[1];
  if (s.rank() > 2) i.h = s[2];
  if (s.rank() > 3) i.w = s[3];
  return i;
}

PreparedKernel whole(std::function<void()> run) {
  return {{{1, false, [run = std::move(run)](std::int64_t, int) { run(); }}}, ""};
}

PreparedKernel each_sample(const KernelContext& c, std::function<void(std::int64_t)> run) {
  const RunState& state = c.state;
  return {{{c.plan.batch, false,
            [&state, run = std::move(run)](std::int64_t n, int) {
              if (n < state.args.valid) run(n);
            }}},
          ""};
}

namespace {

const KernelTable& table() {
  static const KernelTable all = [] {
    // The norms are summed weight after weight, so each replica gets all gradients.
    KernelTable t{
        {"all_reduce", prepare_all_reduce}, {"reduce_scatter", prepare_all_reduce}, {"all_gather", prepare_all_gather}};
    for (const KernelTable& part :
         {conv2d_kernels(), conv_transpose2d_kernels(), linear_kernels(), pool_kernels(), batch_norm_kernels(),
          sample_norm_kernels(), elementwise_kernels(), prelu_kernels(), multiply_kernels(), formula_kernels(),
          dropout_kernels(), softmax_kernels(), shape_kernels(), resample_kernels(), loss_kernels(), update_kernels(),
          channel_kernels(), channel_norm_kernels(), attention_kernels()})
      t.insert(t.end(), part.begin(), part.end());
    return t;
  }();
  return all;
}

std::int64_t value_bytes(const Value& v) { return v.shape.elements() * static_cast<std::int64_t>(size_of(v.dtype)); }

class ReferenceDevice final : public Device {
 public:
  std::string name() const override { return "reference"; }
  std::string description() const override { return "plain loops, for comparison"; }
  std::int64_t memory_bytes() const override {
    return static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) * sysconf(_SC_PAGE_SIZE);
  }
  bool computes_in(DType format) const override { return format == DType::f32 || format == DType::bf16; }
  Text supports(const Plan& plan, const Step& step) const override {
    if (plan.compute == DType::tf32)
      return text(NW_TR("{0} computes in fp32 or bf16; tf32 is a format of CUDA devices"), name());
    if (!computes_in(plan.compute))
      return text(NW_TR("{0} computes in fp32 or bf16; fp16 needs loss scaling, on a GPU"), name());
    if (!find_entry(table(), step.kernel)) return text(NW_TR("{0} has no {1}"), name(), step.kernel);
    if (rounds_operands(step)) return text(NW_TR("{0} rounds operands by steps of their own"), name());
    return {};
  }
  std::int64_t bytes_of(const Plan&, const Value& v) const override { return value_bytes(v); }
  Result<std::unique_ptr<Executable>> prepare(const Plan& plan, const PrepareArgs& args) const override {
    ExecutorOptions o;
    o.table = &table();
    o.bytes_of = value_bytes;
    o.is_view = [](const Step&) { return false; };
    o.notes = {"all steps: reference loops"};
    return make_executable(plan, args, std::move(o));
  }
};

std::vector<std::shared_ptr<Device>> devices() { return {std::make_shared<ReferenceDevice>()}; }

}  // namespace
}  // namespace reference

const Backend& reference_backend() {
  static const Backend backend{backend_api_version, "reference", reference::devices};
  return backend;
}

}  // namespace nw
