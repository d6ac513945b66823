// SPDX-License-Identifier: Apache-2.0
// Conflicts of a merge ended one by one, with our side or theirs.
#include <gtest/gtest.h>

#include "engine/compile/compile.hpp"
#include "engine/design/block_edits.hpp"
#include "engine/design/merge.hpp"
#include "engine/design/project_file.hpp"

namespace nw {
namespace {

class MergeResolve : public testing::Test {
 protected:
  GraphDoc base = find_template("lenet5")->make(), ours = base, theirs = base, merged;

  static NodeId id(const GraphDoc& doc, const std::string& name, const std::string& scope = "") {
    for (const auto& [id, node] : doc.graph(scope).nodes)
      if (node.name == name) return id;
    return 0;
  }
  static void apply(GraphDoc& doc, const Edit& edit) {
    const auto done = doc.apply(edit);
    ASSERT_TRUE(done) << done.error().str();
  }
  static void set(GraphDoc& doc, const char* layer, const char* field, Attr value) {
    apply(doc, set_attr(doc, "", id(doc, layer), field, std::move(value)));
  }
  static void rate(GraphDoc& doc, double value) {
    TrainSettings s = doc.settings();
    s.learning_rate = value;
    apply(doc, {PutSettings{s}});
  }
  std::vector<MergeConflict> conflicts() { return recorded_conflicts(merged); }
  void join(std::size_t expected) {
    auto made = merge(base, ours, theirs);
    ASSERT_TRUE(made);
    merged = std::move(made->doc);
    ASSERT_EQ(conflicts().size(), expected);
  }
  /// Also back and forth again.
  void end(const MergeConflict& c, MergeSide side) {
    const auto edit = resolve(merged, c, side);
    ASSERT_TRUE(edit) << edit.error().str();
    const std::string before = ProjectFile::text(merged);
    const auto undo = merged.apply(*edit);
    ASSERT_TRUE(undo);
    const std::string after = ProjectFile::text(merged);
    apply(merged, *undo);
    EXPECT_EQ(ProjectFile::text(merged), before);
    apply(merged, *edit);
    EXPECT_EQ(ProjectFile::text(merged), after);
  }
  Attr attr(const char* layer, const char* field) { return merged.graph().nodes.at(id(merged, layer)).attrs.at(field); }
};

TEST_F(MergeResolve, AFieldIsOursOrTheirsAndTheOtherConflictStays) {
  set(ours, "conv1", "out_channels", std::int64_t{8});
  set(theirs, "conv1", "out_channels", std::int64_t{12});
  rate(ours, 0.5);
  rate(theirs, 0.25);
  join(2);
  end(conflicts()[0], MergeSide::theirs);
  EXPECT_EQ(attr("conv1", "out_channels"), Attr(std::int64_t{12}));
  ASSERT_EQ(conflicts().size(), 1U);
  const GraphDoc open = merged;
  end(conflicts()[0], MergeSide::ours);
  EXPECT_EQ(merged.settings().learning_rate, 0.5);
  EXPECT_TRUE(conflicts().empty());
  EXPECT_TRUE(merged.extra("conflicts").is_null());
  merged = open;
  end(conflicts()[0], MergeSide::theirs);
  EXPECT_EQ(merged.settings().learning_rate, 0.25);
  EXPECT_FALSE(resolve(merged, recorded_conflicts(open)[0], MergeSide::ours)) << "it was ended";
}

TEST_F(MergeResolve, ALayerThatWeRemovedComesBackWithItsConnections) {
  apply(ours, remove_nodes(ours, "", {id(ours, "relu1")}, true));
  set(theirs, "relu1", "inplace_note", std::string("kept"));
  Node changed = theirs.graph().nodes.at(id(theirs, "relu1"));
  changed.type = "GELU";
  apply(theirs, {PutNode{"", id(theirs, "relu1"), changed}});
  join(1);
  ASSERT_EQ(conflicts()[0].kind, ConflictKind::removed_ours);
  EXPECT_EQ(id(merged, "relu1"), 0);
  end(conflicts()[0], MergeSide::theirs);
  ASSERT_NE(id(merged, "relu1"), 0);
  EXPECT_EQ(merged.graph().nodes.at(id(merged, "relu1")).type, "GELU");
  EXPECT_EQ(merged.graph().connections, theirs.graph().connections);
}

TEST_F(MergeResolve, ALayerThatTheyRemovedGoes) {
  set(ours, "conv2", "out_channels", std::int64_t{20});
  apply(theirs, remove_nodes(theirs, "", {id(theirs, "conv2")}, true));
  join(1);
  ASSERT_EQ(conflicts()[0].kind, ConflictKind::removed_theirs);
  end(conflicts()[0], MergeSide::theirs);
  EXPECT_EQ(id(merged, "conv2"), 0);
}

TEST_F(MergeResolve, AnInputIsConnectedAsTheirs) {
  const auto rewire = [&](GraphDoc& doc, const char* from) {
    apply(doc, connect(doc, "", {id(doc, from), 0, id(doc, "fc3"), 0}));
  };
  rewire(ours, "fc1");
  rewire(theirs, "fc2");
  join(1);
  ASSERT_EQ(conflicts()[0].kind, ConflictKind::input);
  const auto feeder = [&] {
    for (const Connection& c : merged.graph().connections)
      if (c.to == id(merged, "fc3")) return merged.graph().nodes.at(c.from).name;
    return std::string();
  };
  EXPECT_EQ(feeder(), "fc1");
  end(conflicts()[0], MergeSide::theirs);
  EXPECT_EQ(feeder(), "fc2");
}

TEST_F(MergeResolve, IsAWarningOnTheLayerWithBothSidesAsRepairs) {
  set(ours, "conv1", "out_channels", std::int64_t{8});
  set(theirs, "conv1", "out_channels", std::int64_t{12});
  rate(ours, 0.5);
  rate(theirs, 0.25);
  join(2);
  const Analysis found = analyse(merged, target_without_data(merged, 1, 28, 28, 10));
  std::vector<const Problem*> listed;
  for (const Problem& p : found.problems)
    if (p.what.str().starts_with("merge:")) listed.push_back(&p);
  ASSERT_EQ(listed.size(), 2U);
  EXPECT_EQ(listed[0]->node, id(merged, "conv1"));
  EXPECT_EQ(listed[0]->severity, Severity::warning) << "our side stands, and can be trained";
  EXPECT_EQ(listed[0]->what.str(), "merge: out_channels is 8 on our side and 12 on theirs; it was 6");
  EXPECT_EQ(listed[1]->node_name, "training");
  ASSERT_EQ(listed[0]->fixes.size(), 2U);
  EXPECT_EQ(listed[0]->fixes[0].label.str(), "Take theirs");
  apply(merged, listed[0]->fixes[0].edit);
  EXPECT_EQ(attr("conv1", "out_channels"), Attr(std::int64_t{12}));
}

TEST_F(MergeResolve, WhatNoLongerFitsOffersOurSideOnly) {
  set(ours, "conv1", "out_channels", std::int64_t{8});
  set(theirs, "conv1", "out_channels", std::int64_t{12});
  join(1);
  const MergeConflict c = conflicts()[0];
  apply(merged, remove_nodes(merged, "", {id(merged, "conv1")}, true));
  EXPECT_FALSE(resolve(merged, c, MergeSide::theirs));
  EXPECT_TRUE(resolve(merged, c, MergeSide::ours));
  for (const char* damage : {R"({"id":"text"})", R"([1,2,3])", R"({"node":7,"connections":{}})", R"("text")"}) {
    for (const ConflictKind kind : {ConflictKind::field, ConflictKind::removed_ours, ConflictKind::input}) {
      MergeConflict bad{.kind = kind, .what = "frame", .node = 1, .field = "0", .take = Json::parse(damage)};
      Json entry = ProjectFile::json(merged)["conflicts"][0];
      entry["kind"] = std::string(name_of(kind));
      entry["what"] = "frame";
      entry["node"] = 1;
      entry["field"] = "0";
      entry["take"] = bad.take;
      apply(merged, {PutExtra{"conflicts", Json::array({entry})}});
      for (const MergeConflict& read : recorded_conflicts(merged)) (void)resolve(merged, read, MergeSide::theirs);
    }
  }
}

TEST_F(MergeResolve, ARecordCannotReplaceTheWholeNetwork) {
  set(ours, "conv1", "out_channels", std::int64_t{8});
  set(theirs, "conv1", "out_channels", std::int64_t{12});
  join(1);
  for (const char* part : {"network", "blocks", "training", "format"}) {
    Json entry = ProjectFile::json(merged)["conflicts"][0];
    entry["kind"] = "field";
    entry["what"] = "";
    entry["node"] = 0;
    entry["field"] = part;
    entry["take"] = nullptr;
    apply(merged, {PutExtra{"conflicts", Json::array({entry})}});
    ASSERT_EQ(conflicts().size(), 1U);
    EXPECT_FALSE(resolve(merged, conflicts()[0], MergeSide::theirs)) << part;
  }
}

TEST_F(MergeResolve, OneDocumentBecomesAnotherByAnEdit) {
  for (const Template& from : all_templates())
    for (const char* to : {"lenet5", "mlp", "resnet18-cifar"}) {
      GraphDoc doc = from.make();
      const GraphDoc wanted = find_template(to)->make();
      apply(doc, edit_between(doc, wanted));
      EXPECT_EQ(ProjectFile::text(doc), ProjectFile::text(wanted)) << from.name << " → " << to;
    }
  GraphDoc swapped = base;
  Node one = base.graph().nodes.at(id(base, "fc1")), two = base.graph().nodes.at(id(base, "fc2"));
  std::swap(one.name, two.name);
  apply(swapped, {PutNode{"", id(base, "fc1"), [&] {
                            Node n = one;
                            n.name = "aside";
                            return n;
                          }()}});
  apply(swapped, {PutNode{"", id(base, "fc2"), two}, PutNode{"", id(base, "fc1"), one}});
  GraphDoc doc = base;
  apply(doc, edit_between(doc, swapped));
  EXPECT_EQ(ProjectFile::text(doc), ProjectFile::text(swapped)) << "names that change places";
}

}  // namespace
}  // namespace nw
