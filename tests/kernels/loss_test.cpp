// SPDX-License-Identifier: Apache-2.0
// Cross-entropy with class probabilities as targets, on both backends, against
// torch.nn.functional.cross_entropy(x, probabilities, label_smoothing) in float64 on these numbers.
#include <gtest/gtest.h>

#include "tests/support/tiny_plan.hpp"

namespace nw::test {
namespace {

const std::vector<float> scores{0.5f, -1, 2, 0.25f, 1, 1, -0.5f, 3, -2, 0, 0.75f, 0.1f};
const std::vector<float> shares{0.7f, 0, 0.3f, 0, 0, 0.25f, 0, 0.75f, 0.1f, 0.2f, 0.3f, 0.4f};

struct Wanted {
  double smoothing, loss;
  std::vector<float> gradient;
};
const Wanted wanted[] = {
    {0,
     1.196403539752908,
     {-0.181921725f, 0.01147148f, 0.130410844f, 0.040039401f, 0.034678202f, -0.048655132f, 0.007737753f, 0.006239177f,
      -0.022980678f, 0.009829686f, 0.06194278f, -0.048791789f}},
    {0.1,
     1.271070206419575,
     {-0.166921725f, 0.003138147f, 0.13207751f, 0.031706068f, 0.026344868f, -0.048655132f, -0.000595581f, 0.022905844f,
      -0.027980678f, 0.00816302f, 0.063609447f, -0.043791789f}},
};

class Shares : public testing::TestWithParam<std::tuple<const Backend*, bool>> {};

TEST_P(Shares, ClassProbabilityTargetsMatchPyTorchsLossAndGradient) {
  const Wanted& want = wanted[std::get<1>(GetParam()) ? 1 : 0];
  TinyPlan tiny(4);  // the last sample is padding
  const int x = tiny.value("x", {4, 4}), dx = tiny.value("dx", {4, 4}),
            targets = tiny.value("targets", {4, 4}, Role::input);
  tiny.step("cross_entropy", {x, targets}, {dx}, {{"label_smoothing", want.smoothing}});
  Bench b(tiny, *device_of(*std::get<0>(GetParam())), 1);
  std::vector<float> padded(scores), padded_shares(shares);
  padded.resize(16, 7);
  padded_shares.resize(16, 0);
  b.write_bytes(x, padded);
  b.write_bytes(targets, padded_shares);
  StepArgs args = args_for(4);
  args.valid = args.global_valid = 3;
  ASSERT_TRUE(static_cast<bool>(b.executable().run(args)));
  EXPECT_NEAR(b.executable().metrics().loss_sum / 3, want.loss, 1e-6);
  EXPECT_EQ(b.executable().metrics().samples, 3);
  EXPECT_EQ(b.executable().metrics().correct, 1) << "only the second row's largest score is its largest share's";
  const std::vector<float> got = b.read(dx);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_NEAR(got[i], want.gradient[i], 2e-7) << i;
  for (std::size_t i = 12; i < 16; ++i) EXPECT_EQ(got[i], 0) << i;
}

INSTANTIATE_TEST_SUITE_P(Both, Shares,
                         testing::Combine(testing::Values(&reference_backend(), &cpu_backend()), testing::Bool()),
                         [](const auto& info) {
                           return fmt::format("{}{}", std::get<0>(info.param)->name,
                                              std::get<1>(info.param) ? "_smoothed" : "");
                         });

}  // namespace
}  // namespace nw::test
