// SPDX-License-Identifier: Apache-2.0
// Linear layers through cuBLASLt: the results of the reference implementation, the requested products, and the errors
// when cuBLASLt fails.
#include <gmock/gmock.h>

#include "kernels/cuda/backend.hpp"
#include "tests/kernels/case_runner.hpp"
#include "tests/kernels/cuda/fakes/fake_device.hpp"
#include "tests/kernels/lenet_plan.hpp"

namespace nw::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::shared_ptr<Device> gpu_with(const cuda::FakeLibraries& libraries) {
  cuda::use_driver_api(&cuda::fake_driver_api({}, libraries));
  return cuda::cuda_backend().devices().at(0);
}
const cuda::FakeLibraries products{.cublas_lt = true};

class LinearByLibrary : public testing::TestWithParam<std::string> {};
TEST_P(LinearByLibrary, AgreesWithTheReferenceOverRandomShapes) {
  Rng rng(static_cast<unsigned>(std::hash<std::string>{}(GetParam())));
  const auto gpu = gpu_with(products);
  for (int i = 0; i < 20 && !HasFatalFailure(); ++i) {
    const KernelCase c = generator_of(GetParam())(rng);
    const Results got = run_case(c, GetParam(), *gpu, 1);
    expect_close(c, got, run_case(c, GetParam(), *device_of(reference_backend()), 1));
    EXPECT_THAT(got.choices, testing::Contains(HasSubstr(GetParam() + " by cuBLASLt")));
  }
  EXPECT_EQ(cuda::fake_library_objects(), 0);
}
INSTANTIATE_TEST_SUITE_P(Fake, LinearByLibrary, testing::Values("linear", "linear_grad_input", "linear_grad_weight"),
                         [](const auto& info) { return info.param; });

/// x (3,5) through w (7,5) with a bias, and its gradients, without a loss.
TinyPlan one_layer(DType compute = DType::f32) {
  TinyPlan t(3);
  t.plan.compute = compute;
  const int x = t.value("x", {3, 5}), w = t.weight("w", {7, 5}), b = t.weight("b", {7}), y = t.value("y", {3, 7});
  const int dx = t.value("dx", {3, 5}), dw = t.weight_grad("w", {7, 5}), db = t.weight_grad("b", {7});
  t.step("linear", {x, w, b}, {y});
  t.step("linear_grad_input", {y, w}, {dx});
  t.step("linear_grad_weight", {y, x}, {dw, db});
  return t;
}
std::vector<std::string> asked_for(const TinyPlan& tiny, const Device& gpu) {
  Bench bench(tiny, gpu, 1);
  EXPECT_TRUE(static_cast<bool>(bench.executable().run(args_for(3))));
  return cuda::fake_library_calls();
}

TEST(LinearProducts, AreRequestedInThePlansOrderWithTheirEpilogues) {
  EXPECT_THAT(asked_for(one_layer(), *gpu_with(products)),
              ElementsAre("multiply 7x3x5 tn f32 > f32 bias", "multiply 5x3x7 nn f32 > f32",
                          "multiply 5x7x3 nt f32 > f32 bias_gradient"));
}
TEST(LinearProducts, UseTf32InATf32Plan) {
  for (const std::string& call : asked_for(one_layer(DType::tf32), *gpu_with(products)))
    EXPECT_THAT(call, HasSubstr("f32 > f32 tf32"));
}
// The fake's first choice is slow, unless tensor cores are asked for.
TEST(LinearProducts, UseTensorCoresWhereTheOperandsFitThem) {
  for (const std::string& call : asked_for(one_layer(DType::tf32), *gpu_with(products)))
    EXPECT_THAT(call, testing::Not(HasSubstr("without tensor cores")));
  Bench bench(one_layer(DType::tf32), *gpu_with({.cublas_lt = true, .refuses = "tensor cores"}), 1);
  EXPECT_TRUE(static_cast<bool>(bench.executable().run(args_for(3))));
  EXPECT_THAT(cuda::fake_library_calls(), testing::Each(HasSubstr("without tensor cores")));
  EXPECT_THAT(bench.executable().choices(),
              testing::Contains(HasSubstr("linear by cuBLASLt, without tensor cores, bias added")));
}

