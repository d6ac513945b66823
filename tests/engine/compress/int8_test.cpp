// SPDX-License-Identifier: Apache-2.0
// Networks in 8 bits: near those in fp32, and the same bytes whatever computes them.
#include <gtest/gtest.h>

#include "engine/compress/int8/real_layer.hpp"
#include "engine/design/project_file.hpp"
#include "tests/engine/compress/int8_trial.hpp"

namespace nw::compress::int8 {
namespace {

TEST(Int8Network, IsNearTheNetworkInFp32WithEveryLayer) {
  const Trained t = trained(many_layers());
  const auto wanted = exchange::run_network(t.doc, t.weights, t.nchw, t.count);
  ASSERT_TRUE(wanted) << wanted.error().str();
  for (const auto method : {CalibrationMethod::minmax, CalibrationMethod::mse}) {
    const auto tensors = quantize(t.flat, t.weights, t.ranges, method);
    ASSERT_TRUE(tensors) << tensors.error().str();
    const auto scores = scores_of(t, *tensors, nw::int8::best_kernels(), 1, t.count);
    ASSERT_EQ(scores.size(), wanted->size());
    EXPECT_LT(relative_error(scores, *wanted), 0.2) << name_of(method);
  }
}

TEST(Int8Network, GroupsReadTheirOwnChannels) {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", {{"channels", std::int64_t{8}}, {"height", std::int64_t{5}}, {"width", std::int64_t{5}}});
  d.add("Conv2d", "conv", {{"out_channels", std::int64_t{20}}, {"kernel_size", both(3)}, {"groups", std::int64_t{4}}});
  d.add("Flatten", "flatten");
  d.add("Linear", "fc", {{"out_features", std::int64_t{10}}});
  d.add("CrossEntropy", "loss");
  const Trained t = trained(doc);
  const auto wanted = exchange::run_network(t.doc, t.weights, t.nchw, t.count);
  const auto tensors = quantize(t.flat, t.weights, t.ranges, CalibrationMethod::minmax);
  ASSERT_TRUE(wanted && tensors);
  EXPECT_LT(relative_error(scores_of(t, *tensors, nw::int8::best_kernels(), 1, 2), *wanted), 0.05);
}

TEST(Int8Network, ItsWeightsInFp32ComputeNearlyItsScores) {
  const Trained t = trained(many_layers());
  const auto tensors = quantize(t.flat, t.weights, t.ranges, CalibrationMethod::minmax);
  ASSERT_TRUE(tensors);
  const auto real = real_weights(t.flat, *tensors);
  ASSERT_TRUE(real) << real.error().str();
  const auto wanted = exchange::run_network(t.doc, t.weights, t.nchw, t.count),
             twin = exchange::run_network(t.doc, *real, t.nchw, t.count);
  ASSERT_TRUE(twin) << twin.error().str();
  EXPECT_LT(relative_error(*twin, *wanted), 0.02);
}

TEST(Int8Network, GivesTheSameBytesOnEveryInstructionSetWithAnyThreadsAndBatches) {
  for (const char* name : {"", "lenet5", "mobilenet-small"}) {
    const Trained t = trained(*name ? find_template(name)->make() : many_layers(), *name ? 3 : 8);
    const auto tensors = quantize(t.flat, t.weights, t.ranges, CalibrationMethod::percentile);
    ASSERT_TRUE(tensors) << tensors.error().str();
    const auto wanted = scores_of(t, *tensors, *nw::int8::all_kernels().back(), 1, t.count);
    ASSERT_NE(wanted.front(), wanted.back());
    std::vector<const nw::int8::Kernels*> every = nw::int8::all_kernels();
    every.push_back(&nw::int8::emulated_tiles());
    for (const nw::int8::Kernels* k : every)
      for (const int threads : {1, 2, 3})
        for (const std::int64_t batch : {std::int64_t{1}, std::int64_t{2}, t.count})
          EXPECT_EQ(scores_of(t, *tensors, *k, threads, batch), wanted)
              << name << " " << k->name << ", " << threads << " threads, batches of " << batch;
  }
}

/// Layers of an image, of a flattened one and of a vector that have no form in 8 bits.
TEST(Int8Network, OtherLayersAreComputedInFp32) {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", {{"channels", std::int64_t{3}}, {"height", std::int64_t{6}}, {"width", std::int64_t{4}}});
  d.add("Conv2d", "conv", {{"out_channels", std::int64_t{8}}, {"kernel_size", both(3)}, {"padding", both(1)}});
  d.add("LayerNorm2d", "norm");
  d.add("Conv2d", "conv2", {{"out_channels", std::int64_t{5}}, {"kernel_size", both(3)}, {"padding", both(1)}});
  d.add("Flatten", "flatten");
  d.add("LayerNorm", "norm2");
  d.add("Linear", "fc1", {{"out_features", std::int64_t{30}}});
  d.add("LayerNorm", "norm3");
  d.add("Linear", "fc2", {{"out_features", std::int64_t{10}}});
  d.add("CrossEntropy", "loss");
  const Trained t = trained(doc);
  const auto wanted = exchange::run_network(t.doc, t.weights, t.nchw, t.count);
  const auto tensors = quantize(t.flat, t.weights, t.ranges, CalibrationMethod::minmax);
  ASSERT_TRUE(wanted && tensors);
  const auto scores = scores_of(t, *tensors, nw::int8::best_kernels(), 1, t.count);
  EXPECT_LT(relative_error(scores, *wanted), 0.05);
  for (const int threads : {1, 2})
    for (const std::int64_t batch : {1, 3})
      EXPECT_EQ(scores_of(t, *tensors, nw::int8::best_kernels(), threads, batch), scores);
  const auto real = real_weights(t.flat, *tensors);
  ASSERT_TRUE(real) << real.error().str();
  EXPECT_EQ(real->at("norm.weight").values, t.weights.at("norm.weight").values);
}

TEST(Int8Network, RefusesALayerOfSeveralValuesByName) {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", {{"channels", std::int64_t{1}}, {"height", std::int64_t{4}}, {"width", std::int64_t{4}}});
  const NodeId a = d.add("ReLU", "a"), b = d.add("ReLU", "b"), sum = d.add("Add", "sum");
  d.connect(a, sum, 1);
  d.connect(b, sum, 2);
  d.add("Flatten", "flatten");
  d.add("Linear", "fc", {{"out_features", std::int64_t{2}}});
  d.add("CrossEntropy", "loss");
  const auto flat = flatten(doc, {.training = false, .batch = 1});
  ASSERT_TRUE(flat) << flat.error().str();
  for (const FlatLayer& l : flat->layers) {
    if (l.name != "sum") continue;
    const auto refused = RealLayer::make(l, {}, 1);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().str(), "sum: a Add layer cannot be computed in 8 bits");
  }
}

TEST(Int8Network, RefusesWeightsAndRangesThatAreNotFinite) {
  Trained t = trained(many_layers());
  t.weights["conv1.weight"].values[7] = NAN;
  const auto broken = quantize(t.flat, t.weights, t.ranges, CalibrationMethod::mse);
  ASSERT_FALSE(broken);
  EXPECT_EQ(broken.error().str(), "conv1 holds numbers that are not finite");
  t = trained(many_layers());
  t.ranges.at("silu").not_finite = 1;
  const auto diverged = quantize(t.flat, t.weights, t.ranges, CalibrationMethod::mse);
  ASSERT_FALSE(diverged);
  EXPECT_EQ(diverged.error().str(), "silu: its values on the calibration's images are not finite");
}

/// What a damaged or hostile file may hold.
TEST(Int8Network, RefusesTensorsThatDoNotFit) {
  const Trained t = trained(many_layers());
  const Tensors good = *quantize(t.flat, t.weights, t.ranges, CalibrationMethod::mse);
  const nw::int8::Kernels& k = nw::int8::best_kernels();
  ASSERT_TRUE(assemble(t.flat, good, k));
  for (const auto& [name, tensor] : good) {
    if (name == "fc2.scale" || name == "fc2.zero") continue;  // scores stay real numbers
    Tensors bad = good;
    bad.erase(name);
    EXPECT_FALSE(assemble(t.flat, bad, k)) << name << " is missing";
    bad[name] = tensor;
    bad[name].type = tensor.type == "I8" ? "U8" : "I8";
    EXPECT_FALSE(assemble(t.flat, bad, k)) << name << " is of another type";
    bad[name] = tensor;
    bad[name].shape.push_back(1);
    EXPECT_FALSE(assemble(t.flat, bad, k)) << name << " is of another shape";
  }
  for (const float wrong : {0.0F, -1.0F, NAN, INFINITY, 1e-42F})
    for (const char* name : {"relu1.scale", "fc1.weight_scale"}) {
      Tensors bad = good;
      std::memcpy(bad[name].bytes.data(), &wrong, sizeof wrong);
      EXPECT_FALSE(assemble(t.flat, bad, k)) << name << " " << wrong;
    }
  Tensors large = good;
  const std::int32_t bias = std::numeric_limits<std::int32_t>::max() - 5;
  std::memcpy(large["fc2.bias"].bytes.data(), &bias, sizeof bias);
  const auto refused = assemble(t.flat, large, k);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().str(), "fc2: its sums could exceed 32 bits");
}

}  // namespace
}  // namespace nw::compress::int8
