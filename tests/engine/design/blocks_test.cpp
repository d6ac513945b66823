// SPDX-License-Identifier: Apache-2.0
// Blocks created, dissolved, parametrised and shared: the function that the network computes stays the same.
#include "engine/design/block_edits.hpp"

#include <gmock/gmock.h>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {
using test::edit;
using test::id_of;
using test::net;
using testing::HasSubstr;

constexpr auto lenet =
    "images: Input 1x28x28; conv1: Conv2d out_channels=6 kernel_size=5; relu1: ReLU; pool1: MaxPool2d; "
    "conv2: Conv2d out_channels=16 kernel_size=5; relu2: ReLU; f: Flatten; fc: Linear out_features=10; loss: "
    "CrossEntropy";

std::vector<NodeId> ids(const GraphDoc& doc, const std::vector<std::string>& names, const std::string& scope = "") {
  std::vector<NodeId> all;
  for (const std::string& name : names) all.push_back(id_of(doc, name, scope));
  return all;
}

GraphDoc grouped(GraphDoc doc, const std::vector<std::string>& names, const std::string& name = "Stage") {
  const auto made = group_nodes(doc, "", ids(doc, names), name);
  EXPECT_TRUE(made) << (made ? "" : made.error().str());
  if (made) edit(doc, *made);
  return doc;
}

/// Parameters and multiply-adds: equal before and after an edit that preserves the computed function.
std::pair<std::int64_t, std::int64_t> computed(const GraphDoc& doc) {
  const Analysis a = analyse(doc, {});
  EXPECT_TRUE(a.ok()) << (a.problems.empty() ? "" : a.problems[0].what.str());
  return {a.parameters, a.multiply_adds};
}

TEST(Grouping, PutsOneInstanceInThePlaceOfTheLayersAndComputesTheSame) {
  const GraphDoc before = net(lenet);
  const GraphDoc after = grouped(before, {"conv1", "relu1", "pool1"});
  ASSERT_TRUE(after.blocks().contains("Stage"));
  EXPECT_EQ(after.graph().nodes.size(), before.graph().nodes.size() - 2);
  EXPECT_EQ(after.graph("Stage").nodes.size(), 5u);
  EXPECT_NE(id_of(after, "in", "Stage"), 0);
  EXPECT_EQ(computed(after), computed(before));
}

TEST(Grouping, IsUndoneToTheSameBytes) {
  GraphDoc doc = net(lenet);
  const std::string before = ProjectFile::text(doc);
  const auto made = group_nodes(doc, "", ids(doc, {"conv1", "relu1"}), "");
  ASSERT_TRUE(made);
  auto undo = doc.apply(*made);
  ASSERT_TRUE(undo);
  EXPECT_TRUE(doc.has_scope("Block1"));
  ASSERT_TRUE(doc.apply(*undo));
  EXPECT_EQ(ProjectFile::text(doc), before);
}

TEST(Grouping, OneOutsideSourceIsOneInputAndEachUsedOutputIsOneOutput) {
  const GraphDoc before =
      net("images: Input 3x8x8; a: Conv2d out_channels=4 padding=1; b: Conv2d out_channels=4 padding=1; c: Conv2d "
          "out_channels=4 padding=1 <- a; "
          "sum: Add <- b, c; f: Flatten; fc: Linear out_features=3; loss: CrossEntropy");
  const GraphDoc two_outputs = grouped(before, {"b", "c"});
  EXPECT_EQ(computed(two_outputs), computed(before));
  int ins = 0, outs = 0;
  for (const auto& [id, node] : two_outputs.graph("Stage").nodes) {
    ins += node.type == "BlockInput";
    outs += node.type == "BlockOutput";
  }
  EXPECT_EQ(ins, 1);
  EXPECT_EQ(outs, 2);
  EXPECT_EQ(computed(grouped(before, {"b", "c", "sum"})), computed(before));
}

TEST(Grouping, UnconnectedLayersGetBlockInputAndOutput) {
  const GraphDoc doc = grouped(net("a: Conv2d; b: ReLU"), {"a", "b"});
  EXPECT_NE(id_of(doc, "in", "Stage"), 0);
  EXPECT_NE(id_of(doc, "out", "Stage"), 0);
  EXPECT_EQ(doc.graph("Stage").connections.size(), 3u);
}

TEST(Grouping, RejectsWhatCannotBeABlock) {
  const GraphDoc doc = net(lenet);
  const auto refused = [&](const std::vector<std::string>& names) {
    const auto made = group_nodes(doc, "", ids(doc, names), "Stage");
    return made ? std::string() : made.error().str();
  };
  EXPECT_THAT(refused({}), HasSubstr("Select"));
  EXPECT_THAT(refused({"images", "conv1"}), HasSubstr("images"));
  EXPECT_THAT(refused({"fc", "loss"}), HasSubstr("loss"));
  EXPECT_THAT(refused({"conv1", "pool1"}), HasSubstr("relu1")) << "the signal comes back over it";
}

