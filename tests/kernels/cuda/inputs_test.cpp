// SPDX-License-Identifier: Apache-2.0
// Inputs copied from the host while earlier steps run: the weights are the same, no input is read before its copy or
// overwritten before it was read, and copies overlap with steps.
#include <gmock/gmock.h>

#include <algorithm>

#include "kernels/step_gate.hpp"
#include "tests/kernels/cuda/fakes/fake_gpus.hpp"

namespace nw::test {
namespace {

constexpr std::int64_t inputs_batch = 4;

TinyPlan plan() {
  NetBuilder n = lenet(inputs_batch);
  n.train("sgd", sgd_attrs());
  return n.tiny;
}
StepArgs args(std::int64_t step) {
  return step_args(step, step % 5 == 4 ? inputs_batch - 1 : inputs_batch, 0.02 + 0.001 * static_cast<double>(step));
}

/// The digits of one step.
struct Loaded final : StepInputs {
  std::vector<float> numbers;
  std::vector<std::int64_t> classes;
  Loaded(const Plan& plan, std::int64_t step) {
    const Digits d = digits(plan.values[static_cast<std::size_t>(plan.find("images"))].shape, step * inputs_batch);
    numbers = d.images;
    classes = d.labels;
  }
  Status images(std::int64_t first, std::int64_t count, std::span<float> nhwc) const override {
    cuda::fake_moment({"load"});
    const std::int64_t each = std::ssize(numbers) / inputs_batch;
    std::copy_n(numbers.begin() + first * each, count * each, nhwc.begin());
    return {};
  }
  std::span<const std::int64_t> labels() const override { return classes; }
};

Learned learn(bool at_once, std::int64_t steps) {
  const auto gpu = fake_gpu();
  Bench b(plan(), *gpu, 1);
  initialise(b);
  std::vector<Loaded> inputs;
  for (std::int64_t i = 0; i < steps; ++i) inputs.emplace_back(b.plan(), i);
  std::vector<StepArgs> all;
  std::vector<StepMetrics> results(inputs.size());
  for (std::int64_t i = 0; i < steps; ++i) {
    all.push_back(args(i));
    all.back().inputs = &inputs[static_cast<std::size_t>(i)];
  }
  EXPECT_GT(b.executable().steps_at_once(false), 1) << "or nobody would give many";
  cuda::fake_timeline();
  if (at_once) {
    EXPECT_TRUE(static_cast<bool>(b.executable().run_many(all, results)));
  } else {
    for (std::size_t i = 0; i < all.size(); ++i) {
      load_digits(b, static_cast<std::int64_t>(i) * inputs_batch);
      all[i].inputs = nullptr;
      EXPECT_TRUE(static_cast<bool>(b.executable().run(all[i])));
      results[i] = b.executable().metrics();
    }
  }
  Learned l;
  for (const StepMetrics& m : results) l.losses.push_back(m.loss_sum);
  EXPECT_TRUE(b.guards_intact());
  read_state(b, l);
  return l;
}

TEST(CudaInputs, LoadingDuringStepsGivesTheSameWeights) { EXPECT_EQ(learn(true, 23), learn(false, 23)); }
TEST(CudaInputs, InputsBeyondTheQueueCapacityAreLoadedInTurns) { EXPECT_EQ(learn(true, 70), learn(false, 70)); }

/// Says no from one step on, or once it is told to.
struct ClosableGate final : StepGate {
  std::size_t at = 1000;
  std::atomic<bool> closed = false;
  bool may_begin(std::size_t i) override { return i < at && !closed; }
};

Result<std::size_t> until(Bench& b, std::span<const StepArgs> steps, std::span<StepMetrics> results, StepGate& gate) {
  return dynamic_cast<InterruptibleExecutable&>(b.executable()).run_until(steps, results, gate);
}

// What was not run is run afterwards: nothing is lost and nothing is done twice.
TEST(CudaInputs, ABurstThatIsInterruptedEndsBeforeTheStepThatMayNotBegin) {
  constexpr std::int64_t steps = 11;
  const Learned whole = learn(true, steps);
  const auto gpu = fake_gpu();
  Bench b(plan(), *gpu, 1);
  initialise(b);
  std::vector<Loaded> inputs;
  for (std::int64_t i = 0; i < steps; ++i) inputs.emplace_back(b.plan(), i);
  std::vector<StepArgs> all;
  for (std::int64_t i = 0; i < steps; ++i) {
    all.push_back(args(i));
    all.back().inputs = &inputs[static_cast<std::size_t>(i)];
  }
  std::vector<StepMetrics> results(all.size());
  Learned got;
  std::size_t done = 0;
  for (const std::size_t part : {1u, 4u, 2u, 4u}) {
    ClosableGate gate;
    gate.at = part;
    const auto run = until(b, std::span(all).subspan(done), std::span(results).subspan(done), gate);
    ASSERT_TRUE(static_cast<bool>(run));
    EXPECT_EQ(*run, part);
    done += part;
    EXPECT_EQ(b.executable().metrics().loss_sum, results[done - 1].loss_sum) << "of the last step that was run";
  }
  for (const StepMetrics& m : results) got.losses.push_back(m.loss_sum);
  read_state(b, got);
  EXPECT_EQ(got, whole);
}

struct ClosingWhileLoaded final : StepInputs {
  ClosableGate& gate;
  const Loaded& from;
  ClosingWhileLoaded(ClosableGate& g, const Loaded& f) : gate(g), from(f) {}
  Status images(std::int64_t first, std::int64_t count, std::span<float> nhwc) const override {
    gate.closed = true;
    return from.images(first, count, nhwc);
  }
  std::span<const std::int64_t> labels() const override { return from.labels(); }
};
TEST(CudaInputs, AStopWaitsForAtMostTwoSteps) {
  const auto gpu = fake_gpu();
  Bench b(plan(), *gpu, 1);
  initialise(b);
  const Loaded inputs(b.plan(), 0);
  ClosableGate gate;
  const ClosingWhileLoaded closing(gate, inputs);
  std::vector<StepArgs> all;
  for (std::int64_t i = 0; i < 20; ++i) {
    all.push_back(args(i));
    all.back().inputs = i == 3 ? static_cast<const StepInputs*>(&closing) : &inputs;
  }
  std::vector<StepMetrics> results(all.size());
  const auto run = until(b, all, results, gate);
  ASSERT_TRUE(static_cast<bool>(run));
  EXPECT_EQ(*run, 4u) << "the step that ran meanwhile, and the one whose inputs were being loaded";
}

struct Unreadable final : StepInputs {
  Status images(std::int64_t, std::int64_t, std::span<float>) const override {
    return Error{Errc::bad_input, Text{"a file that cannot be read", {}}};
  }
};
TEST(CudaInputs, UnreadableInputsEndTheRunWithTheirErrorOnceTheDeviceIsIdle) {
  const auto gpu = fake_gpu();
  Bench b(plan(), *gpu, 1);
  initialise(b);
  const Loaded good(b.plan(), 0);
  const Unreadable bad;
  std::vector<StepArgs> all{args(0), args(1)};
  all[0].inputs = &good;
  all[1].inputs = &bad;
  std::vector<StepMetrics> results(2);
  cuda::fake_timeline();
  const Status failed = b.executable().run_many(all, results);
  ASSERT_FALSE(static_cast<bool>(failed));
  EXPECT_EQ(failed.error().code, Errc::bad_input);
  const auto moments = cuda::fake_timeline();
  EXPECT_EQ(moments.back().what, "host") << "it waited for the step before";
}

/// The order of operations that streams, events and waits of the host guarantee.
class Order {
 public:
  explicit Order(const std::vector<cuda::FakeMoment>& all) : before_(all.size(), std::vector<bool>(all.size())) {
    std::map<const void*, std::size_t> last, recorded;
    std::optional<std::size_t> host;  // the last operation that the host has waited for
    for (std::size_t i = 0; i < all.size(); ++i) {
      const cuda::FakeMoment& m = all[i];
      if (host) follow(i, *host);
      if (m.stream && last.count(m.stream)) follow(i, last[m.stream]);
      if (m.what == "wait" && recorded.count(m.object)) follow(i, recorded[m.object]);
      if (m.what == "record") recorded[m.object] = i;
      if (m.what == "host") host = i;
      if (m.stream) last[m.stream] = i;
    }
  }
  bool operator()(std::size_t first, std::size_t then) const { return before_[then][first]; }

