// SPDX-License-Identifier: Apache-2.0
#include "engine/design/graph_doc.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "tests/support/net_text.hpp"

namespace nw {
namespace {
using test::id_of;
using test::net;
using testing::HasSubstr;

GraphDoc chain() { return net("a: Input 1x28x28; b: Conv2d; c: ReLU; d: Flatten"); }

/// Applies, undoes and redoes the edit; undo and redo must restore the document.
void expect_invertible(GraphDoc doc, const Edit& edit) {
  const GraphDoc before = doc;
  const auto undo = doc.apply(edit);
  ASSERT_TRUE(undo) << undo.error().str();
  const GraphDoc after = doc;
  const auto redo = doc.apply(*undo);
  ASSERT_TRUE(redo) << redo.error().str();
  EXPECT_TRUE(doc == before);
  ASSERT_TRUE(doc.apply(*redo));
  EXPECT_TRUE(doc == after);
}

std::string refusal(const GraphDoc& doc, const Edit& edit) {
  GraphDoc copy = doc;
  const auto undo = copy.apply(edit);
  EXPECT_TRUE(undo || copy == doc) << "a refused edit must change nothing";
  return undo ? "" : undo.error().str();
}

TEST(GraphDoc, EveryKindOfEditIsInvertible) {
  const GraphDoc doc = chain();
  const NodeId b = id_of(doc, "b"), c = id_of(doc, "c");
  expect_invertible(doc, add_node(doc, "", Node{.type = "ReLU", .name = "e"}));
  expect_invertible(doc, remove_nodes(doc, "", {b, c}, true));
  expect_invertible(doc, disconnect(doc, "", {b, 0, c, 0}));
  expect_invertible(doc, insert_on(doc, "", {b, 0, c, 0}, Node{.type = "Dropout"}));
  expect_invertible(doc, set_attr(doc, "", b, "out_channels", std::int64_t{99}));
  expect_invertible(doc, rename_node(doc, "", b, "first"));
  expect_invertible(doc, move_nodes(doc, "", {{b, {5, 6}}, {c, {7, 8}}}));
  expect_invertible(doc, {PutFrame{"", doc.next_id(), Frame{"title", {1, 2, 3, 4}}}});
  expect_invertible(doc, {PutNote{"", doc.next_id(), Note{"text", {1, 2, 3, 4}}}});
  expect_invertible(doc, {PutBlock{"B", Block{{{"k", 2}}, doc.graph()}}});
  DataChoice data;
  data.kind = SourceKind::csv;
  TrainSettings settings;
  settings.epochs = 3;
  expect_invertible(doc, {PutData{data}, PutSettings{settings}});
}

TEST(GraphDoc, AnEditIsAppliedWholeOrNotAtAll) {
  const GraphDoc doc = chain();
  Edit edit = rename_node(doc, "", id_of(doc, "b"), "renamed");
  edit.push_back(PutNode{"", id_of(doc, "c"), std::nullopt});  // still has connections
  EXPECT_THAT(refusal(doc, edit), HasSubstr("c still has connections"));
}

TEST(GraphDoc, RejectsConnectionsThatCannotBe) {
  const GraphDoc doc = chain();
  const NodeId a = id_of(doc, "a"), b = id_of(doc, "b"), c = id_of(doc, "c"), d = id_of(doc, "d");
  const auto put = [&](Connection w) { return refusal(doc, {PutConnection{"", w, true}}); };
  EXPECT_THAT(put({a, 0, 999, 0}), HasSubstr("is not there"));
  EXPECT_THAT(put({b, 0, b, 0}), HasSubstr("itself"));
  EXPECT_THAT(put({a, 0, b, 0}), HasSubstr("exists already"));
  EXPECT_THAT(put({a, 0, d, 0}), HasSubstr("connected already"));
  EXPECT_THAT(put({c, 1, d, 0}), HasSubstr("no such output"));
  EXPECT_THAT(put({c, 0, d, 1}), HasSubstr("no such input"));
  EXPECT_THAT(put({c, 0, a, 0}), HasSubstr("no such input"));
  EXPECT_THAT(put({c, -1, d, -1}), HasSubstr("no such output"));
  EXPECT_THAT(refusal(doc, {PutConnection{"", {a, 0, d, 0}, false}}), HasSubstr("is not there"));
}

TEST(GraphDoc, RejectsBadNamesNumbersAndPlaces) {
  const GraphDoc doc = chain();
  const NodeId b = id_of(doc, "b");
  for (const char* name : {"", "1a", "a b", "a\u00a0b", "a-b", "a\n", ".a"})
    EXPECT_NE(refusal(doc, rename_node(doc, "", b, name)), "") << name;
  EXPECT_NE(refusal(doc, rename_node(doc, "", b, std::string(201, 'x'))), "");
  EXPECT_THAT(refusal(doc, rename_node(doc, "", b, "c")), HasSubstr("taken"));
  EXPECT_EQ(refusal(doc, {}), "");
  EXPECT_NE(refusal(doc, {PutNode{"", 0, Node{.type = "ReLU", .name = "x"}}}), "");
  EXPECT_NE(refusal(doc, {PutNode{"", -4, Node{.type = "ReLU", .name = "x"}}}), "");
  EXPECT_NE(refusal(doc, {PutNode{"", 77, std::nullopt}}), "");
  EXPECT_NE(refusal(doc, move_nodes(doc, "", {{b, {std::numeric_limits<double>::quiet_NaN(), 0}}})), "");
  EXPECT_NE(refusal(doc, set_attr(doc, "", b, "x", std::numeric_limits<double>::infinity())), "");
  EXPECT_NE(refusal(doc, {PutNode{"nowhere", 9, Node{.type = "ReLU", .name = "x"}}}), "");
  TrainSettings settings;
  settings.learning_rate = std::numeric_limits<double>::quiet_NaN();
  EXPECT_NE(refusal(doc, {PutSettings{settings}}), "");
}

TEST(GraphDoc, RejectsATypeWithoutPortsForTheConnections) {
  const GraphDoc doc = chain();
  Node node = doc.graph().nodes.at(id_of(doc, "b"));
  node.type = "Input";
  EXPECT_THAT(refusal(doc, {PutNode{"", id_of(doc, "b"), node}}), HasSubstr("cannot accept"));
  node.type = "Linear";
  EXPECT_EQ(refusal(doc, {PutNode{"", id_of(doc, "b"), node}}), "");
}

TEST(GraphDoc, RejectsABlockThatWouldContainItself) {
  GraphDoc doc;
  const auto block = [](const char* inner) {
    return Node{.type = "Block", .name = "x", .attrs = {{"block", std::string(inner)}}};
  };
  test::edit(doc, {PutBlock{"A", Block{}}, PutBlock{"B", Block{}}});
  test::edit(doc, {PutNode{"A", 1, block("B")}});
  EXPECT_THAT(refusal(doc, {PutNode{"B", 2, block("A")}}), HasSubstr("would contain itself"));
  EXPECT_THAT(refusal(doc, {PutNode{"B", 2, block("B")}}), HasSubstr("would contain itself"));
  EXPECT_EQ(refusal(doc, {PutBlock{"B", std::nullopt}, PutBlock{"B", Block{}}}), "");
}

TEST(GraphDoc, NodeIdsAreNeverReused) {
  GraphDoc doc = chain();
  const NodeId next = doc.next_id();
  const auto undo = doc.apply(add_node(doc, "", Node{.type = "ReLU"}));
  ASSERT_TRUE(doc.apply(*undo));
  EXPECT_EQ(doc.next_id(), next + 1);
}

TEST(FreeName, TakesTheFirstFreeNumber) {
  GraphDoc doc = net("conv1: Conv2d; conv3: Conv2d; conv03: Conv2d; conv: Conv2d; conv99999999999: Conv2d");
  EXPECT_EQ(doc.free_name("", "conv"), "conv2");
  EXPECT_EQ(doc.free_name("", "bn"), "bn1");
  NodeId id = 0;
  test::edit(doc, add_node(doc, "", Node{.type = "Conv2d", .name = "conv3"}, &id));
  EXPECT_EQ(doc.graph().nodes.at(id).name, "conv2");
  test::edit(doc, add_node(doc, "", Node{.type = "MaxPool2d", .name = "not a name"}, &id));
  EXPECT_EQ(doc.graph().nodes.at(id).name, "pool1");
}

TEST(RemoveNodes, HealsTheConnectionAcrossARowOfRemovedLayers) {
  GraphDoc doc = chain();
  test::edit(doc, remove_nodes(doc, "", {id_of(doc, "b"), id_of(doc, "c")}, true));
  EXPECT_EQ(doc.graph().connections, (std::vector<Connection>{{id_of(doc, "a"), 0, id_of(doc, "d"), 0}}));
}

TEST(RemoveNodes, LeavesOpenEndsWithoutHealing) {
  GraphDoc doc = chain();
  test::edit(doc, remove_nodes(doc, "", {id_of(doc, "b")}));
  EXPECT_EQ(doc.graph().connections.size(), 1u);
}

TEST(RemoveNodes, ReconnectingACycleTerminates) {
  GraphDoc doc = net("a: ReLU <- ; b: ReLU; c: ReLU");
  test::edit(doc, {PutConnection{"", {id_of(doc, "b"), 0, id_of(doc, "a"), 0}, true}});
  test::edit(doc, remove_nodes(doc, "", {id_of(doc, "a"), id_of(doc, "b")}, true));
  EXPECT_TRUE(doc.graph().connections.empty());
}

TEST(Connect, ReplacesThePreviousInputConnection) {
  GraphDoc doc = chain();
  const NodeId a = id_of(doc, "a"), d = id_of(doc, "d");
  test::edit(doc, connect(doc, "", {a, 0, d, 0}));
  EXPECT_EQ(std::count_if(doc.graph().connections.begin(), doc.graph().connections.end(),
                          [&](const Connection& c) { return c.to == d; }),
            1);
  EXPECT_TRUE(connect(doc, "", {a, 0, d, 0}).empty()) << "connected like this already";
}

TEST(Connect, GivesAddOneMoreInputInsteadOfReplacing) {
  GraphDoc doc = net("a: Input 1x8x8; b: ReLU; sum: Add <- a");
  test::edit(doc, connect(doc, "", {id_of(doc, "b"), 0, id_of(doc, "sum"), 0}));
  EXPECT_TRUE(std::count(doc.graph().connections.begin(), doc.graph().connections.end(),
                         Connection{id_of(doc, "b"), 0, id_of(doc, "sum"), 1}));
}

TEST(SetAttr, LeavesOutWhatIsTheDefault) {
  GraphDoc doc = chain();
  const NodeId b = id_of(doc, "b");
  test::edit(doc, set_attr(doc, "", b, "groups", std::int64_t{4}));
  EXPECT_TRUE(doc.graph().nodes.at(b).attrs.contains("groups"));
  test::edit(doc, set_attr(doc, "", b, "groups", std::int64_t{1}));
  EXPECT_FALSE(doc.graph().nodes.at(b).attrs.contains("groups"));
  EXPECT_TRUE(set_attr(doc, "", b, "groups", std::int64_t{1}).empty());
}

TEST(Clipboard, PastesWithFreshNamesAndTheConnectionsBetween) {
  GraphDoc doc = chain();
  const std::string text = copy_text(doc, "", {id_of(doc, "b"), id_of(doc, "c")});
  std::vector<NodeId> made;
  const auto edit = paste_text(doc, "", text, {1000, 500}, &made);
  ASSERT_TRUE(edit) << edit.error().str();
  expect_invertible(doc, *edit);
  test::edit(doc, *edit);
  ASSERT_EQ(made.size(), 2u);
  const Node &first = doc.graph().nodes.at(made[0]), &second = doc.graph().nodes.at(made[1]);
  EXPECT_EQ(first.name, "b1");
  EXPECT_EQ(second.name, "c1");
  EXPECT_EQ((first.position.y + second.position.y) / 2, 500);
  EXPECT_EQ(first.position.x, 1000);
  EXPECT_TRUE(
      std::count(doc.graph().connections.begin(), doc.graph().connections.end(), Connection{made[0], 0, made[1], 0}));
  EXPECT_EQ(doc.graph().connections.size(), 4u) << "connections to the outside are not copied";
}

TEST(Clipboard, BringsTheBlocksThatItsLayersNeed) {
  GraphDoc doc;
  test::edit(doc, {PutBlock{"Inner", Block{}}, PutBlock{"Outer", Block{}}});
  test::add_net(doc, "i: Block block=Inner", "Outer");
  test::add_net(doc, "o: Block block=Outer");
  const std::string text = copy_text(doc, "", {id_of(doc, "o")});
  GraphDoc other;
  test::edit(other, {PutBlock{"Inner", Block{{{"k", 7}}, {}}}});  // same name, different content
  const auto edit = paste_text(other, "", text, {0, 0});
  ASSERT_TRUE(edit);
  test::edit(other, *edit);
  ASSERT_TRUE(other.has_scope("Outer"));
  ASSERT_TRUE(other.has_scope("Inner2"));
  EXPECT_EQ(std::get<std::string>(other.graph("Outer").nodes.begin()->second.attrs.at("block")), "Inner2");
}

TEST(Clipboard, RejectsForeignText) {
  const GraphDoc doc = chain();
  for (const char* text :
       {"", "hello", "{}", "[]", "{\"netwright-graph\":99,\"network\":{}}", "{\"netwright-graph\":1}",
        "{\"netwright-graph\":1,\"network\":{\"connections\":[[1,0,2,0]]}}"})
    EXPECT_FALSE(paste_text(doc, "", text, {0, 0})) << text;
}

}  // namespace
}  // namespace nw
