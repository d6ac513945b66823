// SPDX-License-Identifier: Apache-2.0
// Graphs as other programs write them, and what the importer makes of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/exchange/export_onnx.hpp"
#include "engine/exchange/onnx/model.hpp"
#include "tests/engine/exchange/tiny_model.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw::exchange {
namespace {

using testing::HasSubstr;
using Ints = std::vector<std::int64_t>;

std::string conv(TinyModel& t, const std::string& from, const std::string& name, std::int64_t in, std::int64_t out,
                 bool bias = true) {
  std::vector<std::string> inputs{from, t.weight(name + ".weight", {out, in, 3, 3})};
  if (bias) inputs.push_back(t.weight(name + ".bias", {out}));
  return t.node("Conv", inputs, {{"kernel_shape", Ints{3, 3}}, {"pads", Ints{1, 1, 1, 1}}});
}

TEST(OnnxImport, NamesComeFromTheWeights) {
  TinyModel t;
  t.classify(t.node("Flatten", {conv(t, "x", "features.0", 3, 2)}), 128);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(types_of(n), "Conv2d Flatten Linear");
  EXPECT_TRUE(n->weights.contains("features.0.weight"));
  EXPECT_TRUE(n->weights.contains("fc.bias"));
}

TEST(OnnxImport, ShapePlumbingIsFoldedAway) {
  TinyModel t;
  const std::string c = conv(t, "x", "conv", 3, 2);
  const std::string batch =
      t.node("Gather", {t.node("Shape", {c}), t.node("Constant", {}, {{"value_int", std::int64_t{0}}})},
             {{"axis", std::int64_t{0}}});
  const std::string sizes =
      t.node("Concat", {t.node("Unsqueeze", {batch, t.sizes("zero", {0})}), t.sizes("rest", {-1})},
             {{"axis", std::int64_t{0}}});
  t.classify(t.node("Reshape", {t.node("Identity", {c}), sizes}), 128);
  EXPECT_EQ(types_of(t.imported()), "Conv2d Flatten Linear");
}

TEST(OnnxImport, ABatchNormBehindChainsOfConstantsIsRestored) {
  TinyModel t;
  const std::string c = conv(t, "x", "conv", 3, 2, false);
  const std::string channels = t.node("Slice", {t.node("Shape", {c}), t.sizes("s", {1}), t.sizes("e", {2})});
  std::vector<std::string> in{c};
  for (const float v : {1.5F, 0.25F, 0.5F, 2.0F})
    in.push_back(t.node("CastLike", {t.node("Expand", {t.numbers("v" + std::to_string(v), {1}, {v}), channels}), c}));
  t.classify(t.node("Flatten", {t.node("BatchNormalization", in, {{"epsilon", 0.001F}, {"momentum", 0.9F}})}), 128);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(types_of(n), "Conv2d BatchNorm2d Flatten Linear");
  const auto flat = flatten(n->doc, {.training = false, .batch = 1});
  EXPECT_DOUBLE_EQ(flat->layers[2].attrs.real("eps"), 0.001);
  EXPECT_DOUBLE_EQ(flat->layers[2].attrs.real("momentum"), 0.1);
}

TEST(OnnxImport, AMeanOverThePixelsAndAReshapeAreGlobalAveragePooling) {
  for (const bool keep : {true, false}) {
    TinyModel t({-1, 3, 8, 8}, 18);
    std::string m = t.node("ReduceMean", {conv(t, "x", "conv", 3, 2), t.sizes("axes", {-1, -2})},
                           {{"keepdims", std::int64_t{keep}}});
    if (keep) m = t.node("Reshape", {m, t.sizes("to", {-1, 2})});
    t.classify(m, 2);
    EXPECT_EQ(types_of(t.imported()), "Conv2d GlobalAvgPool2d Flatten Linear") << keep;
  }
}

TEST(OnnxImport, KerasTransposesDisappear) {
  TinyModel t({-1, 8, 8, 3});  // channels last
  const Ints in{0, 3, 1, 2}, out{0, 2, 3, 1};
  std::string v = conv(t, t.node("Transpose", {"x"}, {{"perm", in}}), "conv", 3, 2);
  v = t.node("Relu", {t.node("Transpose", {v}, {{"perm", out}})});  // an activation on channels-last values
  v = t.node("MaxPool", {t.node("Transpose", {v}, {{"perm", in}})},
             {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}});
  v = t.node("Reshape", {t.node("Transpose", {v}, {{"perm", out}}), t.sizes("flat", {-1, 32})});
  t.end(t.node("Add", {t.node("MatMul", {v, t.weight("kernel", {32, 4})}), t.weight("bias", {4})}));
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(types_of(n), "Conv2d ReLU MaxPool2d Flatten Linear");
  // Column (h, w, c) of Keras is column (c, h, w) here: the first output of the matrix at h = 0, w = 1, c = 1.
  const auto& weight = n->weights.begin()->second;
  (void)weight;
  const auto flat = flatten(n->doc, {.training = false, .batch = 1});
  const std::string name = flat->layers.back().name + ".weight";
  const auto kernel = onnx::floats_of(t.model.initializers[3]);
  ASSERT_EQ(n->weights.at(name).values.size(), kernel->size());
  EXPECT_EQ(n->weights.at(name).values[1 * 16 + 0 * 4 + 1],
            (*kernel)[static_cast<std::size_t>((0 * 4 + 1) * 2 + 1) * 4]);
}

