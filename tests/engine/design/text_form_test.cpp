// SPDX-License-Identifier: Apache-2.0
// A network in text form reads back as the same document; one edited line is one change; an invalid line is reported
// with its cause.
#include "engine/design/text_form.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/net_text.hpp"
#include "tests/support/random_edits.hpp"

namespace nw {
namespace {
using test::edit;
using test::id_of;
using test::net;
using testing::HasSubstr;

const char* const small =
    "images: Input 1x8x8; conv1: Conv2d out_channels=6 kernel_size=3x2; relu1: ReLU; sum: Add <- relu1, conv1; "
    "f: Flatten; fc: Linear out_features=10; loss: CrossEntropy label_smoothing=0.1";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, text.npos) << from;
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

GraphDoc after(GraphDoc doc, const std::string& text, const std::string& scope = "") {
  const TextReading reading = read_network_text(doc, scope, text);
  for (const TextFault& fault : reading.faults) ADD_FAILURE() << fault.line << ": " << fault.what.str();
  edit(doc, reading.edit);
  return doc;
}

std::string fault(const GraphDoc& doc, const std::string& text, int line) {
  const TextReading reading = read_network_text(doc, "", text);
  EXPECT_TRUE(reading.edit.empty());
  if (reading.faults.empty()) return "none";
  EXPECT_EQ(reading.faults[0].line, line);
  return reading.faults[0].what.str();
}

TEST(TextForm, WritesOneLinePerLayer) {
  const std::string text = network_text(net(small), "");
  EXPECT_THAT(text, HasSubstr("conv1: Conv2d kernel_size=3x2 out_channels=6\n"));
  EXPECT_THAT(text, HasSubstr("sum: Add <- relu1, conv1\nf: Flatten\n"));
  EXPECT_EQ(line_of(text, "relu1"), 2);
  EXPECT_EQ(line_of(text, "relu"), -1);
}

/// Lines follow the network: a branch stays together, branches come from the uppermost, wherever cards are moved to.
TEST(TextForm, LinesFollowTheNetworkAndNotTheColumnsOfItsCards) {
  GraphDoc doc =
      net("images: Input 1x8x8; below: Conv2d <- images; above: Conv2d <- images; relu: ReLU <- above; "
          "sum: Add <- relu, below");
  const std::map<const char*, Point> places = {
      {"images", {900, 0}}, {"below", {100, 300}}, {"above", {500, 100}}, {"relu", {50, 900}}, {"sum", {0, 0}}};
  for (const auto& [name, at] : places) edit(doc, move_nodes(doc, "", {{id_of(doc, name), at}}));
  const std::string text = network_text(doc, "");
  int line = 0;
  for (const char* name : {"images", "above", "relu", "below", "sum"}) EXPECT_EQ(line_of(text, name), line++) << text;
  EXPECT_TRUE(read_network_text(doc, "", text).edit.empty());
}

TEST(TextForm, EveryTemplateReadsBackAsItIs) {
  for (const Template& t : all_templates()) {
    const GraphDoc doc = t.make();
    EXPECT_TRUE(read_network_text(doc, "", network_text(doc, "")).edit.empty()) << t.name;
    for (const auto& [name, block] : doc.blocks()) {
      const TextReading reading = read_network_text(doc, name, network_text(doc, name));
      EXPECT_TRUE(reading.faults.empty() && reading.edit.empty()) << t.name << " " << name;
    }
  }
}

TEST(TextForm, ATemplateIsDrawnFromItsTextAlone) {
  const GraphDoc whole = find_template("resnet18-cifar")->make();
  GraphDoc doc = whole;
  std::vector<NodeId> all;
  for (const auto& [id, node] : doc.graph().nodes) all.push_back(id);
  edit(doc, remove_nodes(doc, "", all));
  const GraphDoc again = after(doc, network_text(whole, ""));
  EXPECT_EQ(again.graph().nodes.size(), whole.graph().nodes.size());
  EXPECT_EQ(analyse(again, {}).parameters, analyse(whole, {}).parameters);
  EXPECT_EQ(analyse(again, {}).multiply_adds, analyse(whole, {}).multiply_adds);
}

TEST(TextForm, RandomDocumentsReadBackAsTheyAre) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    GraphDoc doc;
    for (std::uint64_t step = 0; step < 120; ++step)
      (void)doc.apply(test::any_edit(doc, test::Dice{seed * 1000 + step}));
    const TextReading reading = read_network_text(doc, "", network_text(doc, ""));
    EXPECT_TRUE(reading.edit.empty()) << seed;
  }
}

