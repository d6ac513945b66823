// SPDX-License-Identifier: Apache-2.0
// Whole networks on the fake GPU in every precision, products by the fake libraries: 16-bit values where the plan
// requires them, results near those of fp32, and loss scaling that skips steps that overflow.
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/design/precision.hpp"
#include "engine/train/initial_weights.hpp"
#include "kernels/cuda/backend.hpp"
#include "tests/engine/train/torch_run.hpp"
#include "tests/kernels/cuda/fakes/fake_device.hpp"
#include "tests/support/net_text.hpp"
#include "tests/support/tiny_plan.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

std::shared_ptr<Device> gpu(const cuda::FakeLibraries& libraries = {.cublas_lt = true, .cudnn = true}) {
  cuda::use_driver_api(&cuda::fake_driver_api({}, libraries));
  return cuda::cuda_backend().devices().front();
}
const Value& value(const Plan& p, int v) { return p.values[static_cast<std::size_t>(v)]; }
bool multiplies(const Step& s) { return s.kernel.starts_with("conv2d") || s.kernel.starts_with("linear"); }

TEST(GpuPrecision, ActivationsAre16BitAndMasterWeightsAreFp32) {
  for (const DType type : {DType::bf16, DType::f16})
    for (const char* net : {"lenet5", "resnet18-cifar"}) {
      GraphDoc doc = find_template(net)->make();
      TrainSettings settings = doc.settings();
      settings.precision = type;
      test::edit(doc, {PutSettings{settings}});
      const auto device = gpu();
      const auto compiled = compile(doc, {.device = device.get()});
      ASSERT_TRUE(compiled) << compiled.error().str();
      const Plan& plan = compiled->plan;
      std::map<int, int> copies;
      for (const Value& v : plan.values) {
        const bool between = v.batched && (v.role == Role::activation || v.role == Role::gradient);
        if (between) { EXPECT_EQ(v.dtype, type) << v.name; }
        if (v.role == Role::weight || v.role == Role::weight_grad || v.role == Role::optimizer) {
          EXPECT_EQ(v.dtype, DType::f32) << v.name;
        }
      }
      for (const Step& s : plan.steps) {
        if (s.kernel == "store_half") {
          EXPECT_EQ(++copies[s.inputs[0]], 1) << value(plan, s.inputs[0]).name << " is stored twice";
        }
        for (int k = 0; multiplies(s) && k < 2; ++k)
          EXPECT_EQ(value(plan, s.inputs[static_cast<std::size_t>(k)]).dtype, type) << s.label << " " << s.kernel;
      }
      EXPECT_FALSE(copies.empty());
    }
}

// Both store results with 8 or 11 significant bits; they are compared with fp32. If rounding makes two numbers of a
// window equal, the pool selects the other one, and a part of the gradient moves: 0.119 of conv1's in bf16, 0.046 in
// fp16, and as much in PyTorch when it stores the same 16-bit values.
TEST(GpuPrecision, SixStepsOfLenetStayNearFp32) {
  constexpr int steps = 6;
  constexpr std::array weights = {"conv1.weight", "conv2.bias", "fc1.weight", "fc3.weight"};
  TorchRun plain("lenet5", "cpu", 2);
  std::vector<double> wanted;
  std::vector<std::vector<float>> gradients;
  for (int i = 0; i < steps; ++i) {
    wanted.push_back(plain.step(i, i % 4));
    for (const char* w : weights)
      if (i == 0) gradients.push_back(plain.gradient(w));
  }
  struct Near {
    DType type;
    bool libraries;
    double loss, gradient;
  };
  for (const Near& n : {Near{DType::bf16, true, 0.03, 0.13}, Near{DType::bf16, false, 0.03, 0.13},
                        Near{DType::f16, true, 0.004, 0.06}, Near{DType::f16, false, 0.004, 0.06},
                        Near{DType::tf32, true, 0.002, 0.01}, Near{DType::f32, true, 1e-4, 1e-4}}) {
    SCOPED_TRACE(std::string(precision_name(n.type)) + (n.libraries ? " by libraries" : " by our own kernels"));
    TorchRun run("lenet5", gpu({.cublas_lt = n.libraries, .cudnn = n.libraries}), 1, n.type);
    for (int i = 0; i < steps; ++i) {
      ASSERT_NEAR(run.step(i, i % 4), wanted[static_cast<std::size_t>(i)], n.loss * wanted[static_cast<std::size_t>(i)])
          << "step " << i;
      EXPECT_TRUE(run.executable().metrics().finite);
      for (std::size_t w = 0; w < weights.size() && i == 0; ++w)
        EXPECT_LT(test::relative_distance(run.gradient(weights[w]), gradients[w]), n.gradient) << weights[w];
    }
  }
}

