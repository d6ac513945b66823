// SPDX-License-Identifier: Apache-2.0
// Steps as graphs: launch by launch, replayed, or many in one launch over samples that lie on the device: the same
// bytes.
#include <gmock/gmock.h>

#include <set>

#include "tests/kernels/cuda/fakes/fake_gpus.hpp"

namespace nw::test {
namespace {

constexpr std::int64_t batch = 4, side = 28, count = 37;

/// Images by a rule, u8, and labels that go with them.
struct Pixels {
  std::vector<std::uint8_t> pixels;
  explicit Pixels(std::int64_t channels, std::int64_t size) : channels_(channels), size_(size) {
    for (std::int64_t i = 0; i < count * size * size * channels; ++i)
      pixels.push_back(static_cast<std::uint8_t>(i * 2654435761u >> 13));
  }
  SampleSet set() const {
    SampleSet s{.identity = this, .count = count, .height = size_, .width = size_, .channels = channels_};
    s.pixels = [this](std::int64_t i) { return pixels.data() + i * size_ * size_ * channels_; };
    s.label = [](std::int64_t i) { return i * 7 % 10; };
    s.scales.assign(static_cast<std::size_t>(channels_), {0.5F, 0.5F});
    s.crop_padding = 2;
    s.mirror = true;
    s.crop_op = 3;
    s.flip_op = 4;
    return s;
  }