TEST(OnnxImport, ScalesBehindABatchNormBelongToIt) {
  TinyModel t;
  std::vector<std::string> in{"x"};
  for (const char* name : {"s", "b", "m", "v"}) in.push_back(t.numbers(name, {3}, {1, 2, 4}));
  std::string v = t.node("BatchNormalization", in);
  v = t.node("Add",
             {t.node("Mul", {v, t.numbers("by", {3, 1, 1}, {2, 3, 4})}), t.numbers("plus", {1, 3, 1, 1}, {1, 1, 1})});
  t.classify(t.node("Flatten", {v}), 192);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(types_of(n), "BatchNorm2d Flatten Linear");
  EXPECT_EQ(n->weights.at("bn1.weight").values, (std::vector<float>{2, 6, 16}));
  EXPECT_EQ(n->weights.at("bn1.bias").values, (std::vector<float>{3, 7, 17}));
}

TEST(OnnxImport, ConstantsOnTheInputArePreprocessing) {
  TinyModel t;
  std::string v = t.node(
      "Sub", {t.node("Div", {"x", t.numbers("max", {}, {255})}), t.numbers("mean", {1, 3, 1, 1}, {0.1F, 0.2F, 0.3F})});
  t.classify(t.node("Flatten", {conv(t, v, "conv", 3, 2)}), 128);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(types_of(n), "Conv2d Flatten Linear");
  ASSERT_EQ(n->preprocessing.size(), 2u);
  EXPECT_EQ(n->preprocessing[1].by, (std::vector<float>{0.1F, 0.2F, 0.3F}));
}

TEST(OnnxImport, WindowsOverTheEdgeBecomePadding) {
  TinyModel t({-1, 3, 9, 9});
  std::string v = t.node("Relu", {conv(t, "x", "conv", 3, 2)});
  v = t.node("MaxPool", {v}, {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}, {"ceil_mode", std::int64_t{1}}});
  t.classify(t.node("Flatten", {v}), 50);
  EXPECT_EQ(types_of(t.imported()), "Conv2d ReLU ZeroPad2d MaxPool2d Flatten Linear");
  TinyModel u({-1, 3, 9, 9});  // values may be negative: a zero could be the maximum
  v = u.node("MaxPool", {conv(u, "x", "conv", 3, 2)},
             {{"kernel_shape", Ints{2, 2}}, {"strides", Ints{2, 2}}, {"ceil_mode", std::int64_t{1}}});
  u.classify(u.node("Flatten", {v}), 50);
  ASSERT_FALSE(u.imported({.strict = true}));
  EXPECT_THAT(u.imported({.strict = true}).error().str(), HasSubstr("differs between the sides"));
}

TEST(OnnxImport, SoftmaxAtTheEndIsLeftToTheLoss) {
  TinyModel t;
  t.classify(t.node("Flatten", {"x"}), 192);
  const std::string scores = t.model.outputs[0].name;
  t.model.outputs.clear();
  t.end(t.node("Softmax", {scores}, {{"axis", std::int64_t{-1}}}));
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(types_of(n), "Flatten Linear");
  EXPECT_EQ(n->end, "Softmax");
}

TEST(OnnxImport, EveryUnknownOperatorIsListedWithItsName) {
  TinyModel t;
  std::string v = t.node("Erf", {conv(t, "x", "conv", 3, 2)}, {}, "/act/Erf");
  v = t.node("NonMaxSuppression", {t.node("Relu", {v})}, {}, "/head/Nms");
  t.model.nodes.push_back({.name = "mine", .op = "Placeholder", .domain = "com.mathworks"});
  t.model.nodes.back().inputs = {v};
  t.model.nodes.back().outputs = {"z"};
  t.end("z");
  const auto n = t.imported({.strict = true});
  ASSERT_FALSE(n);
  EXPECT_EQ(n.error().code, Errc::bad_input);
  for (const char* part : {"/act/Erf", "/head/Nms", "mine", "com.mathworks", "3 operators"})
    EXPECT_THAT(n.error().str(), HasSubstr(part));
}

