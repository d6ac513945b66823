// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "engine/design/graph_diff.hpp"
#include "engine/design/project_file.hpp"

namespace nw {
namespace {

NodeId find(const GraphDoc& doc, const std::string& scope, const char* name) {
  for (const auto& [id, node] : doc.graph(scope).nodes)
    if (node.name == name) return id;
  return 0;
}
void change(GraphDoc& doc, const Edit& edit) { ASSERT_TRUE(doc.apply(edit)); }

TEST(GraphDiff, EqualDocumentsDoNotDiffer) {
  for (const Template& t : all_templates()) EXPECT_TRUE(diff(t.make(), t.make()).empty()) << t.name;
}

TEST(GraphDiff, PlacesFramesAndNotesDoNotCount) {
  const GraphDoc before = find_template("lenet5")->make();
  GraphDoc after = before;
  change(after, move_nodes(after, "", {{find(after, "", "conv1"), {5, 6}}}));
  change(after, {PutNote{"", after.next_id(), Note{"look", {}}}});
  EXPECT_TRUE(diff(before, after).empty());
  EXPECT_EQ(network_hash(before), network_hash(after));
}

TEST(GraphDiff, ASettingIsNamedWithBothValues) {
  const GraphDoc before = find_template("lenet5")->make();
  GraphDoc after = before;
  change(after, set_attr(after, "", find(after, "", "conv2"), "out_channels", std::int64_t{32}));
  const GraphDiff d = diff(before, after);
  ASSERT_EQ(d.nodes.size(), 1U);
  EXPECT_EQ(d.nodes[0].kind, ChangeKind::changed);
  EXPECT_EQ(d.nodes[0].name, "conv2");
  EXPECT_EQ(d.nodes[0].fields, (std::vector<FieldChange>{{"out_channels", "16", "32"}}));
  EXPECT_TRUE(d.wires.empty());
  EXPECT_NE(network_hash(before), network_hash(after));
}

TEST(GraphDiff, ALayerTakenAwayTakesItsConnectionsAndTheHealedOneIsNew) {
  const GraphDoc before = find_template("lenet5")->make();
  GraphDoc after = before;
  change(after, remove_nodes(after, "", {find(after, "", "relu1")}, true));
  const GraphDiff d = diff(before, after), back = diff(after, before);
  EXPECT_EQ(d.count(ChangeKind::removed), 1);
  EXPECT_EQ(d.wires.size(), 3U);
  EXPECT_EQ(back.count(ChangeKind::added), 1);
  EXPECT_EQ(back.nodes[0].after, find(before, "", "relu1"));
}

TEST(GraphDiff, ChangesInsideABlockCarryItsName) {
  const GraphDoc before = find_template("resnet18-cifar")->make();
  GraphDoc after = before;
  change(after, set_attr(after, "BasicBlock", find(after, "BasicBlock", "conv1"), "bias", true));
  const GraphDiff d = diff(before, after);
  ASSERT_EQ(d.nodes.size(), 1U);
  EXPECT_EQ(d.nodes[0].scope, "BasicBlock");
}

TEST(GraphDiff, DataAndTrainingSettingsAreToldApart) {
  const GraphDoc before = find_template("lenet5")->make();
  GraphDoc after = before;
  TrainSettings s = after.settings();
  s.batch += 1;
  change(after, {PutSettings{s}});
  const GraphDiff d = diff(before, after);
  EXPECT_TRUE(d.nodes.empty() && d.data.empty());
  ASSERT_EQ(d.settings.size(), 1U);
  EXPECT_EQ(d.settings[0].after, std::to_string(s.batch));
  EXPECT_EQ(network_hash(before), network_hash(after));
}

}  // namespace
}  // namespace nw
