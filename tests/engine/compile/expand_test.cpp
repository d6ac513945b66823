// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/compile/compile.hpp"
#include "engine/compile/context.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/memory_limit.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {
using test::edit;
using test::id_of;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names(const GraphDoc& doc) {
  std::vector<std::string> all;
  for (const ExpandedNode& n : analyse(doc, {}).expanded) all.push_back(n.name);
  return all;
}

GraphDoc with_block(const std::string& instance) {
  GraphDoc doc;
  edit(doc, {PutBlock{"B", Block{{{"filters", 4}, {"k", 3}}, {}}}});
  test::add_net(
      doc, "in: BlockInput; conv: Conv2d out_channels=$filters*2 kernel_size=$k padding=($k-1)/2; out: BlockOutput",
      "B");
  test::add_net(doc, "images: Input 1x8x8; " + instance + "; f: Flatten; fc: Linear; loss: CrossEntropy");
  return doc;
}

TEST(Blocks, LayersOfASingleInstanceArePrefixedWithItsName) {
  EXPECT_THAT(names(with_block("b: Block block=B")), ElementsAre("images", "b.conv", "f", "fc", "loss"));
}
TEST(Blocks, RepeatsAreNumberedFromZero) {
  EXPECT_THAT(names(with_block("b: Block block=B repeat=3")),
              ElementsAre("images", "b.0.conv", "b.1.conv", "b.2.conv", "f", "fc", "loss"));
}
TEST(Blocks, RepeatsAreNumberedFromTheNumberInTheInstanceName) {
  EXPECT_THAT(names(with_block("b.1: Block block=B repeat=2")),
              ElementsAre("images", "b.1.conv", "b.2.conv", "f", "fc", "loss"));
}

/// A file of 6 KB: `nodes` Add layers, each fed at its last port, in a block that is repeated.
std::string port_bomb(int nodes, int port, int repeat) {
  std::string made, wires;
  for (int i = 0; i < nodes; ++i) {
    made += fmt::format(R"({{"id":{},"type":"Add","name":"a{}"}},)", 10 + i, i);
    wires += fmt::format("[2,0,{},{}],", 10 + i, port);
  }
  return R"({"format":1,"network":{"nodes":[{"id":1,"type":"Block","name":"b","attrs":{"block":"B","repeat":)" +
         std::to_string(repeat) + R"(}}]},"blocks":{"B":{"network":{"nodes":[)" + made +
         R"({"id":2,"type":"BlockInput","name":"in"},{"id":3,"type":"BlockOutput","name":"out"}],"connections":[)" +
         wires + "[2,0,3,0]]}}}}";
}

TEST(Blocks, PortsTimesRepeatsAreBudgetedBeforeAnythingIsMade) {
  const auto doc = ProjectFile::parse(port_bomb(97, 4095, 1000), "bomb");
  ASSERT_TRUE(doc) << doc.error().str();
  const test::MemoryLimit limit(300);
  const Analysis analysis = analyse(*doc, {});
  const auto& all = analysis.problems;
  EXPECT_TRUE(std::any_of(all.begin(), all.end(), [](const Problem& p) {
    return p.what.str().find("more than 1000000 inputs once the blocks are repeated") != std::string::npos;
  }));
}

TEST(Blocks, AProjectWithTooManyPortsIsNotRead) {
  const auto doc = ProjectFile::parse(port_bomb(98, 4095, 1), "bomb");
  ASSERT_FALSE(doc);
  EXPECT_THAT(doc.error().str(), HasSubstr("inputs; at most 400000 are read"));
  EXPECT_TRUE(ProjectFile::parse(port_bomb(98, 4000, 1), "large"));
}

TEST(Blocks, ParametersDefaultToTheDefinitionAndCanBeOverridden) {
  const auto output = [](const std::string& instance) {
    const GraphDoc doc = with_block(instance);
    return analyse(doc, {}).facts.at("").at(id_of(doc, "b")).output;
  };
  EXPECT_EQ(output("b: Block block=B"), (Shape{1, 8, 8, 8}));
  EXPECT_EQ(output("b: Block block=B filters=7 k=5"), (Shape{1, 14, 8, 8}));
}

TEST(Blocks, AnInstanceReportsTheParameterCountOfItsLayers) {
  const GraphDoc doc = with_block("b: Block block=B repeat=2");
  const NodeInfo facts = analyse(doc, {}).facts.at("").at(id_of(doc, "b"));
  EXPECT_EQ(facts.parameters, (8 * 1 * 9 + 8) + (8 * 8 * 9 + 8));
}

TEST(Blocks, ABlockFollowedByABlockReportsItsOutputShape) {
  const GraphDoc doc = with_block("b.1: Block block=B repeat=2; c: Block block=B filters=3");
  const auto facts = analyse(doc, {}).facts.at("");
  EXPECT_EQ(facts.at(id_of(doc, "b.1")).output, (Shape{1, 8, 8, 8}));
  EXPECT_EQ(facts.at(id_of(doc, "b.1")).parameters, (8 * 1 * 9 + 8) + (8 * 8 * 9 + 8));
  EXPECT_EQ(facts.at(id_of(doc, "c")).output, (Shape{1, 6, 8, 8}));
}

TEST(Blocks, TwoLayersWithTheSameExpandedNameAreRejected) {
  const GraphDoc doc = with_block("b.conv: ReLU; b: Block block=B");
  const Analysis a = analyse(doc, {});
  ASSERT_FALSE(a.ok());
  EXPECT_THAT(a.problems[0].what.str(), HasSubstr("stands for two layers"));
}

