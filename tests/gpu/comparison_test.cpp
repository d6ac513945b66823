// SPDX-License-Identifier: Apache-2.0
// The comparison of a fake GPU with the CPU by the complete program: its figures, and the layer that is computed wrong.
#include <gmock/gmock.h>

#include "tests/gpu/gpu_fixture.hpp"

namespace nw {
namespace {

class GpuComparison : public OnFakeGpus {
 protected:
  void TearDown() override { ::unsetenv("NETWRIGHT_FAKE_GPU_SKIPS"); }
  void train() { ASSERT_EQ(gpu_run({"train", small_project(1, "lenet5"), "--run-dir", at("run"), "--quiet"}).code, 0); }
  CommandOutput compared() {
    return gpu_run({"compare-devices", at("run"), "--devices", "cpu,cuda:1", "--checkpoint", "latest", "--seconds",
                    "0.1", "--json"});
  }
};

TEST_F(GpuComparison, TheEnergyOfTheGpuIsMeasuredByItsOwnCounter) {
  train();
  const CommandOutput output = compared();
  ASSERT_EQ(output.code, 0) << output.err;
  const Json answer = output.lines().back();
  EXPECT_TRUE(answer["first_diverging_layer"].is_null());
  const Json& gpu = answer["second"];
  EXPECT_EQ(gpu["device"], "cuda:1");
  // the fake's counter says 200 W; processors are added where their counter can be read
  ASSERT_TRUE(gpu.contains("energy_j_per_image")) << gpu;
  const double watts = gpu["energy_j_per_image"].get<double>() * gpu["images_per_s"].get<double>();
  EXPECT_GT(watts, 150);
}

TEST_F(GpuComparison, TheLayerThatAWrongGpuComputesDifferentlyIsNamedAndTheExitCodeSaysSo) {
  train();
  ::setenv("NETWRIGHT_FAKE_GPU_SKIPS", "nw_max_pool2d_f32", 1);
  const CommandOutput output = compared();
  EXPECT_EQ(output.code, 1) << output.err;
  ASSERT_FALSE(output.lines().empty()) << output.err;
  EXPECT_EQ(output.lines().back()["first_diverging_layer"], "pool1");
}

}  // namespace
}  // namespace nw