TEST(Grouping, InsideABlockFormulasKeepTheirParameters) {
  GraphDoc doc;
  edit(doc, {PutBlock{"Outer", Block{{{"filters", 4}, {"unused", 1}}, {}}}});
  test::add_net(doc, "in: BlockInput; conv: Conv2d out_channels=$filters*2 padding=1; r: ReLU; out: BlockOutput",
                "Outer");
  test::add_net(
      doc,
      "images: Input 3x8x8; o: Block block=Outer filters=5; f: Flatten; fc: Linear out_features=3; loss: CrossEntropy");
  const auto before = computed(doc);
  const auto made = group_nodes(doc, "Outer", ids(doc, {"conv", "r"}, "Outer"), "Inner");
  ASSERT_TRUE(made);
  edit(doc, *made);
  ASSERT_EQ(doc.blocks().at("Inner").parameters.size(), 1u);
  EXPECT_EQ(computed(doc), before);
}

TEST(Grouping, EnclosingFrameMovesIntoTheBlock) {
  GraphDoc doc = net(lenet);
  edit(doc, {PutFrame{"", doc.next_id(), Frame{"Stage one", {-200, 150, 400, 250}}}});  // conv1, relu1
  const GraphDoc after = grouped(doc, {"conv1", "relu1"});
  EXPECT_TRUE(after.graph().frames.empty());
  EXPECT_EQ(after.graph("Stage").frames.size(), 1u);
}

TEST(Ungrouping, BringsTheLayersBackWithTheNamesOfTheirWeights) {
  const GraphDoc before = net(lenet);
  GraphDoc doc = grouped(before, {"conv1", "relu1", "pool1"});
  const auto apart = ungroup_node(doc, "", id_of(doc, "stage1"));
  ASSERT_TRUE(apart);
  edit(doc, *apart);
  EXPECT_NE(id_of(doc, "stage1.conv1"), 0);
  EXPECT_EQ(doc.graph().nodes.size(), before.graph().nodes.size());
  EXPECT_EQ(doc.graph().connections.size(), before.graph().connections.size());
  EXPECT_EQ(computed(doc), computed(before));
}

TEST(Ungrouping, DrawsEveryRepeatWithItsParameters) {
  GraphDoc doc;
  edit(doc, {PutBlock{"B", Block{{{"filters", 4}}, {}}}});
  test::add_net(
      doc, "in: BlockInput; conv: Conv2d out_channels=$filters*2 padding=1; sum: Add <- conv, conv; out: BlockOutput",
      "B");
  test::add_net(doc,
                "images: Input 3x8x8; b: Block block=B filters=5 repeat=3; f: Flatten; fc: Linear out_features=3; "
                "loss: CrossEntropy");
  const auto before = computed(doc);
  std::vector<NodeId> made;
  const auto apart = ungroup_node(doc, "", id_of(doc, "b"), &made);
  ASSERT_TRUE(apart);
  edit(doc, *apart);
  EXPECT_EQ(made.size(), 6u);
  const Node& conv = doc.graph().nodes.at(id_of(doc, "b.2.conv"));
  EXPECT_EQ(conv.attrs.at("out_channels"), Attr(std::int64_t{10}));
  EXPECT_EQ(computed(doc), before);
}

TEST(Ungrouping, EveryBlockOfEveryTemplateGivesTheSameNetwork) {
  for (const Template& t : all_templates()) {
    GraphDoc doc = t.make();
    const Analysis before = analyse(doc, {});
    for (bool found = true; found;) {
      found = false;
      for (const auto& [id, node] : doc.graph().nodes) {
        if (node.type != "Block") continue;
        const auto apart = ungroup_node(doc, "", id);
        ASSERT_TRUE(apart) << apart.error().str();
        edit(doc, *apart);
        found = true;
        break;
      }
    }
    const Analysis after = analyse(doc, {});
    EXPECT_EQ(after.parameters, before.parameters) << t.name;
    EXPECT_EQ(after.multiply_adds, before.multiply_adds) << t.name;
    EXPECT_EQ(after.ok(), before.ok()) << t.name;
  }
}

TEST(Blocks, EditingAUniqueInstanceLeavesOthersUnchanged) {
  GraphDoc doc;
  edit(doc, {PutBlock{"B", Block{}}});
  test::add_net(doc, "in: BlockInput; r: ReLU; out: BlockOutput", "B");
  test::add_net(doc, "images: Input 3x8x8; b1: Block block=B; b2: Block block=B");
  EXPECT_EQ(instances_of(doc, "B"), 2);
  edit(doc, make_unique(doc, "", {id_of(doc, "b2")}));
  ASSERT_TRUE(doc.blocks().contains("B2"));
  EXPECT_EQ(instances_of(doc, "B"), 1);
  edit(doc, remove_nodes(doc, "B2", {id_of(doc, "r", "B2")}, true));
  EXPECT_NE(id_of(doc, "r", "B"), 0);
}

