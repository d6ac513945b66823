// SPDX-License-Identifier: Apache-2.0
// Trainings by several processes: the stages of a pipeline, replicas of pipelines, and devices that accumulate, with
// the bytes of one process; commands to the first process reach all.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/train/pipeline_trial.hpp"
#include "tests/engine/train/ranks.hpp"
#include "tests/engine/train/replicas_seam.hpp"
#include "tests/engine/train/training_seam.hpp"

namespace nw {
namespace {
using testing::HasSubstr;

Division processes(PipelineSchedule schedule, std::int64_t stages = 0) { return {{"cpu"}, schedule, stages}; }
constexpr auto gpipe = PipelineSchedule::gpipe, one_one = PipelineSchedule::one_forward_one_backward;

Trial::Change with(const Trial::Change& first, const Trial::Change& then) {
  return [=](TrainSettings& s, DataChoice& d) {
    first(s, d);
    then(s, d);
  };
}

Result<TrainResult> on_ranks(int world, Trial& t) { return test::train_on_ranks(world, t.request, t.control, t.sink); }

TEST(RanksOfAPipeline, TrainTheBytesOfOneDevice) {
  struct Case {
    const char* network;
    int ranks;
    PipelineSchedule schedule;
  };
  for (const char* network : {"lenet5", residual}) {
    PipelineTrial one(network, divided(one_device));
    ASSERT_TRUE(one.run());
    for (const auto& [ranks, schedule] :
         {std::pair{2, gpipe}, std::pair{2, one_one}, std::pair{4, gpipe}, std::pair{4, one_one}}) {
      PipelineTrial trial(network, divided(processes(schedule)));
      SCOPED_TRACE(std::string(network).substr(0, 10) + " " + std::string(name_of(schedule)) + std::to_string(ranks));
      const auto trained = on_ranks(ranks, trial);
      ASSERT_TRUE(trained) << trained.error().str();
      expect_the_same(one, trial);
      EXPECT_EQ(one.sink.all<Ended>()[0].test_loss, trial.sink.all<Ended>()[0].test_loss);
      EXPECT_EQ(one.sink.all<Started>()[0].parameters, trial.sink.all<Started>()[0].parameters);
    }
  }
}

/// Sums over all weights: penalties and clipping by value and then by norm; norms of each weight.
TEST(RanksOfAPipeline, SumOverTheWeightsOfAllStages) {
  for (const char* optimizer : {"sgd", "lars"}) {
    const auto settings = [=](TrainSettings& s, DataChoice& d) {
      d.synthetic_train = 4 * s.batch;
      d.validation_fraction = 0;  // batches of one size
      s.optimizer.choose(optimizer);
      s.l1 = 1e-4;
      s.l2 = 1e-3;
      s.clip_value = 0.05;
      s.clip_norm = 0.2;
    };
    PipelineTrial one(residual, with(divided(one_device), settings)),
        three(residual, with(divided(processes(one_one)), settings));
    three.place({{"stem", 0}, {"bn1", 1}, {"conv3", 2}, {"short", 2}});
    ASSERT_TRUE(one.run());
    const auto trained = on_ranks(3, three);
    ASSERT_TRUE(trained) << trained.error().str();
    expect_the_same(one, three);
    const double penalties = sum_of_penalties(one.sink.all<Steps>());
    EXPECT_GT(penalties, 0);
    EXPECT_NEAR(sum_of_penalties(three.sink.all<Steps>()), penalties, 1e-9 * penalties);
  }
}

TEST(RanksOfAPipeline, AStageWithoutWeightsTrainsToo) {
  PipelineTrial one("lenet5", divided(one_device)), three("lenet5", divided(processes(gpipe)));
  three.place({{"conv1", 0}, {"pool1", 1}, {"conv2", 2}});
  ASSERT_TRUE(one.run());
  const auto trained = on_ranks(3, three);
  ASSERT_TRUE(trained) << trained.error().str();
  expect_the_same(one, three);
}

TEST(RanksOfAPipeline, AreReplicatedWithTheBytesOfDevices) {
  for (const bool shared : {true, false}) {
    const auto settings = [=](Parallelism parallel) {
      return [=](TrainSettings& s, DataChoice&) {
        s.sync_batch_norm = shared;
        s.parallel = parallel;
      };
    };
    PipelineTrial two(residual, with(divided({{"cpu:0", "cpu:1"}}), settings(Parallelism::data))),
        four(residual, with(divided(processes(one_one, 2)), settings(Parallelism::model)));
    ASSERT_TRUE(two.run());
    const auto trained = on_ranks(4, four);
    ASSERT_TRUE(trained) << trained.error().str();
    expect_the_same(two, four);
    expect_times_of_two_replicas(four);
    const RankTimes last = four.sink.all<RankTimes>().back();
    for (const RankUse& r : last.ranks) {
      EXPECT_FALSE(r.host.empty());
      EXPECT_EQ(r.device, "cpu");
    }
  }
}

TEST(RanksOfAPipeline, GoOnAfterAStopOnOtherNumbersOfRanks) {
  PipelineTrial whole(residual, divided(one_device));
  ASSERT_TRUE(whole.run());
  for (const int then : {1, 2, 4}) {
    PipelineTrial stopped(residual, divided(processes(one_one)));
    stopped.request.stop_after = 1;
    ASSERT_TRUE(on_ranks(2, stopped));
    TrainControl control;
    TrainRequest again;
    again.run = stopped.request.run;
    again.resume = true;
    const auto trained =
        then == 1 ? train(again, control, stopped.sink) : test::train_on_ranks(then, again, control, stopped.sink);
    ASSERT_TRUE(trained) << trained.error().str();
    EXPECT_EQ(state_of(stopped.request.run), state_of(whole.request.run)) << then;
  }
}

TEST(RanksOfAPipeline, ATensorThatIsNotFiniteIsFoundAsOnOneDevice) {
  const auto diverging = [](TrainSettings& s, DataChoice&) {
    s.clip_norm = 0;
    s.learning_rate = 1e30;
  };
  PipelineTrial one("lenet5", with(divided(one_device), diverging)),
      two("lenet5", with(divided(processes(gpipe)), diverging));
  const auto a = one.run(), b = on_ranks(2, two);
  ASSERT_FALSE(a);
  ASSERT_FALSE(b);
  EXPECT_EQ(b.error().code, Errc::not_finite);
  EXPECT_EQ(a.error().str(), b.error().str());
}

TEST(RanksOfAPipeline, EachHoldsItsOwnStage) {
  PipelineTrial two("lenet5", divided(processes(gpipe)));
  ASSERT_TRUE(on_ranks(2, two));
  const auto plans = two.sink.all<PipelinePlan>();
  ASSERT_EQ(plans.size(), 1U);
  ASSERT_EQ(plans[0].stages.size(), 2U);
  EXPECT_THAT(plans[0].stages[1].device, HasSubstr("rank 1 on here"));
  EXPECT_GT(plans[0].stages[1].memory_bytes, 0);
  const auto times = two.sink.all<PipelineTimes>();
  ASSERT_EQ(times.size(), 2U);
  ASSERT_EQ(times[1].stages.size(), 2U);
  for (const StageSeconds& s : times[1].stages) EXPECT_GT(s.compute_s, 0);
}

/// Two replicas of two stages, of which one weight of the second replica's second stage differs by a bit.
TEST(RanksOfAPipeline, AReplicaWhoseStageDiffersIsNamedByAllRanks) {
  const GraphDoc doc = Trial::project(divided(processes(gpipe, 2)), "lenet5");
  const DataFacts facts{.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 213};
  std::vector<std::string> before(4), after(4);
  test::on_thread_ranks(4, [&](ProcessGroup& group, std::size_t rank) {
    const auto replicas = *Replicas::make(doc, facts, *resolve_devices({"cpu"}, 1), false, 0, &group);
    ASSERT_TRUE(replicas->start_weights(7));
    const Status same = replicas->compare_weights();
    before[rank] = same ? "" : same.error().str();
    if (rank == 3) EXPECT_TRUE(ReplicasSeam::change(*replicas, 0, "fc3.weight", ReplicasSeam::next));
    const Status differ = replicas->compare_weights();
    after[rank] = differ ? "" : differ.error().str();
  });
  EXPECT_EQ(before, std::vector<std::string>(4));
  for (const std::string& said : after)
    EXPECT_THAT(said, HasSubstr("rank 3 (here) differ from the others', first in fc3.weight"));
}

TEST(RanksOfDevices, AccumulateTheBytesOfOneProcess) {
  const auto data = [](TrainSettings& s, DataChoice&) {
    s.parallel = Parallelism::data;
    s.accumulate = 2;
    s.micro_batches = 2;
  };
  PipelineTrial devices(residual, with(divided({{"cpu:0", "cpu:1"}}), data)),
      ranks(residual, with(divided(processes(gpipe)), data));
  ASSERT_TRUE(devices.run());
  const auto trained = on_ranks(2, ranks);
  ASSERT_TRUE(trained) << trained.error().str();
  expect_the_same(devices, ranks);
}

/// Asked for after some steps of a training; the changes are recorded with the step, and replayed in one process.
void expect_changes_reach_all(Parallelism parallel, const std::vector<std::string>& devices) {
  const auto settings = [=](TrainSettings& s, DataChoice&) { s.parallel = parallel; };
  PipelineTrial ranks("lenet5", with(divided(processes(one_one)), settings));
  ranks.request.statistics_steps = 0;
  bool asked = false;
  ranks.sink.then = [&](const Event& e) {
    if (asked || !std::holds_alternative<EpochEnd>(e.what)) return;
    asked = true;
    ranks.control.set_knob("clip_norm", 0.5);
    ranks.control.set_knob("frozen.conv1", 1);
    ranks.control.set_learning_rate(0.003);
  };
  std::vector<std::string> errors;
  const auto trained = test::train_on_ranks(2, ranks.request, ranks.control, ranks.sink, &errors);
  ASSERT_TRUE(trained) << testing::PrintToString(errors);
  const auto knobs = ranks.sink.all<Knob>();
  ASSERT_EQ(knobs.size(), 3U);
  PipelineTrial one("lenet5", with(divided({devices}), settings));
  one.request.replay = knobs;
  ASSERT_TRUE(one.run());
  expect_the_same(one, ranks);
}

TEST(RanksOfAPipeline, ChangeTheirSettingsTogether) { expect_changes_reach_all(Parallelism::model, {"cpu"}); }
TEST(RanksOfDevices, ChangeTheirSettingsTogether) { expect_changes_reach_all(Parallelism::data, {"cpu:0", "cpu:1"}); }

TEST(RanksOfAPipeline, StopTogetherWithACheckpoint) {
  PipelineTrial whole("lenet5", divided(one_device)), ranks("lenet5", divided(processes(one_one)));
  ASSERT_TRUE(whole.run());
  bool asked = false;
  ranks.sink.then = [&](const Event& e) {
    if (!std::exchange(asked, asked || std::holds_alternative<EpochEnd>(e.what)) && asked) ranks.control.stop(false);
  };
  std::vector<std::string> errors;
  const auto trained = test::train_on_ranks(2, ranks.request, ranks.control, ranks.sink, &errors);
  ASSERT_TRUE(trained) << trained.error().str();
  EXPECT_EQ(errors, std::vector<std::string>());
  EXPECT_EQ(trained->ended.reason, EndReason::stopped);
  Recording events;
  ASSERT_TRUE(ranks.resume(events));
  EXPECT_EQ(state_of(ranks.request.run), state_of(whole.request.run));
}

/// After the last step of an epoch, without an evaluation.
TEST(RanksOfDevices, SayWhatTheyDidAfterAStep) {
  Trial t([](TrainSettings&, DataChoice& d) { d.validation_fraction = 0; });
  t.request.stop_after = 1;
  std::string said;
  test::post().reset(2);
  const auto work = [&](int rank) {
    const auto group = *ProcessGroup::join(*test::layers[static_cast<std::size_t>(rank)], 60);
    TrainControl control;
    Recording own;
    Training training(test::request_of(rank, t.request, *group), control, rank == 0 ? t.sink : own);
    EXPECT_TRUE(training.run());
    while (rank == 0 && !group->lost()) std::this_thread::yield();
    if (rank == 0) said = group->lost()->str();
    group->leave(0);  // with its network
  };
  { const std::jthread first(work, 0), second(work, 1); }
  const std::string step = std::to_string(t.sink.all<Ended>()[0].step);
  EXPECT_EQ(said,
            "rank 1 on here has ended at step " + step + ", in the preparation of the next step, with exit code 0");
}

}  // namespace
}  // namespace nw
