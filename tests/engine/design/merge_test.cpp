// SPDX-License-Identifier: Apache-2.0
// The three-way merge of documents.
#include "engine/design/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "engine/design/graph_diff.hpp"
#include "engine/design/project_file.hpp"

namespace nw {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

struct Branches {
  GraphDoc base = find_template("lenet5")->make(), ours = base, theirs = base;

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
  static void train(GraphDoc& doc, const std::function<void(TrainSettings&)>& change) {
    TrainSettings s = doc.settings();
    change(s);
    apply(doc, {PutSettings{s}});
  }
  /// A new activation between two connected layers.
  static void insert(GraphDoc& doc, const char* from, const char* to, const char* name, const char* type = "Tanh") {
    apply(doc, insert_on(doc, "", {id(doc, from), 0, id(doc, to), 0}, {.type = type, .name = name}));
  }
  Merge merged() const {
    auto m = merge(base, ours, theirs);
    EXPECT_TRUE(m) << m.error().str();
    return *std::move(m);
  }
  static std::vector<std::string> sentences(const Merge& m) {
    std::vector<std::string> all;
    for (const MergeConflict& c : m.conflicts) all.push_back(sentence_of(c).str());
    return all;
  }
};

TEST(Merge, TakesWhatOneSideChanged) {
  for (const Template& t : all_templates()) {
    Branches b{t.make()};
    EXPECT_TRUE(b.merged().doc == b.base) << t.name;
    b.theirs = find_template("mlp")->make();
    const Merge m = b.merged();
    EXPECT_TRUE(m.conflicts.empty()) << t.name;
    EXPECT_TRUE(diff(m.doc, b.theirs).empty()) << t.name;
    std::swap(b.ours, b.theirs);
    EXPECT_TRUE(diff(b.merged().doc, b.ours).empty()) << t.name;
  }
}

TEST(Merge, ChangesOfBothSidesOfDifferentThingsAreJoined) {
  Branches b;
  b.set(b.ours, "conv1", "out_channels", std::int64_t{8});
  b.train(b.ours, [](TrainSettings& s) { s.epochs = 7; });
  b.set(b.theirs, "conv1", "padding", std::vector<std::int64_t>{1, 1});
  b.set(b.theirs, "fc1", "out_features", std::int64_t{100});
  b.train(b.theirs, [](TrainSettings& s) { s.learning_rate = 0.5; });
  b.apply(b.theirs, rename_node(b.theirs, "", b.id(b.theirs, "fc2"), "neck"));
  const Merge m = b.merged();
  EXPECT_THAT(b.sentences(m), IsEmpty());
  const Node& conv = m.doc.graph().nodes.at(b.id(m.doc, "conv1"));
  EXPECT_EQ(conv.attrs.at("out_channels"), Attr(std::int64_t{8}));
  EXPECT_EQ(conv.attrs.at("padding"), Attr(std::vector<std::int64_t>{1, 1}));
  EXPECT_EQ(m.doc.graph().nodes.at(b.id(m.doc, "fc1")).attrs.at("out_features"), Attr(std::int64_t{100}));
  EXPECT_NE(b.id(m.doc, "neck"), 0);
  EXPECT_EQ(m.doc.settings().epochs, 7);
  EXPECT_EQ(m.doc.settings().learning_rate, 0.5);
}

TEST(Merge, TheSameChangeOfBothSidesIsNoConflict) {
  Branches b;
  for (GraphDoc* side : {&b.ours, &b.theirs}) {
    b.set(*side, "conv1", "out_channels", std::int64_t{8});
    b.insert(*side, "conv2", "relu2", "bend");
  }
  const Merge m = b.merged();
  EXPECT_THAT(b.sentences(m), IsEmpty());
  EXPECT_TRUE(diff(m.doc, b.ours).empty());
}

TEST(Merge, OurValueStandsInAConflictWhichSaysAllThree) {
  Branches b;
  b.set(b.ours, "conv1", "out_channels", std::int64_t{8});
  b.set(b.theirs, "conv1", "out_channels", std::int64_t{12});
  b.train(b.ours, [](TrainSettings& s) { s.learning_rate = 0.5; });
  b.train(b.theirs, [](TrainSettings& s) { s.learning_rate = 0.25; });
  const Merge m = b.merged();
  EXPECT_THAT(b.sentences(m),
              ElementsAre("conv1: out_channels is 8 on our side and 12 on theirs; it was 6",
                          "training: learning_rate is 0.5 on our side and 0.25 on theirs; it was 0.01"));
  EXPECT_TRUE(diff(m.doc, b.ours).empty());
  EXPECT_EQ(m.conflicts[0].node, b.id(m.doc, "conv1")) << "the canvas finds the layer";
}

TEST(Merge, NewLayersWithTheSameNumberAreBothKept) {
  Branches b;
  b.insert(b.ours, "conv1", "relu1", "mine");
  b.insert(b.theirs, "conv2", "relu2", "yours");
  ASSERT_EQ(b.id(b.ours, "mine"), b.id(b.theirs, "yours")) << "both sides count on";
  const Merge m = b.merged();
  EXPECT_THAT(b.sentences(m), IsEmpty());
  EXPECT_EQ(m.doc.graph().nodes.size(), b.base.graph().nodes.size() + 2);
  const auto fed_by = [&](const char* layer) {
    for (const Connection& c : m.doc.graph().connections)
      if (c.to == b.id(m.doc, layer)) return m.doc.graph().nodes.at(c.from).name;
    return std::string();
  };
  EXPECT_EQ(fed_by("relu1"), "mine");
  EXPECT_EQ(fed_by("mine"), "conv1");
  EXPECT_EQ(fed_by("relu2"), "yours");
  EXPECT_EQ(fed_by("yours"), "conv2");
}

TEST(Merge, ANumberThatWasGivenToAnotherLayerIsAnotherLayer) {
  Branches b;
  const NodeId last = b.id(b.theirs, "loss");
  b.apply(b.theirs, remove_nodes(b.theirs, "", {last}));
  b.apply(b.theirs, {PutNode{"", last, Node{.type = "Tanh", .name = "other"}}});
  b.train(b.ours, [](TrainSettings& s) { s.epochs = 3; });
  const Merge m = b.merged();
  EXPECT_THAT(b.sentences(m), IsEmpty());
  EXPECT_EQ(b.id(m.doc, "loss"), 0);
  EXPECT_EQ(m.doc.graph().nodes.at(b.id(m.doc, "other")).type, "Tanh");
  b.apply(b.ours, rename_node(b.ours, "", last, "ours"));
  EXPECT_THAT(b.sentences(b.merged()), ElementsAre("ours was changed on our side and removed on theirs"));
}

TEST(Merge, TheirNewLayerGivesWayToOursOfTheSameName) {
  Branches b;
  b.insert(b.ours, "conv1", "relu1", "new1", "Tanh");
  b.insert(b.theirs, "conv2", "relu2", "new1", "Sigmoid");
  const Merge m = b.merged();
  EXPECT_THAT(b.sentences(m), IsEmpty());
  EXPECT_EQ(m.doc.graph().nodes.at(b.id(m.doc, "new1")).type, "Tanh");
  EXPECT_EQ(m.doc.graph().nodes.at(b.id(m.doc, "new2")).type, "Sigmoid");
  ASSERT_EQ(m.notes.size(), 1U);
  EXPECT_EQ(m.notes[0].str(), "their layer new1 is called new2 here: ours has another new1");
}

TEST(Merge, AnInputThatBothConnectedOtherwiseIsAConflict) {
  Branches b;
  b.insert(b.ours, "conv1", "relu1", "mine");
  b.insert(b.theirs, "conv1", "relu1", "yours", "Sigmoid");
  const Merge m = b.merged();
  EXPECT_THAT(b.sentences(m),
              ElementsAre("relu1: input 0 comes from mine on our side and from yours on theirs; it came from conv1"));
  EXPECT_NE(b.id(m.doc, "yours"), 0) << "it is there to be connected";
}

TEST(Merge, ALayerRemovedOnOneSideAndChangedOnTheOtherIsAConflict) {
  Branches b;
  b.apply(b.ours, remove_nodes(b.ours, "", {b.id(b.ours, "relu1")}, true));
  b.apply(b.theirs, rename_node(b.theirs, "", b.id(b.theirs, "relu1"), "bend"));
  Merge m = b.merged();
  EXPECT_THAT(b.sentences(m), ElementsAre("bend was removed on our side and changed on theirs"));
  EXPECT_TRUE(diff(m.doc, b.ours).empty());
  std::swap(b.ours, b.theirs);
  m = b.merged();
  EXPECT_THAT(b.sentences(m), ElementsAre("bend was changed on our side and removed on theirs"));
  EXPECT_TRUE(diff(m.doc, b.ours).empty()) << "with its connections";
}

TEST(Merge, ANewReaderOfARemovedLayerIsAConflict) {
  Branches b;
  b.apply(b.ours, remove_nodes(b.ours, "", {b.id(b.ours, "relu1")}, true));
  NodeId reader = 0;
  b.apply(b.theirs, add_node(b.theirs, "", {.type = "Tanh", .name = "reader"}, &reader));
  b.apply(b.theirs, connect(b.theirs, "", {b.id(b.theirs, "relu1"), 0, reader, 0}));
  EXPECT_THAT(b.sentences(b.merged()), ElementsAre("relu1 was removed on our side and changed on theirs"));
}

TEST(Merge, NewInputsOfASumAreBothConnected) {
  Branches b;
  NodeId sum = 0;
  b.apply(b.base, add_node(b.base, "", {.type = "Add", .name = "sum"}, &sum));
  b.apply(b.base, connect(b.base, "", {b.id(b.base, "conv1"), 0, sum, 0}));
  b.ours = b.theirs = b.base;
  b.apply(b.ours, connect(b.ours, "", {b.id(b.ours, "relu1"), 0, sum, 1}));
  b.apply(b.theirs, connect(b.theirs, "", {b.id(b.theirs, "relu2"), 0, sum, 1}));
  const Merge m = b.merged();
  EXPECT_THAT(b.sentences(m), IsEmpty());
  EXPECT_EQ(m.notes.size(), 1U);
  std::vector<std::string> inputs;
  for (const Connection& c : m.doc.graph().connections)
    if (c.to == sum) inputs.push_back(m.doc.graph().nodes.at(c.from).name);
  EXPECT_THAT(inputs, testing::UnorderedElementsAre("conv1", "relu1", "relu2"));
}

TEST(Merge, BlocksAreMergedInside) {
  Branches b{find_template("resnet18-cifar")->make()};
  b.ours = b.theirs = b.base;
  const std::string block = b.base.blocks().begin()->first;
  const auto set_inside = [&](GraphDoc& doc, const char* field, Attr value) {
    for (const auto& [id, node] : doc.graph(block).nodes)
      if (node.type == "Conv2d") return b.apply(doc, set_attr(doc, block, id, field, std::move(value)));
  };
  set_inside(b.ours, "bias", true);
  set_inside(b.theirs, "padding_mode", std::string("reflect"));
  EXPECT_THAT(b.sentences(b.merged()), IsEmpty());
  set_inside(b.theirs, "bias", std::string("$other"));
  const Merge m = b.merged();
  ASSERT_EQ(m.conflicts.size(), 1U);
  EXPECT_EQ(m.conflicts[0].scope, block);
  EXPECT_TRUE(sentence_of(m.conflicts[0]).str().starts_with(block + "/"));
}

TEST(Merge, NotesOfBothSidesAreKept) {
  Branches b;
  b.apply(b.ours, {PutNote{"", b.ours.next_id(), Note{"mine", {}}}});
  b.apply(b.theirs, {PutNote{"", b.theirs.next_id(), Note{"yours", {}}}});
  std::vector<std::string> notes;
  const Merge m = b.merged();
  for (const auto& [id, note] : m.doc.graph().notes) notes.push_back(note.text);
  EXPECT_THAT(notes, testing::UnorderedElementsAre("mine", "yours"));
}

TEST(Merge, TheRecordOfConflictsIsInTheFileUntilItIsResolved) {
  Branches b;
  b.set(b.ours, "conv1", "out_channels", std::int64_t{8});
  b.set(b.theirs, "conv1", "out_channels", std::int64_t{12});
  const Merge m = b.merged();
  const auto read = ProjectFile::parse(ProjectFile::text(m.doc), "merged");
  ASSERT_TRUE(read);
  EXPECT_EQ(recorded_conflicts(*read), m.conflicts);
  const auto clean = without_conflicts(*read);
  ASSERT_TRUE(clean);
  EXPECT_TRUE(*clean == b.ours);
  b.ours = b.base = *read;  // not resolved before the next merge
  EXPECT_TRUE(recorded_conflicts(b.merged().doc).empty());
}

TEST(Merge, DamagedRecordsAreLeftOut) {
  const auto read = [](const Json& record) {
    Json json = ProjectFile::json(find_template("mlp")->make());
    json["conflicts"] = record;
    return recorded_conflicts(*ProjectFile::parse(json.dump(), "x")).size();
  };
  const Json good = {{"kind", "field"}, {"scope", ""}, {"what", "a"}, {"node", 1},
                     {"field", "b"},    {"base", ""},  {"ours", "1"}, {"theirs", "2"}};
  Json bad = good;
  bad["kind"] = "wrong";
  EXPECT_EQ(read(Json::array({good, bad, 3, Json::object(), good})), 2U);
  EXPECT_EQ(read("text"), 0U);
}

}  // namespace
}  // namespace nw
