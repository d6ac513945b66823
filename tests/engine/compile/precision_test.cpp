// SPDX-License-Identifier: Apache-2.0
// A plan in bf16: each operand of a product is rounded once, no other step changes, and no step overwrites memory
// that a later step reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
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

GraphDoc in(DType precision, GraphDoc doc) {
  TrainSettings s = doc.settings();
  s.precision = precision;
  test::edit(doc, {PutSettings{s}});
  return doc;
}

bool multiplies(const Step& s) {
  for (const char* layer : {"conv2d", "conv_transpose2d", "linear"})
    for (const char* what : {"", "_relu", "_max_pool2d_relu", "_grad_input", "_grad_input_relu", "_grad_weight"})
      if (s.kernel == std::string(layer) + what) return true;
  return false;
}
bool rounds(const Step& s) { return s.kernel == "round_bf16"; }

/// Each step's kernel with the names of its inputs and outputs; a rounded copy has the name of the value it copies.
std::vector<std::string> without_rounding(const Plan& p) {
  std::vector<std::string> all;
  for (const Step& s : p.steps) {
    if (rounds(s)) continue;
    std::string line = s.kernel;
    for (const auto* list : {&s.inputs, &s.outputs})
      for (const int v : *list) {
        const std::string name = v < 0 ? "-" : value(p, v).name;
        line.append(list == &s.inputs ? " " : " > ").append(name, name.starts_with("bf16 ") ? 5 : 0);
      }
    all.push_back(line);
  }
  return all;
}

struct Drawn {
  std::string name;
  GraphDoc doc;
};
std::vector<Drawn> drawings() {
  std::vector<Drawn> all;
  for (const char* name : {"mlp", "lenet5", "resnet18-cifar", "vgg13-cifar"})
    all.push_back({name, find_template(name)->make()});
  all.push_back(
      {"transposed and shared", net("images: Input 3x8x8; a: Conv2d out_channels=6 padding=1; up: ConvTranspose2d "
                                    "out_channels=6 kernel_size=3 padding=1; s: Sigmoid; "
                                    "b: Conv2d out_channels=6 padding=1 <- s; c: Conv2d out_channels=6 padding=1 <- s; "
                                    "sum: Add <- b, c, s; flatten: Flatten; fc: Linear; loss: CrossEntropy")});
  return all;
}

/// Uses the instruction set "portable", which has no instructions that round inside products.
class Bf16Plan : public testing::Test {
  const test::UseInstructionSet set_{"portable"};
};

TEST(FormatsOfGpus, AreRefusedInTrainingOnAProcessorAndNotInPrediction) {
  const auto device = cpu_device();
  for (const DType format : {DType::f16, DType::tf32}) {
    const GraphDoc doc = in(format, find_template("lenet5")->make());
    const auto training = compile(doc, {.batch = 4, .device = device.get()});
    ASSERT_FALSE(training);
    EXPECT_THAT(training.error().str(), testing::HasSubstr("computes in fp32 or bf16"));
    const auto prediction = compile(doc, {.training = false, .batch = 4, .device = device.get()});
    ASSERT_TRUE(prediction) << prediction.error().str();
    EXPECT_EQ(prediction->plan.compute, DType::f32);
  }
}

TEST_F(Bf16Plan, RoundsEachOperandOfAProductOnceAndChangesNothingElse) {
  const std::shared_ptr<Device> devices[] = {cpu_device(), reference_backend().devices().front()};
  for (const Drawn& d : drawings())
    for (const auto& device : devices)
      for (const bool training : {true, false}) {
        SCOPED_TRACE(d.name + " on " + device->name() + (training ? " training" : " looking"));
        const Plan p = planned(in(DType::bf16, d.doc), *device, training);
        std::map<int, int> copy_of, copies;  // rounded copy -> its source; source -> number of copies
        for (const Step& s : p.steps) {
          if (rounds(s)) {
            copy_of[s.outputs[0]] = s.inputs[0];
            EXPECT_EQ(++copies[s.inputs[0]], 1) << value(p, s.inputs[0]).name << " is rounded twice";
            EXPECT_FALSE(copy_of.contains(s.inputs[0])) << "what is rounded already is rounded";
          }
          for (std::size_t k = 0; k < s.inputs.size(); ++k)
            EXPECT_EQ(copy_of.contains(s.inputs[k]), multiplies(s) && k < 2)
                << s.label << " " << s.kernel << ", input " << k;
        }
        EXPECT_FALSE(copies.empty());
        EXPECT_EQ(without_rounding(p), without_rounding(planned(d.doc, *device, training)));
        EXPECT_EQ(test::overlap(p, device.get()), "");
      }
}

TEST_F(Bf16Plan, AnFp32PlanRoundsNothing) {
  for (const Drawn& d : drawings()) {
    const Plan p = planned(d.doc, *cpu_device());
    EXPECT_EQ(std::count_if(p.steps.begin(), p.steps.end(), rounds), 0) << d.name;
  }
}

TEST_F(Bf16Plan, WeightsAreRoundedFirstAndTheMasterWeightsStay) {
  for (const Drawn& d : drawings()) {
    const Plan p = planned(in(DType::bf16, d.doc), *cpu_device());
    bool others = false;
    for (const Step& s : p.steps) {
      const bool weight = rounds(s) && value(p, s.inputs[0]).role == Role::weight;
      EXPECT_FALSE(weight && others) << d.name << ": " << s.label << " breaks into the layers";
      others = others || !weight;
      if (!weight) continue;
      EXPECT_EQ(value(p, s.outputs[0]).role, Role::saved);
      EXPECT_LT(value(p, s.outputs[0]).alias_of, 0) << d.name;
    }
  }
}

