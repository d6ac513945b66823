// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/cuda/proof/step_costs.hpp"

#include <gtest/gtest.h>

#include <map>

#include "engine/compile/compile.hpp"
#include "kernels/cuda/backend.hpp"
#include "tests/kernels/cuda/proof/order.hpp"
#include "tests/support/test_team.hpp"
#include "tests/support/tiny_plan.hpp"

namespace nw::proof {
namespace {

/// Of the graphs that are launched: their calls, the cost of the kernels among them, and the order of everything.
class StepMeter final : public cuda::FakeMeter {
 public:
  explicit StepMeter(int left_out) : order_(left_out) {}
  bool computes() const override { return false; }
  bool run(const cuda::FakeKernel& k) override {
    if (kernels_.count(k.call)) return !counts_steps(k.name);
    const Cost& c = kernels_[k.call] = measure(k);
    order_.touches(k.call, c.reads, c.writes);
    return true;
  }
  void order(const cuda::FakeOrder& o) override {
    if (o.kind == cuda::FakeOrder::graph) calls_.insert(calls_.end(), o.calls.begin(), o.calls.end());
    order_.order(o);
  }
  OrderMeter& order() { return order_; }
  std::vector<Cost> costs() {
    std::vector<Cost> all;
    for (const cuda::FakeCall& c : calls_) {
      if (const auto k = kernels_.find(c.id); k != kernels_.end())
        all.push_back(k->second);
      else if (c.what != "wait")
        all.push_back(of_library(c));
    }
    return all;
  }

 private:
  /// What the host waits for: it runs every time.
  static bool counts_steps(std::string_view kernel) { return kernel == "nw_begin_step" || kernel == "nw_end_step"; }
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
  OrderMeter order_;
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

/// Images that nobody looks at.
struct NoImages final : StepInputs {
  std::vector<std::int64_t> classes;
  explicit NoImages(std::int64_t batch) : classes(static_cast<std::size_t>(batch)) {}
  Status images(std::int64_t, std::int64_t, std::span<float>) const override { return {}; }
  std::span<const std::int64_t> labels() const override { return classes; }
};

/// One step, whose launches are counted, and `more` whose inputs are copied while others run.
std::vector<Cost> run_steps(const Plan& plan, const Device& gpu, StepMeter& meter, std::size_t more) {
  test::TestTeam team(1);
  auto made = gpu.prepare(plan, {.team = &team});
  if (!made) throw std::runtime_error(made.error().str());
  const auto expect = [](const Status& s) { EXPECT_TRUE(static_cast<bool>(s)) << (s ? "" : s.error().str()); };
  expect((*made)->run(test::args_for(plan.batch)));
  std::vector<Cost> costs = meter.costs();
  const NoImages inputs(plan.batch);
  std::vector<StepArgs> steps(more, test::args_for(plan.batch));
  for (std::size_t i = 0; i < more; ++i) steps[i].step = static_cast<std::int64_t>(i) + 1, steps[i].inputs = &inputs;
  std::vector<StepMetrics> results(more);
  expect((*made)->run_many(steps, results));
  return costs;
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

StepCosts costs_of(const Template& t, DType precision, std::int64_t batch, int left_out) {
  constexpr std::size_t more_steps = 3;
  StepMeter meter(left_out);
  const Metering metering(meter);
  const auto gpu = cuda::cuda_backend().devices().front();
  auto launches = run_steps(plan_of(t, precision, batch, *gpu), *gpu, meter, more_steps);
  OrderMeter& order = meter.order();
  return {std::string(t.name), batch, precision, std::move(launches), order.unordered(), order.waits(), order.lanes()};
}

}  // namespace nw::proof
