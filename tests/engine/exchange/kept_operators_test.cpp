// SPDX-License-Identifier: Apache-2.0
// Networks with operators that are not computed here go in and out unchanged.
#include "engine/exchange/kept_operators.hpp"

#include <gmock/gmock.h>

#include "engine/core/files.hpp"
#include "engine/design/opaque.hpp"
#include "engine/design/project_file.hpp"
#include "engine/exchange/export_onnx.hpp"
#include "engine/exchange/proved_export.hpp"
#include "tests/engine/exchange/tiny_model.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw::exchange {
namespace {

using testing::HasSubstr;
using Ints = std::vector<std::int64_t>;

/// A convolution, an operator of com.example with attributes and constants of two types, another one behind a sum, and
/// a classifier.
TinyModel foreign_model(bool sized = true) {
  TinyModel t;
  const std::string conv = t.node("Conv", {"x", t.weight("conv.weight", {3, 3, 3, 3}), t.weight("conv.bias", {3})},
                                  {{"pads", Ints{1, 1, 1, 1}}});
  const std::string swirl = t.node("Swirl", {conv, t.weight("angle", {7}), "", t.sizes("turns", {3, -4})},
                                   {{"mode", std::string("left")}, {"strength", 0.5F}, {"steps", Ints{1, 2}}}, "swirl");
  t.model.nodes.back().domain = "com.example";
  t.model.nodes.back().outputs.push_back("nobody_reads_this");
  t.model.opsets["com.example"] = 3;
  const std::string blend = t.node("Blend", {swirl, conv, t.weight("share", {1})}, {}, "blend");
  t.model.nodes.back().domain = "com.example";
  if (sized)
    for (const std::string& v : {swirl, blend})
      t.model.values.push_back({.name = v, .type = onnx::Type::f32, .dims = onnx::Dims{-1, 3, 8, 8}, .symbols = {}});
  t.classify(t.node("Flatten", {t.node("Relu", {blend})}), 192);
  return t;
}

ExportSource source_from(ImportedNetwork n) {
  return {.name = "tiny", .doc = std::move(n.doc), .weights = std::move(n.weights), .kept = std::move(n.kept)};
}

const onnx::Node* operator_of(const onnx::Model& m, const std::string& op) {
  for (const onnx::Node& n : m.nodes)
    if (n.op == op) return &n;
  return nullptr;
}
const onnx::Tensor* tensor_of(const onnx::Model& m, const std::string& name) {
  for (const onnx::Tensor& t : m.initializers)
    if (t.name == name) return &t;
  return nullptr;
}

TEST(KeptOperators, LeaveAsTheyCame) {
  const TinyModel t = foreign_model();
  auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(n->kept.size(), 2U);
  const auto out = export_onnx(source_from(*n), {});
  ASSERT_TRUE(out) << out.error().str();
  EXPECT_EQ(out->opsets.at("com.example"), 3);
  const onnx::Node *before = operator_of(t.model, "Swirl"), *after = operator_of(*out, "Swirl");
  ASSERT_NE(after, nullptr);
  EXPECT_EQ(after->domain, "com.example");
  EXPECT_EQ(after->text("mode", ""), "left");
  EXPECT_EQ(after->real("strength", 0), 0.5);
  EXPECT_EQ(after->integers("steps"), (Ints{1, 2}));
  ASSERT_EQ(after->inputs.size(), before->inputs.size());
  EXPECT_EQ(after->inputs[2], "");
  EXPECT_EQ(after->outputs.size(), 2U);
  for (const std::size_t i : {1U, 3U}) {
    const onnx::Tensor *was = tensor_of(t.model, before->inputs[i]), *is = tensor_of(*out, after->inputs[i]);
    ASSERT_TRUE(was && is);
    EXPECT_EQ(is->type, was->type);
    EXPECT_EQ(is->dims, was->dims);
    EXPECT_EQ(is->bytes, was->bytes);
  }
  const onnx::Node* blend = operator_of(*out, "Blend");
  ASSERT_NE(blend, nullptr);
  EXPECT_EQ(blend->inputs[0], after->outputs[0]);
  EXPECT_EQ(blend->inputs[1], operator_of(*out, "Conv")->outputs[0]) << "its values in the file's order";
}

TEST(KeptOperators, TheSameCanvasComesBack) {
  auto first = foreign_model().imported();
  ASSERT_TRUE(first);
  const auto out = export_onnx(source_from(*first), {});
  ASSERT_TRUE(out) << out.error().str();
  const auto again = import_onnx(*out, "again.onnx", {});
  ASSERT_TRUE(again) << again.error().str();
  EXPECT_EQ(again->kept, first->kept);
  ASSERT_EQ(again->weights.size(), first->weights.size());
  for (const auto& [name, w] : first->weights) EXPECT_EQ(again->weights.at(name).values, w.values) << name;
  EXPECT_EQ(flatten_with_opaque(again->doc, {.training = false})->layers.size(),
            flatten_with_opaque(first->doc, {.training = false})->layers.size());
}

TEST(KeptOperators, AreInTheFileOfWeightsAndProveThemselvesBitByBit) {
  const Folder folder;
  auto n = foreign_model().imported();
  ASSERT_TRUE(n);
  const fs::path weights = folder.path / "w.safetensors";
  ASSERT_TRUE(save_weights(n->weights, n->names, weights, {}, n->kept));
  const auto kept = load_kept_operators(weights);
  ASSERT_TRUE(kept);
  EXPECT_EQ(*kept, n->kept);
  EXPECT_EQ(load_weights(weights)->size(), n->weights.size()) << "they are no weights";
  const RunDefinition none;
  ExportSource source = source_from(*n);
  const ProofInputs inputs{.definition = none, .images = 4, .program = ""};
  const auto written = export_proved(source, {}, inputs, folder.path / "out.onnx");
  ASSERT_TRUE(written) << written.error().str();
  EXPECT_EQ(written->opaque, 2);
  EXPECT_TRUE(written->proof.readers.empty()) << "it was not run";
  EXPECT_TRUE(onnx::read_model(folder.path / "out.onnx"));
  EXPECT_EQ(export_proved(source, {.fold_batch_norm = true}, inputs, folder.path / "no.onnx").error().code,
            Errc::usage);
  EXPECT_FALSE(export_proved(source, {.precision = ExportPrecision::fp16}, inputs, folder.path / "no.onnx"));
  EXPECT_FALSE(fs::exists(folder.path / "no.onnx"));
}

TEST(KeptOperators, WhatCannotLeaveIsRefusedByName) {
  auto unsized = foreign_model(false).imported();
  ASSERT_TRUE(unsized);
  EXPECT_TRUE(unsized->kept.empty()) << "nobody knows what it makes";
  const auto refused = export_onnx(source_from(*unsized), {});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().str(), HasSubstr("swirl1: The imported file gave no sizes"));
  TinyModel last({-1, 8, 8, 3});
  const std::string images = last.node("Transpose", {"x"}, {{"perm", Ints{0, 3, 1, 2}}});
  const std::string conv = last.node("Conv", {images, last.weight("w", {3, 3, 1, 1})});
  const std::string swirl = last.node("Swirl", {last.node("Transpose", {conv}, {{"perm", Ints{0, 2, 3, 1}}})});
  last.model.values.push_back({.name = swirl, .type = onnx::Type::f32, .dims = onnx::Dims{-1, 8, 8, 3}, .symbols = {}});
  last.classify(last.node("Flatten", {swirl}), 192);
  auto n = last.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_TRUE(n->kept.empty()) << "its channels came last, ours come first";
  EXPECT_THAT(export_onnx(source_from(*n), {}).error().str(), HasSubstr("the operator Swirl was not kept"));
}