TEST(Blocks, RenamingADefinitionRenamesItInEveryInstance) {
  GraphDoc doc;
  edit(doc, {PutBlock{"A", Block{}}, PutBlock{"B", Block{}}});
  test::add_net(doc, "in: BlockInput; r: ReLU; out: BlockOutput", "A");
  test::add_net(doc, "in: BlockInput; a: Block block=A; out: BlockOutput", "B");
  test::add_net(doc, "images: Input 3x8x8; a: Block block=A");
  const std::string before = ProjectFile::text(doc);
  const auto renamed = rename_block(doc, "A", "Stem");
  ASSERT_TRUE(renamed);
  const auto undo = doc.apply(*renamed);
  ASSERT_TRUE(undo);
  EXPECT_EQ(instances_of(doc, "Stem"), 2);
  EXPECT_FALSE(doc.blocks().contains("A"));
  ASSERT_TRUE(doc.apply(*undo));
  EXPECT_EQ(ProjectFile::text(doc), before);
  EXPECT_FALSE(rename_block(doc, "A", "B"));
  EXPECT_FALSE(rename_block(doc, "A", "no name"));
}

TEST(Blocks, ASettingBecomesAParameterAndBack) {
  GraphDoc doc = grouped(net(lenet), {"conv1", "relu1", "pool1"});
  const auto before = computed(doc);
  const auto exposed = expose_setting(doc, "Stage", id_of(doc, "conv1", "Stage"), "out_channels");
  ASSERT_TRUE(exposed);
  edit(doc, *exposed);
  EXPECT_EQ(computed(doc), before);
  edit(doc, set_attr(doc, "", id_of(doc, "stage1"), "out_channels", std::int64_t{12}));
  EXPECT_NE(computed(doc), before);
  const auto removed = remove_parameter(doc, "Stage", "out_channels");
  ASSERT_TRUE(removed);
  const auto wider = computed(doc);
  edit(doc, *removed);
  EXPECT_EQ(computed(doc), wider);
  EXPECT_EQ(doc.graph("Stage").nodes.at(id_of(doc, "conv1", "Stage")).attrs.at("out_channels"), Attr(std::int64_t{12}));
  EXPECT_FALSE(doc.graph().nodes.at(id_of(doc, "stage1")).attrs.contains("out_channels"));
}

TEST(Blocks, AParameterStaysWhileInstancesDifferInIt) {
  GraphDoc doc;
  edit(doc, {PutBlock{"B", Block{{{"k", 1}}, {}}}});
  test::add_net(doc, "in: BlockInput; r: ReLU; out: BlockOutput", "B");
  test::add_net(doc, "images: Input 3x8x8; a: Block block=B k=2; b: Block block=B");
  EXPECT_FALSE(remove_parameter(doc, "B", "k"));
  EXPECT_FALSE(add_parameter(doc, "B", "k", 3));
  EXPECT_FALSE(add_parameter(doc, "B", "a.b", 3));
  EXPECT_TRUE(add_parameter(doc, "B", "width", 3));
}

TEST(Blocks, TextIncludesNestedDefinitions) {
  GraphDoc from;
  edit(from, {PutBlock{"Inner", Block{}}, PutBlock{"Outer", Block{{{"n", 3}}, {}}}});
  test::add_net(from, "in: BlockInput; r: ReLU; out: BlockOutput", "Inner");
  test::add_net(from, "in: BlockInput; i: Block block=Inner; out: BlockOutput", "Outer");
  const std::string text = block_text(from, "Outer");
  GraphDoc to;
  auto taken = take_block(to, text);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->name, "Outer");
  edit(to, taken->edit);
  EXPECT_EQ(to.blocks(), from.blocks());
  taken = take_block(to, text);
  ASSERT_TRUE(taken);
  EXPECT_TRUE(taken->edit.empty()) << "the same definition is there already";
  edit(to, remove_nodes(to, "Inner", {id_of(to, "r", "Inner")}, true));
  taken = take_block(to, text);
  ASSERT_TRUE(taken);
  edit(to, taken->edit);
  ASSERT_TRUE(to.blocks().contains("Inner2"));
  EXPECT_NE(id_of(to, "r", "Inner2"), 0) << "another one comes under a name of its own";
  EXPECT_FALSE(take_block(to, "hello"));
  EXPECT_FALSE(take_block(to, copy_text(from, "", {})));
}

}  // namespace
}  // namespace nw