// Without pools the gradients are continuous: each one is as close as its operands are.
TEST(GpuPrecision, MlpGradientsDeviateWithinTheRoundingOfTheFormat) {
  TorchRun plain("mlp", "cpu", 2);
  plain.step(0, 0);
  for (const auto& [type, off] :
       {std::pair{DType::bf16, 0.05}, std::pair{DType::f16, 0.01}, std::pair{DType::tf32, 0.005}}) {
    TorchRun run("mlp", gpu(), 1, type);
    run.step(0, 0);
    for (const Value& v : plain.plan().values)
      if (v.role == Role::weight) {
        EXPECT_LT(test::relative_distance(run.gradient(v.name), plain.gradient(v.name)), off)
            << precision_name(type) << " " << v.name;
      }
  }
}

/// A residual block with batch norm after a first convolution, small enough for the interpreted libraries.
class SmallResnet {
 public:
  static constexpr std::int64_t batch = 6;
  SmallResnet(std::shared_ptr<Device> device, DType type, std::int64_t channels = 8)
      : device_(std::move(device)), channels_(channels) {
    GraphDoc doc = test::net("images: Input " + std::to_string(channels) +
                             "x6x6; a: Conv2d out_channels=8 padding=1 bias=false; an: BatchNorm2d; ar: ReLU; b: "
                             "Conv2d out_channels=8 padding=1 bias=false; "
                             "bn: BatchNorm2d; sum: Add <- bn, ar; sr: ReLU; flatten: Flatten; fc: Linear "
                             "out_features=10; loss: CrossEntropy");
    TrainSettings s = doc.settings();
    s.precision = type;
    test::edit(doc, {PutSettings{s}});
    auto compiled = compile(doc, {.batch = batch, .device = device_.get()});
    EXPECT_TRUE(compiled) << compiled.error().str();
    plan_ = std::move(compiled->plan);
    PrepareArgs args;
    args.team = &team_;
    auto made = device_->prepare(plan_, args);
    EXPECT_TRUE(made) << made.error().str();
    run_ = std::move(*made);
    for (std::size_t v = 0; v < plan_.values.size(); ++v)
      if (const Role role = plan_.values[v].role;
          (role == Role::weight || role == Role::buffer) && plan_.values[v].dtype == DType::f32) {
        std::vector<float> data(static_cast<std::size_t>(plan_.values[v].shape.elements()));
        EXPECT_TRUE(initial_values(plan_.values[v], 1, data));
        run_->write(static_cast<int>(v), std::as_bytes(std::span(data)));
      }
  }
  double step(int number, std::int64_t valid) {
    const auto images = test::noise(batch * channels_ * 36, static_cast<unsigned>(number) + 1);
    std::vector<std::int64_t> labels;
    for (std::int64_t n = 0; n < batch; ++n) labels.push_back((n + number) % 10);
    run_->write(plan_.find("images"), std::as_bytes(std::span(images)));
    run_->write(plan_.find("labels"), std::as_bytes(std::span(labels)));
    StepArgs args = test::args_for(valid);
    args.step = number;
    args.learning_rate = 0.05;
    EXPECT_TRUE(run_->run(args));
    EXPECT_TRUE(run_->metrics().finite && !run_->metrics().skipped);
    return run_->metrics().loss_sum / static_cast<double>(valid);
  }

  std::vector<std::string> choices() const { return run_->choices(); }

 private:
  std::shared_ptr<Device> device_;
  const std::int64_t channels_;
  Plan plan_;
  test::TestTeam team_{1};
  std::unique_ptr<Executable> run_;
};
const cuda::FakeLibraries both{.cublas_lt = true, .cudnn = true};

TEST(GpuPrecision, BatchNormAndResidualsAreCloseToFp32) {
  for (const auto& [type, off] :
       {std::pair{DType::bf16, 0.03}, std::pair{DType::f16, 0.005}, std::pair{DType::f32, 1e-4}}) {
    SmallResnet run(gpu(both), type), plain(reference_backend().devices().front(), DType::f32);
    for (int i = 0; i < 5; ++i) {
      const std::int64_t valid = i % 2 ? 4 : SmallResnet::batch;
      const double wanted = plain.step(i, valid);
      EXPECT_NEAR(run.step(i, valid), wanted, off * wanted) << precision_name(type) << ", step " << i;
    }
  }
}

