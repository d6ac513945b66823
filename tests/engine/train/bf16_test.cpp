// SPDX-License-Identifier: Apache-2.0
// Training in bf16: equal to PyTorch with rounded operands and to the reference backend, near fp32 but not equal to
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <set>

#include "tests/engine/train/torch_run.hpp"
#include "tests/engine/train/trial.hpp"
#include "tests/support/instruction_set.hpp"
#include "tests/support/paths.hpp"

namespace nw {
namespace {

#ifdef NW_SANITIZED
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

const char* const weights_of_lenet5[] = {"conv1.weight", "conv1.bias", "conv2.weight", "conv2.bias", "fc1.weight",
                                         "fc1.bias",     "fc2.weight", "fc2.bias",     "fc3.weight", "fc3.bias"};
const char* const weights_of_mlp[] = {"fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias", "fc3.weight", "fc3.bias"};
std::span<const char* const> weights_of(const std::string& net) {
  if (net == "mlp") return weights_of_mlp;
  return weights_of_lenet5;
}

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double off = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    off += (static_cast<double>(a[i]) - b[i]) * (static_cast<double>(a[i]) - b[i]);
    all += static_cast<double>(b[i]) * b[i];
  }
  return std::sqrt(off / all);
}

/// The text as part of a test's name.
std::string as_word(std::string set) {
  std::replace(set.begin(), set.end(), '-', '_');
  return set;
}

struct Net {
  const char *name, *backend, *set = "";  // set: NETWRIGHT_CPU
};
class Bf16Parity : public testing::TestWithParam<Net> {
 protected:
  void SetUp() override {
    if (*GetParam().set && !test::runs_here(GetParam().set)) GTEST_SKIP() << "this processor has no " << GetParam().set;
    std::ifstream in(test::tests_folder() + "/reference/bf16.json");
    ASSERT_TRUE(in);
    expected_ = Json::parse(in).at(GetParam().name);
    ASSERT_TRUE(run_.ready());
  }
  Json expected_;
  const test::UseInstructionSet set_{GetParam().set};
  TorchRun run_{GetParam().name, GetParam().backend, 2, DType::bf16};
};

// Without rounding the gradients differ from these by 0.15 % to 15 %.
TEST_P(Bf16Parity, TheFirstGradientsAreThoseOfPyTorchWithRoundedOperands) {
  const double want = expected_["float64"][0];
  EXPECT_NEAR(run_.step(0, 0), want, 1e-6 * want);
  for (const auto& [name, gradient] : expected_["gradients"].items())
    test::expect_torch_gradient(run_.gradient(name), gradient, name, name);
}

// A sum that differs in its last bit may be rounded to another operand: PyTorch's own float32 and float64 losses
// differ by 1e-4.
TEST_P(Bf16Parity, TwentyStepsFollowItsLosses) {
  for (int i = 0; i < 20; ++i) {
    const double want = expected_["float64"][static_cast<std::size_t>(i)];
    ASSERT_NEAR(run_.step(i, i % 4), want, 3e-4 * want) << "step " << i;
  }
}
INSTANTIATE_TEST_SUITE_P(Networks, Bf16Parity,
                         testing::Values(Net{"mlp", "reference"}, Net{"lenet5", "reference"},
                                         Net{"mlp", "cpu", "portable"}, Net{"lenet5", "cpu", "portable"},
                                         Net{"mlp", "cpu", "avx2"}, Net{"lenet5", "cpu", "avx2"},
                                         Net{"mlp", "cpu", "avx512"}, Net{"lenet5", "cpu", "avx512"},
                                         Net{"mlp", "cpu", "avx512bf16"}, Net{"lenet5", "cpu", "avx512bf16"},
                                         Net{"mlp", "cpu", "amx"}, Net{"lenet5", "cpu", "amx"},
                                         Net{"mlp", "cpu", "amx-emulated"}, Net{"lenet5", "cpu", "amx-emulated"}),
                         [](const auto& info) {
                           return std::string(info.param.name) + "_" + info.param.backend +
                                  (*info.param.set ? "_" + as_word(info.param.set) : "");
                         });

