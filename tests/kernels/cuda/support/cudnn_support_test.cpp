// SPDX-License-Identifier: Apache-2.0
// Every graph that training and evaluation of every template request from cuDNN, in every precision, through cuDNN's
// support check for an H200 that need not be present (device properties as JSON), and cuDNN's choice. Needs cuDNN 9.11
// and, without a driver, the toolkit's stub of it; nothing is computed.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "kernels/cuda/backend.hpp"
#include "kernels/cuda/conv_graphs.hpp"
#include "tests/kernels/cuda/fakes/fake_device.hpp"
#include "tests/support/paths.hpp"

namespace nw::test {
namespace {

constexpr std::int64_t most_workspace_bytes = std::int64_t{256} << 20;

bool open_driver_or_stub() {
  if (::dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL)) return true;
  for (const char* folder : {std::getenv("CUDA_PATH"), std::getenv("CUDA_HOME"), static_cast<char*>(nullptr),
                             const_cast<char*>("/usr/local/cuda")})
    if (folder && ::dlopen((std::string(folder) + "/lib64/stubs/libcuda.so").c_str(), RTLD_NOW | RTLD_GLOBAL))
      return true;
  return false;
}

class CudnnSupport : public testing::TestWithParam<DType> {
 protected:
  static void SetUpTestSuite() {
    static cuda::DriverApi real;
    if (!open_driver_or_stub())
      missing_ = "there is neither a driver nor the CUDA toolkit's stub of it (lib64/stubs/libcuda.so)";
    real.libraries = cuda::open_libraries();
    if (missing_.empty() && !real.libraries.has_cudnn()) missing_ = real.libraries.missing_cudnn.str();
    real_ = &real;
    if (!missing_.empty()) return;
    cuda::use_driver_api(real_);
    std::stringstream json;
    json << std::ifstream(test::tests_folder() + "/kernels/cuda/h200-device.json").rdbuf();
    auto device = cuda::device_properties(json.str());
    if (!device)
      missing_ = "cuDNN " + std::to_string(real.libraries.cudnn.version()) +
                 " takes no device that is not here (9.11 or later does)";
    else
      device_ = new cuda::Descriptor(std::move(*device));
  }
  static void TearDownTestSuite() {
    cuda::use_driver_api(real_);
    delete std::exchange(device_, nullptr);
  }
  void SetUp() override {
    if (!missing_.empty()) GTEST_SKIP() << missing_;
  }

  /// The graphs that `step` requests, the best first; with `padded`, those that it also requests if the number of
  /// channels is not a multiple of eight.
  static std::vector<cuda::Graph> asked_by(const Plan& plan, const Step& step, bool padded) {
    const bool forward = step.kernel == "conv2d" || step.kernel == "conv2d_relu";
    if (!forward && step.kernel != "conv2d_grad_input" && step.kernel != "conv2d_grad_weight") return {};
    const cuda::ConvGraphs plain = cuda::conv_graphs(plan, step), wide = plain.padded();
    if (padded && (wide.shape.c == plain.shape.c || step.kernel == "conv2d_grad_input")) return {};
    const cuda::ConvGraphs& graphs = padded || cuda::wants_statistics(plan, step) ? wide : plain;
    if (!forward) return {step.kernel == "conv2d_grad_input" ? graphs.input_gradient() : graphs.filter_gradient()};
    const bool relu = step.kernel == "conv2d_relu", bias = step.inputs.size() > 2 && step.inputs[2] >= 0;
    if (cuda::wants_statistics(plan, step)) return {graphs.forward_statistics(), graphs.forward()};
    if (!relu && !bias) return {graphs.forward()};
    return {graphs.forward_bias(relu), graphs.forward()};
  }

  /// Graphs of all templates by their description.
  static std::map<std::string, std::vector<cuda::Graph>> all_graphs(DType precision) {
    cuda::use_driver_api(&cuda::fake_driver_api());  // compiling needs a device, but not its libraries
    const auto gpu = cuda::cuda_backend().devices().at(0);
    std::map<std::string, std::vector<cuda::Graph>> all;
    for (const Template& t : all_templates())
      for (const bool training : {true, false}) {
        GraphDoc doc = t.make();
        TrainSettings settings = doc.settings();
        settings.precision = precision;
        EXPECT_TRUE(static_cast<bool>(doc.apply({PutSettings{settings}})));
        const auto compiled = compile(doc, {.training = training, .device = gpu.get()});
        EXPECT_TRUE(compiled) << t.name;
        if (!compiled) continue;
        for (const Step& s : compiled->plan.steps)
          for (const bool padded : {false, true})
            if (auto asked = asked_by(compiled->plan, s, padded); !asked.empty())
              all[asked.front().line()] = std::move(asked);
      }
    cuda::use_driver_api(real_);
    return all;
  }