TEST(GpuPrecision, Fp16ConvolutionsComputeBatchNormSumsOfValidSamplesOnly) {
  cuda::FakeLibraries pieces = both;
  pieces.refuses = "statistics";
  const auto fused = [] {
    return std::count(cuda::fake_library_calls().begin(), cuda::fake_library_calls().end(), "forward+statistics");
  };
  SmallResnet apart(gpu(pieces), DType::f16);
  EXPECT_EQ(fused(), 0);
  std::vector<double> wanted;
  for (int i = 0; i < 4; ++i) wanted.push_back(apart.step(i, i % 2 ? 4 : SmallResnet::batch));
  SmallResnet together(gpu(both), DType::f16);
  EXPECT_EQ(fused(), 2);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(together.step(i, i % 2 ? 4 : SmallResnet::batch), wanted[static_cast<std::size_t>(i)],
                2e-3 * wanted[static_cast<std::size_t>(i)])
        << "step " << i;
}

// Tensor cores need channels in multiples of eight; the library converts three channels in its workspace.
TEST(GpuPrecision, ThreeChannelsArePaddedToEightWhereThatSavesWorkspace) {
  using testing::Contains;
  for (const auto& [type, off] :
       {std::pair{DType::bf16, 0.03}, std::pair{DType::f16, 0.005}, std::pair{DType::f32, 1e-4}}) {
    SmallResnet run(gpu(both), type, 3), plain(reference_backend().devices().front(), DType::f32, 3);
    for (int i = 0; i < 5; ++i) {
      const std::int64_t valid = i % 2 ? 4 : SmallResnet::batch;
      const double wanted = plain.step(i, valid);
      EXPECT_NEAR(run.step(i, valid), wanted, off * wanted) << precision_name(type) << ", step " << i;
    }
    const int halves = type == DType::f32 ? 0 : 1;
    EXPECT_THAT(run.choices(),
                Contains(testing::StartsWith("a: conv2d by cuDNN engine 5, channels padded to 8")).Times(halves))
        << precision_name(type);
    EXPECT_THAT(run.choices(), Contains("a: conv2d_grad_weight by cuDNN engine 5, channels padded to 8").Times(halves))
        << precision_name(type);
    EXPECT_THAT(run.choices(), Contains(HasSubstr("padded")).Times(2 * halves))
        << "the other convolution has eight channels";
    EXPECT_THAT(run.choices(), Contains("a: conv2d by cuDNN engine 5, channels padded to 8, sums for batch norm in it")
                                   .Times(type == DType::f16 ? 1 : 0));
  }
}

// The fake heuristics put engines without tensor cores first.
TEST(GpuPrecision, LibrariesComputeOnTensorCoresWhereTheOperandsFitThem) {
  using testing::Contains;
  using testing::Not;
  cuda::FakeLibraries slow = both;
  slow.refuses = "tensor cores";
  for (const DType type : {DType::bf16, DType::f16, DType::tf32, DType::f32}) {
    SCOPED_TRACE(precision_name(type));
    const bool fits = type != DType::f32;
    const std::string engine = type == DType::tf32 ? "engine 7" : "engine 5";
    EXPECT_THAT(SmallResnet(gpu(both), type).choices(), Not(Contains(HasSubstr("without tensor cores"))));
    EXPECT_THAT(cuda::fake_library_calls(), Not(Contains(HasSubstr("without tensor cores"))));
    EXPECT_THAT(SmallResnet(gpu(both), type).choices(), Contains(HasSubstr("b: conv2d by cuDNN " + engine)));
    if (type == DType::tf32) continue;  // cuDNN's engines for floats are not refused
    const auto choices = SmallResnet(gpu(slow), type).choices();
    EXPECT_THAT(choices, Contains(HasSubstr("conv2d by cuDNN engine 4, without tensor cores")).Times(fits ? 2 : 0));
    EXPECT_THAT(choices, Contains(HasSubstr("linear by cuBLASLt, without tensor cores")).Times(fits ? 1 : 0));
  }
}

