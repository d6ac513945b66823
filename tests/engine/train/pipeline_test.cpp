// SPDX-License-Identifier: Apache-2.0
// Model parallelism: stages of a network on several devices train the same bytes as one device that accumulates the
// same micro-batches, whatever the schedule.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "engine/compile/stages.hpp"
#include "engine/design/text_form.hpp"
#include "tests/engine/train/pipeline_trial.hpp"

namespace nw {
namespace {
using testing::HasSubstr;

const std::vector<Division> pipelines{
    {{"cpu:0", "cpu:1"}, PipelineSchedule::gpipe},
    {{"cpu:0", "cpu:1"}, PipelineSchedule::one_forward_one_backward},
    {{"cpu:0", "cpu:1", "cpu:2", "cpu:3"}, PipelineSchedule::gpipe},
    {{"cpu:0", "cpu:1", "cpu:2", "cpu:3"}, PipelineSchedule::one_forward_one_backward}};

TEST(Pipeline, TrainsTheBytesOfOneDevice) {
  for (const char* network : {"lenet5", residual}) {
    PipelineTrial one(network, divided(one_device));
    const auto done = one.run();
    ASSERT_TRUE(done) << done.error().str();
    for (const Division& d : pipelines) {
      PipelineTrial trial(network, divided(d));
      const auto trained = trial.run();
      ASSERT_TRUE(trained) << trained.error().str();
      SCOPED_TRACE(std::string(network).substr(0, 10) + " " + std::string(name_of(d.schedule)) + " " +
                   std::to_string(d.devices.size()));
      expect_the_same(one, trial);
    }
  }
}

/// Both skip connections begin on the first stage; one ends on the second, the other on the third.
TEST(Pipeline, SkipConnectionsCrossTheBordersOfStages) {
  PipelineTrial one(residual, divided(one_device));
  ASSERT_TRUE(one.run());
  for (const PipelineSchedule schedule : {PipelineSchedule::gpipe, PipelineSchedule::one_forward_one_backward}) {
    PipelineTrial trial(residual, divided({{"cpu:0", "cpu:1", "cpu:2"}, schedule}));
    trial.place({{"stem", 0}, {"bn1", 1}, {"conv3", 2}, {"short", 2}});
    const auto trained = trial.run();
    ASSERT_TRUE(trained) << trained.error().str();
    expect_the_same(one, trial);
    const auto plans = trial.sink.all<PipelinePlan>();
    ASSERT_EQ(plans.size(), 1U);
    std::set<std::tuple<std::string, int, int>> forward;
    std::set<std::pair<int, int>> backward;
    for (const PipelineTransfer& t : plans[0].transfers)
      if (t.backward)
        backward.insert({t.from, t.to});
      else
        forward.insert({t.value, t.from, t.to});
    EXPECT_EQ(forward, (std::set<std::tuple<std::string, int, int>>{
                           {"conv1", 0, 1}, {"stem_relu", 0, 1}, {"relu2", 1, 2}, {"stem_relu", 0, 2}}));
    EXPECT_EQ(backward, (std::set<std::pair<int, int>>{{1, 0}, {2, 1}, {2, 0}}));
  }
}

TEST(Pipeline, AFrozenStageHasNoBackwardPass) {
  const auto freeze = [](PipelineTrial& t) {
    GraphDoc& doc = t.request.definition.doc;
    for (const char* name : {"conv1", "conv2"}) {
      const NodeId id = test::id_of(doc, name);
      Node node = doc.graph().nodes.at(id);
      node.frozen = true;
      test::edit(doc, {PutNode{"", id, node}});
    }
  };
  PipelineTrial one("lenet5", divided(one_device)), two("lenet5", divided(pipelines[1]));
  for (PipelineTrial* t : {&one, &two}) {
    freeze(*t);
    ASSERT_TRUE(t->run());
  }
  expect_the_same(one, two);
}

/// Two replicas of two stages train as two devices that accumulate the same micro-batches, with the statistics of batch
/// norm over both and each with its own.
TEST(Pipeline, ReplicasTrainTheBytesOfDataParallelDevices) {
  for (const bool shared : {true, false}) {
    const auto settings = [shared](const Division& d, Parallelism parallel) {
      return [=](TrainSettings& s, DataChoice& data) {
        divided(d)(s, data);
        s.parallel = parallel;
        s.sync_batch_norm = shared;
      };
    };
    PipelineTrial two(residual, settings({{"cpu:0", "cpu:1"}}, Parallelism::data));
    ASSERT_TRUE(two.run());
    for (const PipelineSchedule schedule : {PipelineSchedule::gpipe, PipelineSchedule::one_forward_one_backward}) {
      PipelineTrial four(residual, settings({{"cpu:0", "cpu:1", "cpu:2", "cpu:3"}, schedule, 2}, Parallelism::model));
      const auto trained = four.run();
      ASSERT_TRUE(trained) << trained.error().str();
      expect_the_same(two, four);
      EXPECT_EQ(four.sink.all<PipelinePlan>().front().stages.size(), 2U);
      expect_times_of_two_replicas(four);
      EXPECT_EQ(four.sink.all<RankTimes>().back().ranks[3].device, "cpu:3");
    }
  }
}

TEST(Pipeline, DevicesThatAreNoMultipleOfTheStagesAreRefused) {
  PipelineTrial trial("lenet5", divided({{"cpu:0", "cpu:1", "cpu:2"}, PipelineSchedule::gpipe, 2}));
  const auto trained = trial.run();
  ASSERT_FALSE(trained);
  EXPECT_EQ(trained.error().code, Errc::usage);
  EXPECT_THAT(trained.error().str(), HasSubstr("3 devices cannot be divided into groups of 2 stages"));
}

TEST(Pipeline, GoesOnAfterAStopAndOnOneDeviceToo) {
  PipelineTrial whole(residual, divided(pipelines[1]));
  ASSERT_TRUE(whole.run());
  for (const bool on_one : {false, true}) {
    PipelineTrial stopped(residual, divided(pipelines[1]));
    stopped.request.stop_after = 1;
    ASSERT_TRUE(stopped.run());
    TrainControl control;
    TrainRequest again;
    again.run = stopped.request.run;
    again.resume = true;
    if (on_one) again.devices = {"cpu"};
    const auto trained = train(again, control, stopped.sink);
    ASSERT_TRUE(trained) << trained.error().str();
    EXPECT_EQ(state_of(stopped.request.run), state_of(whole.request.run)) << on_one;
  }
}

TEST(Pipeline, RecordsItsStagesItsTransfersAndItsBubble) {
  PipelineTrial trial("lenet5", divided(pipelines[0]));
  ASSERT_TRUE(trial.run());
  const auto plans = trial.sink.all<PipelinePlan>();
  ASSERT_EQ(plans.size(), 1U);
  const PipelinePlan& p = plans[0];
  EXPECT_EQ(p.schedule, "gpipe");
  EXPECT_EQ(p.micro_batch, 13);
  EXPECT_EQ(p.micro_batches, 4);
  EXPECT_FALSE(p.statistics_per_micro_batch);
  ASSERT_EQ(p.stages.size(), 2U);
  EXPECT_EQ(p.stages[0].first, "images");
  EXPECT_EQ(p.stages[0].parameters + p.stages[1].parameters, trial.sink.all<Started>()[0].parameters);
  EXPECT_EQ(p.stages[0].kept, 4);
  EXPECT_GT(p.predicted_bubble, 0.2) << "two equal stages and four micro-batches wait for a fifth";
  EXPECT_LT(p.predicted_bubble, 0.6);
  // what a later stage reads goes forward, its gradient back, both of one size
  std::map<bool, std::int64_t> bytes;
  for (const PipelineTransfer& t : p.transfers) {
    EXPECT_EQ(t.backward, t.from > t.to);
    bytes[t.backward] += t.bytes;
  }
  EXPECT_EQ(bytes[false], bytes[true]);
  EXPECT_EQ(bytes[false] % (13 * 4), 0);
  const auto times = trial.sink.all<PipelineTimes>();
  ASSERT_EQ(times.size(), 2U);
  const std::int64_t train = trial.sink.all<Started>()[0].train, updates = (train + 49) / 50,
                     parts = (updates - 1) * 4 + (train - (updates - 1) * 50 + 12) / 13;
  EXPECT_EQ(times[1].bytes, parts * (bytes[false] + bytes[true]));
  ASSERT_EQ(times[1].stages.size(), 2U);
  double busy = 0;
  for (const StageSeconds& s : times[1].stages) {
    EXPECT_GT(s.compute_s, 0);
    EXPECT_LE(s.compute_s + s.transfer_s + s.wait_s, times[1].seconds * 1.01);
    busy += s.compute_s + s.transfer_s;
  }
  EXPECT_NEAR(times[1].bubble, 1 - busy / (2 * times[1].seconds), 1e-9);
  const auto ranks = trial.sink.all<RankTimes>();  // the same for what shows devices
  ASSERT_EQ(ranks.size(), 2U);
  EXPECT_TRUE(ranks[1].whole_epoch);
  EXPECT_EQ(ranks[1].epoch, times[1].epoch);
  ASSERT_EQ(ranks[1].ranks.size(), 2U);
  for (const std::size_t s : {0U, 1U}) {
    const RankUse& r = ranks[1].ranks[s];
    EXPECT_EQ(r.device, p.stages[s].device);
    EXPECT_EQ(r.steps, updates);
    EXPECT_EQ(r.compute_s, times[1].stages[s].compute_s);
    EXPECT_NEAR(*r.compute_s + *r.communication_s + *r.wait_s, times[1].seconds, 1e-9);
    EXPECT_GE(*r.wait_s, times[1].stages[s].wait_s - 1e-9);
    EXPECT_FALSE(r.input_s) << "only the first stage reads images";
    EXPECT_EQ(r.seconds, times[1].seconds);
    EXPECT_GT(*r.memory_bytes, 0);
  }
  for (const Event& e : {Event{1, p}, Event{2, times[1]}}) {
    const auto read = parse_event(event_line(e));
    ASSERT_TRUE(read) << read.error().str();
    EXPECT_EQ(read->what.index(), e.what.index());
    EXPECT_EQ(event_line(*read), event_line(e));
  }
}

TEST(Pipeline, BatchNormTakesItsStatisticsOfMicroBatches) {
  PipelineTrial parts(residual, divided(pipelines[0]));
  ASSERT_TRUE(parts.run());
  EXPECT_TRUE(parts.sink.all<PipelinePlan>()[0].statistics_per_micro_batch);
}

TEST(Pipeline, ATensorThatIsNotFiniteIsFoundAsOnOneDevice) {
  const auto diverging = [](const Division& d) {
    return [=](TrainSettings& s, DataChoice& data) {
      divided(d)(s, data);
      s.clip_norm = 0;
      s.learning_rate = 1e30;
    };
  };
  PipelineTrial one("lenet5", diverging(one_device)), two("lenet5", diverging(pipelines[1]));
  const auto a = one.run(), b = two.run();
  ASSERT_FALSE(a);
  ASSERT_FALSE(b);
  EXPECT_EQ(a.error().code, Errc::not_finite);
  EXPECT_EQ(a.error().str(), b.error().str());
}

TEST(Pipeline, AStageIsPartOfTheProjectAndOfItsText) {
  PipelineTrial t("lenet5", divided(pipelines[0]));
  t.place({{"conv2", 1}});
  const GraphDoc& doc = t.request.definition.doc;
  const auto read = ProjectFile::parse(ProjectFile::text(doc), "t");
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_TRUE(*read == doc);
  EXPECT_THAT(network_text(doc, ""), HasSubstr(" pipeline_stage=1"));
  GraphDoc changed = doc;
  Node node = doc.graph().nodes.at(test::id_of(doc, "conv2"));
  node.pipeline_stage = most_stages;
  EXPECT_FALSE(changed.apply({PutNode{"", test::id_of(doc, "conv2"), node}}));
}

std::string refusal(PipelineTrial& t) {
  const auto result = t.run();
  return result ? "" : result.error().str();
}

TEST(Pipeline, StagesThatDoNotFitAreRefusedInASentence) {
  PipelineTrial backward("lenet5", divided(pipelines[0]));
  backward.place({{"conv1", 1}, {"conv2", 0}});
  EXPECT_THAT(refusal(backward), HasSubstr("conv2 is on stage 0 and reads "));
  PipelineTrial missing("lenet5", divided(pipelines[0]));
  missing.place({{"conv2", 2}});
  EXPECT_THAT(refusal(missing), HasSubstr("conv2 is on stage 2; the run has the stages 0 to 1"));
  PipelineTrial empty("lenet5", divided(pipelines[0]));
  empty.place({{"conv1", 0}});
  EXPECT_THAT(refusal(empty), HasSubstr("no layer is on stage 1"));
  PipelineTrial small("lenet5", [](TrainSettings& s, DataChoice& d) {
    divided(pipelines[0])(s, d);
    s.batch = 3;
  });
  EXPECT_THAT(refusal(small), HasSubstr("a batch of 3 cannot be divided into 4 micro-batches"));
  PipelineTrial profiled("lenet5", divided(pipelines[0]));
  profiled.request.profile = true;
  EXPECT_THAT(refusal(profiled), HasSubstr("--profile measures the layers of one device"));
}

}  // namespace
}  // namespace nw