TEST(OnnxImport, BlocksFromThePathsOfTheOlderExporter) {
  TinyModel t;
  std::string v = t.node("Conv", {"x", t.weight("onnx::Conv_1", {3, 3, 3, 3}), t.weight("onnx::Conv_2", {3})},
                         {{"pads", Ints{1, 1, 1, 1}}}, "/stem/conv/Conv");
  for (const std::string b : {"0", "1"}) {
    const std::string at = "/layer1/layer1." + b, in = v;
    v = t.node("Conv", {in, t.weight("onnx::Conv_w" + b, {3, 3, 3, 3}), t.weight("onnx::Conv_b" + b, {3})},
               {{"pads", Ints{1, 1, 1, 1}}}, at + "/conv1/Conv");
    v = t.node("Relu", {t.node("Add", {v, in}, {}, at + "/Add")}, {}, at + "/relu/Relu");
  }
  t.classify(t.node("Flatten", {v}), 192);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(n->folded_batch_norms, 3);
  ASSERT_EQ(n->doc.blocks().size(), 1u);
  bool found = false;
  for (const auto& [id, node] : n->doc.graph().nodes)
    if (node.type == "Block") {
      EXPECT_EQ(node.name, "layer1");
      EXPECT_EQ(node.attrs.at("repeat"), Attr(std::int64_t{2}));
      found = true;
    }
  EXPECT_TRUE(found);
  EXPECT_TRUE(n->weights.contains("layer1.1.conv1.weight"));
}

TEST(OnnxImport, VersionsDecideWhatAnOperatorMeans) {
  const auto clip = [](std::int64_t opset) {
    TinyModel t({-1, 3, 8, 8}, opset);
    std::string v = opset < 11 ? t.node("Clip", {"x"}, {{"min", 0.0F}, {"max", 6.0F}})
                               : t.node("Clip", {"x", t.numbers("lo", {}, {0}), t.numbers("hi", {}, {6})});
    t.classify(t.node("Flatten", {v}), 192);
    return types_of(t.imported());
  };
  EXPECT_EQ(clip(6), "ReLU6 Flatten Linear");
  EXPECT_EQ(clip(13), "ReLU6 Flatten Linear");
  TinyModel t({-1, 3, 8, 8}, 13);  // HardSwish came with version 14
  t.classify(t.node("Flatten", {t.node("HardSwish", {"x"})}), 192);
  EXPECT_THAT(types_of(t.imported()), HasSubstr("version 13 of this operator is not read"));
}

TEST(OnnxImport, ExternalDataBesideTheModelIsTaken) {
  Folder folder;
  TinyModel t;
  t.classify(t.node("Flatten", {"x"}), 192);
  const auto inside = t.imported();
  ASSERT_TRUE(inside);
  std::string bytes = onnx::model_bytes(t.model);
  // The raw data of fc.weight (field 9) becomes external data: location, offset.
  const std::string& data = t.model.initializers[0].bytes;
  std::ofstream(folder.path / "w.bin", std::ios::binary) << "12345678" << data;
  const auto entry = [](const std::string& key, const std::string& value) {
    const std::string pair =
        std::string("\x0a") + static_cast<char>(key.size()) + key + "\x12" + static_cast<char>(value.size()) + value;
    return std::string("\x6a") + static_cast<char>(pair.size()) + pair;
  };
  onnx::Model outside = t.model;
  outside.initializers[0].bytes.clear();
  std::string moved = onnx::model_bytes(outside);
  const std::string name = "fc.weight\x4a";  // its name, and the raw data of no bytes
  const std::size_t at = moved.find(name);
  ASSERT_NE(at, std::string::npos);
  const std::string extra = entry("location", "w.bin") + entry("offset", "8") + std::string("\x70\x01", 2);
  moved.replace(at + 9, 2, extra);
  const auto grow = [&](std::size_t tag_at,
                        std::size_t by) {  // lengths of the tensor and the graph, as two-byte varints
    const std::size_t p = tag_at + 1;
    std::size_t length = 0, size = 0;
    for (int shift = 0;; shift += 7) {
      const auto b = static_cast<unsigned char>(moved[p + size++]);
      length |= static_cast<std::size_t>(b & 0x7F) << shift;
      if (b < 0x80) break;
    }
    length += by;
    std::string coded;
    for (; length >= 0x80; length >>= 7) coded.push_back(static_cast<char>(length | 0x80));
    coded.push_back(static_cast<char>(length));
    moved.replace(p, size, coded);
    return coded.size() - size;
  };
  const std::size_t tensor = moved.rfind('\x2a', at);
  const std::size_t more = grow(tensor, extra.size() - 2);
  grow(moved.find('\x3a'), extra.size() - 2 + more);
  std::ofstream(folder.path / "m.onnx", std::ios::binary) << moved;
  const auto model = onnx::read_model(folder.path / "m.onnx");
  ASSERT_TRUE(model) << model.error().str();
  EXPECT_EQ(model->initializers[0].bytes, data);
}

}  // namespace
}  // namespace nw::exchange