// Sums for batch norm come out of the convolution by an engine that is there, not by one that would be compiled.
TEST(GpuPrecision, ConvolutionsWithSumsDoNotCompileEnginesInVain) {
  cuda::FakeLibraries as_sm90 = both;
  as_sm90.sums_without_notes = true;
  const int before = cuda::fake_engines_compiled();
  const SmallResnet run(gpu(as_sm90), DType::f16);
  EXPECT_EQ(cuda::fake_engines_compiled(), before);
  EXPECT_THAT(run.choices(), testing::Contains(HasSubstr("sums for batch norm in it")).Times(2));
}

TEST(GpuPrecision, OnlyFp16ScalesItsLoss) {
  for (const DType type : {DType::f32, DType::tf32, DType::bf16, DType::f16}) {
    TorchRun run("mlp", gpu(), 1, type);
    EXPECT_EQ(run.executable().loss_scale().scale, type == DType::f16 ? 65536 : 0);
    run.step(0, 0);
    EXPECT_EQ(run.executable().loss_scale().good_steps, type == DType::f16 ? 1 : 0);
  }
}

TEST(GpuPrecision, AnOverflowSkipsTheUpdateAndHalvesTheLossScale) {
  TorchRun run("lenet5", gpu(), 1, DType::f16);
  run.executable().set_loss_scale({0x1p24, 7});
  const auto before = run.read("fc1.weight");
  double scale = 0x1p24;
  int skipped = 0;
  for (int i = 0; i < 40; ++i) {
    run.step(i, 0);
    const StepMetrics m = run.executable().metrics();
    ASSERT_TRUE(m.finite);
    EXPECT_TRUE(std::isfinite(m.grad_norm));
    if (!m.skipped) break;
    ++skipped;
    EXPECT_EQ(run.executable().loss_scale().scale, scale /= 2);
    EXPECT_EQ(run.executable().loss_scale().good_steps, 0);
    EXPECT_EQ(run.read("fc1.weight"), before) << "an update that was skipped moved weights";
  }
  EXPECT_GT(skipped, 0);
  EXPECT_LT(skipped, 40);
  EXPECT_NE(run.read("fc1.weight"), before);
  EXPECT_EQ(run.executable().loss_scale().good_steps, 1);
}

TEST(GpuPrecision, Fp16ValuesAreReadAsFloats) {
  TorchRun run("lenet5", gpu(), 1, DType::f16);
  run.step(0, 0);
  const auto scores = run.read("fc3");
  EXPECT_TRUE(std::all_of(scores.begin(), scores.end(), [](float f) { return std::isfinite(f) && std::abs(f) < 100; }));
  EXPECT_TRUE(std::any_of(scores.begin(), scores.end(), [](float f) { return std::abs(f) > 1e-3f; }));
}

TEST(GpuPrecision, ProductsAreRequestedInTheDataTypeOfThePlan) {
  for (const auto& [type, words] : {std::pair{DType::f16, "f16 > f16"}, std::pair{DType::bf16, "bf16 > bf16"}}) {
    TorchRun run("mlp", gpu(), 1, type);
    EXPECT_THAT(cuda::fake_library_calls(), testing::Contains(HasSubstr(words)));
    EXPECT_THAT(cuda::fake_library_calls(), testing::Contains(HasSubstr("> f32 bias_gradient")))
        << "weights' gradients leave the product in fp32";
  }
}

TEST(GpuTemplates, EveryTemplateCanBeTrainedInEveryPrecision) {
  for (const Template& t : all_templates())
    for (const DType type : {DType::f32, DType::tf32, DType::bf16, DType::f16}) {
      GraphDoc doc = t.make();
      TrainSettings settings = doc.settings();
      settings.precision = type;
      test::edit(doc, {PutSettings{settings}});
      const auto device = gpu();
      const auto compiled = compile(doc, {.device = device.get()});
      EXPECT_TRUE(compiled) << t.name << ": " << compiled.error().str();
    }
}

TEST(CpuPrecision, PrecisionsThatNeedAGpuAreRejectedWithAnErrorMessage) {
  for (const Backend* b : {&cpu_backend(), &reference_backend()})
    for (const DType type : {DType::f16, DType::tf32}) {
      Plan plan;
      plan.compute = type;
      Step step;
      step.kernel = "relu";
      EXPECT_THAT(b->devices().front()->supports(plan, step).str(), HasSubstr(precision_name(type)));
    }
}

}  // namespace
}  // namespace nw