/// Runs on the CPU backend with one instruction set.
class Bf16On : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (!test::runs_here(GetParam())) GTEST_SKIP() << "this processor has no " << GetParam();
  }
  const test::UseInstructionSet set_{GetParam()};
};
INSTANTIATE_TEST_SUITE_P(Sets, Bf16On, testing::ValuesIn(test::all_instruction_sets),
                         [](const auto& info) { return as_word(info.param); });

// The backends sum in different orders, so that a few operands in a thousand are rounded to the neighbouring bf16
// value, a relative difference of 1/256.
TEST_P(Bf16On, ThreeStepsOfTheFastBackendAreThoseOfTheReferenceAndNotThoseOfFp32) {
  for (const char* net : {"mlp", "lenet5"}) {
    TorchRun fast(net, "cpu", 2, DType::bf16), slow(net, "reference", 1, DType::bf16), plain(net, "cpu", 2);
    ASSERT_TRUE(fast.ready() && slow.ready() && plain.ready());
    for (int i = 0; i < 3; ++i) {
      SCOPED_TRACE(std::string(net) + ", step " + std::to_string(i));
      const double loss = slow.step(i, i);
      EXPECT_NEAR(fast.step(i, i), loss, 2e-5 * loss);
      EXPECT_NE(plain.step(i, i), loss);
      for (const char* name : weights_of(net)) {
        const auto want = slow.gradient(name);
        const double apart = distance(fast.gradient(name), want), rounding = distance(plain.gradient(name), want);
        EXPECT_LT(apart, 1e-3) << name;
        EXPECT_GT(rounding, 5e-4) << name;
        EXPECT_LT(apart, rounding / 8) << name;
      }
    }
    for (const char* name : weights_of(net)) EXPECT_LT(distance(fast.read(name), slow.read(name)), 1e-4) << name;
  }
}

TEST_P(Bf16On, AHundredStepsOfLenet5StayWithinAFewPerCentOfFp32) {
  TorchRun rounded("lenet5", "cpu", 2, DType::bf16), plain("lenet5", "cpu", 2);
  ASSERT_TRUE(rounded.ready() && plain.ready());
  for (int i = 0; i < 100; ++i) {
    const double want = plain.step(i, i % 4);
    ASSERT_NEAR(rounded.step(i, i % 4), want, 0.03 * want) << "step " << i;
  }
}

// Under sanitizers a residual network takes minutes on an emulated unit.
std::vector<int> compared_threads(std::string_view net) {
  if (net != "resnet18-cifar") return {1, 2, 3, 4};
  if (sanitized) return {};
  return {1, 3};
}

TEST_P(Bf16On, AnyNumberOfThreadsGivesTheSameBytes) {
  for (const char* net : {"mlp", "lenet5", "resnet18-cifar"}) {
    std::vector<std::vector<float>> models;
    for (const int threads : compared_threads(net)) {
      TorchRun run(net, "cpu", threads, DType::bf16);
      ASSERT_TRUE(run.ready());
      for (int i = 0; i < 2; ++i) run.step(i, i);
      std::vector<float>& model = models.emplace_back();
      for (const Value& v : run.plan().values)
        if (v.role == Role::weight) {
          const auto w = run.read(v.name);
          model.insert(model.end(), w.begin(), w.end());
        }
      EXPECT_EQ(std::memcmp(model.data(), models.front().data(), 4 * model.size()), 0)
          << net << " on " << threads << " threads";
    }
  }
}

TEST_P(Bf16On, DeviceReportsItsBf16ModeOnce) {
  const auto told = [](DType precision) {
    int count = 0;
    for (const std::string& line : TorchRun("lenet5", "cpu", 1, precision).choices())
      count += line.find("bf16: ") != std::string::npos;
    return count;
  };
  EXPECT_EQ(told(DType::bf16), 1);
  EXPECT_EQ(told(DType::f32), 0);
}