TEST(KeptOperators, OfAnotherVersionOfOnnxAreRefused) {
  TinyModel t({-1, 3, 8, 8}, 11);
  const std::string made = t.node("Det", {"x"});
  t.model.values.push_back({.name = made, .type = onnx::Type::f32, .dims = onnx::Dims{-1, 3}, .symbols = {}});
  t.classify(made, 3);
  auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  ASSERT_EQ(n->kept.size(), 1U);
  const auto refused = export_onnx(source_from(*n), {});
  ASSERT_FALSE(refused) << "version 13 may compute something else";
  EXPECT_THAT(refused.error().str(), HasSubstr("version 11"));
  t.model.opsets[""] = 19;
  n = t.imported();
  ASSERT_TRUE(n);
  const auto taken = export_onnx(source_from(*n), {});
  ASSERT_TRUE(taken) << taken.error().str();
  EXPECT_EQ(taken->opset(), 19);
}

TEST(KeptOperators, DamagedOnesAreRefused) {
  auto n = foreign_model().imported();
  ASSERT_TRUE(n);
  const ExportSource good = source_from(*n);
  const std::string node = good.kept.begin()->first;
  onnx::Model two = *lone_operator(node, good.kept.at(node));
  onnx::Model unconnected = two, missing = two, elsewhere = two;
  two.nodes.push_back(two.nodes.front());
  unconnected.nodes[0].inputs.push_back("value/9");
  missing.initializers.clear();
  elsewhere.opsets = {{"", 17}};
  for (const std::string& bytes :
       {std::string("no protobuf"), std::string(1, '\0'), onnx::model_bytes(two), onnx::model_bytes(unconnected),
        onnx::model_bytes(missing), onnx::model_bytes(elsewhere)}) {
    ExportSource bad = good;
    bad.kept[node] = bytes;
    const auto refused = export_onnx(bad, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::bad_input);
    EXPECT_THAT(refused.error().str(), HasSubstr(node));
  }
}