TEST(LinearProducts, WithoutCublasLtOwnKernelsAreUsed) {
  Bench bench(one_layer(), *gpu_with({}), 1);
  EXPECT_THAT(cuda::fake_library_calls(), testing::IsEmpty());
  EXPECT_THAT(bench.executable().choices(), testing::Contains(HasSubstr("linear: linear by own kernel")));
}
TEST(LinearProducts, AnyFailureDuringPreparationFallsBackToOwnLinearKernels) {
  for (const char* function :
       {"create", "product_make", "product_set", "matrix_make", "preference_make", "preference_set", "choose"}) {
    const auto gpu = gpu_with({.cublas_lt = true, .fails = function, .status = 15});
    {
      Bench bench(one_layer(), *gpu, 1);
      EXPECT_TRUE(static_cast<bool>(bench.executable().run(args_for(3)))) << function;
      EXPECT_THAT(bench.executable().choices(), testing::Contains(HasSubstr("linear_grad_weight by own kernel")))
          << function;
    }
    EXPECT_THAT(cuda::fake_library_calls(), testing::IsEmpty()) << function;
    EXPECT_EQ(cuda::fake_library_objects(), 0) << function;
  }
}
TEST(LinearProducts, AFailedLibraryCallWhileEnqueuingIsReported) {
  for (const auto& [status, code] : {std::pair{13, Errc::other}, std::pair{3, Errc::out_of_memory}}) {
    const auto gpu = gpu_with({.cublas_lt = true, .fails = "multiply", .status = status});
    const Plan plan = one_layer().finish(*gpu);
    TestTeam team(1);
    PrepareArgs args;
    args.team = &team;
    const auto made = gpu->prepare(plan, args);
    ASSERT_FALSE(static_cast<bool>(made));
    EXPECT_EQ(made.error().code, code);
    EXPECT_THAT(made.error().str(), HasSubstr("cuBLASLt"));
  }
}

const cuda::FakeLibraries graphs{.cudnn = true}, both{.cublas_lt = true, .cudnn = true};

class ConvolutionByLibrary : public testing::TestWithParam<std::string> {};
TEST_P(ConvolutionByLibrary, AgreesWithTheReferenceOverRandomShapes) {
  Rng rng(static_cast<unsigned>(std::hash<std::string>{}(GetParam())));
  const auto gpu = gpu_with(graphs);
  for (int i = 0; i < 12 && !HasFatalFailure(); ++i) {
    const KernelCase c = generator_of(GetParam())(rng);
    const Results got = run_case(c, GetParam(), *gpu, 1);
    expect_close(c, got, run_case(c, GetParam(), *device_of(reference_backend()), 1));
    EXPECT_THAT(got.choices, testing::Contains(HasSubstr(GetParam() + " by cuDNN engine 5")));
  }
  EXPECT_EQ(cuda::fake_library_objects(), 0);
}
INSTANTIATE_TEST_SUITE_P(Fake, ConvolutionByLibrary,
                         testing::Values("conv2d", "conv2d_relu", "conv2d_grad_input", "conv2d_grad_weight",
                                         "conv_transpose2d", "conv_transpose2d_grad_input",
                                         "conv_transpose2d_grad_weight"),
                         [](const auto& info) { return info.param; });

/// x (2,3,6,6) through w (4,3,3,3) with a bias and ReLU, and its gradients.
TinyPlan one_convolution() {
  TinyPlan t(2);
  const int x = t.value("x", {2, 3, 6, 6}), w = t.weight("w", {4, 3, 3, 3}), b = t.weight("b", {4}),
            y = t.value("y", {2, 4, 4, 4});
  const int dx = t.value("dx", {2, 3, 6, 6}), dw = t.weight_grad("w", {4, 3, 3, 3}), db = t.weight_grad("b", {4});
  t.step("conv2d_relu", {x, w, b}, {y});
  t.step("conv2d_grad_input", {y, w}, {dx});
  t.step("conv2d_grad_weight", {y, x}, {dw, db});
  return t;
}
struct Ran {
  std::vector<float> y, dx, dw, db;
  std::vector<std::string> choices;
};
Ran run_convolution(const Device& gpu) {
  Bench bench(one_convolution(), gpu, 1);
  bench.write("x", noise(2 * 3 * 36, 1));
  bench.write("w", noise(4 * 27, 2));
  bench.write("b", noise(4, 3));
  EXPECT_TRUE(static_cast<bool>(bench.executable().run(args_for(2))));
  return {bench.read("y"), bench.read("dx"), bench.read("grad w"), bench.read("grad b"), bench.executable().choices()};
}
void expect_same(const Ran& got, const Ran& wanted, const std::string& what) {
  EXPECT_LT(relative_distance(got.y, wanted.y), 1e-5) << what;
  EXPECT_LT(relative_distance(got.dx, wanted.dx), 1e-5) << what;
  EXPECT_LT(relative_distance(got.dw, wanted.dw), 1e-5) << what;
  EXPECT_LT(relative_distance(got.db, wanted.db), 1e-5) << what;
}

