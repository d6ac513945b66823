// SPDX-License-Identifier: Apache-2.0
// Outputs in the memory of an input: only where this step is the last reader of the input, and only in plans that
// train in lanes.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "tests/engine/compile/planned.hpp"
#include "tests/support/instruction_set.hpp"
#include "tests/support/net_text.hpp"
#include "tests/support/plan_check.hpp"

namespace nw {
namespace {
using test::net;
using test::value;

constexpr const char* residual =
    "images: Input 3x8x8; a: Conv2d out_channels=4 padding=1; n: BatchNorm2d; r: ReLU; b: Conv2d out_channels=4 "
    "padding=1; {sum}; r2: ReLU; "
    "c: Conv2d out_channels=32; r3: ReLU; d: Conv2d out_channels=32; flatten: Flatten; fc: Linear; loss: CrossEntropy";

GraphDoc drawn(const std::string& sum, DType precision = DType::f32) {
  std::string text = residual;
  text.replace(text.find("{sum}"), 5, sum);
  GraphDoc doc = net(text);
  TrainSettings s = doc.settings();
  s.precision = precision;
  test::edit(doc, {PutSettings{s}});
  return doc;
}

/// Index of the input that the first step with this kernel overwrites; -1 if it overwrites none, -2 if the plan has
/// no such step.
int replaced(const Plan& p, const std::string& kernel) {
  for (const Step& s : p.steps) {
    if (s.kernel != kernel) continue;
    for (std::size_t k = 0; k < s.inputs.size(); ++k)
      if (s.inputs[k] >= 0 && value(p, s.outputs[0]).alias_of == s.inputs[k]) return static_cast<int>(k);
    return -1;
  }
  return -2;
}

TEST(InPlace, OverwritesOnlyInputsThatNoLaterStepReads) {
  EXPECT_EQ(replaced(planned(drawn("sum: Add <- b, r"), *cpu_device()), "add_relu"), 0);
  EXPECT_EQ(replaced(planned(drawn("sum: Add <- r, b"), *cpu_device()), "add_relu"), 1)
      << "the gradient of r asks where it is above zero";
  EXPECT_EQ(replaced(planned(drawn("sum: Add <- r, r"), *cpu_device()), "add_relu"), -1);
  const Plan p = planned(drawn("sum: Add <- b, r"), *cpu_device());
  EXPECT_EQ(replaced(p, "batch_norm_grad_input"), 0);
  EXPECT_EQ(replaced(p, "batch_norm_apply_relu"), -1) << "its gradient needs what it read";
  EXPECT_EQ(test::overlap(p, cpu_device().get()), "");
}

TEST(InPlace, IsUsedOnlyInTrainingPlansWithTheLaneLayout) {
  for (const char* kernel : {"add_relu", "batch_norm_grad_input", "conv2d_grad_input_relu"}) {
    EXPECT_LT(replaced(planned(drawn("sum: Add <- b, r"), *cpu_device(), false), kernel), 0) << kernel;
    EXPECT_LT(replaced(planned(drawn("sum: Add <- b, r"), *reference_backend().devices().front()), kernel), 0)
        << kernel;
  }
}

TEST(InPlace, AnInputGradientOverwritesItsGateOnlyIfComputedInOnePass) {
  const test::UseInstructionSet tiles("amx-emulated");
  EXPECT_EQ(replaced(planned(drawn("sum: Add <- b, r", DType::bf16), *cpu_device()), "conv2d_grad_input_relu"), 2);
  EXPECT_EQ(replaced(planned(drawn("sum: Add <- b, r"), *cpu_device()), "conv2d_grad_input_relu"), -1)
      << "sums of some channels would replace it first";
}

int place_of(const Plan& p, int v) {
  while (value(p, v).alias_of >= 0) v = value(p, v).alias_of;
  return v;
}

/// The first step that reads an input after another value overwrote its memory; empty if there is none.
std::string overwritten_operand(const Plan& p) {
  std::map<int, std::set<int>> there;  // by place: the values stored there now, all views of one another
  std::set<int> made;
  const auto source = [&](int v) {  // the value that an alias stands for
    while (!made.contains(v) && value(p, v).alias_of >= 0) v = value(p, v).alias_of;
    return v;
  };
  for (const Step& s : p.steps) {
    for (const int v : s.inputs)
      if (v >= 0 && there.contains(place_of(p, v)) && !there[place_of(p, v)].contains(source(v)))
        return s.kernel + " of " + s.label + " reads " + value(p, v).name;
    // these kernels output a view of their input: the input stays readable
    const bool view = s.kernel == "flatten" || s.kernel == "flatten_grad" || s.kernel == "round_bf16";
    for (const int v : s.outputs) {
      if (v < 0) continue;
      if (!view) there[place_of(p, v)].clear();
      there[place_of(p, v)].insert(v);
      made.insert(v);
    }
  }
  return "";
}

TEST(InPlace, NoStepReadsAnOverwrittenValue) {
  std::vector<GraphDoc> all;
  for (const DType precision : {DType::f32, DType::bf16}) {
    for (const char* sum :
         {"sum: Add <- b, r", "sum: Add <- r, b", "sum: Add <- r, r", "once: Add <- b, r; sum: Add <- b, once"})
      all.push_back(drawn(sum, precision));
    for (const char* name : {"lenet5", "resnet18-cifar", "vgg13-cifar", "mobilenet-small"}) {
      all.push_back(find_template(name)->make());
      TrainSettings s = all.back().settings();
      s.precision = precision;
      test::edit(all.back(), {PutSettings{s}});
    }
  }
  for (const std::string& isa : test::those_that_run_here()) {
    const test::UseInstructionSet set(isa);
    for (const GraphDoc& doc : all) EXPECT_EQ(overwritten_operand(planned(doc, *cpu_device())), "") << isa;
  }
}

}  // namespace
}  // namespace nw
