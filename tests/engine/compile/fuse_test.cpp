// SPDX-License-Identifier: Apache-2.0
// Fused steps: where they are used, where they are not, and that they do not change the numbers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "engine/parallel/team.hpp"
#include "engine/train/initial_weights.hpp"
#include "tests/engine/compile/planned.hpp"
#include "tests/support/instruction_set.hpp"
#include "tests/support/net_text.hpp"
#include "tests/support/plan_check.hpp"

namespace nw {
namespace {
using test::kernels;
using test::net;
using testing::ElementsAre;

std::map<std::string, int> counts(const Plan& p) {
  std::map<std::string, int> all;
  for (const Step& s : p.steps) ++all[s.kernel];
  return all;
}

TEST(Fused, LeNet5FusesPoolingAndReluIntoItsConvolutions) {
  for (const auto& device : {cpu_device(), reference_backend().devices().front()}) {
    const Plan p = planned(find_template("lenet5")->make(), *device);
    EXPECT_THAT(kernels(p, Phase::forward), ElementsAre("conv2d_max_pool2d_relu", "conv2d_max_pool2d_relu", "flatten",
                                                        "linear_relu", "linear_relu", "linear", "cross_entropy"));
    if (device->name() == "cpu")  // the CPU backend computes weight gradients of linear layers last
      EXPECT_THAT(kernels(p, Phase::backward),
                  ElementsAre("linear_grad_input_relu", "linear_grad_input_relu", "linear_grad_input", "flatten_grad",
                              "max_pool2d_relu_grad", "conv2d_grad_weight", "conv2d_grad_input", "max_pool2d_relu_grad",
                              "conv2d_grad_weight", "linear_grad_weight", "linear_grad_weight", "linear_grad_weight"));
    else
      EXPECT_THAT(
          kernels(p, Phase::backward),
          ElementsAre("linear_grad_weight", "linear_grad_input_relu", "linear_grad_weight", "linear_grad_input_relu",
                      "linear_grad_weight", "linear_grad_input", "flatten_grad", "max_pool2d_relu_grad",
                      "conv2d_grad_weight", "conv2d_grad_input", "max_pool2d_relu_grad", "conv2d_grad_weight"));
    for (const char* gone : {"conv1", "relu1", "conv2", "relu2", "fc1", "fc2"}) EXPECT_LT(p.find(gone), 0) << gone;
    for (const char* stays : {"pool1", "pool2", "relu3", "fc3", "conv1.weight"}) EXPECT_GE(p.find(stays), 0) << stays;
  }
}

TEST(Fused, AnMlpFusesReluIntoItsLinearLayers) {
  const Plan p = planned(find_template("mlp")->make(), *cpu_device());
  EXPECT_THAT(kernels(p, Phase::forward),
              ElementsAre("flatten", "linear_relu", "linear_relu", "linear", "cross_entropy"));
  EXPECT_THAT(kernels(p, Phase::backward),
              ElementsAre("linear_grad_input_relu", "linear_grad_input_relu", "linear_grad_weight",
                          "linear_grad_weight", "linear_grad_weight"));
}

TEST(Fused, AResNetFusesAddAndReluIntoItsBatchNorms) {
  const GraphDoc doc = find_template("resnet18-cifar")->make();
  const auto train = counts(planned(doc, *cpu_device())), look = counts(planned(doc, *cpu_device(), false));
  EXPECT_EQ(train.at("batch_norm_apply_relu"), 17);
  EXPECT_EQ(train.at("batch_norm_apply"), 3) << "the shortcuts that halve the image";
  EXPECT_EQ(train.at("conv2d_grad_input_relu"), 8);
  EXPECT_EQ(train.at("add_relu_grad"), 8);
  EXPECT_EQ(train.at("relu_grad"), 1) << "behind the average pool";
  for (const char* gone : {"relu", "add"}) EXPECT_EQ(train.count(gone) + look.count(gone), 0u) << gone;
  EXPECT_EQ(look.at("batch_norm_inference_relu"), 17);
}

TEST(Fused, AVggFusesReluIntoItsBatchNormsAndBeforeItsPools) {
  const auto train = counts(planned(find_template("vgg13-cifar")->make(), *cpu_device()));
  EXPECT_EQ(train.at("batch_norm_apply_relu"), 10);
  EXPECT_EQ(train.at("max_pool2d_relu_grad"), 5);
  EXPECT_EQ(train.at("conv2d_grad_input_relu"), 5);
  EXPECT_EQ(train.at("conv2d_grad_input"), 4) << "into the pools";
  for (const char* gone : {"relu", "relu_grad", "max_pool2d_grad"}) EXPECT_EQ(train.count(gone), 0u) << gone;
}

TEST(Fused, LayersWithSeveralConsumersAreNotFused) {
  const Plan p = planned(net("images: Input 2x9x9; conv: Conv2d out_channels=3 padding=1; relu: ReLU; sum: Add <- "
                             "conv, relu; pool: MaxPool2d; "
                             "flatten: Flatten; fc: Linear; loss: CrossEntropy"),
                         *cpu_device());
  EXPECT_THAT(kernels(p, Phase::forward),
              ElementsAre("conv2d", "relu", "add", "max_pool2d", "flatten", "linear", "cross_entropy"));
  const Plan q = planned(net("images: Input 2x9x9; conv: Conv2d out_channels=3 padding=1; relu: ReLU; pool: MaxPool2d "
                             "kernel_size=3x3 stride=1x1 padding=1x1; "
                             "sum: Add <- pool, relu; flatten: Flatten; fc: Linear; loss: CrossEntropy"),
                         *cpu_device());
  EXPECT_THAT(kernels(q, Phase::forward),
              ElementsAre("conv2d_relu", "max_pool2d", "add", "flatten", "linear", "cross_entropy"));
}

TEST(Fused, APlanForInspectingLayersIsNotFused) {
  const GraphDoc doc = find_template("lenet5")->make();
  const Plan p = planned(doc, *cpu_device(), false, true);
  for (const ExpandedNode& n : analyse(doc, {}).expanded) EXPECT_EQ(p.find(n.name) >= 0, n.name != "loss") << n.name;
}

// ---- the same numbers
struct Outcome {
  std::vector<std::vector<std::byte>> model;  // weights and buffers in the plan's order
  std::vector<double> losses;
  bool operator==(const Outcome&) const = default;
};

std::vector<std::byte> start_of(const Value& v, unsigned step) {
  std::vector<std::byte> bytes(static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
  std::vector<float> f(v.dtype == DType::f32 ? bytes.size() / 4 : 0);
  std::vector<std::int64_t> labels(v.dtype == DType::i64 ? bytes.size() / 8 : 0);
  if (v.role != Role::input && !f.empty()) EXPECT_TRUE(initial_values(v, 5, f));
  if (v.role == Role::input) {
    for (std::size_t i = 0; i < f.size(); ++i)
      f[i] = std::sin(static_cast<float>(i * 7 + step) * static_cast<float>(i % 13));
    for (std::size_t i = 0; i < labels.size(); ++i) labels[i] = static_cast<std::int64_t>((i * 3 + step) % 10);
  }
  if (!f.empty()) std::memcpy(bytes.data(), f.data(), bytes.size());
  if (!labels.empty()) std::memcpy(bytes.data(), labels.data(), bytes.size());
  return bytes;
}

// Three steps; the last one has an incomplete batch.
Outcome outcome(const GraphDoc& doc, bool every_layer, int threads) {
  const auto device = cpu_device();
  const Plan plan = planned(doc, *device, true, every_layer);
  const auto team = make_team(threads);
  auto run = device->prepare(plan, {.team = team.get()});
  EXPECT_TRUE(run) << run.error().str();
  Outcome o;
  const auto write = [&](bool inputs, unsigned step) {
    for (std::size_t v = 0; v < plan.values.size(); ++v) {
      const Role r = plan.values[v].role;
      if (inputs ? r == Role::input : r == Role::weight || r == Role::buffer)
        (*run)->write(static_cast<int>(v), start_of(plan.values[v], step));
    }
  };
  write(false, 0);
  for (unsigned step = 0; step < 3; ++step) {
    write(true, step);
    const std::int64_t valid = step < 2 ? 20 : 13;
    EXPECT_TRUE((*run)->run({.step = step, .valid = valid, .global_valid = valid, .learning_rate = 0.05}));
    o.losses.push_back((*run)->metrics().loss_sum);
    EXPECT_TRUE((*run)->metrics().finite);
  }
  for (std::size_t v = 0; v < plan.values.size(); ++v)
    if (plan.values[v].role == Role::weight || plan.values[v].role == Role::buffer) {
      o.model.emplace_back(static_cast<std::size_t>(plan.values[v].shape.elements()) * size_of(plan.values[v].dtype));
      (*run)->read(static_cast<int>(v), o.model.back());
    }
  return o;
}

struct Network {
  const char *name, *text, *uses;
};

class BitwiseEquality : public testing::TestWithParam<Network> {};

TEST_P(BitwiseEquality, FusedPlansEqualUnfusedPlansOnAnyThreadCountInBothFormats) {
  GraphDoc doc = net(GetParam().text);
  TrainSettings settings = doc.settings();
  std::vector<std::pair<DType, std::string>> ways{{DType::f32, ""}};
  for (const std::string& set : test::those_that_run_here()) ways.emplace_back(DType::bf16, set);
  for (const auto& [format, set] : ways) {
    SCOPED_TRACE(set);
    const test::UseInstructionSet use(set);
    settings.precision = format;
    test::edit(doc, {PutSettings{settings}});
    const Plan fused = planned(doc, *cpu_device());
    EXPECT_GT(counts(fused)[GetParam().uses], 0) << GetParam().uses << " is not used";
    EXPECT_EQ(test::overlap(fused, cpu_device().get()), "");
    const Outcome plain = outcome(doc, true, 1);
    for (int threads = 1; threads <= 4; ++threads)
      EXPECT_EQ(outcome(doc, false, threads), plain) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Networks, BitwiseEquality,
    testing::Values(
        Network{"ConvolutionReluPool",
                "images: Input 3x13x11; a: Conv2d out_channels=5 kernel_size=3x3; relu: ReLU; pool: MaxPool2d; b: "
                "Conv2d out_channels=7 kernel_size=3x3 padding=1x1; "
                "relu2: ReLU; c: Conv2d out_channels=4 kernel_size=1x1; flatten: Flatten; fc: Linear out_features=10; "
                "loss: CrossEntropy",
                "conv2d_max_pool2d_relu"},
        Network{"ConvolutionPoolRelu",
                "images: Input 3x13x11; a: Conv2d out_channels=5 kernel_size=3x3; pool: MaxPool2d; relu: ReLU; b: "
                "Conv2d out_channels=7 kernel_size=3x3 padding=1x1; "
                "pool2: MaxPool2d kernel_size=2x3 stride=2x3; relu2: ReLU; flatten: Flatten; fc: Linear "
                "out_features=10; loss: CrossEntropy",
                "conv2d_max_pool2d_relu"},
        Network{"WindowsThatOverlap",
                "images: Input 3x13x11; a: Conv2d out_channels=5 kernel_size=3x3; relu: ReLU; pool: MaxPool2d "
                "kernel_size=3x3 stride=2x2 padding=1x1; "
                "flatten: Flatten; fc: Linear out_features=10; loss: CrossEntropy",
                "max_pool2d_relu_grad"},
        Network{"ResidualBlocks",
                "images: Input 3x8x8; a: Conv2d out_channels=6 kernel_size=3x3 padding=1x1; bn1: BatchNorm2d; relu1: "
                "ReLU; b: Conv2d out_channels=6 kernel_size=3x3 padding=1x1; "
                "bn2: BatchNorm2d; sum: Add <- bn2, relu1; relu2: ReLU; c: Conv2d out_channels=6 kernel_size=3x3 "
                "padding=1x1; bn3: BatchNorm2d; s: Conv2d out_channels=6 kernel_size=1x1 <- relu2; "
                "bn4: BatchNorm2d; sum2: Add <- bn3, bn4; relu3: ReLU; pool: GlobalAvgPool2d; flatten: Flatten; fc: "
                "Linear out_features=10; loss: CrossEntropy",
                "add_relu_grad"},
        Network{"SumsOfConvolutions",
                "images: Input 3x8x8; a: Conv2d out_channels=6 kernel_size=3x3; b: Conv2d out_channels=6 "
                "kernel_size=3x3 <- images; sum: Add <- a, b; relu: ReLU; "
                "flatten: Flatten; fc1: Linear out_features=33; relu2: ReLU; fc: Linear out_features=10; loss: "
                "CrossEntropy",
                "add_relu"}),
    [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace nw
