// SPDX-License-Identifier: Apache-2.0
// A step that is not finite: where it began, and that no weight was touched.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/data/batches/batches.hpp"
#include "engine/train/replicas.hpp"
#include "engine/train/trial_network.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {
namespace {

/// The network with an expression in place of the layer `name`.
void put_formula(GraphDoc& doc, const std::string& name, const std::string& expression) {
  for (const auto& [id, node] : doc.graph().nodes) {
    if (node.name != name) continue;
    Node changed = node;
    changed.type = "Formula";
    changed.attrs = {{"expression", expression}};
    ASSERT_TRUE(doc.apply({PutNode{"", id, std::move(changed)}}));
    return;
  }
  FAIL() << name;
}

struct Fault {
  const char* what;
  std::function<void(GraphDoc&)> plant;
  NotFinite expected;
};

void set_rate(GraphDoc& doc, double rate, std::int64_t accumulate = 1) {
  TrainSettings s = doc.settings();
  s.learning_rate = rate;
  s.accumulate = accumulate;
  ASSERT_TRUE(doc.apply({PutSettings{s}}));
}

std::vector<Fault> faults() {
  return {{"forward",
           [](GraphDoc& d) { put_formula(d, "relu1", "exp(10000*x*x)"); },
           {Pass::forward, "relu1", "relu1", "formula", false}},
          {"backward",
           [](GraphDoc& d) { put_formula(d, "relu2", "sqrt(max(x,0))"); },
           {Pass::backward, "relu2", "fc2", "formula", false}},
          {"update", [](GraphDoc& d) { set_rate(d, 1e38); }, {Pass::update, "", "", "", false}},
          {"update of two parts", [](GraphDoc& d) { set_rate(d, 1e38, 2); }, {Pass::update, "", "", "", false}}};
}

class NotFiniteSteps : public testing::TestWithParam<std::string> {};

TEST_P(NotFiniteSteps, AreNamedByPassLayerAndTensor) {
  for (const Fault& fault : faults()) {
    Trial t({}, "mlp", GetParam());
    fault.plant(t.request.definition.doc);
    const auto result = t.run();
    ASSERT_FALSE(result) << fault.what;
    EXPECT_EQ(result.error().code, Errc::not_finite) << fault.what;
    const auto health = t.sink.all<Health>();
    const auto found = std::find_if(health.begin(), health.end(), [](const Health& h) { return h.not_finite; });
    ASSERT_NE(found, health.end()) << fault.what;
    EXPECT_EQ(found->step, 1);
    EXPECT_EQ(found->level, HealthLevel::error);
    EXPECT_EQ(found->message.str(), t.sink.all<Ended>().front().message.str());
    EXPECT_NE(found->message.str().find("step 1, "), std::string::npos) << found->message.str();
    NotFinite expected = fault.expected;
    if (expected.layer.empty()) expected.layer = found->not_finite->layer, expected.tensor = found->not_finite->tensor;
    EXPECT_EQ(*found->not_finite, expected) << fault.what << ": " << event_line({0, *found});
    EXPECT_FALSE(found->not_finite->tensor.empty()) << fault.what;
    const auto read = parse_event(event_line({0, *found}));
    ASSERT_TRUE(read) << read.error().str();
    EXPECT_EQ(std::get<Health>(read->what).not_finite, found->not_finite);
  }
}

TEST_P(NotFiniteSteps, LeaveEveryWeightAndStateAsItWas) {
  for (const Fault& fault : faults()) {
    TrialSource source;
    source.backend = GetParam();
    source.definition.doc = Trial::project({}, "mlp");
    fault.plant(source.definition.doc);
    const auto trial = TrialNetwork::open(std::move(source));
    ASSERT_TRUE(trial) << trial.error().str();
    const auto network = (*trial)->make(0);
    ASSERT_TRUE(network) << network.error().str();
    Batches batches({.maker = &*(*trial)->data().train,
                     .shuffle = true,
                     .augment = false,
                     .batch = (*trial)->settings().samples_per_update(),
                     .capacity = (*network)->update_capacity()},
                    0, 0, 1);
    StepArgs args;
    args.learning_rate = (*trial)->settings().learning_rate;
    const auto before = (*network)->copy();
    const BatchSamples& batch = *batches.next();
    const auto metrics = (*network)->train(batch, args);
    ASSERT_TRUE(metrics) << metrics.error().str();
    EXPECT_FALSE(metrics->finite) << fault.what;
    EXPECT_TRUE((*network)->copy().tensors == before.tensors) << fault.what;
    EXPECT_TRUE((*network)->find_not_finite(batch, args)) << fault.what;
    EXPECT_TRUE((*network)->copy().tensors == before.tensors)
        << fault.what << ": repeating the step changes nothing either";
  }
}

TEST_P(NotFiniteSteps, AfterOthersLeaveTheStateThatTheseHaveMade) {
  TrialSource source;
  source.backend = GetParam();
  source.definition.doc = Trial::project([](TrainSettings& s, DataChoice&) { s.optimizer.choose("adam"); }, "mlp");
  const auto trial = TrialNetwork::open(std::move(source));
  ASSERT_TRUE(trial) << trial.error().str();
  const auto network = (*trial)->make(0);
  ASSERT_TRUE(network) << network.error().str();
  Batches batches({.maker = &*(*trial)->data().train, .shuffle = true, .augment = false, .batch = 32, .capacity = 32},
                  0, 0, 1);
  StepArgs args;
  const auto step = [&](double rate) {
    args.learning_rate = rate;
    const auto metrics = (*network)->train(*batches.next(), args);
    EXPECT_TRUE(metrics);
    ++args.step;
    return metrics && metrics->finite;
  };
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(step(0.001)) << i;
  const auto before = (*network)->copy();
  EXPECT_FALSE(step(1e39));
  EXPECT_TRUE((*network)->copy().tensors == before.tensors);
  EXPECT_TRUE(step(0.001));
  EXPECT_FALSE((*network)->copy().tensors == before.tensors);
}

/// The second epoch begins with a rate at which no weight stays finite.
TEST_P(NotFiniteSteps, AfterAnEpochAreNamedWithTheirStepAndLeaveTheCheckpointBeforeThem) {
  const auto adam = [](TrainSettings& s, DataChoice&) {
    s.optimizer.choose("adam");
    s.schedule = ScheduleKind::step;
    s.step_epochs = 1;
    s.step_gamma = 1e41;
  };
  Trial one([&](TrainSettings& s, DataChoice& d) { adam(s, d), s.epochs = 1; }, "mlp", GetParam());
  ASSERT_TRUE(one.run());
  Trial t(adam, "mlp", GetParam());
  const auto result = t.run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::not_finite);
  const auto health = t.sink.all<Health>();
  const auto found = std::find_if(health.begin(), health.end(), [](const Health& h) { return h.not_finite; });
  ASSERT_NE(found, health.end());
  const std::int64_t epoch = latest_checkpoint(one.request.run)->step;
  EXPECT_EQ(found->step, epoch + 1);
  EXPECT_EQ(found->not_finite->pass, Pass::update);
  EXPECT_NE(found->message.str().find(fmt::format("step {}, ", epoch + 1)), std::string::npos) << found->message.str();
  EXPECT_EQ(latest_checkpoint(t.request.run)->step, epoch);
  EXPECT_FALSE(one.final_weights().empty());
  EXPECT_TRUE(t.final_weights() == one.final_weights());
}

INSTANTIATE_TEST_SUITE_P(Backends, NotFiniteSteps, testing::Values("cpu", "reference"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace nw