TEST(ConvolutionGraphs, AreFusedOrSplitOrReplacedByOwnKernels) {
  const Ran own = run_convolution(*gpu_with({}));
  EXPECT_THAT(cuda::fake_library_calls(), testing::IsEmpty());
  EXPECT_THAT(own.choices, testing::Contains(HasSubstr("conv2d_relu by own kernel")));
  expect_same(run_convolution(*gpu_with(graphs)), own, "fused");
  EXPECT_THAT(cuda::fake_library_calls(), ElementsAre("forward+add+relu", "input_gradient", "filter_gradient"));
  expect_same(run_convolution(*gpu_with({.cudnn = true, .refuses = "relu"})), own, "in pieces");
  EXPECT_THAT(cuda::fake_library_calls(), ElementsAre("forward", "input_gradient", "filter_gradient"));
  expect_same(run_convolution(*gpu_with({.cudnn = true, .refuses = "forward"})), own, "only gradients");
  EXPECT_THAT(cuda::fake_library_calls(), ElementsAre("input_gradient", "filter_gradient"));
}
TEST(ConvolutionGraphs, AnyFailureDuringPreparationFallsBackToOwnConvolutions) {
  const Ran own = run_convolution(*gpu_with({}));
  for (const char* function : {"create cudnn", "set_stream", "make", "set", "finish", "finish plan", "get"}) {
    expect_same(run_convolution(*gpu_with({.cudnn = true, .fails = function, .status = 4000})), own, function);
    EXPECT_THAT(cuda::fake_library_calls(), testing::IsEmpty()) << function;
    EXPECT_EQ(cuda::fake_library_objects(), 0) << function;
  }
}
TEST(ConvolutionGraphs, AFailedConvolutionWhileEnqueuingIsReported) {
  for (const auto& [status, code] : {std::pair{5000, Errc::other}, std::pair{4004, Errc::out_of_memory}}) {
    const auto gpu = gpu_with({.cudnn = true, .fails = "execute", .status = status});
    const Plan plan = one_convolution().finish(*gpu);
    TestTeam team(1);
    PrepareArgs args;
    args.team = &team;
    const auto made = gpu->prepare(plan, args);
    ASSERT_FALSE(static_cast<bool>(made));
    EXPECT_EQ(made.error().code, code);
    EXPECT_THAT(made.error().str(), HasSubstr("cuDNN"));
  }
}
TEST(MissingLibraries, AreReportedByName) {
  gpu_with({});
  const auto named = [] {
    std::string all;
    for (const Text& t : cuda::cuda_backend().missing(0)) all += t.str() + "\n";
    return all;
  };
  EXPECT_THAT(named(), testing::AllOf(HasSubstr("cuBLASLt"), HasSubstr("cuDNN")));
  gpu_with(both);
  EXPECT_THAT(named(), testing::Not(testing::AnyOf(HasSubstr("cuBLASLt"), HasSubstr("cuDNN"))));
}

void expect_same_losses(const NetBuilder& n, double tolerance) {
  const auto losses = [&](const Device& gpu) {
    Bench b(n.tiny, gpu, 1);
    initialise(b);
    std::vector<double> all;
    for (int i = 0; i < 3; ++i) {
      load_digits(b, i * n.tiny.plan.batch);
      StepArgs a = args_for(5);
      a.step = i;
      a.learning_rate = 0.05;
      EXPECT_TRUE(static_cast<bool>(b.executable().run(a)));
      all.push_back(b.executable().metrics().loss_sum);
    }
    return all;
  };
  const auto wanted = losses(*gpu_with({})), got = losses(*gpu_with(both));
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(got[i], wanted[i], tolerance * wanted[i]);
  EXPECT_FALSE(cuda::fake_library_calls().empty());
}
TEST(Libraries, LenetTrainingMatchesOwnKernels) {
  NetBuilder n = lenet(8);
  n.train("sgd", sgd_attrs());
  expect_same_losses(n, 1e-5);
}
TEST(Libraries, SmallResnetTrainingMatchesOwnKernels) {
  NetBuilder n = small_resnet(8);
  n.train("sgd", sgd_attrs());
  expect_same_losses(n, 1e-4);
}

}  // namespace
}  // namespace nw::test