 private:
  const std::int64_t channels_, size_;
};

/// Inputs that lie on the device.
struct KeptInputs final : StepInputs {
  std::shared_ptr<DeviceSamples> samples;
  Status images(std::int64_t, std::int64_t, std::span<float>) const override {
    return fail(Errc::other, NW_TR("the device makes the images"));
  }
  const DeviceSamples* kept() const override { return samples.get(); }
};

struct Session {
  Bench bench;
  KeptInputs inputs;
  std::vector<std::vector<std::int64_t>> orders;
  Session(const TinyPlan& tiny, const Device& gpu, const Pixels& digits) : bench(tiny, gpu, 1) {
    initialise(bench);
    auto samples = bench.executable().keep(digits.set());
    EXPECT_TRUE(static_cast<bool>(samples) && *samples);
    if (samples) inputs.samples = *samples;
  }
  StepArgs args(std::int64_t step) {
    orders.emplace_back();
    for (std::int64_t n = 0; n < batch; ++n) orders.back().push_back((step * batch + n) * 11 % count);
    StepArgs a = step_args(step, step % 5 == 4 ? batch - 1 : batch, 0.01 + 0.001 * static_cast<double>(step));
    a.epoch = step / 6;
    a.inputs = &inputs;
    return a;
  }
  std::vector<StepArgs> many(std::int64_t first, std::int64_t n) {
    orders.clear();
    std::vector<StepArgs> all;
    for (std::int64_t i = 0; i < n; ++i) all.push_back(args(first + i));
    for (std::int64_t i = 0; i < n; ++i)
      all[static_cast<std::size_t>(i)].sample = orders[static_cast<std::size_t>(i)].data();
    return all;
  }
};

Learned learn(const TinyPlan& tiny, const Pixels& digits, bool at_once, std::int64_t steps) {
  const auto gpu = fake_gpu();
  Session r(tiny, *gpu, digits);
  Learned l;
  const auto args = r.many(0, steps);
  std::vector<StepMetrics> results(args.size());
  EXPECT_TRUE(!at_once || r.bench.executable().run_many(args, results));
  for (std::size_t i = 0; i < args.size(); ++i) {
    EXPECT_TRUE(at_once || r.bench.executable().run(args[i]));
    if (!at_once) results[i] = r.bench.executable().metrics();
    l.losses.push_back(results[i].loss_sum);
    EXPECT_EQ(results[i].samples, args[i].valid);
  }
  l.norm = results.back().grad_norm;
  l.penalty = results.back().penalty;
  EXPECT_TRUE(r.bench.guards_intact());
  read_state(r.bench, l);
  return l;
}

TinyPlan lenet_plan() {
  NetBuilder n = lenet(batch);
  n.train("sgd", sgd_attrs());
  return n.tiny;
}
TinyPlan resnet_plan() {
  NetBuilder n = small_resnet(batch);
  n.train("adam", adam_attrs(), 0.5);
  return n.tiny;
}

TEST(CudaGraphs, ManyStepsAtOnceLearnTheBytesOfStepsOneByOne) {
  const Pixels grey(1, side), colour(3, 12);
  EXPECT_EQ(learn(lenet_plan(), grey, true, 23), learn(lenet_plan(), grey, false, 23));
  EXPECT_EQ(learn(resnet_plan(), colour, true, 23), learn(resnet_plan(), colour, false, 23));
}
TEST(CudaGraphs, MoreStepsThanALineHasRoomForAreTakenInTurns) {
  const Pixels colour(3, 12);
  EXPECT_EQ(learn(resnet_plan(), colour, true, 150), learn(resnet_plan(), colour, false, 150));
}
TEST(CudaGraphs, TakeFewerLaunchesThanSteps) {
  const Pixels grey(1, side);
  const auto gpu = fake_gpu();
  Session r(lenet_plan(), *gpu, grey);
  const auto args = r.many(0, 32);
  std::vector<StepMetrics> results(args.size());
  EXPECT_GT(r.bench.executable().steps_at_once(true), 1) << "or nobody would ask for many";
  const auto before = cuda::fake_graph_launches();
  ASSERT_TRUE(static_cast<bool>(r.bench.executable().run_many(args, results)));
  EXPECT_LE(cuda::fake_graph_launches() - before, 8);
}
TEST(CudaGraphs, KeepTheirCallsToTheDriverTheSameWhateverTheStepsHold) {
  const Pixels grey(1, side);
  const auto gpu = fake_gpu();
  Session r(lenet_plan(), *gpu, grey);
  std::vector<std::int64_t> calls;
  for (std::int64_t i = 0; i < 3; ++i) {
    const auto args = r.many(i, 1);
    const auto before = cuda::fake_calls();
    ASSERT_TRUE(static_cast<bool>(r.bench.executable().run(args[0])));
    calls.push_back(cuda::fake_calls() - before);
  }
  EXPECT_EQ(calls[1], calls[0]);
  EXPECT_EQ(calls[2], calls[0]);
  EXPECT_LE(calls[0], 6) << "two uploads, a launch and a wait, and the thread's context";
}
TEST(CudaGraphs, AStepThatIsNotFiniteKeepsLaterOnesOfItsBurstFromTheWeights) {
  const Pixels grey(1, side);
  const auto gpu = fake_gpu();
  Session r(lenet_plan(), *gpu, grey);
  auto args = r.many(0, 6);
  args[2].learning_rate = 1e38;  // the weights after the third step are beyond all numbers
  std::vector<StepMetrics> results(args.size());
  ASSERT_TRUE(static_cast<bool>(r.bench.executable().run_many(args, results)));
  EXPECT_TRUE(results[2].finite);
  for (std::size_t i = 3; i < 6; ++i) EXPECT_FALSE(results[i].finite) << i;
  const auto then = weights_of(r.bench);
  const auto next = r.many(6, 4);
  ASSERT_TRUE(static_cast<bool>(r.bench.executable().run_many(next, results = std::vector<StepMetrics>(4))));
  EXPECT_EQ(std::memcmp(weights_of(r.bench).data(), then.data(), then.size() * sizeof(float)), 0);
}
TEST(CudaGraphs, SetsOfTheSamePixelsLieOnTheDeviceOnce) {
  const Pixels colour(3, 12);
  const auto gpu = fake_gpu();
  Session r(resnet_plan(), *gpu, colour);
  const auto before = cuda::fake_bytes();
  SampleSet plain = colour.set();
  plain.mirror = false;
  const auto second = r.bench.executable().keep(plain);
  ASSERT_TRUE(static_cast<bool>(second) && *second);
  EXPECT_LT(cuda::fake_bytes() - before, static_cast<std::int64_t>(colour.pixels.size()));
}
TEST(CudaGraphs, ASetThatIsTooLargeIsNotKept) {
  const Pixels colour(3, 12);
  const auto gpu = fake_gpu();
  const TinyPlan tiny = resnet_plan();
  Bench bench(tiny, *gpu, 1);
  cuda::fake_free_memory(std::size_t{512} << 20);
  const auto samples = bench.executable().keep(colour.set());
  cuda::fake_free_memory(std::size_t{8} << 30);
  ASSERT_TRUE(static_cast<bool>(samples));
  EXPECT_EQ(*samples, nullptr);
  EXPECT_EQ(bench.executable().steps_at_once(true), 1);
}

// Launch by launch (as profiles run) and as a graph.
Learned learn_copied(const TinyPlan& tiny, bool profile, std::vector<StepTime>* times = nullptr) {
  const auto gpu = fake_gpu();
  Bench b(tiny, *gpu, 1, nullptr, nullptr, false, profile);
  initialise(b);
  Learned l;
  for (std::int64_t i = 0; i < 5; ++i) {
    load_digits(b, i * batch);
    EXPECT_TRUE(static_cast<bool>(b.executable().run(step_args(i, i == 3 ? 2 : batch, 0.05))));
    l.losses.push_back(b.executable().metrics().loss_sum);
  }
  read_state(b, l);
  if (times) *times = b.executable().step_times();
  return l;
}
TEST(CudaGraphs, ReplayedStepsLearnTheBytesOfStepsLaunchByLaunch) {
  EXPECT_EQ(learn_copied(lenet_plan(), true), learn_copied(lenet_plan(), false));
  EXPECT_EQ(learn_copied(resnet_plan(), true), learn_copied(resnet_plan(), false));
}
TEST(CudaGraphs, LossGradientAndAccuracyAreOnePassOverTheScores) {
  const auto gpu = fake_gpu();
  const TinyPlan tiny = lenet_plan();
  Bench b(tiny, *gpu, 1);
  std::vector<std::string> names;
  for (const auto& call : cuda::fake_last_graph()) names.push_back(call.what);
  EXPECT_THAT(names, testing::Contains("nw_cross_entropy_f32").Times(1));
  EXPECT_THAT(names, testing::Not(testing::Contains(testing::HasSubstr("softmax"))));
  EXPECT_THAT(names, testing::Contains("nw_collect_loss").Times(1)) << "adds what each sample said";
}
TEST(CudaGraphs, AProfileHasATimeForEveryStepOfThePlan) {
  std::vector<StepTime> times;
  const TinyPlan tiny = lenet_plan();
  learn_copied(tiny, true, &times);
  ASSERT_EQ(times.size(), tiny.plan.steps.size());
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(times[i].kernel, tiny.plan.steps[i].kernel);
    EXPECT_DOUBLE_EQ(times[i].seconds, 0.25e-3);
  }
}
TEST(CudaGraphs, AHundredStepsGiveTheSameBytesTwice) {
  const Pixels colour(3, 12);
  EXPECT_EQ(learn(resnet_plan(), colour, true, 100), learn(resnet_plan(), colour, true, 100));
}

// What the device itself tells when it fails: launch by launch the call that fails is that of the layer; of a graph
// only marks are left.
std::string sentence(cuda::FakeFault fault, bool launch_by_launch) {
  const TinyPlan tiny = lenet_plan();
  const auto gpu = fake_gpu();
  Bench b(tiny, *gpu, 1, nullptr, nullptr, false, launch_by_launch);
  initialise(b);
  load_digits(b, 0);
  EXPECT_TRUE(static_cast<bool>(b.executable().run(step_args(0, batch, 0.05))));
  cuda::fake_driver_api(fault);
  const Status failed = b.executable().run(step_args(1, batch, 0.05));
  cuda::fake_driver_api();
  return failed ? "" : failed.error().str();
}
TEST(CudaGraphs, AKernelThatFailsInAReplayIsNamedByItsLayerAsIfLaunchedByItself) {
  std::set<std::string> named;
  std::int64_t kernel = 0;
  for (std::string results = sentence({.code = 700, .at_kernel = 0}, false); !results.empty();
       results = sentence({.code = 700, .at_kernel = ++kernel}, false)) {
    EXPECT_THAT(results, testing::StartsWith("cuda:0 stopped working (step 2, ")) << "kernel " << kernel;
    // they take the inputs, before any layer; launched by itself what fails is noticed one call later
    if (kernel < 3) continue;
    EXPECT_EQ(results, sentence({.code = 700, .at_kernel = kernel}, true)) << "kernel " << kernel;
    named.insert(results);
  }
  EXPECT_GT(kernel, 40);
  EXPECT_GE(named.size(), 10u) << "as many as there are layers with weights, and more";
}
TEST(CudaGraphs, AKernelThatFailsAmongManyStepsIsNamedByItsStepToo) {
  const Pixels grey(1, side);
  const auto gpu = fake_gpu();
  Session r(lenet_plan(), *gpu, grey);
  const auto args = r.many(0, 12);
  std::vector<StepMetrics> results(args.size());
  cuda::fake_driver_api();
  ASSERT_TRUE(static_cast<bool>(r.bench.executable().run_many(args, results)));
  const std::int64_t each = static_cast<std::int64_t>(cuda::fake_kernels_run()) / 12;
  ASSERT_EQ(each * 12, cuda::fake_kernels_run());
  for (const std::int64_t step : {0, 4, 11}) {
    Session fresh(lenet_plan(), *gpu, grey);
    const auto again = fresh.many(0, 12);
    cuda::fake_driver_api({.code = 700, .at_kernel = step * each + each / 3});
    const Status failed = fresh.bench.executable().run_many(again, results);
    cuda::fake_driver_api();
    ASSERT_FALSE(static_cast<bool>(failed));
    EXPECT_THAT(failed.error().str(),
                testing::MatchesRegex(".*\\(step " + std::to_string(step + 1) + ", [a-z0-9_]+, CUDA_ERROR.*"));
  }
}

TEST(CudaMemory, ThatIsNotThereIsNamedWithTheBatchThatWouldFit) {
  const auto gpu = fake_gpu();
  NetBuilder n = lenet(4096);
  n.train("sgd", sgd_attrs());
  cuda::fake_free_memory(std::size_t{200} << 20);
  TestTeam team(1);
  const auto made = gpu->prepare(n.tiny.finish(*gpu), {.team = &team});
  cuda::fake_free_memory(std::size_t{8} << 30);
  ASSERT_FALSE(static_cast<bool>(made));
  EXPECT_EQ(made.error().code, Errc::out_of_memory);
  EXPECT_THAT(made.error().str(),
              testing::MatchesRegex("cuda:0 is out of memory: a batch of 4096 needs [0-9]+ MiB and 200 MiB are "
                                    "free; a batch of [0-9]+ would fit, or train on cpu"));
}

}  // namespace
}  // namespace nw::test
