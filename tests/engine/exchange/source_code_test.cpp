// SPDX-License-Identifier: Apache-2.0
// Networks as Python source: the form of the text. What the files compute is tested by tests/exchange/source_code.py.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "engine/design/draft.hpp"
#include "engine/design/project_file.hpp"
#include "engine/exchange/source/python_text.hpp"
#include "engine/exchange/source/settings_source.hpp"
#include "engine/exchange/source/source_code.hpp"
#include "kernels/optimizer.hpp"

namespace nw::exchange {
namespace {

constexpr SourceLanguage both_languages[] = {SourceLanguage::pytorch, SourceLanguage::keras};

Result<std::string> written(const GraphDoc& doc, SourceLanguage language = SourceLanguage::pytorch,
                            const std::string& name = "network", std::vector<std::string> classes = {}) {
  return source_code({.name = name,
                      .doc = doc,
                      .classes = std::move(classes),
                      .mean = {0.5F},
                      .deviation = {0.25F},
                      .weights_file = name + ".safetensors",
                      .export_number = "0123456789abcdef"},
                     language);
}

std::string text_of(const GraphDoc& doc, SourceLanguage language = SourceLanguage::pytorch) {
  const auto text = written(doc, language);
  EXPECT_TRUE(text) << text.error().str();
  return text ? *text : "";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A network with one layer of this name in the middle.
GraphDoc named(const std::string& name, const std::string& second = "second") {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", {{"channels", std::int64_t{1}}, {"height", std::int64_t{4}}, {"width", std::int64_t{4}}});
  d.add("Conv2d", name);
  d.add("Conv2d", second, {{"kernel_size", std::vector<std::int64_t>{1, 1}}});
  d.add("Flatten", "flat");
  d.add("Linear", "fc");
  d.add("CrossEntropy", "loss");
  return doc;
}

TEST(SourceCode, EveryLayerHasARecordInEachLanguage) {
  for (const SourceLanguage language : both_languages)
    for (const LayerType* type : all_layers()) {
      const bool structural = type->loss || type->name == "Input" || type->name == "Identity" ||
                              type->name == "BlockInput" || type->name == "BlockOutput" || type->name == "Opaque";
      EXPECT_EQ(layer_record(language, type->name) != nullptr, !structural)
          << type->name << " needs a row in engine/exchange/source for " << title_of(language);
    }
}

TEST(SourceCode, EveryOptimizerAndTransformHasARecord) {
  for (const Optimizer& o : all_optimizers()) {
    const OptimizerSource* source = optimizer_source(o.name);
    ASSERT_TRUE(source) << o.name << " needs a row in settings_source.cpp";
    OptimizerChoice choice;
    choice.choose(o.name);
    EXPECT_EQ(filled(source->torch, choice).find('{'), std::string::npos) << filled(source->torch, choice);
    EXPECT_EQ(filled(source->keras, choice).find('{'), std::string::npos) << filled(source->keras, choice);
  }
  for (const TransformType& t : all_transforms()) {
    TrainSettings s;
    s.transforms = {default_transform(t)};
    const auto lines = augmentation_lines(s, 8, 8), mixed = mixing_rows(s);
    ASSERT_EQ(lines.size() + mixed.size(), 1u) << t.name << " needs a row in settings_source.cpp";
    if (!lines.empty()) EXPECT_EQ(lines[0].find('{'), std::string::npos) << lines[0];
  }
}

TEST(SourceCode, BlocksAreClassesAndRepeatsAreLoops) {
  const GraphDoc doc = find_template("resnet18-cifar")->make();
  const std::string torch = text_of(doc), keras = text_of(doc, SourceLanguage::keras);
  EXPECT_TRUE(has(torch, "class BasicBlock(nn.Module):\n")) << torch;
  EXPECT_TRUE(has(torch, "    def __init__(self, filters):\n"));
  EXPECT_TRUE(has(torch, "self.layer1 = nn.Sequential(*[BasicBlock(filters=64) for _ in range(2)])"));
  EXPECT_TRUE(has(torch, "nn.Conv2d(filters // 2, filters, kernel_size=1, stride=2, bias=False)"));
  EXPECT_TRUE(has(torch, "        x = x + inputs\n"));
  EXPECT_TRUE(has(keras, "def basic_block(inputs, name, filters):\n")) << keras;
  EXPECT_TRUE(has(keras, "    for i in range(2):\n        x = basic_block(x, f\"layer1-{i}\", filters=64)\n"));
}

TEST(SourceCode, NamesWithPrefixesAndNumbersAreLoopsToo) {
  const std::string text = text_of(find_template("vit_tiny")->make());
  EXPECT_TRUE(has(text, "(f\"encoder_layer_{i}\", EncoderBlock()) for i in range(12)]")) << text;
  EXPECT_TRUE(has(text, "self.encoder.pos_embedding = token_parameter(197, 192)"));
}

TEST(SourceCode, InstancesThatDifferInStructureAreClassesOfTheirOwn) {
  GraphDoc doc;
  ASSERT_TRUE(doc.apply({PutBlock{"Part", Block{{{"filters", 4}}, {}}}}));
  Draft inner(doc, "Part");
  inner.add("BlockInput", "in");
  inner.add("Conv2d", "conv",
            {{"out_channels", std::string("$filters")}, {"kernel_size", std::vector<std::int64_t>{1, 1}}});
  inner.add("LocalResponseNorm", "norm");
  inner.add("BlockOutput", "out");
  Draft d(doc);
  d.add("Input", "images", {{"channels", std::int64_t{1}}, {"height", std::int64_t{4}}, {"width", std::int64_t{4}}});
  d.add("Block", "a", {{"block", std::string("Part")}, {"filters", std::int64_t{3}}});
  d.add("Block", "b", {{"block", std::string("Part")}, {"filters", std::int64_t{5}}});
  d.add("Flatten", "flat");
  d.add("Linear", "fc");
  d.add("CrossEntropy", "loss");
  const std::string text = text_of(doc);
  EXPECT_TRUE(has(text, "self.conv = nn.Conv2d(in_channels, filters, kernel_size=1)")) << text;
  EXPECT_TRUE(has(text, "self.a = Part(in_channels=1, filters=3)\n"));
  EXPECT_TRUE(has(text, "self.b = Part(in_channels=3, filters=5)\n"));
}

TEST(SourceCode, ABlockThatWaitsForWhatItFeedsIsOpened) {
  GraphDoc doc;
  ASSERT_TRUE(doc.apply({PutBlock{"Two", Block{}}}));
  Draft inner(doc, "Two");
  const NodeId first = inner.add("BlockInput", "in0");
  inner.add("ReLU", "early");
  inner.add("BlockOutput", "out0");
  (void)first;
  inner.column();
  NodeId second = 0;
  ASSERT_TRUE(doc.apply(
      add_node(doc, "Two", Node{.type = "BlockInput", .name = "in1", .attrs = {{"port", std::int64_t{1}}}}, &second)));
  NodeId late = 0, out = 0;
  ASSERT_TRUE(doc.apply(add_node(doc, "Two", Node{.type = "Tanh", .name = "late"}, &late)));
  ASSERT_TRUE(doc.apply(
      add_node(doc, "Two", Node{.type = "BlockOutput", .name = "out1", .attrs = {{"port", std::int64_t{1}}}}, &out)));
  ASSERT_TRUE(doc.apply(connect(doc, "Two", {second, 0, late, 0})));
  ASSERT_TRUE(doc.apply(connect(doc, "Two", {late, 0, out, 0})));
  Draft d(doc);
  d.add("Input", "images", {{"channels", std::int64_t{1}}, {"height", std::int64_t{4}}, {"width", std::int64_t{4}}});
  const NodeId block = d.add("Block", "two", {{"block", std::string("Two")}});
  const NodeId between = d.add("Conv2d", "between");
  const NodeId flat = d.add("Flatten", "flat");
  d.add("Linear", "fc");
  d.add("CrossEntropy", "loss");
  ASSERT_TRUE(doc.apply(connect(doc, "", {between, 0, block, 1})));
  ASSERT_TRUE(doc.apply(connect(doc, "", {block, 1, flat, 0})));
  const std::string text = text_of(doc);
  EXPECT_FALSE(has(text, "class Two(")) << text;
  EXPECT_TRUE(has(text, "self.two.early(")) << text;
  const auto at = [&](const char* call) { return text.find(call); };
  EXPECT_LT(at("= self.two.early("), at("= self.between("));
  EXPECT_LT(at("= self.between("), at("= self.two.late("));
}

TEST(SourceCode, WordsOfTheProjectCannotLeaveTheirStrings) {
  EXPECT_EQ(python_string("a\"b\\c"), "\"a\\\"b\\\\c\"");
  EXPECT_EQ(python_string("line\nnext\t\x7f"), "\"line\\x0anext\\x09\\x7f\"");
  EXPECT_EQ(python_string("猫"), "\"猫\"");
  EXPECT_EQ(python_string("\u202Ereversed"), "\"\\u202ereversed\"");
  EXPECT_EQ(python_string("\u2028"), "\"\\u2028\"");
  EXPECT_EQ(python_string("😀"), "\"\\U0001f600\"");
  EXPECT_EQ(python_string("\xff\xfe"), "\"\\ufffd\\ufffd\"");
  const std::string hostile = "\"\"\"\nimport os\nos.abort()\n\"\"\"";
  for (const SourceLanguage language : both_languages) {
    const auto text = written(named("conv"), language, hostile, {hostile, "x']\nimport os", "猫"});
    ASSERT_TRUE(text) << text.error().str();
    EXPECT_FALSE(has(*text, "\nimport os\n"));
    EXPECT_FALSE(has(*text, "\nos.abort()"));
    EXPECT_TRUE(has(*text, "\"猫\""));
  }
}

TEST(SourceCode, NamesThatPythonOrItsLibrariesUseAreKeptAsStrings) {
  for (const char* name : {"class", "type", "_modules", "__init__", "卷积", "a..b", "eval", "None"}) {
    const std::string text = text_of(named(name));
    const std::string last = std::string(name).substr(std::string(name).rfind('.') + 1);
    EXPECT_TRUE(has(text, "put_part(")) << name;
    EXPECT_TRUE(has(text, python_string(last) + ", nn.Conv2d(1, 16, kernel_size=3))")) << name << "\n" << text;
    EXPECT_FALSE(has(text, "self." + last + " =")) << name;
  }
  EXPECT_FALSE(has(text_of(named("conv")), "put_part"));
}

TEST(SourceCode, ALayerWithTheNameOfAnothersWeightIsRefused) {
  for (const SourceLanguage language : both_languages) {
    const auto text = written(named("conv", "conv.weight"), language);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().code, Errc::bad_input);
    EXPECT_TRUE(has(text.error().str(), "conv.weight")) << text.error().str();
  }
  EXPECT_TRUE(written(named("conv", "conv.inner")));
  EXPECT_FALSE(written(named("a.training.b")));
  EXPECT_TRUE(written(named("a.training.b"), SourceLanguage::keras));
}

TEST(SourceCode, NamesAreIdentifiersAndUnique) {
  PythonNames names({"taken"});
  EXPECT_EQ(names.variable("taken", "value"), "taken2");
  EXPECT_EQ(names.variable("class", "value"), "class_");
  EXPECT_EQ(names.variable("layer1.0", "value"), "layer1_0");
  EXPECT_EQ(names.variable("猫", "value"), "value");
  EXPECT_EQ(names.variable("1st", "value"), "value_1st");
  EXPECT_EQ(names.class_name("basic block", "Block"), "BasicBlock");
  EXPECT_EQ(names.class_name("BasicBlock", "Block"), "BasicBlock2");
  EXPECT_EQ(names.class_name("18", "Block"), "Block18");
  EXPECT_EQ(names.function_name("SqueezeExcitation", "block"), "squeeze_excitation");
}

TEST(SourceCode, LinesAreShortAndEndPlainly) {
  for (const Template& t : all_templates())
    for (const SourceLanguage language : both_languages) {
      const std::string text = text_of(t.make(), language);
      ASSERT_FALSE(text.empty()) << t.name;
      EXPECT_TRUE(text.starts_with("\"\"\"network in ")) << t.name;
      EXPECT_TRUE(text.ends_with("    main()\n") && !text.ends_with("\n\n")) << t.name;
      EXPECT_FALSE(has(text, "\n\n\n\n")) << t.name;
      std::string marks = text;
      for (std::size_t at = marks.find("@torch.no_grad()"); at != std::string::npos;
           at = marks.find("@torch.no_grad()"))
        marks.erase(at, 1);
      EXPECT_FALSE(has(marks, "@")) << t.name << ": a mark was not filled";
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        EXPECT_LE(line.size(), 120u) << t.name << ": " << line;
        EXPECT_FALSE(line.ends_with(' ') || has(line, "\t")) << t.name << ": " << line;
      }
    }
}

TEST(SourceCode, OnlyWhatIsUsedIsImported) {
  const std::string plain = text_of(find_template("lenet5")->make()),
                    dense = text_of(find_template("densenet121")->make());
  EXPECT_FALSE(has(plain, "OrderedDict"));
  EXPECT_TRUE(has(plain, "\nimport gzip\n"));
  EXPECT_TRUE(has(dense, "\nfrom collections import OrderedDict\n"));
  EXPECT_FALSE(has(dense, "gzip"));
}

TEST(SourceCode, TheTrainingLoopHasTheProjectsSettings) {
  GraphDoc doc = named("conv");
  TrainSettings s;
  s.epochs = 7;
  s.batch = 33;
  s.optimizer.choose("adamw");
  s.optimizer.set("weight_decay", 0.125);
  s.learning_rate = 0.0625;
  s.l1 = 0.001;
  s.decay_bias_and_norm = false;
  s.clip_norm = 2.5;
  s.schedule = ScheduleKind::cosine;
  s.warmup_epochs = 1.5;
  s.random_crop = true;
  s.crop_padding = 3;
  s.transforms = {default_transform(*find_transform("MixUp"))};
  ASSERT_TRUE(doc.apply({PutSettings{s}}));
  const std::string text = text_of(doc);
  for (const char* part :
       {"\nEPOCHS = 7\n", "\nBATCH_SIZE = 33\n", "\nLEARNING_RATE = 0.0625\n", "\nWARMUP_EPOCHS = 1.5\n",
        "\nCLIP_NORM = 2.5\n", "nn.utils.clip_grad_norm_(model.parameters(), CLIP_NORM)", "torch.optim.AdamW(groups",
        "\"weight_decay\": 0.125 if decay else 0.0", "DECAY_BIAS_AND_NORM = False", "add_penalties(optimizer)",
        "math.cos(math.pi * done)", "v2.RandomCrop((4, 4), padding=3)", "MIXING = [(\"MixUp\", 0.5, 0.2)]",
        "\nMEAN = [0.5]\n", "\nDEVIATION = [0.25]\n"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
}

TEST(SourceCode, FrozenLayersAndRatesOfTheirOwnAreWritten) {
  GraphDoc doc = named("conv");
  for (const char* name : {"conv", "second", "fc"})
    for (const auto& [id, node] : std::map(doc.graph().nodes)) {
      if (node.name != name) continue;
      Node changed = node;
      changed.frozen = node.name == "conv";
      changed.frozen_epochs = node.name == "second" ? 3 : 0;
      changed.lr_scale = node.name == "fc" ? 0.5 : 1;
      ASSERT_TRUE(doc.apply({PutNode{"", id, changed}}));
    }
  const std::string text = text_of(doc);
  EXPECT_TRUE(has(text, "FROZEN = [(\"conv\", 10, 10), (\"second\", 3, 3)]")) << text;
  EXPECT_TRUE(has(text, "LR_SCALE = [(\"fc\", 0.5)]")) << text;
}

}  // namespace
}  // namespace nw::exchange
