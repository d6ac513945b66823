// SPDX-License-Identifier: Apache-2.0
// The CUDA backend on a fake GPU, which computes on the CPU: every kernel it offers against the reference
// implementation, whole steps, and the behaviour when any driver call fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "kernels/catalogue.hpp"
#include "kernels/cuda/launch_planner.hpp"
#include "tests/kernels/batch_norm_cases.hpp"
#include "tests/kernels/case_runner.hpp"
#include "tests/kernels/cuda/fakes/fake_gpus.hpp"
#include "tests/kernels/left_out.hpp"

namespace nw::test {
namespace {

std::vector<std::string> offered(bool wanted) {
  std::vector<std::string> names;
  for (const KernelInfo& k : all_kernels())
    if (!cuda::is_exchange(k.name) && (cuda::find_entry(k.name) != nullptr) == wanted) names.emplace_back(k.name);
  return names;
}

class CudaElements : public testing::TestWithParam<std::string> {};

TEST_P(CudaElements, AgreeWithTheReferenceOverRandomShapes) {
  Rng rng(static_cast<unsigned>(std::hash<std::string>{}(GetParam())));
  const auto gpu = fake_gpu();
  const int cases = cases_of(GetParam());
  for (int i = 0; i < cases && !HasFatalFailure(); ++i) {
    const KernelCase c = generator_of(GetParam())(rng);
    std::string shapes;
    for (const TensorCase& t : c.inputs) shapes += fmt::format(" {} {}", t.name, to_string(t.shape));
    SCOPED_TRACE(fmt::format("case {} batch {} valid {}{}", i, c.batch, c.valid, shapes));
    expect_close(c, run_case(c, GetParam(), *gpu, 1), run_case(c, GetParam(), *device_of(reference_backend()), 1));
  }
}
TEST(CudaCatalogue, CudaOmitsOnlyPermittedKernels) {
  expect_left_out(
      "cuda", [](const std::string& k) { return cuda::is_exchange(k) || cuda::find_entry(k) != nullptr; },
      "kernels/cuda/elements, kernels/cuda/elements/list.hpp and a prepare_*.cpp of kernels/cuda");
}
std::vector<std::string> with_cases() {
  std::vector<std::string> names;
  for (const std::string& n : offered(true))
    if (generators().count(n)) names.push_back(n);
  return names;
}
INSTANTIATE_TEST_SUITE_P(Fake, CudaElements, testing::ValuesIn(with_cases()),
                         [](const auto& info) { return info.param; });

TEST(CudaCatalogue, KernelsThatAreNotOfferedAreRejectedByName) {
  const auto gpu = fake_gpu();
  std::string list;
  for (const std::string& name : offered(false)) {
    Step s;
    s.kernel = name;
    EXPECT_NE(gpu->supports(Plan{}, s).str().find(name), std::string::npos);
    list += (list.empty() ? "" : " ") + name;
  }
  RecordProperty("not_offered", list);
}
TEST(CudaCatalogue, EveryEntryIsInTheCatalogue) {
  for (const cuda::Entry& e : cuda::kernel_table()) EXPECT_NE(find_kernel(e.name), nullptr) << e.name;
}

Learned learn(const TinyPlan& tiny, const Device& device, std::int64_t valid, double rate) {
  Bench b(tiny, device, 1);
  initialise(b);
  Learned r;
  for (int i = 0; i < 3; ++i) {
    load_digits(b, i * tiny.plan.batch);
    EXPECT_TRUE(static_cast<bool>(b.executable().run(step_args(i, valid, rate))));
    r.losses.push_back(b.executable().metrics().loss_sum);
  }
  r.norm = b.executable().metrics().grad_norm;
  r.penalty = b.executable().metrics().penalty;
  r.weights = weights_of(b);
  EXPECT_TRUE(b.guards_intact());
  return r;
}
void expect_same(const TinyPlan& tiny, std::int64_t valid, double rate) {
  const Learned got = learn(tiny, *fake_gpu(), valid, rate),
                wanted = learn(tiny, *device_of(reference_backend()), valid, rate);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(got.losses[i], wanted.losses[i], 1e-5 * wanted.losses[i]) << "step " << i;
  EXPECT_LT(relative_distance(got.weights, wanted.weights), 1e-4);
  EXPECT_NEAR(got.norm, wanted.norm, 1e-4 * wanted.norm);
  EXPECT_NEAR(got.penalty, wanted.penalty, 1e-5 * wanted.penalty);
}
TEST(CudaStep, LenetTrainingMatchesTheReference) {
  NetBuilder n = lenet(8);
  n.train("sgd", sgd_attrs());
  expect_same(n.tiny, 8, 0.05);
}
TEST(CudaStep, AdamAndAPartialBatchMatchTheReference) {
  NetBuilder n = lenet(8);
  n.train("adam", adam_attrs());
  expect_same(n.tiny, 5, 0.001);
}
TEST(CudaStep, BatchNormDropoutAndClippingMatchTheReference) {
  NetBuilder n = small_resnet(8);
  n.train("sgd", sgd_attrs(), 0.5);
  expect_same(n.tiny, 8, 0.01);
}
TEST(CudaStep, ClippingByValueMatchesTheReference) {
  NetBuilder n = lenet(8);
  n.train("sgd", sgd_attrs(), 0, 0.002);
  expect_same(n.tiny, 8, 0.05);
}
TEST(CudaStep, ClippingByValueAndThenByNormMatchesTheReference) {
  NetBuilder n = lenet(8);
  n.train("sgd", sgd_attrs(), 0.05, 0.002);
  expect_same(n.tiny, 8, 0.05);
}
TEST(CudaStep, BatchNormIsThatCalculatedByHand) { expect_batch_norm_by_hand(*fake_gpu()); }
TEST(CudaStep, MakesItsGpuCurrentOnTheThreadThatRunsIt) {
  NetBuilder n = lenet(4);
  n.train("sgd", sgd_attrs());
  const auto gpu = fake_gpu();
  Bench b(n.tiny, *gpu, 1);
  initialise(b);
  load_digits(b, 0);
  const auto run = [&](int step) { EXPECT_TRUE(static_cast<bool>(b.executable().run(step_args(step, 4, 0.05)))); };
  std::thread([&] { run(0); }).join();
  const Bench other(n.tiny, *cuda::cuda_backend().devices().at(1), 1);  // current on this thread from now on
  run(1);
}
TEST(CudaStep, ReleasesAllMemory) {
  NetBuilder n = lenet(4);
  n.train("sgd", sgd_attrs());
  const auto before = cuda::fake_bytes();
  learn(n.tiny, *fake_gpu(), 4, 0.05);
  EXPECT_EQ(cuda::fake_bytes(), before);
}

// Prepares, runs three steps and reads a weight; the first error, if any. `calls`: the number of driver calls so far.
Status three_steps(const Plan& plan, const Device& gpu, std::int64_t* calls = nullptr) {
  TestTeam team(1);
  PrepareArgs args;
  args.team = &team;
  NW_ASSIGN(auto e, gpu.prepare(plan, args));
  for (int i = 0; i < 3; ++i) NW_TRY(e->run(step_args(i, plan.batch, 0.01)));
  std::vector<float> weights(
      static_cast<std::size_t>(plan.values.at(static_cast<std::size_t>(plan.find("conv1.weight"))).shape.elements()));
  e->read(plan.find("conv1.weight"), std::as_writable_bytes(std::span(weights)));
  if (calls) *calls = cuda::fake_calls();
  return e->health();
}
TEST(CudaFault, AtAnyDriverCallOfThreeStepsIsReportedAsAnError) {
  NetBuilder n = lenet(2);
  n.train("sgd", sgd_attrs());
  const auto gpu = fake_gpu();
  const Plan plan = n.tiny.finish(*gpu);
  std::int64_t calls = 0;
  ASSERT_TRUE(static_cast<bool>(three_steps(plan, *gpu)));  // opens the GPU, which happens once per process
  (void)fake_gpu();
  ASSERT_TRUE(static_cast<bool>(three_steps(plan, *gpu, &calls)));
  ASSERT_GT(calls, 20);
  const std::pair<int, Errc> codes[] = {{2, Errc::out_of_memory}, {214, Errc::no_device}, {999, Errc::other}};
  for (std::int64_t at = 0; at < calls; ++at)
    for (const auto& [code, wanted] : codes) {
      (void)fake_gpu({at, code});
      const Status s = three_steps(plan, *gpu);
      ASSERT_FALSE(static_cast<bool>(s)) << "call " << at << " failed and nobody noticed";
      EXPECT_EQ(s.error().code, wanted) << "call " << at << ": " << s.error().str();
      EXPECT_GT(s.error().str().size(), 20u);
    }
}
// The weights may be half updated: nothing may continue from them, even if the device works again.
TEST(CudaFault, AfterAFailedStepTheExecutableStaysFailed) {
  NetBuilder n = lenet(4);
  n.train("sgd", sgd_attrs());
  Bench b(n.tiny, *fake_gpu(), 1);
  initialise(b);
  load_digits(b, 0);
  cuda::fake_driver_api({.at_call = 2, .code = cuda::error_out_of_memory});  // once
  EXPECT_FALSE(static_cast<bool>(b.executable().run(step_args(0, 4, 0.05))));
  EXPECT_FALSE(static_cast<bool>(b.executable().health()));
  EXPECT_FALSE(static_cast<bool>(b.executable().run(step_args(0, 4, 0.05))));
  cuda::fake_driver_api();
}

}  // namespace
}  // namespace nw::test