TEST_F(Bf16Plan, ActivationsAreRoundedInPlaceAfterTheirLastUse) {
  for (const char* name : {"lenet5", "vgg13-cifar"}) {
    const GraphDoc doc = find_template(name)->make();
    const Plan p = planned(in(DType::bf16, doc), *cpu_device()), plain = planned(doc, *cpu_device());
    std::int64_t own = 0;
    for (const Step& s : p.steps) {
      if (!rounds(s)) continue;
      const Role role = value(p, s.inputs[0]).role;
      const bool stays = role == Role::weight || role == Role::input;
      EXPECT_EQ(value(p, s.outputs[0]).alias_of >= 0, !stays) << name << ": " << value(p, s.inputs[0]).name;
      if (stays) own += (cpu_device()->bytes_of(p, value(p, s.outputs[0])) + 63) / 64 * 64;
    }
    EXPECT_LE(p.arena_bytes, plain.arena_bytes + own) << name;
  }
}

TEST_F(Bf16Plan, ValuesWithLaterReadersAreNotRoundedInPlace) {
  const auto in_place = [](const Plan& p, const std::string& name) {
    const int v = p.find("bf16 " + name);
    EXPECT_GE(v, 0) << name;
    return v >= 0 && value(p, v).alias_of >= 0;
  };
  const Plan p =
      planned(in(DType::bf16, net("images: Input 3x8x8; a: Conv2d out_channels=4; s: Sigmoid; b: Conv2d out_channels=4 "
                                  "padding=1; sum: Add <- b, s; r: ReLU; "
                                  "c: Conv2d out_channels=4; flatten: Flatten; fc: Linear; loss: CrossEntropy")),
              *cpu_device());
  EXPECT_FALSE(in_place(p, "s")) << "its gradient and the sum read it";
  EXPECT_TRUE(in_place(p, "r")) << "its gradient only asks where it is above zero";
  EXPECT_TRUE(in_place(p, "flatten"));
  const Plan view = planned(in(DType::bf16, net("images: Input 3x8x8; a: Conv2d out_channels=4; t: Tanh; flatten: "
                                                "Flatten; fc: Linear; loss: CrossEntropy")),
                            *cpu_device());
  EXPECT_FALSE(in_place(view, "flatten")) << "it lies where the output of tanh does, whose gradient reads it";
}

TEST_F(Bf16Plan, OutputsOfLayersThatCanBeInspectedAreNotRounded) {
  for (const bool every_layer : {false, true}) {
    const Plan p = planned(in(DType::bf16, find_template("lenet5")->make()), *cpu_device(), false, every_layer);
    for (const Step& s : p.steps) {
      EXPECT_FALSE(rounds(s) && value(p, s.outputs[0]).alias_of >= 0) << value(p, s.inputs[0]).name;
    }
  }
}

TEST_F(Bf16Plan, Fp16IsRejectedWithAnErrorMessage) {
  for (const auto& device : {cpu_device(), reference_backend().devices().front()}) {
    const GraphDoc doc = in(DType::f16, find_template("lenet5")->make());
    EXPECT_EQ(analyse(doc, {.device = device.get()}).count(Severity::error), 1) << "not layer by layer";
    const auto compiled = compile(doc, {.device = device.get()});
    ASSERT_FALSE(compiled);
    EXPECT_EQ(compiled.error().code, Errc::bad_input);
    EXPECT_THAT(compiled.error().str(), testing::HasSubstr("GPU"));
  }
}

bool rounds_itself(const Step& s) { return s.attrs.contains("rounds"); }

TEST(Bf16TilePlan, EachProductReadsRoundedCopiesOrRoundsItsOwnOperands) {
  const test::UseInstructionSet set("amx-emulated");
  for (const Drawn& d : drawings())
    for (const bool training : {true, false}) {
      SCOPED_TRACE(d.name + (training ? " training" : " looking"));
      const Plan p = planned(in(DType::bf16, d.doc), *cpu_device(), training);
      std::set<int> copies, read;
      int by_itself = 0;
      for (const Step& s : p.steps) {
        if (rounds(s)) copies.insert(s.outputs[0]);
        EXPECT_TRUE(!rounds_itself(s) || multiplies(s)) << s.kernel;
        by_itself += rounds_itself(s);
        for (std::size_t k = 0; k < s.inputs.size(); ++k) {
          EXPECT_EQ(copies.contains(s.inputs[k]), multiplies(s) && k < 2 && !rounds_itself(s))
              << s.label << " " << s.kernel << ", input " << k;
          read.insert(s.inputs[k]);
        }
      }
      EXPECT_GT(by_itself, 0);
      for (const int copy : copies) EXPECT_TRUE(read.contains(copy)) << value(p, copy).name << " is made for nobody";
      EXPECT_EQ(test::overlap(p, cpu_device().get()), "");
    }
}

TEST(Bf16TilePlan, AnFp32PlanHasNoProductsThatRoundTheirOperands) {
  const test::UseInstructionSet set("amx-emulated");
  for (const Drawn& d : drawings()) {
    const Plan p = planned(d.doc, *cpu_device());
    EXPECT_EQ(std::count_if(p.steps.begin(), p.steps.end(), rounds_itself), 0) << d.name;
  }
}

TEST(Bf16TilePlan, OtherDevicesUseOnlyRoundingSteps) {
  const test::UseInstructionSet set("amx-emulated");
  const Plan p = planned(in(DType::bf16, find_template("lenet5")->make()), *reference_backend().devices().front());
  EXPECT_EQ(std::count_if(p.steps.begin(), p.steps.end(), rounds_itself), 0);
  EXPECT_GT(std::count_if(p.steps.begin(), p.steps.end(), rounds), 0);
}

}  // namespace
}  // namespace nw
