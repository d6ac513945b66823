// SPDX-License-Identifier: Apache-2.0
// ONNX files in int8: where the pairs of QuantizeLinear and DequantizeLinear stand, and what the weights become.
#include "engine/exchange/quantize.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/design/project_file.hpp"
#include "engine/exchange/proof.hpp"
#include "tests/engine/exchange/networks.hpp"

namespace nw::exchange {
namespace {

/// Of noise.
compress::RangeTable ranges_of(const ExportSource& source, std::int64_t images = 2) {
  const auto flat = flatten(source.doc, {.training = false, .batch = 1});
  EXPECT_TRUE(flat);
  const Shape in = flat->layers[static_cast<std::size_t>(flat->input)].shape;
  compress::CalibrationImages noise_of{.count = images, .height = in[2], .width = in[3], .channels = in[1]};
  noise_of.pixels = [](std::int64_t i, std::span<std::uint8_t> hwc) {
    const auto values = noise(std::ssize(hwc), static_cast<std::uint32_t>(i + 1));
    for (std::size_t k = 0; k < hwc.size(); ++k) hwc[k] = static_cast<std::uint8_t>(std::abs(values[k]) * 255);
    return Status();
  };
  const auto load = [&](const Plan& plan, Executable& to) { return write_weights(plan, source.weights, to); };
  auto table = compress::calibrate({source.doc, source.mean, source.deviation, load}, noise_of);
  EXPECT_TRUE(table) << table.error().str();
  return table ? std::move(*table) : compress::RangeTable{};
}

const ExportOptions int8{.precision = ExportPrecision::int8};

Result<onnx::Model> quantized_template(const char* name) {
  const ExportSource source = source_of(find_template(name)->make());
  return export_onnx(source, int8, ranges_of(source));
}

const onnx::Tensor& tensor(const onnx::Model& m, const std::string& name) {
  static const onnx::Tensor none{.name = "missing"};
  for (const onnx::Tensor& t : m.initializers)
    if (t.name == name) return t;
  ADD_FAILURE() << name << " is missing";
  return none;
}

const onnx::Node* maker(const onnx::Model& m, const std::string& value) {
  for (const onnx::Node& n : m.nodes)
    if (n.outputs.front() == value) return &n;
  return nullptr;
}

/// Every name is made once, before it is read.
void expect_ordered(const onnx::Model& m) {
  std::set<std::string> made{m.inputs[0].name};
  for (const onnx::Tensor& t : m.initializers) EXPECT_TRUE(made.insert(t.name).second) << t.name;
  for (const onnx::Node& n : m.nodes) {
    for (const std::string& in : n.inputs) EXPECT_TRUE(in.empty() || made.contains(in)) << n.name << " reads " << in;
    for (const std::string& out : n.outputs) EXPECT_TRUE(made.insert(out).second) << out;
  }
  EXPECT_TRUE(made.contains(m.outputs[0].name));
}

bool is_op(const onnx::Node* n, const char* op) { return n && n->op == op; }

TEST(Quantize, ProductsReadRoundedValuesAndWeights) {
  const auto m = quantized_template("lenet5");
  ASSERT_TRUE(m) << m.error().str();
  expect_ordered(*m);
  int products = 0;
  for (const onnx::Node& n : m->nodes) {
    if (n.op != "Conv" && n.op != "Gemm") continue;
    ++products;
    const onnx::Node* value = maker(*m, n.inputs[0]);
    ASSERT_TRUE(is_op(value, "DequantizeLinear")) << n.name;
    EXPECT_TRUE(is_op(maker(*m, value->inputs[0]), "QuantizeLinear")) << n.name;
    EXPECT_EQ(tensor(*m, value->inputs[2]).type, onnx::Type::i8);
    EXPECT_EQ(tensor(*m, value->inputs[2]).bytes, std::string(1, '\0')) << "TensorRT takes zero points of 0 only";
    const onnx::Node* weight = maker(*m, n.inputs[1]);
    ASSERT_TRUE(is_op(weight, "DequantizeLinear")) << n.name;
    EXPECT_EQ(weight->integer("axis", -1), 0);
    EXPECT_EQ(tensor(*m, weight->inputs[0]).type, onnx::Type::i8);
    EXPECT_EQ(tensor(*m, n.inputs[2]).type, onnx::Type::f32) << "biases stay fp32";
  }
  EXPECT_EQ(products, 5);
  EXPECT_EQ(m->nodes.back().op, "Gemm") << "outputs of products are not quantized";
  EXPECT_EQ(m->metadata.at(precision_key), "int8");
  const Json told = Json::parse(m->metadata.at(quantization_key));
  EXPECT_EQ(told.at("method"), "mse");
  EXPECT_EQ(told.at("limits").size(), 5U);
  EXPECT_GT(told.at("limits").at("images"), 0.5);
}

TEST(Quantize, WeightsHaveAScaleForEachChannelAndAreOffByHalfAStep) {
  ExportSource source = source_of(find_template("lenet5")->make());
  NamedWeight& conv = source.weights.at("conv1.weight");
  for (std::size_t i = 0; i < 25; ++i) conv.values[i] = 0;
  for (std::size_t i = 25; i < 50; ++i) conv.values[i] *= 1000;
  const auto m = export_onnx(source, int8, ranges_of(source));
  ASSERT_TRUE(m) << m.error().str();
  const auto scales = *onnx::floats_of(tensor(*m, "conv1.weight/scale"));
  const onnx::Tensor& whole = tensor(*m, "conv1.weight");
  ASSERT_EQ(scales.size(), 6U);
  EXPECT_EQ(whole.dims, conv.dims);
  for (std::size_t i = 0; i < conv.values.size(); ++i) {
    const double scale = scales[i / 25], back = static_cast<signed char>(whole.bytes[i]) * scale;
    EXPECT_LE(std::abs(back - conv.values[i]), scale * 0.5001) << i;
    EXPECT_TRUE(std::isnormal(scale));
  }
  EXPECT_GT(scales[1], 100 * scales[2]);
}

TEST(Quantize, TheScaleOfAValueIsThatOfItsLayersRange) {
  const ExportSource source = source_of(find_template("lenet5")->make());
  compress::RangeTable ranges = ranges_of(source);
  ExportOptions options = int8;
  options.calibration.method = compress::CalibrationMethod::minmax;
  ranges["pool1"] = {};
  ranges["pool1"].add(std::vector<float>{0, 25.4F});
  const auto m = export_onnx(source, options, ranges);
  ASSERT_TRUE(m);
  EXPECT_FLOAT_EQ(onnx::floats_of(tensor(*m, "pool1/scale"))->front(), 0.2F);
}

TEST(Quantize, BatchNormsAreFoldedAndTheirOutputIsWhatIsMeasured) {
  const ExportSource source = source_of(find_template("resnet18-cifar")->make());
  const auto m = export_onnx(source, int8, ranges_of(source));
  ASSERT_TRUE(m) << m.error().str();
  for (const onnx::Node& n : m->nodes) EXPECT_NE(n.op, "BatchNormalization");
  EXPECT_TRUE(Json::parse(m->metadata.at(quantization_key)).at("limits").contains("layer2.0.downsample.1"))
      << m->metadata.at(quantization_key);
}

TEST(Quantize, OfASumTheFusedConvolutionStaysAndTheSkipConnectionIsRounded) {
  const auto m = quantized_template("resnet18-cifar");
  ASSERT_TRUE(m) << m.error().str();
  expect_ordered(*m);
  int sums = 0;
  for (const onnx::Node& n : m->nodes) {
    if (n.op != "Add") continue;
    ++sums;
    int whole = 0, products = 0;
    for (const std::string& in : n.inputs) {
      whole += is_op(maker(*m, in), "DequantizeLinear") ? 1 : 0;
      products += is_op(maker(*m, in), "Conv") ? 1 : 0;
    }
    EXPECT_EQ(whole, 1) << n.name;
    EXPECT_EQ(products, 1) << n.name;
  }
  EXPECT_EQ(sums, 8);
}

TEST(Quantize, SumsWithoutAConvolutionBeforeThemStayAsTheyAre) {
  GraphDoc doc;
  Draft d(doc);
  const NodeId images = d.add("Input", "images", {{"channels", std::int64_t{2}}});
  const NodeId relu = d.add("ReLU", "relu");
  d.connect(images, d.add("Add", "sum"), 1);
  (void)relu;
  d.add("Flatten", "flatten");
  d.add("Linear", "fc", {{"out_features", std::int64_t{3}}});
  d.add("CrossEntropy", "loss");
  const ExportSource source = source_of(doc);
  const auto m = export_onnx(source, int8, ranges_of(source));
  ASSERT_TRUE(m) << m.error().str();
  for (const onnx::Node& n : m->nodes)
    if (n.op == "Add") { EXPECT_EQ(n.inputs, (std::vector<std::string>{"relu", "images"})); }
}

TEST(Quantize, TemplatesOfEveryKindAreOrderedAndTensorRtTakesThem) {
  for (const char* name : {"mlp-binary", "mobilenet-small", "vgg13-cifar", "shapes-values"}) {
    const auto m = quantized_template(name);
    ASSERT_TRUE(m) << name << ": " << m.error().str();
    expect_ordered(*m);
    EXPECT_TRUE(tensorrt_objection(*m).empty()) << name;
    EXPECT_GE(m->opset(), 13) << "scales for each channel are of version 13";
  }
}

TEST(Quantize, WhatIsNotFiniteIsRefusedByName) {
  ExportSource source = source_of(find_template("lenet5")->make());
  compress::RangeTable ranges = ranges_of(source);
  ranges["pool1"].add(std::vector<float>{NAN});
  const auto refused = export_onnx(source, int8, ranges);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::bad_input);
  EXPECT_NE(refused.error().str().find("pool1"), std::string::npos) << refused.error().str();
  ranges = ranges_of(source);
  source.weights.at("fc2.weight").values[7] = INFINITY;
  const auto weights = export_onnx(source, int8, ranges);
  ASSERT_FALSE(weights);
  EXPECT_NE(weights.error().str().find("fc2.weight"), std::string::npos) << weights.error().str();
}

TEST(Quantize, WithoutRangesOrWithoutProductsNothingIsWritten) {
  const ExportSource source = source_of(find_template("lenet5")->make());
  const auto missing = export_onnx(source, int8);
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().str().find("images"), std::string::npos) << missing.error().str();
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images");
  d.add("ReLU", "relu");
  d.add("GlobalAvgPool2d", "pool");
  d.add("Flatten", "flatten");
  d.add("MSE", "loss");
  const ExportSource none = source_of(doc);
  EXPECT_FALSE(export_onnx(none, int8));
  EXPECT_FALSE(measured_ranges(none, int8, {})) << "before the data is asked for";
}

TEST(Quantize, RangesAreMeasuredForInt8Only) {
  const ExportSource source = source_of(find_template("lenet5")->make());
  const auto none = measured_ranges(source, {}, {});
  ASSERT_TRUE(none);
  EXPECT_TRUE(none->empty());
  RunDefinition elsewhere;
  elsewhere.doc = source.doc;
  elsewhere.data_dir = "/nowhere";
  const auto refused = measured_ranges(source, int8, elsewhere);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::bad_input);
  EXPECT_NE(refused.error().str().find("training images"), std::string::npos) << refused.error().str();
}

TEST(Quantize, AFileInInt8IsProvedByAnotherProgramWithinItsTolerance) {
  Proof proof{.readers = {}, .largest = 10, .precision = ExportPrecision::int8};
  EXPECT_NE(proof.objection().str().find("NETWRIGHT_PYTHON"), std::string::npos);
  proof.readers.push_back({.reader = "onnxruntime", .version = "1", .problem = "", .max_abs_diff = 2.4});
  EXPECT_TRUE(proof.objection().empty()) << proof.objection().str();
  proof.readers.back().max_abs_diff = 2.6;
  EXPECT_FALSE(proof.objection().empty());
}

}  // namespace
}  // namespace nw::exchange
