// SPDX-License-Identifier: Apache-2.0
// Three training steps of whole networks give PyTorch's losses and gradients. Values and formula: tests/reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>

#include "tests/engine/train/torch_run.hpp"
#include "tests/support/paths.hpp"

namespace nw {
namespace {

struct Net {
  std::string name;
  std::string backend;
  int threads;
};

class PyTorchParity : public testing::TestWithParam<Net> {
 protected:
  void SetUp() override {
    std::ifstream in(test::tests_folder() + "/reference/" + GetParam().name + ".json");
    ASSERT_TRUE(in);
    expected_ = Json::parse(in);
    ASSERT_TRUE(run_.ready());
  }
  void compare_gradients(const Json& expected, int step) {
    for (const auto& [name, want] : expected.items())
      test::expect_torch_gradient(run_.gradient(name), want, name, "step " + std::to_string(step) + ", " + name);
  }
  double step(int number, int batch) { return run_.step(number, batch); }

  Json expected_;
  TorchRun run_{GetParam().name, GetParam().backend, GetParam().threads};
};

TEST_P(PyTorchParity, ThreeStepsGiveItsLossesAndGradients) {
  if (GetParam().backend == "reference" && GetParam().name == "resnet18-cifar" && !std::getenv("NETWRIGHT_LONG"))
    GTEST_SKIP() << "plain loops need minutes for a ResNet-18: run with NETWRIGHT_LONG=1";
#ifdef NW_SANITIZED
  if (GetParam().backend == "reference" && GetParam().name == "resnet18-cifar")
    GTEST_SKIP() << "plain loops need an hour for a ResNet-18 under a sanitizer";
#endif
  for (int i = 0; i < 3; ++i) {
    const double loss = step(i, i), want = expected_["steps"][i]["loss_float32"];
    EXPECT_NEAR(loss, want, 1e-5 * want) << "step " << i;
    compare_gradients(expected_["steps"][i]["gradients"], i);
  }
}

TEST_P(PyTorchParity, AHundredStepsFollowItsLosses) {
  if (GetParam().backend == "reference" && GetParam().name != "mlp") GTEST_SKIP() << "plain loops would need minutes";
#ifdef NW_SANITIZED
  if (GetParam().name == "resnet18-cifar") GTEST_SKIP() << "a ResNet-18 would need minutes under a sanitizer";
#endif
  std::ifstream in(test::tests_folder() + "/reference/losses.json");
  const Json losses = Json::parse(in)[GetParam().name]["float64"];
  ASSERT_EQ(losses.size(), 100U);
  const int steps = GetParam().name != "resnet18-cifar" || std::getenv("NETWRIGHT_LONG") ? 100 : 30;
  for (int i = 0; i < steps; ++i) {
    const double want = losses[static_cast<std::size_t>(i)];
    ASSERT_NEAR(step(i, i % 4), want, 1e-4 * want) << "step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, PyTorchParity,
                         testing::Values(Net{"mlp", "reference", 1}, Net{"mlp", "cpu", 2},
                                         Net{"lenet5", "reference", 1}, Net{"lenet5", "cpu", 2},
                                         Net{"resnet18-cifar", "reference", 1}, Net{"resnet18-cifar", "cpu", 2}),
                         [](const auto& info) {
                           std::string name = info.param.name + "_" + info.param.backend;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

}  // namespace
}  // namespace nw
