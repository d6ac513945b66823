// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "kernels/optimizer.hpp"
#include "tests/engine/compile/planned.hpp"
#include "tests/support/net_text.hpp"
#include "tests/support/plan_check.hpp"

namespace nw {
namespace {
using test::edit;
using test::id_of;
using test::kernels;
using test::net;
using test::value;
using testing::ElementsAre;

DataFacts facts(const Template& t) {
  if (t.data.empty())
    return {
        .channels = 3, .height = 224, .width = 224, .classes = 1000, .train = 45000, .validation = 5000, .test = 10000};
  const bool moons = t.name == "mlp-moons", shapes = t.name.starts_with("shapes"),
             colour = t.data == "CIFAR-10" || shapes;
  const std::int64_t side = colour ? 32 : moons ? 2 : 28;
  DataFacts f{.channels = colour ? 3 : 1,
              .height = moons ? 1 : side,
              .width = side,
              .classes = t.name == "mlp-binary" || moons ? 2
                         : shapes                        ? 3
                                                         : 10,
              .targets = target_kind(t.make().data())};
  f.train = 45000;
  f.validation = 5000;
  f.test = 10000;
  return f;
}

GraphDoc with(GraphDoc doc, const TrainSettings& settings) {
  edit(doc, {PutSettings{settings}});
  return doc;
}

const char* const small =
    "images: Input 1x8x8; conv1: Conv2d out_channels=4; relu1: ReLU; flatten: Flatten; fc: Linear; loss: CrossEntropy";

struct Templates : testing::TestWithParam<const Template*> {
  const GraphDoc doc = GetParam()->make();
};

TEST_P(Templates, CompileWithoutAnyProblem) {
  const Analysis a = analyse(doc, {.data = facts(*GetParam())});
  for (const Problem& p : a.problems) ADD_FAILURE() << p.node_name << ": " << p.what.str();
  EXPECT_GT(a.memory_bytes, 0);
  const std::map<std::string_view, std::int64_t> parameters = {
      {"lenet5", 61706},
      {"mlp", 109386},
      {"mlp-binary", 108801},
      {"resnet18-cifar", 11173962},
      {"vgg13-cifar", 9413066},
      // torchvision's resnet18, resnet50 and vgg13_bn; its resnet34 with the stem and the ten classes of CIFAR-10
      {"resnet18", 11689512},
      {"resnet50", 25557032},
      {"vgg13", 133053736},
      {"resnet34-cifar", 21797672 - 3 * 64 * (49 - 9) - 513 * 990},
      // torchvision's, and its VisionTransformer of that size
      {"squeezenet1_1", 1235496},
      {"mobilenet_v2", 3504872},
      {"densenet121", 7978856},
      {"efficientnet_b0", 5288548},
      {"convnext_tiny", 28589128},
      {"vit_tiny", 5717416},
      {"convnet-tiny", 242474},
      {"mobilenet-small", 1521770},
      {"mlp-moons", 2 * 32 + 32 + 32 * 32 + 32 + 32 * 2 + 2},
      {"shapes-labels", 89379},
      {"shapes-values", 89379}};
  EXPECT_EQ(a.parameters, parameters.at(GetParam()->name));
}

TEST_P(Templates, PlansPlaceNoTwoLiveValuesInOverlappingMemory) {
  const std::shared_ptr<Device> devices[] = {nullptr, reference_backend().devices()[0], cpu_backend().devices()[0]};
  for (const auto& device : devices)
    for (const bool training : {true, false}) {
      const Plan p = planned(doc, {.training = training, .batch = 20, .device = device.get()});
      EXPECT_EQ(test::overlap(p, device.get()), "") << GetParam()->name << (training ? " training" : " inference");
    }
}

TEST_P(Templates, PlansOfWhichOnlyTheOutputIsReadReuseTheMemoryOfOthers) {
  const std::shared_ptr<Device> cpu = cpu_backend().devices()[0];
  const Target all{.training = false, .batch = 16, .device = cpu.get()};
  Target lean = all;
  lean.only_output = true;
  const auto compiled = compile(doc, lean);
  ASSERT_TRUE(compiled) << compiled.error().str();
  const Plan& p = compiled->plan;
  EXPECT_EQ(test::overlap(p, cpu.get()), "");
  EXPECT_LE(p.arena_bytes, planned(doc, all).arena_bytes);
  if (GetParam()->name == "resnet18-cifar") EXPECT_LT(4 * p.arena_bytes, planned(doc, all).arena_bytes);
  const auto& output = value(p, p.find(compiled->output));
  for (const Value& v : p.values) {  // nothing that is computed later lies where the output does
    const bool before = &v == &output || v.alias_of >= 0 || v.offset_bytes < 0 || v.first_use < output.first_use;
    if (before || !test::in_arena(v)) continue;
    EXPECT_TRUE(v.offset_bytes >= output.offset_bytes + cpu->bytes_of(p, output) ||
                v.offset_bytes + cpu->bytes_of(p, v) <= output.offset_bytes)
        << v.name;
  }
}

TEST_P(Templates, PeakMemoryIsNearTheLowerBound) {
  const Plan p = planned(doc, {.batch = 64});
  const std::int64_t bound = test::lower_bound(p, nullptr);
  EXPECT_GE(p.arena_bytes, bound);
  EXPECT_LE(static_cast<double>(p.arena_bytes), 1.1 * static_cast<double>(bound));
}

TEST_P(Templates, WeightsArePlacedInReverseOrderAndAlignedToCacheLines) {
  const Plan p = planned(doc);
  std::int64_t end = 0, learned = 0;
  for (const Value& v : p.values) {
    if (v.role != Role::weight) continue;
    EXPECT_EQ(v.offset_bytes, end) << v.name;
    EXPECT_EQ(v.layout, Layout::torch);
    end += (v.shape.elements() + 15) / 16 * 64;
    learned += v.shape.elements();
    for (const char* prefix : {"grad ", "momentum ", "adam_m ", "adam_v "})
      if (const int state = p.find(prefix + v.name); state >= 0) {
        EXPECT_EQ(value(p, state).offset_bytes, v.offset_bytes);
      }
    EXPECT_GE(p.find("grad " + v.name), 0);
  }
  EXPECT_EQ(p.weight_elements * 4, end);
  EXPECT_EQ(learned, analyse(doc, {}).parameters);
  const auto first =
      std::find_if(p.values.begin(), p.values.end(), [](const Value& v) { return v.role == Role::weight; });
  EXPECT_THAT(first->name, testing::ContainsRegex("^(fc|classifier|heads)")) << "the last layer comes first";
}

TEST_P(Templates, EveryUnfusedLayerIsFoundByNameInBothPlans) {
  for (const bool training : {true, false}) {
    const Plan p = planned(doc, {.training = training});
    for (const ExpandedNode& n : analyse(doc, {}).expanded) {
      const bool fused = n.name == "sigmoid" || n.name == "loss";
      EXPECT_EQ(p.find(n.name) >= 0, !fused) << n.name;
    }
  }
}

TEST_P(Templates, ThePlanIsAFunctionOfTheDocument) {
  const Plan a = planned(doc), b = planned(GetParam()->make());
  ASSERT_EQ(a.steps.size(), b.steps.size());
  for (std::size_t i = 0; i < a.steps.size(); ++i) {
    EXPECT_EQ(a.steps[i].kernel, b.steps[i].kernel);
    EXPECT_EQ(a.steps[i].inputs, b.steps[i].inputs);
    EXPECT_EQ(a.steps[i].op, b.steps[i].op);
  }
  EXPECT_EQ(a.arena_bytes, b.arena_bytes);
}

std::vector<const Template*> every() {
  std::vector<const Template*> all;
  for (const Template& t : all_templates()) all.push_back(&t);
  return all;
}
std::string template_name(const testing::TestParamInfo<const Template*>& info) {
  std::string name(info.param->name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}
INSTANTIATE_TEST_SUITE_P(All, Templates, testing::ValuesIn(every()), template_name);

TEST(Plan, RunsForwardBackwardAndUpdateInThisOrder) {
  const Plan p = planned(net(small));
  EXPECT_THAT(kernels(p, Phase::forward), ElementsAre("conv2d", "relu", "flatten", "linear", "cross_entropy"));
  EXPECT_THAT(kernels(p, Phase::backward), ElementsAre("linear_grad_weight", "linear_grad_input", "flatten_grad",
                                                       "relu_grad", "conv2d_grad_weight"));
  EXPECT_THAT(kernels(p, Phase::update), ElementsAre("grad_norm", "sgd"));
  EXPECT_TRUE(kernels(p, Phase::reduce).empty());
}

TEST(Plan, WithoutTrainingThereIsOnlyForward) {
  const Plan p = planned(net(small), {.training = false});
  EXPECT_EQ(kernels(p, Phase::forward).size(), p.steps.size());
  EXPECT_EQ(p.find("grad conv1.weight"), -1);
  EXPECT_EQ(p.find("momentum conv1.weight"), -1);
  EXPECT_EQ(p.steps.back().outputs, (std::vector<int>{-1})) << "the loss makes no gradient";
}

TEST(Plan, SeveralReplicasReduceGradientsAndBatchNormStatistics) {
  const Plan p = planned(
      net("images: Input 1x8x8; conv1: Conv2d; bn1: BatchNorm2d; flatten: Flatten; fc: Linear; loss: CrossEntropy"),
      {.world = 2});
  EXPECT_EQ(p.batch, 32) << "the global batch of 64 is shared";
  EXPECT_THAT(kernels(p, Phase::reduce), ElementsAre("all_reduce"));
  const auto count = [&](Phase phase) {
    const auto k = kernels(p, phase);
    return std::count(k.begin(), k.end(), "all_reduce");
  };
  EXPECT_EQ(count(Phase::forward), 1);
  EXPECT_EQ(count(Phase::backward), 1);
}

TEST(Plan, ReplicasMayUseTheirOwnBatchNormStatistics) {
  TrainSettings s;
  s.sync_batch_norm = false;
  const Plan p = planned(
      with(
          net("images: Input 1x8x8; conv1: Conv2d; bn1: BatchNorm2d; flatten: Flatten; fc: Linear; loss: CrossEntropy"),
          s),
      {.world = 2});
  EXPECT_EQ(std::count_if(p.steps.begin(), p.steps.end(), [](const Step& step) { return step.kernel == "all_reduce"; }),
            1)
      << "of the gradients";
  for (const Step& step : p.steps)
    if (step.kernel == "batch_norm_finalize" || step.kernel == "batch_norm_grad_input")
      EXPECT_EQ(int_attr(step.attrs, "local"), 1) << step.kernel;
}

TEST(Plan, SettingsChooseTheUpdate) {
  TrainSettings s;
  s.optimizer.set("momentum", 0);
  EXPECT_EQ(planned(with(net(small), s)).find("momentum fc.weight"), -1);
  s.clip_value = 1;
  s.clip_norm = 2;
  EXPECT_THAT(kernels(planned(with(net(small), s)), Phase::update),
              ElementsAre("grad_norm", "clip_grad_value", "clip_grad_norm", "sgd"));
  s.optimizer.choose("adam");
  const Plan adam = planned(with(net(small), s));
  EXPECT_GE(adam.find("adam_v fc.weight"), 0);
  EXPECT_EQ(adam.steps.back().kernel, "adam");
  EXPECT_FALSE(adam.steps.back().attrs.contains("weight_decay")) << "decoupled decay belongs to AdamW";
  s.optimizer.choose("adamw");
  EXPECT_EQ(real_attr(planned(with(net(small), s)).steps.back().attrs, "weight_decay"), 0.01);
}

TEST(Plan, EveryOptimizerIsTheLastStepWithItsFieldsAndStates) {
  for (const Optimizer& o : all_optimizers()) {
    TrainSettings s;
    s.optimizer.choose(o.name);
    for (const OptimizerField& f : o.fields) s.optimizer.set(f.name, f.kind == OptimizerField::Kind::boolean ? 1 : 0.5);
    const Plan p = planned(with(net(small), s));
    const Step& last = p.steps.back();
    EXPECT_EQ(last.kernel, o.name);
    for (const OptimizerField& f : o.fields)
      if (f.kind == OptimizerField::Kind::real) { EXPECT_EQ(real_attr(last.attrs, f.name), 0.5) << o.name; }
    for (const OptimizerState& state : o.state)
      EXPECT_GE(p.find(std::string(state.name) + " fc.weight"), 0) << o.name << " keeps " << state.name;
    EXPECT_EQ(p.steps[p.steps.size() - 2].kernel == "weight_norms", o.norms) << o.name;
    EXPECT_EQ(last.inputs.size(), o.norms ? 1U : 0U);
  }
}

TEST(Plan, AnUnknownOptimizerIsRejectedByTheDocument) {
  TrainSettings s;
  s.optimizer.choose("tiger");
  GraphDoc doc = net(small);
  EXPECT_FALSE(doc.apply({PutSettings{s}}));
}

TEST(Plan, BiasesAndNormsCanBeExcludedFromWeightDecay) {
  TrainSettings s;
  s.decay_bias_and_norm = false;
  const Plan p = planned(with(
      net("images: Input 1x8x8; conv1: Conv2d; bn1: BatchNorm2d; flatten: Flatten; fc: Linear; loss: CrossEntropy"),
      s));
  for (const Value& v : p.values)
    if (v.role == Role::weight) { EXPECT_EQ(v.decay, v.name == "conv1.weight" || v.name == "fc.weight") << v.name; }
}

TEST(Plan, FrozenLayersAreNotUpdated) {
  GraphDoc doc = net(small);
  Node conv = doc.graph().nodes.at(id_of(doc, "conv1"));
  conv.frozen = true;
  edit(doc, {PutNode{"", id_of(doc, "conv1"), conv}});
  const Plan p = planned(doc);
  EXPECT_EQ(value(p, p.find("conv1.weight")).lr_scale, 0);
  EXPECT_EQ(value(p, p.find("fc.weight")).lr_scale, 1);
}

TEST(Plan, SumsTheGradientsOfAValueThatIsUsedTwice) {
  const Plan p = planned(
      net("images: Input 1x8x8; a: Conv2d out_channels=4; b: Conv2d out_channels=4 padding=1; sum: Add <- b, a; "
          "flatten: Flatten; fc: Linear; loss: CrossEntropy"));
  const auto step = std::find_if(p.steps.begin(), p.steps.end(),
                                 [](const Step& s) { return s.kernel == "add" && s.phase == Phase::backward; });
  ASSERT_NE(step, p.steps.end());
  EXPECT_EQ(step->inputs.size(), 2u);
  const auto consumer = std::find_if(p.steps.begin(), p.steps.end(),
                                     [](const Step& s) { return s.kernel == "conv2d_grad_weight" && s.label == "a"; });
  ASSERT_NE(consumer, p.steps.end());
  EXPECT_EQ(consumer->inputs[0], step->outputs[0]);
  EXPECT_GT(consumer - p.steps.begin(), step - p.steps.begin());
}

TEST(Plan, FusesSigmoidIntoTheLossThatFollows) {
  const auto compiled = compile(find_template("mlp-binary")->make(), {});
  ASSERT_TRUE(compiled);
  for (const Step& s : compiled->plan.steps) EXPECT_NE(s.kernel, "sigmoid");
  const auto loss = std::find_if(compiled->plan.steps.begin(), compiled->plan.steps.end(),
                                 [](const Step& s) { return s.kernel == "bce_with_logits"; });
  ASSERT_NE(loss, compiled->plan.steps.end());
  EXPECT_EQ(value(compiled->plan, loss->inputs[0]).name, "fc3");
  EXPECT_EQ(compiled->output, "fc3");
  EXPECT_EQ(compiled->activation, "sigmoid");
  EXPECT_EQ(compiled->targets, "targets");
  EXPECT_EQ(compiled->classes, 1);
}

TEST(Plan, ABypassedLayerHasNoStepAndItsValueIsAnAlias) {
  GraphDoc doc = net(small);
  Node relu = doc.graph().nodes.at(id_of(doc, "relu1"));
  relu.bypassed = true;
  edit(doc, {PutNode{"", id_of(doc, "relu1"), relu}});
  const Plan p = planned(doc);
  EXPECT_THAT(kernels(p, Phase::forward), ElementsAre("conv2d", "flatten", "linear", "cross_entropy"));
  ASSERT_GE(p.find("relu1"), 0);
  EXPECT_EQ(value(p, p.find("relu1")).alias_of, p.find("conv1"));
}

TEST(Plan, DropoutKeepsItsRandomKeyWhenOtherLayersAreAdded) {
  const auto key = [](const std::string& text) {
    for (const Step& s : planned(net(text)).steps)
      if (s.kernel == "dropout") return int_attr(s.attrs, "key");
    return std::int64_t{-1};
  };
  const std::int64_t plain =
      key("images: Input 1x8x8; flatten: Flatten; fc1: Linear; drop: Dropout; fc2: Linear; loss: CrossEntropy");
  EXPECT_EQ(key("images: Input 1x8x8; conv: Conv2d; flatten: Flatten; fc1: Linear; relu: ReLU; drop: Dropout; fc2: "
                "Linear; loss: CrossEntropy"),
            plain);
  EXPECT_GE(plain, 64);
  EXPECT_LT(plain, 65536);
}

TEST(Plan, LastShortBatchIsASecondPlanWithTheSameWeights) {
  const Plan a = planned(net(small), {.batch = 64}), b = planned(net(small), {.batch = 7});
  EXPECT_EQ(a.weight_elements, b.weight_elements);
  EXPECT_EQ(value(a, a.find("conv1.weight")).offset_bytes, value(b, b.find("conv1.weight")).offset_bytes);
  EXPECT_EQ(value(b, b.find("conv1")).shape, (Shape{7, 4, 6, 6}));
}

}  // namespace
}  // namespace nw