  static inline std::string missing_;
  static inline cuda::Descriptor* device_ = nullptr;
  static inline cuda::DriverApi* real_ = nullptr;
};

const char* name_of(DType t) {
  return t == DType::f32 ? "fp32" : t == DType::tf32 ? "tf32" : t == DType::bf16 ? "bf16" : "fp16";
}

TEST_P(CudnnSupport, HasAnEngineForEveryGraphOfEveryTemplate) {
  const auto graphs = all_graphs(GetParam());
  ASSERT_GT(graphs.size(), 20u);
  std::ofstream list(test::programs_folder() + "/cudnn_engines_" + name_of(GetParam()) + ".txt");
  int fused = 0, pieces = 0;
  for (const auto& [line, chain] : graphs) {
    bool found = false;
    for (std::size_t level = 0; level < chain.size() && !found; ++level) {
      const auto plan = cuda::CudnnPlan::make(chain[level], {.device = device_->raw()}, most_workspace_bytes);
      if (!plan) continue;
      found = true;
      // cuDNN computes no per-channel sums for a convolution that large
      const bool stem = line.find("x8x7x7") != std::string::npos;
      (level == 0 || stem ? fused : pieces) += 1;
      list << "level " << level << ", engine " << (*plan)->engine()
           << ((*plan)->runtime_compiled() ? ", compiled at run time" : ", precompiled")
           << ((*plan)->uses_tensor_cores() ? "" : ", without tensor cores") << ", workspace "
           << (*plan)->workspace_bytes() << " bytes: " << line << "\n";
      EXPECT_FALSE((*plan)->runtime_compiled()) << line << " would take seconds to compile";
      // In fp16 cuDNN's engine for a convolution with per-channel sums carries no note about tensor cores; whether it
      // uses them only a device shows.
      const bool unknown = GetParam() == DType::f16 && line.find("statistics") != std::string::npos;
      EXPECT_TRUE((*plan)->uses_tensor_cores() || unknown) << line << " would be many times slower";
    }
    EXPECT_TRUE(found) << "cuDNN has no engine for " << line;
  }
  std::cout << name_of(GetParam()) << ": " << graphs.size() << " graphs, " << fused << " in one piece, " << pieces
            << " in pieces\n";
  EXPECT_EQ(pieces, 0) << "a fused graph fell back to single operations";
}

// The stems of the templates for photos have three channels: an H200's requirements without and with padding.
TEST_P(CudnnSupport, PaddedStemsNeedNoMoreWorkspaceIn16BitFormats) {
  if (GetParam() != DType::f16 && GetParam() != DType::bf16) GTEST_SKIP() << "floats are taken as they are";
  for (const auto& [channels, kernel, size, out] : {std::array{3, 7, 224, 64}, std::array{3, 3, 32, 64}}) {
    const std::int64_t stride = kernel == 7 ? 2 : 1, result = size / stride;
    cuda::ConvGraphs plain{{64, channels, size, size, out, result, result, kernel, kernel, stride, stride, kernel / 2,
                            kernel / 2, 1, 1, channels, out, 1, channels},
                           GetParam()};
    for (const bool gradient : {false, true}) {
      const auto plan_of = [&](const cuda::ConvGraphs& g) {
        return cuda::CudnnPlan::make(gradient ? g.filter_gradient() : g.forward(), {.device = device_->raw()},
                                     most_workspace_bytes);
      };
      const auto as_it_is = plan_of(plain), padded = plan_of(plain.padded());
      ASSERT_TRUE(static_cast<bool>(padded));
      std::cout << kernel << "x" << kernel << (gradient ? " gradient: " : " forward: ")
                << (as_it_is ? std::to_string((*as_it_is)->workspace_bytes()) : "none") << " bytes as it is, "
                << (*padded)->workspace_bytes() << " padded\n";
      if (!as_it_is) continue;
      EXPECT_LE((*padded)->workspace_bytes(), (*as_it_is)->workspace_bytes());
    }
  }
}

TEST_P(CudnnSupport, APlanCanBeRestoredFromItsText) {
  const auto graphs = all_graphs(GetParam());
  const cuda::Graph& graph = graphs.begin()->second.front();
  const auto plan = cuda::CudnnPlan::make(graph, {.device = device_->raw()}, most_workspace_bytes);
  ASSERT_TRUE(static_cast<bool>(plan));
  const std::string json = (*plan)->text();
  ASSERT_FALSE(json.empty());
  const auto again = cuda::CudnnPlan::from_text(graph, {.device = device_->raw()}, json);
  ASSERT_TRUE(static_cast<bool>(again));
  EXPECT_EQ((*again)->workspace_bytes(), (*plan)->workspace_bytes());
  EXPECT_EQ((*again)->engine(), (*plan)->engine());
  EXPECT_FALSE(static_cast<bool>(
      cuda::CudnnPlan::from_text(graph, {.device = device_->raw()}, json.substr(0, json.size() / 2))));
}

INSTANTIATE_TEST_SUITE_P(Precisions, CudnnSupport, testing::Values(DType::f16, DType::bf16, DType::tf32, DType::f32),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace nw::test