TEST(TextForm, NewLineIsConnectedToThePrecedingLayer) {
  const GraphDoc doc = net(small);
  const GraphDoc now =
      after(doc, replaced(network_text(doc, ""), "relu1: ReLU\n", "relu1: ReLU\npool: MaxPool2d  # smaller\n"));
  const Node& pool = now.graph().nodes.at(id_of(now, "pool"));
  EXPECT_GT(pool.position.y, now.graph().nodes.at(id_of(now, "relu1")).position.y);
  const Connection fed{id_of(now, "relu1"), 0, id_of(now, "pool"), 0};
  EXPECT_TRUE(std::binary_search(now.graph().connections.begin(), now.graph().connections.end(), fed));
  EXPECT_EQ(now.graph().nodes.size(), doc.graph().nodes.size() + 1);
}

TEST(TextForm, AChangedValueATakenLineAndARenamedLayerAreJustThat) {
  const GraphDoc doc = net(small);
  const std::string text = network_text(doc, "");
  const NodeId conv = id_of(doc, "conv1");
  EXPECT_EQ(
      after(doc, replaced(text, "out_channels=6", "out_channels=12")).graph().nodes.at(conv).attrs.at("out_channels"),
      Attr(std::int64_t{12}));
  const GraphDoc frozen = after(doc, replaced(text, "out_channels=6", "out_channels=6 frozen"));
  EXPECT_TRUE(frozen.graph().nodes.at(conv).frozen);
  const GraphDoc renamed = after(doc, replaced(replaced(text, "conv1:", "stem:"), ", conv1", ", stem"));
  EXPECT_EQ(renamed.graph().nodes.at(conv).name, "stem");
  EXPECT_EQ(renamed.graph().nodes.at(conv).position, doc.graph().nodes.at(conv).position);
  EXPECT_EQ(renamed.graph().connections, doc.graph().connections);
  const GraphDoc shorter = after(doc, replaced(text, "f: Flatten\n", ""));
  EXPECT_EQ(id_of(shorter, "f"), 0);
}

TEST(TextForm, IsUndoneToTheSameBytes) {
  GraphDoc doc = net(small);
  const std::string before = ProjectFile::text(doc);
  const TextReading reading = read_network_text(doc, "", "a: Input\nb: ReLU\nc: Add <- a, b\n");
  ASSERT_TRUE(reading.faults.empty());
  const auto undo = doc.apply(reading.edit);
  ASSERT_TRUE(undo);
  EXPECT_EQ(doc.graph().nodes.size(), 3u);
  ASSERT_TRUE(doc.apply(*undo));
  EXPECT_EQ(ProjectFile::text(doc), before);
}

TEST(TextForm, ReportsErrorsWithLineNumbers) {
  const GraphDoc doc = net(small);
  EXPECT_THAT(fault(doc, "a: Input\nb: Relu\n", 1), HasSubstr("ReLU"));
  EXPECT_THAT(fault(doc, "a Input\n", 0), HasSubstr("colon"));
  EXPECT_THAT(fault(doc, "a: Input\n\na: ReLU\n", 2), HasSubstr("taken"));
  EXPECT_THAT(fault(doc, "a: Input\nb: ReLU <- c\n", 1), HasSubstr("c"));
  EXPECT_THAT(fault(doc, "a: Input\nb: ReLU <- a, a\n", 1), HasSubstr("input"));
  EXPECT_THAT(fault(doc, "a: Input\nb: ReLU <- b\n", 1), HasSubstr("itself"));
  EXPECT_THAT(fault(doc, "a: Input\nb: ReLU <- a:1\n", 1), HasSubstr("output"));
  EXPECT_THAT(fault(doc, "a: Conv2d kernel_size=\n", 0), HasSubstr("value"));
  EXPECT_THAT(fault(doc, "a: Conv2d loud\n", 0), HasSubstr("loud"));
  EXPECT_EQ(fault(doc, "a: Conv2d padding=x\n", 0), "a: padding needs a number, not \"x\"");
  EXPECT_EQ(fault(doc, "a: Dropout p=half\n", 0), "a: p needs a number, not \"half\"");
  EXPECT_TRUE(read_network_text(doc, "", "a: Input\nb: Linear out_features=2*3\n").faults.empty()) << "a formula";
  EXPECT_THAT(fault(doc, "a: Conv2d p=\"x\n", 0), HasSubstr("quotation"));
}

}  // namespace
}  // namespace nw
