// SPDX-License-Identifier: Apache-2.0
// Networks with random weights in fp32 and in 8 bits.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "engine/compress/calibration.hpp"
#include "engine/compress/int8/fused_layers.hpp"
#include "engine/compress/int8/quantize.hpp"
#include "engine/compress/int8/runner.hpp"
#include "engine/design/draft.hpp"
#include "engine/exchange/run_network.hpp"
#include "engine/parallel/team.hpp"

namespace nw::compress::int8 {

using exchange::Weights;

/// A network with random weights, images and what a calibration on them measures.
struct Trained {
  GraphDoc doc;
  FlatNetwork flat;
  Weights weights;
  std::int64_t count = 0;
  std::vector<float> nhwc, nchw;
  RangeTable ranges;
};

inline Weights random_weights(const FlatNetwork& flat, std::mt19937& random) {
  Weights all = *exchange::initial_weights(flat, 3);
  for (auto& [name, w] : all)
    for (float& v : w.values) {
      const auto some = static_cast<float>(random() % 1000) / 1000;
      if (name.ends_with("running_var") || name.ends_with("bn.weight")) v = 0.5F + some;
      if (name.ends_with("running_mean") || name.ends_with("bias")) v = 0.3F * (some - 0.5F);
    }
  return all;
}

inline Trained trained(GraphDoc doc, std::int64_t count = 8) {
  Trained t{.doc = std::move(doc), .count = count};
  t.flat = *flatten(t.doc, {.training = false, .batch = 1});
  std::mt19937 random(5);
  t.weights = random_weights(t.flat, random);
  const Shape in = t.flat.layers[static_cast<std::size_t>(t.flat.input)].shape;
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(count * in.per_sample()));
  for (std::uint8_t& p : pixels) p = static_cast<std::uint8_t>(random() % 256);
  const std::int64_t c = in[1], area = in[2] * in[3], each = in.per_sample();
  t.nhwc.resize(pixels.size());
  t.nchw.resize(pixels.size());
  for (std::size_t i = 0; i < pixels.size(); ++i) {
    const auto at = static_cast<std::int64_t>(i);
    t.nhwc[i] = static_cast<float>(pixels[i]) / 255.0F;
    t.nchw[static_cast<std::size_t>(at / each * each + at % c * area + at % each / c)] = t.nhwc[i];
  }
  const CalibrationImages images{.count = count,
                                 .height = in[2],
                                 .width = in[3],
                                 .channels = c,
                                 .pixels = [&](std::int64_t i, std::span<std::uint8_t> hwc) {
                                   std::memcpy(hwc.data(), pixels.data() + i * each, hwc.size());
                                   return Status();
                                 }};
  const auto load = [&](const Plan& plan, Executable& to) { return exchange::write_weights(plan, t.weights, to); };
  const auto ranges = calibrate({t.doc, {}, {}, load}, images);
  EXPECT_TRUE(ranges) << ranges.error().str();
  t.ranges = *ranges;
  return t;
}

inline std::vector<float> scores_of(const Trained& t, const Tensors& tensors, const nw::int8::Kernels& k, int threads,
                                    std::int64_t batch) {
  const auto team = make_team(threads);
  auto network = assemble(t.flat, tensors, k);
  EXPECT_TRUE(network) << network.error().str();
  auto runner = Runner::make(*std::move(network), k, *team);
  EXPECT_TRUE(runner) << runner.error().str();
  const std::int64_t each = std::ssize(t.nhwc) / t.count;
  std::vector<float> all, some;
  for (std::int64_t at = 0; at < t.count; at += batch) {
    const std::int64_t n = std::min(batch, t.count - at);
    EXPECT_TRUE(runner->run(std::span(t.nhwc).subspan(static_cast<std::size_t>(at * each)), n, some));
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

/// Every layer that has a form in 8 bits.
inline GraphDoc many_layers() {
  GraphDoc doc;
  Draft d(doc);
  const auto conv = [&](const char* name, std::int64_t out, std::int64_t kernel, std::int64_t groups = 1) {
    return d.add(
        "Conv2d", name,
        {{"out_channels", out}, {"kernel_size", both(kernel)}, {"padding", both(kernel / 2)}, {"groups", groups}});
  };
  d.add("Input", "images", {{"channels", std::int64_t{3}}, {"height", std::int64_t{12}}, {"width", std::int64_t{10}}});
  conv("conv1", 12, 3);
  d.add("BatchNorm2d", "bn");
  const NodeId relu = d.add("ReLU", "relu1");
  conv("depthwise", 12, 3, 12);
  d.add("ReLU6", "relu6");
  conv("grouped", 18, 3, 3);
  d.add("SiLU", "silu");
  const NodeId project = conv("project", 12, 1);
  const NodeId add = d.add("Add", "add");
  d.connect(relu, add, 1);
  d.add("ReLU", "relu2");
  const NodeId alone = d.add("BatchNorm2d", "alone.bn");
  const NodeId mean = d.add("GlobalAvgPool2d", "squeeze");
  conv("gate", 12, 1);
  const NodeId gate = d.add("Sigmoid", "sigmoid");
  const NodeId times = d.add("Multiply", "times");
  d.connect(alone, times, 1);
  const NodeId concat = d.add("Concat", "concat");
  d.connect(project, concat, 1);
  d.add("MaxPool2d", "max", {{"kernel_size", both(2)}, {"stride", both(2)}});
  d.add("AvgPool2d", "avg", {{"kernel_size", both(2)}, {"stride", both(1)}, {"padding", both(1)}});
  d.add("Dropout", "drop");
  d.add("Flatten", "flatten");
  d.add("Linear", "fc1", {{"out_features", std::int64_t{21}}});
  d.add("Tanh", "tanh");
  d.add("Linear", "fc2", {{"out_features", std::int64_t{10}}});
  d.add("CrossEntropy", "loss");
  (void)mean;
  (void)gate;
  return doc;
}

/// Without what all images have in common: the mean of each score.
inline std::vector<float> centred(std::vector<float> scores) {
  constexpr std::size_t outputs = 10;
  const std::size_t images = scores.size() / outputs;
  for (std::size_t k = 0; k < outputs; ++k) {
    float mean = 0;
    for (std::size_t i = 0; i < images; ++i) mean += scores[i * outputs + k] / static_cast<float>(images);
    for (std::size_t i = 0; i < images; ++i) scores[i * outputs + k] -= mean;
  }
  return scores;
}

inline double relative_error(const std::vector<float>& scores, const std::vector<float>& wanted) {
  const std::vector<float> a = centred(scores), b = centred(wanted);
  double error = 0, size = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    error += std::pow(static_cast<double>(a[i] - b[i]), 2);
    size += std::pow(static_cast<double>(b[i]), 2);
  }
  return std::sqrt(error / size);
}

}  // namespace nw::compress::int8
