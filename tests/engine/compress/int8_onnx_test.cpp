// SPDX-License-Identifier: Apache-2.0
// An 8-bit network beside the same arithmetic in onnxruntime: QuantizeLinear and DequantizeLinear around every layer.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "engine/compress/calibration.hpp"
#include "engine/compress/int8/quantize.hpp"
#include "engine/compress/int8/runner.hpp"
#include "engine/core/json.hpp"
#include "engine/design/draft.hpp"
#include "engine/exchange/run_network.hpp"
#include "engine/parallel/team.hpp"
#include "tests/engine/runs/folder.hpp"
#include "tests/support/paths.hpp"

namespace nw::compress::int8 {
namespace {

constexpr std::int64_t side = 16, channels = 3, count = 64, outputs = 32;

GraphDoc sequence() {
  GraphDoc doc;
  Draft d(doc);
  const auto conv = [&](const char* name, std::int64_t out, std::int64_t padding) {
    d.add("Conv2d", name, {{"out_channels", out}, {"kernel_size", both(3)}, {"padding", both(padding)}});
  };
  d.add("Input", "images", {{"channels", channels}, {"height", side}, {"width", side}});
  conv("conv1", 20, 1);
  d.add("ReLU", "relu1");
  d.add("MaxPool2d", "pool", {{"kernel_size", both(2)}, {"stride", both(2)}});
  conv("conv2", 33, 0);
  d.add("ReLU", "relu2");
  d.add("Flatten", "flatten");
  d.add("Linear", "fc1", {{"out_features", std::int64_t{70}}});
  d.add("ReLU", "relu3");
  d.add("Linear", "fc2", {{"out_features", outputs}});
  d.add("ReLU", "relu4");
  d.add("CrossEntropy", "loss");
  return doc;
}

float pixel(std::int64_t i, std::int64_t at) {
  return static_cast<float>((i * 7919 + at * at * 31 + at * 17) % 256) / 255;
}

TensorSource source(const char* name, std::vector<std::int64_t> shape, const std::vector<float>& values) {
  return {.name = name, .dtype = DType::f32, .shape = std::move(shape), .fill = [&values](std::span<std::byte> to) {
            std::memcpy(to.data(), values.data(), to.size());
            return Status();
          }};
}

/// The scores of all images; `nchw` gets the images.
Result<std::vector<float>> scores_of(const GraphDoc& doc, Tensors& tensors, std::vector<float>& nchw) {
  NW_ASSIGN(const FlatNetwork flat, flatten(doc, {.training = false, .batch = 1}));
  NW_ASSIGN(const exchange::Weights weights, exchange::initial_weights(flat, 1));
  constexpr std::int64_t area = side * side, each = channels * area;
  std::vector<float> nhwc(static_cast<std::size_t>(count * each));
  nchw = nhwc;
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t k = 0; k < each; ++k)
      nchw[static_cast<std::size_t>(i * each + k % channels * area + k / channels)] =
          nhwc[static_cast<std::size_t>(i * each + k)] = pixel(i, k);
  const CalibrationImages images{.count = count,
                                 .height = side,
                                 .width = side,
                                 .channels = channels,
                                 .pixels = [](std::int64_t i, std::span<std::uint8_t> hwc) {
                                   for (std::size_t k = 0; k < hwc.size(); ++k)
                                     hwc[k] = static_cast<std::uint8_t>(pixel(i, static_cast<std::int64_t>(k)) * 255);
                                   return Status();
                                 }};
  const auto load = [&](const Plan& plan, Executable& to) { return exchange::write_weights(plan, weights, to); };
  NW_ASSIGN(const RangeTable ranges, calibrate({doc, {}, {}, load}, images));
  NW_ASSIGN(tensors, quantize(flat, weights, ranges, CalibrationMethod::minmax));
  NW_ASSIGN(Network network, assemble(flat, tensors, nw::int8::best_kernels()));
  const auto team = make_team(1);
  NW_ASSIGN(Runner runner, Runner::make(std::move(network), nw::int8::best_kernels(), *team));
  std::vector<float> scores;
  NW_TRY(runner.run(nhwc, count, scores));
  return scores;
}

/// Needs a Python with onnx and onnxruntime.
TEST(Int8Onnx, TheSameNetworkInOnnxruntimeDiffersByOneStepAtMost) {
  const char* python = std::getenv("NETWRIGHT_PYTHON");
  if (!python) GTEST_SKIP() << "NETWRIGHT_PYTHON names no Python with onnx and onnxruntime";
  if (std::system((std::string(python) + " -c 'import onnx, onnxruntime' 2> /dev/null").c_str()) != 0)
    GTEST_SKIP() << python << " has no onnx or no onnxruntime";
  Tensors tensors;
  std::vector<float> images;
  const auto scores = scores_of(sequence(), tensors, images);
  ASSERT_TRUE(scores) << scores.error().str();
  const Folder folder;
  const std::string all = (folder.path / "int8.safetensors").string(),
                    samples = (folder.path / "s.safetensors").string(), out = (folder.path / "out").string();
  ASSERT_TRUE(write_safetensors(all, sources_of(tensors)));
  ASSERT_TRUE(write_safetensors(
      samples, {source("images", {count, channels, side, side}, images), source("scores", {count, outputs}, *scores)}));
  const std::string script = test::source_folder() + "/tests/engine/compress/int8_qdq.py",
                    layers = " conv:conv1:relu1:1 pool:2 conv:conv2:relu2:0 flatten linear:fc1:relu3 linear:fc2:relu4";
  ASSERT_EQ(
      std::system(
          (std::string(python) + " " + script + " " + all + " " + samples + layers + " > " + out + " 2>&1").c_str()),
      0)
      << *read_file(out, 1 << 16);
  const Json j = Json::parse(*read_file(out, 1 << 16));
  EXPECT_EQ(j.at("scores"), count * outputs);
  EXPECT_GT(j.at("nonzero").get<int>(), count * outputs / 5);
  EXPECT_LE(j.at("max_steps"), 1);
  EXPECT_LE(j.at("differing").get<int>(), count * outputs / 50);
  RecordProperty("differing", j.at("differing").get<int>());
}

}  // namespace
}  // namespace nw::compress::int8