TEST(Blocks, NestedRepeatsAreRejectedBeyondTheLimit) {
  GraphDoc doc;
  edit(doc, {PutBlock{"B0", Block{}}});
  test::add_net(doc, "in: BlockInput; r: ReLU; out: BlockOutput", "B0");
  for (int i = 1; i < 8; ++i) {
    edit(doc, {PutBlock{"B" + std::to_string(i), Block{}}});
    test::add_net(doc, "in: BlockInput; b: Block repeat=1000 block=B" + std::to_string(i - 1) + "; out: BlockOutput",
                  "B" + std::to_string(i));
  }
  test::add_net(doc, "images: Input; b: Block block=B7; f: Flatten; fc: Linear; loss: CrossEntropy");
  const Analysis a = analyse(doc, {});
  EXPECT_FALSE(a.ok());
  EXPECT_FALSE(compile(doc, {}));
}

TEST(ResNet, LayerNamesMatchTorchvision) {
  const GraphDoc doc = find_template("resnet18-cifar")->make();
  const auto all = names(doc);
  for (const char* name : {"conv1", "bn1", "layer1.0.conv1", "layer1.1.bn2", "layer2.0.downsample.0",
                           "layer2.0.downsample.1", "layer4.1.conv2", "fc"})
    EXPECT_THAT(all, testing::Contains(name));
}

TEST(Formula, EvaluatesExpressionsOverParameters) {
  using compiling::evaluate;
  const std::map<std::string, std::int64_t> p = {{"a", 6}, {"b", 4}};
  EXPECT_EQ(*evaluate("$a*2+1", p), 13);
  EXPECT_EQ(*evaluate(" ( $a + $b ) / 3 ", p), 3);
  EXPECT_EQ(*evaluate("-$a-(-$b)", p), -2);
  EXPECT_EQ(*evaluate("2+3*4-10/5", p), 12);
}

TEST(Formula, RejectsMalformedExpressionsAndOverflow) {
  using compiling::evaluate;
  const std::map<std::string, std::int64_t> p = {{"min", INT64_MIN}, {"z", 0}};
  for (const char* bad :
       {"", "$", "$x", "1+", "(1", "1)", "1 2", "a", "$z z", "1/$z", "9223372036854775808", "9223372036854775807+1",
        "-$min", "$min/-1", "$min-1", "4611686018427387904*2", "1e3", "2**3"})
    EXPECT_FALSE(evaluate(bad, p)) << bad;
  EXPECT_FALSE(evaluate(std::string(1 << 20, '('), p));
  EXPECT_FALSE(evaluate(std::string(1 << 20, '-'), p));
}

/// analyse() returns for every network: without errors a plan exists, and with errors compile() fails.
TEST(Analyse, AcceptsArbitraryGraphsWithoutCrashing) {
  std::mt19937 random(11);
  const auto layers = all_layers();
  for (int round = 0; round < 300; ++round) {
    GraphDoc doc = round % 3 == 0 ? find_template(round % 2 ? "lenet5" : "resnet18-cifar")->make() : GraphDoc();
    if (round % 3 == 1) edit(doc, {PutBlock{"B", Block{}}});
    for (int i = 0; i < 12; ++i) {
      const std::string scope = !doc.blocks().empty() && random() % 3 == 0 ? doc.blocks().begin()->first : "";
      Node node{.type = random() % 9 ? std::string(layers[random() % layers.size()]->name) : "Block"};
      if (node.type == "Block")
        node.attrs = {{"block", std::string("B")}, {"repeat", static_cast<std::int64_t>(random() % 4)}};
      if (random() % 3 == 0)
        node.attrs["kernel_size"] = std::vector<std::int64_t>{static_cast<std::int64_t>(random() % 40), 3};
      node.bypassed = random() % 8 == 0;
      (void)doc.apply(add_node(doc, scope, node));
      for (int k = 0; k < 3; ++k) {
        const auto& nodes = doc.graph(scope).nodes;
        if (nodes.empty()) continue;
        const auto any = [&] { return std::next(nodes.begin(), static_cast<long>(random() % nodes.size()))->first; };
        (void)doc.apply(connect(doc, scope, {any(), 0, any(), static_cast<int>(random() % 2)}));
      }
    }
    const Analysis a = analyse(doc, {});
    EXPECT_EQ(static_cast<bool>(compile(doc, {.training = random() % 2 == 0, .batch = 3})), a.ok())
        << ProjectFile::text(doc);
    for (const Problem& p : a.problems)
      for (const Fix& fix : p.fixes) {
        GraphDoc repaired = doc;
        EXPECT_TRUE(repaired.apply(fix.edit)) << fix.label.str() << " cannot be applied";
      }
  }
}

TEST(Analyse, LongChainsAndLongCyclesFinishQuickly) {
  for (const bool ring : {false, true}) {
    std::string json = R"({"format":1,"network":{"nodes":[)", wires = "],\"connections\":[";
    const int n = 20000;
    for (int i = 1; i <= n; ++i) {
      json += (i > 1 ? "," : "") + std::string(R"({"id":)") + std::to_string(i) + R"(,"type":")" +
              (i == 1 && !ring ? "Input" : "ReLU") + R"(","bypassed":)" + (i % 2 ? "true" : "false") + R"(,"name":"n)" +
              std::to_string(i) + "\"}";
      if (i < n) wires += (i > 1 ? ",[" : "[") + std::to_string(i) + ",0," + std::to_string(i + 1) + ",0]";
    }
    if (ring) wires += ",[" + std::to_string(n / 2) + ",0,1,0]";
    const auto doc = ProjectFile::parse(json + wires + "]}}", "chain");
    ASSERT_TRUE(doc) << doc.error().str();
    EXPECT_FALSE(analyse(*doc, {}).ok());
  }
}

}  // namespace
}  // namespace nw
