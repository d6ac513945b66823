// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/case_runner.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace nw::test {
namespace {

std::int64_t window_of(const KernelCase& c) {
  const auto& k = std::get<std::vector<std::int64_t>>(c.attrs.at("kernel"));
  return k[0] * k[1];
}

template <class T>
void add_up_to_one(std::vector<T>& v, std::int64_t row) {
  for (auto at = v.begin(); at != v.end(); at += row) {
    const T sum = std::accumulate(at, at + row, T{});
    std::transform(at, at + row, at, [&](T x) { return static_cast<T>(x / sum); });
  }
}

// The values of one input. Padding samples contain large garbage; their gradients are zero, as a plan guarantees.
template <class T>
std::vector<T> numbers(const KernelCase& c, const TensorCase& t, unsigned seed) {
  const std::vector<float> base = noise(t.shape.elements(), seed);
  std::vector<T> v(base.size());
  const std::int64_t per = t.batched ? t.shape.per_sample() : 0,
                     classes = c.inputs[0].shape.rank() > 1 ? c.inputs[0].shape[1] : 1;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const float f = base[i];
    const bool padding = t.batched && static_cast<std::int64_t>(i) / per >= c.valid;
    const auto word = static_cast<std::int64_t>((f + 9) * 1000);
    switch (t.fill) {
      case Fill::noise:
        v[i] = static_cast<T>(padding ? 1e20f : f);
        break;
      case Fill::wide:
        v[i] = static_cast<T>(padding ? 1e20f : 2.5f * f);
        break;
      case Fill::gradient:
        v[i] = static_cast<T>(padding ? 0.0f : f);
        break;
      case Fill::rectified:
        v[i] = static_cast<T>(padding ? 1e20f : std::max(f, 0.0f));
        break;
      case Fill::positive:
        v[i] = static_cast<T>(padding ? 1e20f : std::abs(f) * 0.3f + 0.01f);
        break;
      case Fill::probabilities:
        v[i] = static_cast<T>(std::abs(f) / static_cast<float>(classes));
        break;
      case Fill::shares:
        v[i] = static_cast<T>(std::abs(f));
        break;
      case Fill::argmax:
        v[i] = static_cast<T>(word % window_of(c));
        break;
      case Fill::labels:
        v[i] = static_cast<T>(word % classes);
        break;
      case Fill::binary:
        v[i] = static_cast<T>(f > 0);
        break;
      case Fill::sums:
        v[i] = static_cast<T>(i < v.size() / 2 ? f : 1000.0f + std::abs(f));
        break;
      case Fill::sample_statistics:
        v[i] = static_cast<T>(static_cast<std::int64_t>(i) % per < per / 2 ? f : 0.3f + std::abs(f));
        break;
      case Fill::statistics:
        v[i] = static_cast<T>(i < v.size() / 2 ? f : 0.3f + std::abs(f));
        break;
    }
    if (t.through) v[i] = static_cast<T>(t.through(static_cast<double>(v[i])));
  }
  if (t.fill == Fill::shares) add_up_to_one(v, per);
  return v;
}

std::vector<float> as_floats(const Bench& bench, int value) {
  const Value& v = bench.plan().values[static_cast<std::size_t>(value)];
  const auto convert = [](const auto& from) { return std::vector<float>(from.begin(), from.end()); };
  if (v.dtype == DType::f64) return convert(bench.read<double>(value));
  if (v.dtype == DType::u8) return convert(bench.read<std::uint8_t>(value));
  if (v.dtype == DType::i64) return convert(bench.read<std::int64_t>(value));
  return bench.read(value);
}

bool is_half(DType t) { return t == DType::bf16 || t == DType::f16; }
bool is_product(const std::string& kernel) {
  return kernel.starts_with("conv2d") || kernel.starts_with("conv_transpose2d") || kernel.starts_with("linear");
}
DType type_of(const KernelCase& c, const TensorCase& t) {
  return is_half(c.precision) && follows_precision(t) ? c.precision : t.dtype;
}

void add_step(TinyPlan& tiny, const KernelCase& c, const std::string& kernel, const Device& device, std::vector<int> in,
              const std::vector<int>& out) {
  StepAttrs attrs = c.attrs;
  if (c.precision == DType::tf32) tiny.plan.compute = DType::tf32;
  if (is_half(c.precision) && is_product(kernel) && !c.inputs[1].batched) {
    const int copy = tiny.value("half " + c.inputs[1].name, c.inputs[1].shape, Role::saved, false, c.precision);
    tiny.step("store_half", {in[1]}, {copy});
    in[1] = copy;
  }
  if (c.rounds) tiny.plan.compute = DType::bf16;
  if (c.rounds && device.name() != "reference") attrs["rounds"] = std::int64_t{1};
  for (std::size_t i = 0; c.rounds && device.name() == "reference" && i < 2; ++i) {
    const int copy = tiny.value("rounded " + c.inputs[i].name, c.inputs[i].shape, Role::saved, c.inputs[i].batched);
    tiny.step("round_bf16", {in[i]}, {copy});
    in[i] = copy;
  }
  tiny.step(kernel, in, out, attrs);
}

}  // namespace