 private:
  void follow(std::size_t i, std::size_t earlier) {
    before_[i][earlier] = true;
    for (std::size_t k = 0; k < earlier; ++k)
      if (before_[earlier][k]) before_[i][k] = true;
  }
  std::vector<std::vector<bool>> before_;
};

TEST(CudaInputs, AreCopiedDuringThePreviousStep) {
  constexpr std::size_t steps = 9;
  learn(true, steps);
  const auto all = cuda::fake_timeline();
  const Order before(all);
  std::vector<std::size_t> loads, copies, graphs;
  const void* copying = nullptr;
  for (std::size_t i = 0; i < all.size() && graphs.size() < 2 * steps; ++i) {
    if (all[i].what == "load") loads.push_back(i);
    if (all[i].what == "copy" && !loads.empty()) {
      copying = all[i].stream;
      if (copies.size() < loads.size())
        copies.push_back(i);
      else
        copies.back() = i;  // the last copy of this step
    }
    if (all[i].what == "graph") graphs.push_back(i);
  }
  ASSERT_EQ(loads.size(), steps);
  ASSERT_EQ(copies.size(), steps);
  ASSERT_EQ(graphs.size(), 2 * steps) << "one that takes the inputs, one that is the step";
  for (std::size_t s = 0; s < steps; ++s) {
    SCOPED_TRACE("step " + std::to_string(s));
    const std::size_t take = graphs[2 * s], step = graphs[2 * s + 1];
    EXPECT_NE(all[take].stream, copying);
    EXPECT_TRUE(before(copies[s], take)) << "read before it is there";
    if (s + 1 < steps) {
      EXPECT_TRUE(before(take, copies[s + 1])) << "overwritten before it was read";
      EXPECT_FALSE(before(step, copies[s + 1])) << "the copy does not overlap with the step before";
      EXPECT_TRUE(before(step, graphs[2 * s + 2]));
    }
    if (s + 2 < steps) {
      const auto waited = std::find_if(
          all.begin() + static_cast<std::ptrdiff_t>(copies[s]), all.begin() + static_cast<std::ptrdiff_t>(loads[s + 2]),
          [&](const cuda::FakeMoment& m) { return m.what == "host" && m.stream == copying; });
      EXPECT_LT(waited - all.begin(), static_cast<std::ptrdiff_t>(loads[s + 2]))
          << "the host writes where a copy may still read";
    }
  }
}

}  // namespace
}  // namespace nw::test
