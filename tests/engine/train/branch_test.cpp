// SPDX-License-Identifier: Apache-2.0
// Runs that begin with the full state of a checkpoint of another run.
#include "engine/train/branch.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/engine/train/trained_state.hpp"

namespace nw {
namespace {

Branch branched(const Trial& t, const fs::path& run, std::vector<std::string> settings = {},
                const std::string& from = "epoch4") {
  BranchPlan plan{
      .parent = t.request.run, .run = run, .from = from, .settings = std::move(settings), .project = {}, .devices = {}};
  auto b = plan_branch(plan);
  EXPECT_TRUE(b) << b.error().str();
  if (!b) return {};
  EXPECT_TRUE(write_branch(plan, *b));
  const auto begun = summarize_run(run);
  EXPECT_TRUE(begun && !begun->history.empty());
  if (begun && !begun->history.empty())
    EXPECT_EQ("epoch" + std::to_string(begun->history.back().epoch), from) << "it shows what it has not trained";
  TrainControl control;
  Recording sink;
  const auto done = train(b->request, control, sink);
  EXPECT_TRUE(done) << done.error().str();
  return *std::move(b);
}

TEST(Branches, WithoutChangesItIsTheUninterruptedRunAndTwoEqualOnesAreEqual) {
  DropoutTrial whole(everything(2, 6));
  whole.sink.then = [&](const Event& e) {
    if (const auto* epoch = std::get_if<EpochEnd>(&e.what); epoch && epoch->epoch == 2)
      whole.control.set_knob("clip_norm", 0.2);
  };
  ASSERT_TRUE(whole.run());
  const std::string before = state_of(whole.request.run);
  const Branch same = branched(whole, whole.folder.path / "same");
  EXPECT_TRUE(same.same_network);
  EXPECT_TRUE(same.bit_exact);
  EXPECT_EQ(state_of(whole.folder.path / "same"), before);
  branched(whole, whole.folder.path / "one", {"l2=0.01", "learning_rate=0.001"});
  branched(whole, whole.folder.path / "two", {"l2=0.01", "learning_rate=0.001"});
  EXPECT_EQ(state_of(whole.folder.path / "one"), state_of(whole.folder.path / "two"));
  EXPECT_NE(state_of(whole.folder.path / "one"), before);
  EXPECT_EQ(state_of(whole.request.run), before) << "the parent is only read";

  const auto definition = read_run_definition(whole.folder.path / "one");
  ASSERT_TRUE(definition);
  EXPECT_EQ(definition->parent, "run");
  EXPECT_EQ(definition->parent_step, same.step);
  EXPECT_EQ(definition->doc.settings().l2, 0.01);
  EXPECT_EQ(definition->doc.settings().clip_norm, 0.2)
      << "the parent's change of a run-time setting is in its settings";
  const auto summary = summarize_run(whole.folder.path / "one");
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->epochs_done, 6);
  EXPECT_EQ(summary->history.size(), 6U) << "with the parent's epochs before the branch";
}

/// Trains the branch without a change of any weight: what it begins with is then in its last checkpoint. Carried
/// weights have the values of the parent's checkpoint.
void expect_weights_of_parent(BranchPlan plan) {
  plan.run = plan.run.parent_path() / "unchanged";
  plan.settings = {"learning_rate=1e-30"};
  const auto b = plan_branch(plan);
  ASSERT_TRUE(b) << b.error().str();
  ASSERT_TRUE(write_branch(plan, *b));
  TrainControl control;
  Recording sink;
  const auto done = train(b->request, control, sink);
  ASSERT_TRUE(done) << done.error().str();
  const auto before = tensors_of(plan.parent, "model.safetensors", b->step),
             now = tensors_of(plan.run, "model.safetensors");
  int carried = 0;
  for (const CarriedWeight& w : b->weights) {
    ASSERT_TRUE(now.contains(w.name)) << w.name;
    if (!w.carried()) continue;
    EXPECT_EQ(now.at(w.name), before.at(w.name)) << w.name;
    ++carried;
  }
  EXPECT_GE(carried, 3) << "fc1's weight and bias, and the last layer's bias";
}

TEST(Branches, AnotherNetworkKeepsTheWeightsThatMatch) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 4; });
  ASSERT_TRUE(t.run());
  GraphDoc other = t.request.definition.doc;
  for (const auto& [id, node] : other.graph().nodes) {
    if (node.name != "fc2") continue;
    Node wider = node;
    wider.attrs["out_features"] = std::int64_t{50};
    ASSERT_TRUE(other.apply({PutNode{"", id, wider}}));
    break;
  }
  BranchPlan plan{.parent = t.request.run,
                  .run = t.folder.path / "b",
                  .from = "epoch2",
                  .settings = {},
                  .project = other,
                  .devices = {"cpu:0", "cpu:1"}};
  auto b = plan_branch(plan);
  ASSERT_TRUE(b) << b.error().str();
  EXPECT_FALSE(b->same_network);
  EXPECT_FALSE(b->bit_exact) << "another number of devices";
  std::map<std::string, bool> carried;
  for (const CarriedWeight& w : b->weights) carried[w.name] = w.carried();
  EXPECT_TRUE(carried.at("fc1.weight"));
  EXPECT_FALSE(carried.at("fc2.weight"));
  ASSERT_TRUE(write_branch(plan, *b));
  expect_weights_of_parent(plan);
  TrainControl control;
  Recording sink;
  const auto done = train(b->request, control, sink);
  ASSERT_TRUE(done) << done.error().str();
  EXPECT_EQ(sink.all<EpochEnd>().back().epoch, 4);
  EXPECT_FALSE(write_branch(plan, *b)) << "there is a run already";
}

TEST(Branches, RefuseWhatIsNotThere) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 2; });
  ASSERT_TRUE(t.run());
  const auto refused = [&](const std::string& from, std::vector<std::string> settings = {}) {
    const auto b = plan_branch({.parent = t.request.run,
                                .run = t.folder.path / "b",
                                .from = from,
                                .settings = std::move(settings),
                                .project = {},
                                .devices = {}});
    return b ? std::string("accepted") : b.error().str();
  };
  EXPECT_NE(refused("7").find("no checkpoint of step 7"), std::string::npos) << refused("7");
  EXPECT_NE(refused("epoch9").find("has not trained epoch 9"), std::string::npos);
  EXPECT_NE(refused("soon").find("is no checkpoint"), std::string::npos);
  EXPECT_NE(refused("latest", {"wings=2"}).find("no training setting"), std::string::npos);
  EXPECT_NE(refused("latest", {"batch=0"}), "accepted");
  EXPECT_NE(refused("latest", {"epochs"}).find("NAME=VALUE"), std::string::npos);
  EXPECT_FALSE(fs::exists(t.folder.path / "b"));
}

}  // namespace
}  // namespace nw