Results run_case(const KernelCase& c, const std::string& kernel, const Device& device, int threads) {
  TinyPlan tiny(c.batch);
  tiny.plan.training = c.training;
  std::vector<int> in, out;
  for (const TensorCase& t : c.inputs) in.push_back(tiny.value(t.name, t.shape, Role::saved, t.batched, type_of(c, t)));
  for (const TensorCase& t : c.outputs)
    out.push_back(tiny.value(t.name, t.shape, Role::saved, t.batched, type_of(c, t)));
  if (out.empty()) out.push_back(-1);
  add_step(tiny, c, kernel, device, in, out);
  Bench bench(tiny, device, threads);
  for (std::size_t i = 0; i < c.outputs.size(); ++i)
    if (c.outputs[i].dtype == DType::f32)
      bench.write_bytes(out[i], std::vector<float>(static_cast<std::size_t>(c.outputs[i].shape.elements()), -777.0f));
  for (std::size_t i = 0; i < c.inputs.size(); ++i) {
    const TensorCase& t = c.inputs[i];
    const unsigned seed = 17 * static_cast<unsigned>(i) + 5;
    if (t.dtype == DType::f32) bench.write_bytes(in[i], numbers<float>(c, t, seed));
    if (t.dtype == DType::f64) bench.write_bytes(in[i], numbers<double>(c, t, seed));
    if (t.dtype == DType::u8) bench.write_bytes(in[i], numbers<std::uint8_t>(c, t, seed));
    if (t.dtype == DType::i64) bench.write_bytes(in[i], numbers<std::int64_t>(c, t, seed));
  }
  StepArgs args = args_for(c.valid);
  args.seed = 0x123456789abcdefull;
  args.epoch = 3;
  std::vector<std::int64_t> samples;
  for (std::int64_t n = 0; n < c.batch; ++n) samples.push_back(n * 7919 + (n << 33));
  args.sample = samples.data();
  const Status status = bench.executable().run(args);
  EXPECT_TRUE(static_cast<bool>(status));
  EXPECT_TRUE(bench.guards_intact()) << kernel << " writes outside its outputs";
  Results r;
  r.metrics = bench.executable().metrics();
  r.choices = bench.executable().choices();
  const auto collect = [&](const TensorCase& t, int value) {
    std::vector<float> v = as_floats(bench, value), rest;
    if (t.batched) {
      const auto per = static_cast<std::size_t>(t.shape.per_sample());
      const auto end = static_cast<std::size_t>(std::min(c.batch, (c.valid + 15) / 16 * 16));
      rest.assign(v.begin() + static_cast<std::ptrdiff_t>(c.valid) * static_cast<std::ptrdiff_t>(per),
                  v.begin() + static_cast<std::ptrdiff_t>(end * per));
      v.resize(static_cast<std::size_t>(c.valid) * per);
    }
    r.outputs.push_back(v);
    r.padding.push_back(rest);
  };
  for (std::size_t i = 0; i < c.outputs.size(); ++i) collect(c.outputs[i], out[i]);
  if (kernel == "batch_norm_finalize")
    for (std::size_t i = 1; i < 4; ++i) collect(c.inputs[i], in[i]);
  return r;
}

void expect_close(const KernelCase& c, const Results& got, const Results& wanted) {
  SCOPED_TRACE(fmt::format("implementation: {}", fmt::join(got.choices, "; ")));
  for (std::size_t i = 0; i < wanted.outputs.size(); ++i) {
    ASSERT_EQ(got.outputs[i].size(), wanted.outputs[i].size());
    EXPECT_LE(relative_distance(got.outputs[i], wanted.outputs[i]), c.tolerance) << "output " << i;
    float largest = 0;
    for (const float f : wanted.outputs[i]) largest = std::max(largest, std::abs(f));
    for (std::size_t e = 0; e < got.outputs[i].size(); ++e)
      ASSERT_NEAR(got.outputs[i][e], wanted.outputs[i][e], std::max(1e-5, 4 * c.tolerance) * largest)
          << "output " << i << ", element " << e;
    for (const float f : got.padding[i]) ASSERT_TRUE(!c.zero_padding || f == 0.0f) << "a padding sample has a gradient";
  }
  EXPECT_NEAR(got.metrics.loss_sum, wanted.metrics.loss_sum, 1e-6 * std::abs(wanted.metrics.loss_sum) + 1e-7);
  EXPECT_EQ(got.metrics.correct, wanted.metrics.correct);
  EXPECT_EQ(got.metrics.samples, wanted.metrics.samples);
}

}  // namespace nw::test
