// SPDX-License-Identifier: Apache-2.0
// Frozen layers in the plan: what no trained layer precedes is computed as in a prediction and has no backward pass.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compile/compile.hpp"
#include "tests/support/net_text.hpp"
#include "tests/support/plan_check.hpp"

namespace nw {
namespace {

using test::edit;
using test::id_of;
using test::net;
using test::value;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class Frozen : public testing::Test {
 protected:
  void change(const char* name, const std::function<void(Node&)>& make, const std::string& scope = "") {
    Node node = doc.graph(scope).nodes.at(id_of(doc, name, scope));
    make(node);
    edit(doc, {PutNode{scope, id_of(doc, name, scope), node}});
  }
  void freeze(std::initializer_list<const char*> names) {
    for (const char* name : names) change(name, [](Node& n) { n.frozen = true; });
  }
  Plan planned(std::int64_t epoch = Target{}.epoch) const {
    const auto compiled = compile(doc, {.batch = 4, .epoch = epoch});
    EXPECT_TRUE(compiled) << compiled.error().str();
    return compiled ? compiled->plan : Plan{};
  }
  static std::vector<std::string> labels(const Plan& p, Phase phase) {
    std::vector<std::string> all;
    for (const Step& s : p.steps)
      if (s.phase == phase) all.push_back(s.label + " " + s.kernel);
    return all;
  }
  double rate(const Plan& p, const char* weight) const { return value(p, p.find(weight)).lr_scale; }
  std::string first_problem() const {
    const Analysis a = analyse(doc, {});
    return a.problems.empty() ? "" : a.problems.front().what.str();
  }
  GraphDoc doc = net(
      "images: Input 1x8x8; conv1: Conv2d out_channels=4; bn1: BatchNorm2d; relu1: ReLU; drop: Dropout; conv2: Conv2d "
      "out_channels=4; bn2: BatchNorm2d; flatten: Flatten; fc: Linear; loss: CrossEntropy");
};

TEST_F(Frozen, LayersAtTheBeginningHaveNoBackwardPass) {
  freeze({"conv1", "bn1", "relu1", "drop"});
  const Plan p = planned();
  for (const char* name : {"conv1 ", "bn1 ", "relu1 ", "drop "})
    EXPECT_THAT(labels(p, Phase::backward), Not(Contains(HasSubstr(name))));
  EXPECT_THAT(labels(p, Phase::backward), Contains(HasSubstr("conv2 conv2d_grad_weight")));
  EXPECT_THAT(labels(p, Phase::backward), Not(Contains(HasSubstr("conv2 conv2d_grad_input"))));
  EXPECT_EQ(rate(p, "conv1.weight"), 0);
  EXPECT_EQ(rate(p, "fc.weight"), 1);
}

TEST_F(Frozen, BatchNormsAtTheBeginningUseTheirRunningStatistics) {
  freeze({"conv1", "bn1"});
  const auto forward = labels(planned(), Phase::forward);
  EXPECT_THAT(forward, Contains("bn1 batch_norm_inference"));
  EXPECT_THAT(forward, Contains("bn2 batch_norm_stats"));
}

TEST_F(Frozen, ALayerBehindATrainedOneStillPassesTheGradientOn) {
  freeze({"conv2", "bn2"});
  const Plan p = planned();
  EXPECT_THAT(labels(p, Phase::backward), Contains("conv1 conv2d_grad_weight"));
  EXPECT_THAT(labels(p, Phase::forward), Contains("bn2 batch_norm_stats"));
  EXPECT_EQ(rate(p, "bn2.weight"), 0);
}

TEST_F(Frozen, ForSomeEpochsIsTrainedFromTheNextOneOn) {
  change("conv1", [](Node& n) { n.frozen_epochs = 3; });
  EXPECT_EQ(rate(planned(0), "conv1.weight"), 0);
  EXPECT_EQ(rate(planned(2), "conv1.weight"), 0);
  EXPECT_EQ(rate(planned(3), "conv1.weight"), 1);
  EXPECT_EQ(rate(planned(), "conv1.weight"), 1) << "memory and times are estimated for the largest step";
}

TEST_F(Frozen, ABlocksInstanceFreezesItsLayersAndScalesTheirRates) {
  doc = net("images: Input 1x8x8; flatten: Flatten; fc: Linear; loss: CrossEntropy");
  const NodeId flatten = id_of(doc, "flatten");
  edit(doc, {PutBlock{"Stage", Block{}}});
  test::add_net(doc, "in: BlockInput; conv: Conv2d out_channels=2; out: BlockOutput", "Stage");
  change(
      "conv", [](Node& n) { n.lr_scale = 0.5; }, "Stage");
  Node instance{.type = "Block", .name = "stage", .attrs = {{"block", "Stage"}, {"repeat", std::int64_t{2}}}};
  instance.lr_scale = 0.1;
  NodeId id = 0;
  edit(doc, add_node(doc, "", instance, &id));
  const NodeId images = id_of(doc, "images");
  edit(doc, {PutConnection{"", {images, 0, flatten, 0}, false}, PutConnection{"", {images, 0, id, 0}, true},
             PutConnection{"", {id, 0, flatten, 0}, true}});
  EXPECT_DOUBLE_EQ(rate(planned(), "stage.1.conv.weight"), 0.05);
  change("stage", [](Node& n) { n.frozen = true; });
  EXPECT_EQ(rate(planned(), "stage.0.conv.weight"), 0);
  EXPECT_EQ(rate(planned(), "stage.1.conv.weight"), 0);
}

TEST_F(Frozen, ANetworkWithoutATrainedLayerIsRefusedWithARepair) {
  freeze({"conv1", "bn1", "conv2", "bn2"});
  EXPECT_THAT(first_problem(), IsEmpty());
  change("fc", [](Node& n) { n.frozen_epochs = 1; });
  const Analysis a = analyse(doc, {});
  ASSERT_EQ(a.count(Severity::error), 1);
  EXPECT_THAT(a.problems.front().what.str(), HasSubstr("nothing"));
  ASSERT_EQ(a.problems.front().fixes.size(), 1U);
  edit(doc, a.problems.front().fixes.front().edit);
  EXPECT_THAT(first_problem(), IsEmpty());
}

}  // namespace
}  // namespace nw
