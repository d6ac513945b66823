// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/proof/step_costs.hpp"

#include <gtest/gtest.h>

#include <map>

#include "engine/compile/compile.hpp"
#include "kernels/cuda/backend.hpp"
#include "tests/support/test_team.hpp"
#include "tests/support/tiny_plan.hpp"

namespace nw::proof {
namespace {

/// Of the graphs that are launched: their calls, and the cost of the kernels among them.
class StepMeter final : public cuda::FakeMeter {
 public:
  bool computes() const override { return false; }
  bool run(const cuda::FakeKernel& k) override {
    if (kernels_.count(k.call) == 0) kernels_[k.call] = measure(k);
    return true;
  }
  void order(const cuda::FakeOrder& o) override {
    if (o.kind == cuda::FakeOrder::graph) calls_.insert(calls_.end(), o.calls.begin(), o.calls.end());
  }
  std::vector<Cost> costs() {
    std::vector<Cost> all;
    for (const cuda::FakeCall& c : calls_) {
      if (const auto k = kernels_.find(c.id); k != kernels_.end())
        all.push_back(std::move(k->second));
      else if (c.what != "wait")
        all.push_back(of_library(c));
    }
    return all;
  }

 private:
  static Cost of_library(const cuda::FakeCall& call) {
    Cost c{call.what};
    c.operations = call.operations;
    c.reads = call.reads;
    c.writes = call.writes;
    const bool has_workspace = call.what == "multiply";
    for (const auto& r : c.reads) c.read += static_cast<double>(r.end - r.begin);
    for (std::size_t i = 0; i < c.writes.size(); ++i)
      if (!has_workspace || i != 1) c.written += static_cast<double>(c.writes[i].end - c.writes[i].begin);
    return c;
  }
  std::map<std::uint64_t, Cost> kernels_;
  std::vector<cuda::FakeCall> calls_;
};

struct Metering {
  explicit Metering(cuda::FakeMeter& m) {
    constexpr std::size_t enough = std::size_t{1} << 42;
    cuda::use_driver_api(&cuda::fake_driver_api({}, {.cublas_lt = true, .cudnn = true, .small_kernels = true}));
    cuda::fake_free_memory(enough);
    cuda::fake_meter(&m);
  }
  ~Metering() {
    constexpr std::size_t usual = std::size_t{8} << 30;
    cuda::fake_meter(nullptr);
    cuda::fake_free_memory(usual);
  }
};

Plan plan_of(const Template& t, DType precision, std::int64_t batch, const Device& gpu) {
  GraphDoc doc = t.make();
  TrainSettings settings = doc.settings();
  settings.precision = precision;
  settings.batch = batch;
  EXPECT_TRUE(doc.apply({PutSettings{settings}}));
  auto compiled = compile(doc, {.batch = batch, .device = &gpu});
  if (!compiled) throw std::runtime_error(std::string(t.name) + ": " + compiled.error().str());
  return std::move(compiled->plan);
}

void run_step(const Plan& plan, const Device& gpu) {
  test::TestTeam team(1);
  auto made = gpu.prepare(plan, {.team = &team});
  if (!made) throw std::runtime_error(made.error().str());
  const Status ran = (*made)->run(test::args_for(plan.batch));
  EXPECT_TRUE(static_cast<bool>(ran)) << (ran ? "" : ran.error().str());
}

}  // namespace

double StepCosts::read() const {
  double sum = 0;
  for (const Cost& c : launches) sum += c.read;
  return sum;
}
double StepCosts::written() const {
  double sum = 0;
  for (const Cost& c : launches) sum += c.written;
  return sum;
}
double StepCosts::operations() const {
  double sum = 0;
  for (const Cost& c : launches) sum += c.operations;
  return sum;
}
const Cost& StepCosts::deepest(double wide) const {
  const Cost* deepest = &launches.front();
  for (const Cost& c : launches)
    if (c.threads <= wide && c.loads > deepest->loads) deepest = &c;
  return *deepest;
}

std::int64_t usual_batch(const Template& t) {
  static const std::map<std::string_view, std::int64_t> measured = {
      {"mlp", 64}, {"lenet5", 64}, {"vgg13-cifar", 512}, {"resnet18-cifar", 128}, {"resnet50", 256}};
  const auto at = measured.find(t.name);
  return at == measured.end() ? t.make().settings().batch : at->second;
}

StepCosts costs_of(const Template& t, DType precision, std::int64_t batch) {
  StepMeter meter;
  const Metering metering(meter);
  const auto gpu = cuda::cuda_backend().devices().front();
  run_step(plan_of(t, precision, batch, *gpu), *gpu);
  return {std::string(t.name), batch, precision, meter.costs()};
}

}  // namespace nw::proof