TEST_P(Bf16On, PlanListsTheProductsComputedByTiles) {
  const TorchRun run("lenet5", "cpu", 1, DType::bf16);
  ASSERT_TRUE(run.ready());
  std::set<std::string> by_tiles;
  for (const std::string& line : run.choices())
    if (line.find("tiles, ") != std::string::npos) by_tiles.insert(line.substr(0, line.find(':')));
  if (GetParam().starts_with("amx") || GetParam() == "avx512bf16")
    EXPECT_THAT(by_tiles, testing::IsSupersetOf({"conv1", "conv2"}));
  int rounding = 0;
  for (const Step& s : run.plan().steps) rounding += s.attrs.contains("rounds");
  EXPECT_EQ(by_tiles.empty(), rounding == 0);
}

Trial::Change in_bf16(std::int64_t epochs) {
  return [=](TrainSettings& s, DataChoice&) {
    s.precision = DType::bf16;
    s.epochs = epochs;
  };
}

TEST(Bf16, ARunKeepsItsPrecisionInItsFolderAndLearns) {
  Trial rounded(in_bf16(4)), plain([](TrainSettings& s, DataChoice&) { s.epochs = 4; });
  const auto result = rounded.run();
  ASSERT_TRUE(result) << result.error().str();
  ASSERT_TRUE(plain.run());
  EXPECT_NE(rounded.final_weights(), plain.final_weights());
  const auto definition = read_run_definition(rounded.request.run);
  ASSERT_TRUE(definition);
  EXPECT_EQ(definition->doc.settings().precision, DType::bf16);
  EXPECT_THAT(*read_file(rounded.request.run / "run.json", 1 << 24), testing::HasSubstr("operands rounded"));
  const auto epochs = rounded.sink.all<EpochEnd>();
  ASSERT_EQ(epochs.size(), 4u);
  EXPECT_LT(epochs.back().train_loss, epochs.front().train_loss / 2);
  EXPECT_NEAR(epochs.back().train_loss, plain.sink.all<EpochEnd>().back().train_loss, 0.05 * epochs.back().train_loss);
}

TEST(Bf16, AutomaticSaysOnceWhatWasChosenAndGoesOnWithIt) {
  const test::UseInstructionSet set("amx-emulated");
  const auto automatic = [](std::int64_t epochs) {
    return [=](TrainSettings& s, DataChoice&) {
      s.precision = std::nullopt;
      s.epochs = epochs;
    };
  };
  Trial whole(automatic(2)), halves(automatic(2));
  ASSERT_TRUE(whole.run());
  halves.request.stop_after = 1;
  ASSERT_TRUE(halves.run());
  ASSERT_TRUE(halves.resume(halves.sink));
  EXPECT_EQ(halves.final_weights(), whole.final_weights());
  EXPECT_EQ(read_run_definition(whole.request.run)->doc.settings().precision, std::nullopt);
  const auto said = [](const Trial& t) {
    int count = 0;
    for (const Health& h : t.sink.all<Health>()) count += h.message.str().starts_with("Precision automatic: bf16 in ");
    return count;
  };
  EXPECT_EQ(said(whole), 1);
  EXPECT_EQ(said(halves), 1) << "a resumed run repeats nothing";
}

TEST(Bf16, AutomaticHasTheBytesOfFp32WithoutInstructionsForBf16) {
  const test::UseInstructionSet set("portable");
  Trial automatic([](TrainSettings& s, DataChoice&) { s.precision = std::nullopt; }), plain;
  ASSERT_TRUE(automatic.run());
  ASSERT_TRUE(plain.run());
  EXPECT_EQ(automatic.final_weights(), plain.final_weights());
}

TEST(Bf16, TwoReplicasEndWhereOneDeviceDoes) {
  Trial one(in_bf16(2)), two([](TrainSettings& s, DataChoice& d) {
    in_bf16(2)(s, d);
    s.devices = {"cpu:0", "cpu:1"};
  });
  ASSERT_TRUE(one.run());
  ASSERT_TRUE(two.run());
  const auto last = [](const Trial& t) { return t.sink.all<EpochEnd>().back(); };
  EXPECT_NEAR(last(two).train_loss, last(one).train_loss, 1e-3 * last(one).train_loss);
}

}  // namespace
}  // namespace nw
