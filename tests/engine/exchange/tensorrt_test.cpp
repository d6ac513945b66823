// SPDX-License-Identifier: Apache-2.0
// ONNX files in fp16 for TensorRT.
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "engine/design/draft.hpp"
#include "engine/design/project_file.hpp"
#include "engine/exchange/export_onnx.hpp"
#include "engine/exchange/operators/operator.hpp"
#include "engine/exchange/proof.hpp"
#include "kernels/math/half.hpp"

namespace nw::exchange {
namespace {

ExportSource plain_source(const GraphDoc& doc) {
  ExportSource s{.name = "network", .doc = doc, .mean = {0.25F}, .deviation = {0.5F}};
  const auto flat = flatten(doc, {.training = false, .batch = 1});
  EXPECT_TRUE(flat);
  const auto weights = initial_weights(*flat, 3);
  EXPECT_TRUE(weights);
  s.weights = *weights;
  return s;
}

const onnx::Tensor* find_tensor(const onnx::Model& m, const std::string& name) {
  for (const onnx::Tensor& t : m.initializers)
    if (t.name == name) return &t;
  return nullptr;
}

TEST(TensorRt, TypesAreHalfBetweenInputAndOutput) {
  const ExportSource source = plain_source(find_template("lenet5")->make());
  const auto model = export_onnx(source, {.precision = ExportPrecision::fp16});
  ASSERT_TRUE(model) << model.error().str();
  EXPECT_EQ(model->inputs[0].type, onnx::Type::f32);
  EXPECT_EQ(model->outputs[0].type, onnx::Type::f32);
  EXPECT_EQ(model->metadata.at(precision_key), "fp16");
  EXPECT_EQ(find_tensor(*model, "conv1.weight")->type, onnx::Type::f16);
  EXPECT_EQ(find_tensor(*model, "images/scaled.by")->type, onnx::Type::f32) << "preprocessing stays fp32";
  std::vector<std::string> ops;
  for (const onnx::Node& n : model->nodes) ops.push_back(n.op);
  EXPECT_EQ(std::vector<std::string>(ops.begin(), ops.begin() + 5),
            (std::vector<std::string>{"Div", "Sub", "Div", "Cast", "Conv"}));
  EXPECT_EQ(ops.back(), "Cast");
  EXPECT_EQ(model->nodes.back().outputs, (std::vector<std::string>{"scores"}));
  std::set<std::string> made{"images"};
  for (const onnx::Tensor& t : model->initializers) made.insert(t.name);
  for (const onnx::Node& n : model->nodes) {
    for (const std::string& in : n.inputs) EXPECT_TRUE(in.empty() || made.contains(in)) << n.name << " reads " << in;
    for (const std::string& out : n.outputs) EXPECT_TRUE(made.insert(out).second) << out;
  }
}

TEST(TensorRt, WeightsAreRoundedToTheNearestHalf) {
  ExportSource source = plain_source(find_template("lenet5")->make());
  source.weights.at("conv1.bias").values = {0.1F, -1e-7F, 65504, 1, 2, 3};
  const auto model = export_onnx(source, {.precision = ExportPrecision::fp16});
  ASSERT_TRUE(model);
  const auto read = onnx::floats_of(*find_tensor(*model, "conv1.bias"));
  ASSERT_TRUE(read);
  EXPECT_FLOAT_EQ((*read)[0], math::f16_value(math::f16_bits(0.1F)));
  EXPECT_FLOAT_EQ((*read)[2], 65504);
  source.weights.at("conv1.bias").values[3] = 1e5F;
  const auto refused = export_onnx(source, {.precision = ExportPrecision::fp16});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::bad_input);
  EXPECT_NE(refused.error().str().find("conv1.bias"), std::string::npos) << refused.error().str();
}

TEST(TensorRt, TemplatesHaveOnlyOperatorsOfItsList) {
  for (const char* name : {"mlp-binary", "lenet5", "mobilenet-small", "squeezenet1_1", "mobilenet_v2", "vit_tiny"}) {
    const auto model = export_onnx(plain_source(find_template(name)->make()), {});
    ASSERT_TRUE(model) << name;
    EXPECT_TRUE(tensorrt_objection(*model).empty()) << name << ": " << tensorrt_objection(*model).str();
    EXPECT_EQ(!tensorrt_newer_operators(*model).empty(), std::string_view(name) == "vit_tiny") << name;
  }
}

TEST(TensorRt, WhatItRefusesIsSaidBefore) {
  onnx::Model model;
  model.opsets[""] = 26;
  EXPECT_NE(tensorrt_objection(model).str().find("26"), std::string::npos);
  model.opsets[""] = 17;
  EXPECT_TRUE(tensorrt_objection(model).empty());
  model.nodes.push_back({.name = "odd", .op = "Det"});
  EXPECT_NE(tensorrt_objection(model).str().find("Det"), std::string::npos);
}

TEST(TensorRt, TheLineForTheShellIsQuotedAndHasTheShapes) {
  onnx::Model model;
  model.inputs.push_back({.name = "images", .dims = onnx::Dims{-1, 3, 32, 32}});
  EXPECT_EQ(trtexec_line(model, "a/net.onnx"),
            "trtexec --onnx=a/net.onnx --saveEngine=a/net.engine --minShapes=images:1x3x32x32 "
            "--optShapes=images:16x3x32x32 --maxShapes=images:64x3x32x32");
  model.inputs[0].dims = onnx::Dims{8, 3, 32, 32};
  EXPECT_EQ(trtexec_line(model, "it's; rm.onnx"),
            "trtexec '--onnx=it'\\''s; rm.onnx' '--saveEngine=it'\\''s; rm.engine'");
}

TEST(TensorRt, AFileInHalfNeedsOneReaderThatAgreesWithinItsTolerance) {
  Proof proof{.readers = {{.reader = "Netwright", .version = "1", .problem = "no"}}, .largest = 10};
  proof.precision = ExportPrecision::fp16;
  EXPECT_FALSE(proof.objection().empty());
  proof.readers.push_back({.reader = "onnxruntime", .version = "1", .problem = "", .max_abs_diff = 0.19});
  EXPECT_TRUE(proof.objection().empty()) << proof.objection().str();
  proof.readers.back().max_abs_diff = 0.21;
  EXPECT_FALSE(proof.objection().empty());
  proof.precision = ExportPrecision::fp32;
  proof.readers.back().max_abs_diff = 0.19;
  EXPECT_FALSE(proof.objection().empty());
}

}  // namespace
}  // namespace nw::exchange
