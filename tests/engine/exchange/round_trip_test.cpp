// SPDX-License-Identifier: Apache-2.0
// Ours out, ours in: the same network, the same names, the same bits.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/design/project_file.hpp"
#include "engine/exchange/export_onnx.hpp"
#include "tests/engine/exchange/networks.hpp"
#include "tests/engine/exchange/random_network.hpp"
#include "tests/engine/exchange/tiny_model.hpp"

namespace nw::exchange {
namespace {

Result<ImportedNetwork> through_bytes(const onnx::Model& model) {
  const std::string bytes = onnx::model_bytes(model);
  NW_ASSIGN(const onnx::Model again, onnx::parse_model(bytes, "again.onnx", nullptr));
  return import_onnx(again, "again.onnx", {});
}

void expect_same_bits(const GraphDoc& doc, const std::string& what) {
  const ExportSource source = source_of(doc);
  const auto model = export_onnx(source, {.preprocessing = false});
  ASSERT_TRUE(model) << what << ": " << model.error().str();
  const auto again = through_bytes(*model);
  ASSERT_TRUE(again) << what << ": " << again.error().str();
  EXPECT_TRUE(again->drawn) << what << " does not come back as it was drawn; drawn, then read:\n"
                            << described(doc) << described(again->doc);
  EXPECT_EQ(outputs(again->doc, again->weights), outputs(doc, source.weights)) << what;
  // The same without the project inside: the graph alone is enough.
  onnx::Model bare = *model;
  bare.metadata.erase(project_key);
  const auto rebuilt = through_bytes(bare);
  ASSERT_TRUE(rebuilt) << what << ": " << rebuilt.error().str();
  EXPECT_FALSE(rebuilt->drawn);
  EXPECT_EQ(types_of(rebuilt->doc).size(), types_of(doc).size()) << what;
  EXPECT_EQ(outputs(rebuilt->doc, rebuilt->weights), outputs(doc, source.weights)) << what;
}

TEST(OnnxRoundTrip, LayersOfOtherToolsComeBackWithTheSameBits) {
  const std::pair<const char*, AttrMap> cases[] = {
      {"Hardtanh", {{"min_val", -0.1}, {"max_val", 0.7}}},
      {"GlobalMaxPool2d", {}},
      {"InstanceNorm2d", {{"affine", false}}},
      {"InstanceNorm2d", {{"affine", true}, {"eps", 0.01}}},
      {"LocalResponseNorm", {{"size", std::int64_t{3}}, {"alpha", 0.5}, {"k", 2.0}}},
      {"LocalResponseNorm", {{"size", std::int64_t{4}}, {"alpha", 0.5}, {"beta", 0.6}}},
      {"ConvTranspose2d", transposed({1, 0}, {1, 1}, true)},
      {"ConvTranspose2d", transposed({0, 1}, {1, 1}, true)},
      {"ConvTranspose2d", transposed({0, 1}, {1, 1}, false)},
      {"ReLU6", {}},
      {"Formula", {}},
      {"Formula", {{"expression", std::string("where(x > a, x, erf(x) - b) * max(x, -c)")}, {"a", 0.25}, {"b", 0.5}}},
      {"Formula", {{"expression", std::string("x * (x >= 0.5) + min(2, sign(x) * cos(x)^3)")}}},
      {"Formula", {{"expression", std::string("where(sin(x), 1, x)")}}},
      {"Formula", {{"expression", std::string("x")}}},
      {"Formula", {{"expression", std::string("x > 0")}}},
      {"Softplus", {{"threshold", 1.0}, {"beta", 2.0}}}};
  for (const auto& [type, attrs] : cases) {
    GraphDoc doc;
    Draft d(doc);
    d.add("Input", "images", {{"channels", std::int64_t{5}}, {"height", std::int64_t{6}}, {"width", std::int64_t{4}}});
    d.add(type, "middle", attrs);
    d.add("Flatten", "flat");
    d.add("Linear", "fc", {{"out_features", std::int64_t{3}}});
    d.add("CrossEntropy", "loss");
    expect_same_bits(doc, type);
  }
}

TEST(OnnxRoundTrip, FormulasOfSeveralInputsComeBackWithTheSameBits) {
  for (const auto& [expression, inputs] : {std::pair("x * sigmoid(y) + x", std::vector<int>{1, 2}),
                                           {"tanh(y) - x", {2, 1}},
                                           {"x * y + softplus(z)", {1, 2, 0}},
                                           {"x * y - x", {2, 2}},
                                           {"y * z / (1 + exp(x))", {0, 2, 0}}}) {
    GraphDoc doc;
    Draft d(doc);
    const NodeId nodes[] = {
        d.add("Input", "images",
              {{"channels", std::int64_t{5}}, {"height", std::int64_t{6}}, {"width", std::int64_t{4}}}),
        d.add("Tanh", "first"), d.add("ReLU", "second")};
    const NodeId middle = d.add("Formula", "middle", {{"expression", std::string(expression)}});
    Edit edit{PutConnection{"", {nodes[2], 0, middle, 0}, false}};
    for (std::size_t k = 0; k < inputs.size(); ++k)
      edit.push_back(
          PutConnection{"", {nodes[static_cast<std::size_t>(inputs[k])], 0, middle, static_cast<int>(k)}, true});
    ASSERT_TRUE(doc.apply(edit));
    d.add("Flatten", "flat");
    d.add("Linear", "fc", {{"out_features", std::int64_t{3}}});
    d.add("CrossEntropy", "loss");
    expect_same_bits(doc, expression);
  }
}

/// A network around one layer, which gets an image of 12×6×4.
GraphDoc around(const char* type, const AttrMap& attrs, std::int64_t channels = 12) {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", {{"channels", channels}, {"height", std::int64_t{6}}, {"width", std::int64_t{4}}});
  d.add(type, "middle", attrs);
  d.add("Flatten", "flat");
  d.add("Linear", "fc", {{"out_features", std::int64_t{3}}});
  d.add("CrossEntropy", "loss");
  return doc;
}

const std::vector<std::pair<const char*, AttrMap>>& layers_of_several_operators() {
  using Int = std::int64_t;
  const auto word = [](const char* w) { return std::string(w); };
  static const std::vector<std::pair<const char*, AttrMap>> all{
      {"ChannelLinear", {{"out_features", Int{5}}}},
      {"ChannelLinear", {{"out_features", Int{12}}, {"bias", false}}},
      {"ChannelShuffle", {{"groups", Int{3}}}},
      {"ClassToken", {}},
      {"Dropout2d", {{"p", 0.3}}},
      {"LayerNorm2d", {}},
      {"LayerNorm2d", {{"elementwise_affine", false}, {"eps", 1e-3}}},
      {"LayerScale", {{"init_value", 0.25}}},
      {"MultiheadAttention", {{"num_heads", Int{3}}}},
      {"MultiheadAttention", {{"num_heads", Int{1}}, {"bias", false}}},
      {"PatchEmbedding", {{"embed_dim", Int{7}}, {"patch_size", Int{2}}}},
      {"PatchEmbedding", {{"embed_dim", Int{7}}, {"patch_size", Int{1}}, {"bias", false}}},
      {"PositionalEmbedding", {}},
      {"Reshape", {{"channels", Int{-1}}, {"height", Int{8}}, {"width", Int{2}}}},
      {"StochasticDepth", {{"p", 0.3}, {"layer", Int{2}}, {"layers", Int{7}}}},
      {"Slice", {{"dim", word("channels")}, {"start", Int{2}}, {"end", Int{9}}}},
      {"Slice", {{"dim", word("rows")}, {"start", Int{1}}}},
      {"Slice", {{"dim", word("columns")}, {"end", Int{3}}}},
      {"Transpose", {{"dim0", Int{2}}, {"dim1", Int{3}}}},
      {"Transpose", {{"dim0", Int{3}}, {"dim1", Int{1}}}},
      {"Transpose", {{"dim0", Int{1}}, {"dim1", Int{1}}}}};
  return all;
}

TEST(OnnxRoundTrip, LayersOfSeveralOperatorsComeBackWithTheSameBits) {
  for (const auto& [type, attrs] : layers_of_several_operators()) {
    SCOPED_TRACE(type);
    const GraphDoc doc = around(type, attrs);
    expect_same_bits(doc, type);
    auto model = export_onnx(source_of(doc), {});
    ASSERT_TRUE(model);
    model->metadata.erase(project_key);
    const auto rebuilt = through_bytes(*model);
    ASSERT_TRUE(rebuilt) << rebuilt.error().str();
    const auto was = flatten(doc, {.training = false, .batch = 1}),
               is = flatten(rebuilt->doc, {.training = false, .batch = 1});
    ASSERT_TRUE(was && is);
    EXPECT_EQ(is->layers[1].type, was->layers[1].type);
    EXPECT_EQ(is->layers[1].attrs.values(), was->layers[1].attrs.values()) << "attributes that no operator holds, too";
  }
}

/// What becomes of a network around the layer once `change` was made to its model.
template <class Change>
std::string types_after(const char* type, const AttrMap& attrs, Change change) {
  auto model = export_onnx(source_of(around(type, attrs)), {.preprocessing = false});
  EXPECT_TRUE(model);
  change(*model);
  return types_of(through_bytes(*model));
}

TEST(OnnxImport, MetadataAreBelievedOnlyWhereTheOperatorsAreThoseOfTheLayer) {
  const auto named = [](onnx::Model& m, std::string_view name) -> onnx::Tensor& {
    return *std::find_if(m.initializers.begin(), m.initializers.end(), [&](const auto& t) { return t.name == name; });
  };
  const AttrMap heads{{"num_heads", std::int64_t{3}}}, groups{{"groups", std::int64_t{3}}};
  const auto attention = [&](auto change) { return types_after("MultiheadAttention", heads, change); };
  EXPECT_EQ(attention([](onnx::Model&) {}), "MultiheadAttention Flatten Linear");
  const auto expect_refused = [](const std::string& types) {
    EXPECT_EQ(types.find("MultiheadAttention"), std::string::npos) << types;
    EXPECT_EQ(types.find("ChannelShuffle"), std::string::npos) << types;
  };
  expect_refused(attention([&](onnx::Model& m) { named(m, "middle/scale").bytes[3] ^= 1; }));
  expect_refused(attention([](onnx::Model& m) {
    for (onnx::Node& n : m.nodes)
      if (n.op == "Softmax") n.attributes["axis"] = std::int64_t{2};
  }));
  expect_refused(attention([](onnx::Model& m) {
    for (onnx::Node& n : m.nodes)
      if (n.name == "middle/keys") n.inputs[0] = "middle/projected";
  }));
  expect_refused(attention([](onnx::Model& m) {  // a value between its operators is an output
    m.outputs.push_back({.name = "middle/mixed", .type = onnx::Type::f32, .dims = std::nullopt, .symbols = {}});
  }));
  expect_refused(attention([](onnx::Model& m) {
    for (onnx::Node& n : m.nodes)
      if (n.op == "Softmax") n.op = "Sigmoid";
  }));
  expect_refused(types_after("ChannelShuffle", groups, [](onnx::Model& m) { m.nodes[1].attributes.erase("perm"); }));
  // Another layer of the same operator, and descriptions that are none.
  const auto described_as = [&](const std::string& text) {
    return types_after("Dropout2d", {{"p", 0.5}},
                       [&](onnx::Model& m) { m.nodes[0].metadata["netwright.layer"] = text; });
  };
  EXPECT_EQ(described_as(R"({"type":"Dropout2d","p":0.25})"), "Dropout Flatten Linear") << "the share is another";
  EXPECT_EQ(described_as(R"({"type":"StochasticDepth","p":0.5,"layer":1,"layers":1})"),
            "StochasticDepth Flatten Linear");
  for (const char* text : {"", "[]", "{\"p\":0.5}", R"({"type":7})", R"({"type":"Dropout2d","p":"0.5"})",
                           R"({"type":"Dropout2d","p":7.0})", R"({"type":"Dropout2d","p":0.5,"q":1})",
                           R"({"type":"Dropout2d","p":[1,2,3]})", R"({"type":"Add"})",
                           R"({"type":"StochasticDepth","p":0.5,"layer":9,"layers":1})"})
    EXPECT_EQ(described_as(text), "Dropout Flatten Linear") << text;
}

TEST(OnnxExport, LrnIsWrittenForImagesAndOddWindowsOnly) {
  const auto ops_of = [](std::int64_t size, bool flat) {
    GraphDoc doc;
    Draft d(doc);
    d.add("Input", "images", {{"channels", std::int64_t{6}}, {"height", std::int64_t{1}}, {"width", std::int64_t{1}}});
    if (flat) d.add("Flatten", "flat");
    d.add("LocalResponseNorm", "middle", {{"size", size}});
    if (!flat) d.add("Flatten", "flat");
    d.add("Linear", "fc", {{"out_features", std::int64_t{3}}});
    d.add("CrossEntropy", "loss");
    const auto model = export_onnx(source_of(doc), {});
    EXPECT_TRUE(model) << model.error().str();
    std::set<std::string> ops;
    for (const onnx::Node& n : model->nodes) ops.insert(n.op);
    return ops;
  };
  EXPECT_TRUE(ops_of(5, false).contains("LRN"));
  for (const auto& ops : {ops_of(4, false), ops_of(5, true)}) {
    EXPECT_FALSE(ops.contains("LRN")) << "its window lies elsewhere, or it has no image";
    EXPECT_TRUE(ops.contains("AveragePool"));
  }
}

/// As a program that knows nothing of our metadata reads them.
TEST(OnnxRoundTrip, OperatorsWithoutTheirLayersNameComputeTheSame) {
  const std::pair<const char*, AttrMap> cases[] = {{"ConvTranspose2d", transposed({1, 1}, {1, 1}, true)},
                                                   {"ConvTranspose2d", transposed({0, 0}, {1, 1}, true)},
                                                   {"ConvTranspose2d", transposed({0, 1}, {1, 1}, false)}};
  for (const auto& [type, attrs] : cases) {
    const GraphDoc doc = around(type, attrs);
    const ExportSource source = source_of(doc);
    auto model = export_onnx(source, {.preprocessing = false});
    ASSERT_TRUE(model) << model.error().str();
    model->metadata.erase(project_key);
    for (onnx::Node& n : model->nodes) n.metadata.clear();
    const auto again = through_bytes(*model);
    ASSERT_TRUE(again) << again.error().str();
    EXPECT_LT(relative(outputs(again->doc, again->weights), outputs(doc, source.weights)), 1e-6);
  }
}

TEST(OnnxExport, AWeightThatHasItsLayersNameIsNoValueOfTheGraph) {
  const auto model = export_onnx(source_of(find_template("vit_tiny")->make()), {});
  ASSERT_TRUE(model) << model.error().str();
  std::set<std::string> names;
  for (const onnx::Tensor& t : model->initializers) {
    EXPECT_FALSE(t.name.empty() || t.name.ends_with('.')) << t.name;
    EXPECT_TRUE(names.insert(t.name).second) << t.name;
  }
  for (const onnx::Node& n : model->nodes) EXPECT_TRUE(names.insert(n.outputs.front()).second) << n.outputs.front();
  for (const char* torchvision : {"class_token", "encoder.pos_embedding", "conv_proj.weight"})
    EXPECT_TRUE(names.contains(torchvision)) << torchvision;
}

TEST(OnnxRoundTrip, EveryTemplateComesBackWithItsBlocksAndTheSameBits) {
  for (const Template& t : all_templates()) {
    const GraphDoc doc = t.make();
    const auto flat = flatten(doc, {.training = false, .batch = 1});
    ASSERT_TRUE(flat) << t.name;
    const Shape in = flat->layers[static_cast<std::size_t>(flat->input)].shape;
    if (in[2] > 64 && !std::getenv("NETWRIGHT_LONG")) continue;  // networks for photos take their time
    expect_same_bits(doc, std::string(t.name));
  }
}

TEST(OnnxRoundTrip, RandomNetworksComeBackWithTheSameBits) {
  const unsigned count = std::getenv("NETWRIGHT_LONG") ? 400 : 40;
  for (unsigned seed = 1; seed <= count; ++seed) {
    const GraphDoc doc = RandomNetwork(seed).make();
    ASSERT_TRUE(flatten(doc, {.training = false, .batch = 1})) << "seed " << seed;
    expect_same_bits(doc, "seed " + std::to_string(seed));
  }
}

TEST(OnnxRoundTrip, TheDocumentIsTheSameButForPaths) {
  GraphDoc doc = find_template("resnet18-cifar")->make();
  DataChoice data = doc.data();
  data.path = "/home/someone/secret";
  ASSERT_TRUE(doc.apply({PutData{data}}));
  const auto model = export_onnx(source_of(doc), {});
  ASSERT_TRUE(model);
  EXPECT_EQ(model->metadata.at(project_key).find("secret"), std::string::npos);
  const auto again = through_bytes(*model);
  ASSERT_TRUE(again);
  data.path = "";
  ASSERT_TRUE(doc.apply({PutData{data}}));
  EXPECT_EQ(again->doc, doc);
}

TEST(OnnxRoundTrip, RebuildsBlocksFromNameScopes) {
  auto model = export_onnx(source_of(find_template("resnet18-cifar")->make()), {});
  ASSERT_TRUE(model);
  model->metadata.erase(project_key);
  const auto again = through_bytes(*model);
  ASSERT_TRUE(again) << again.error().str();
  std::set<std::string> names;
  for (const auto& [id, node] : again->doc.graph().nodes)
    if (node.type == "Block") names.insert(node.name);
  EXPECT_EQ(names,
            (std::set<std::string>{"layer1", "layer2.0", "layer2.1", "layer3.0", "layer3.1", "layer4.0", "layer4.1"}));
  EXPECT_EQ(again->doc.blocks().size(), 2u) << "one definition for each structure, with parameters";
  for (const auto& [name, block] : again->doc.blocks()) EXPECT_EQ(block.parameters.size(), 1u) << name;
}

TEST(OnnxRoundTrip, FoldedBatchNormsComputeTheSameAndAreReported) {
  const GraphDoc doc = find_template("resnet18-cifar")->make();
  const ExportSource source = source_of(doc);
  const auto model = export_onnx(source, {.fold_batch_norm = true, .preprocessing = false});
  ASSERT_TRUE(model);
  for (const onnx::Node& n : model->nodes) EXPECT_NE(n.op, "BatchNormalization");
  const auto again = through_bytes(*model);
  ASSERT_TRUE(again) << again.error().str();
  EXPECT_EQ(again->folded_batch_norms, 20);
  EXPECT_FALSE(again->drawn);
  EXPECT_LT(relative(outputs(again->doc, again->weights), outputs(doc, source.weights)), 1e-4);
}

TEST(OnnxRoundTrip, PreprocessingInsideIsAppliedToPixels) {
  ExportSource source = source_of(find_template("lenet5")->make());
  source.mean = {0.25F};
  source.deviation = {0.5F};
  const auto model = export_onnx(source, {});
  ASSERT_TRUE(model);
  const auto again = through_bytes(*model);
  ASSERT_TRUE(again) << again.error().str();
  ASSERT_EQ(again->preprocessing.size(), 3u);
  std::vector<float> pixels{0, 127, 255};
  preprocess(again->preprocessing, pixels, 1, 3);
  EXPECT_EQ(pixels,
            (std::vector<float>{(0.0F / 255 - 0.25F) / 0.5F, (127.0F / 255 - 0.25F) / 0.5F, (1.0F - 0.25F) / 0.5F}));
}

TEST(OnnxExport, VersionsAreAsLowAsTheLayersAllow) {
  const auto versions = [](const char* type, AttrMap attrs = {}) {
    GraphDoc doc;
    Draft d(doc);
    d.add("Input", "images");
    d.add(type, "middle", std::move(attrs));
    d.add("Flatten", "flat");
    d.add("Linear", "fc");
    d.add("CrossEntropy", "loss");
    const auto model = export_onnx(source_of(doc), {});
    EXPECT_TRUE(model);
    return std::pair(model->opset(), model->ir_version);
  };
  using Pair = std::pair<std::int64_t, std::int64_t>;
  EXPECT_EQ(versions("SiLU"), Pair(13, 7));
  EXPECT_EQ(versions("Mish"), Pair(13, 7));
  EXPECT_EQ(versions("Hardswish"), Pair(13, 7));
  EXPECT_EQ(versions("GroupNorm", {{"num_groups", std::int64_t{1}}}), Pair(13, 7));
  EXPECT_EQ(versions("BatchNorm2d"), Pair(14, 7));
  EXPECT_EQ(versions("LayerNorm"), Pair(17, 8));
  EXPECT_EQ(versions("GELU"), Pair(20, 9));
}

TEST(OnnxExport, EveryLayerHasARecordOrNeedsNone) {
  for (const LayerType* type : all_layers()) {
    const bool structural = type->loss || type->name == "Input" || type->name == "Identity" ||
                            type->name == "BlockInput" || type->name == "BlockOutput" || type->refusal;
    const OperatorMapping* m = mapping_of_layer(type->name);
    EXPECT_EQ(m != nullptr, !structural) << type->name << " needs a record in engine/exchange/operators";
    if (m) EXPECT_TRUE(m->write && (m->read || m->whole)) << type->name;
  }
}

TEST(OnnxExport, TheBatchIsOpenOrFixedAndNamesAreThoseOfSafetensors) {
  const ExportSource source = source_of(find_template("lenet5")->make());
  const auto open = export_onnx(source, {}), fixed = export_onnx(source, {.batch = 8});
  ASSERT_TRUE(open && fixed);
  EXPECT_EQ(open->inputs[0].dims, (onnx::Dims{-1, 1, 28, 28}));
  EXPECT_EQ(fixed->inputs[0].dims, (onnx::Dims{8, 1, 28, 28}));
  std::set<std::string> stored;
  for (const onnx::Tensor& t : open->initializers) stored.insert(t.name);
  for (const auto& [name, w] : source.weights) EXPECT_TRUE(stored.contains(name)) << name;
  const auto again = through_bytes(*fixed);
  ASSERT_TRUE(again) << again.error().str();
  EXPECT_TRUE(again->drawn);
}

}  // namespace
}  // namespace nw::exchange