TEST(KeptOperators, WhatComesBackOtherwiseIsNotWritten) {
  const Folder folder;
  auto n = foreign_model().imported();
  ASSERT_TRUE(n);
  onnx::Model known{.ir_version = 8, .opsets = {{"", 17}}};
  known.nodes.push_back({.name = "", .op = "Relu", .inputs = {"value/0"}, .outputs = {"made"}});
  n->kept["swirl1"] = onnx::model_bytes(known);
  const ExportSource source = source_from(*n);
  ASSERT_TRUE(export_onnx(source, {}));
  const RunDefinition none;
  const auto refused = export_proved(source, {}, {.definition = none, .program = ""}, folder.path / "out.onnx");
  ASSERT_FALSE(refused) << "a layer is made of it";
  EXPECT_THAT(refused.error().str(), HasSubstr("was not written as it is"));
  EXPECT_FALSE(fs::exists(folder.path / "out.onnx"));
}

TEST(KeptOperators, AConstantWhoseNameIsTakenGetsAnother) {
  onnx::Model to;
  to.initializers.push_back(onnx::tensor_of("angle", {1}, std::vector<float>{9}));
  const TinyModel t = foreign_model();
  const auto n = t.imported();
  ASSERT_TRUE(n);
  onnx::Model alone = *lone_operator("swirl1", n->kept.at("swirl1"));
  ASSERT_TRUE(add_lone_operator(to, alone, "swirl1", {"v"}, "made"));
  EXPECT_EQ(to.nodes[0].inputs[1], "swirl1/angle");
  EXPECT_EQ(to.initializers[0].elements(), 1) << "the other one is as it was";
  EXPECT_EQ(to.nodes[0].outputs[0], "made");
  EXPECT_FALSE(add_lone_operator(to, alone, "swirl1", {"v", "w"}, "made"));
}

}  // namespace
}  // namespace nw::exchange
