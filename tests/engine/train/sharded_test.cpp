// SPDX-License-Identifier: Apache-2.0
// Replicas that each keep a part of the optimizer's state train the bytes of those that keep all of it; replicas that
// no longer have the same weights end the run.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/train/estimate.hpp"
#include "tests/engine/train/replicas_seam.hpp"
#include "tests/engine/train/trained_state.hpp"
#include "tests/support/sanitized.hpp"

namespace nw {
namespace {
using testing::HasSubstr;

using Settings = std::function<void(TrainSettings&)>;

Trial::Change on_devices(std::vector<std::string> devices, Parallelism how, const Settings& more) {
  return [=](TrainSettings& s, DataChoice& d) {
    d.synthetic_train = 130;  // the last batch is smaller
    s.devices = devices;
    s.parallel = how;
    if (more) more(s);
  };
}

struct Case {
  const char* name;
  Settings more;
};
const Case cases[] = {
    {"sgd", [](TrainSettings& s) { s.optimizer.set("momentum", 0.9); }},
    {"adam, clipped, with penalties, averaged",
     [](TrainSettings& s) {
       s.optimizer.choose("adam");
       s.clip_norm = 0.5;
       s.clip_value = 0.05;
       s.l1 = 1e-4;
       s.l2 = 1e-3;
       s.decay_bias_and_norm = false;
       s.ema_decay = 0.9;
     }},
    {"lars", [](TrainSettings& s) { s.optimizer.choose("lars"); }},
    {"adamw, accumulated",
     [](TrainSettings& s) {
       s.optimizer.choose("adamw");
       s.accumulate = 3;
       s.clip_norm = 0.5;
     }},
};

void expect_the_bytes_of_data_parallel(const std::vector<std::string>& devices, const std::string& backend) {
  for (const Case& c : cases) {
    if (test::sanitized && backend == "reference" && &c != &cases[1]) continue;  // 15 s each
    SCOPED_TRACE(c.name);
    Trial plain(on_devices(devices, Parallelism::data, c.more), "lenet5", backend);
    Trial sharded(on_devices(devices, Parallelism::sharded, c.more), "lenet5", backend);
    ASSERT_TRUE(plain.run());
    const auto done = sharded.run();
    ASSERT_TRUE(done) << done.error().str();
    EXPECT_EQ(state_of(plain.request.run), state_of(sharded.request.run));
    const auto expected = plain.sink.all<EpochEnd>(), got = sharded.sink.all<EpochEnd>();
    ASSERT_EQ(got.size(), expected.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      EXPECT_EQ(got[i].train_loss, expected[i].train_loss);
      EXPECT_EQ(got[i].validation_loss, expected[i].validation_loss);
    }
  }
}

TEST(Sharded, TwoReplicasTrainTheBytesOfPlainDataParallel) {
  expect_the_bytes_of_data_parallel({"cpu:0", "cpu:1"}, "cpu");
}
TEST(Sharded, ThreeReplicasTrainTheBytesOfPlainDataParallel) {
  expect_the_bytes_of_data_parallel({"cpu:0", "cpu:1", "cpu:2"}, "cpu");
}
TEST(Sharded, ReplicasOfTheReferenceTrainTheBytesOfPlainDataParallel) {
  expect_the_bytes_of_data_parallel({"cpu:0", "cpu:1"}, "reference");
}

TEST(Sharded, ThePenaltyIsThatOfAllWeights) {
  const auto penalised = [](Parallelism how) {
    return [=](TrainSettings& s, DataChoice& d) {
      on_devices({"cpu:0", "cpu:1"}, how, cases[1].more)(s, d);
      d.synthetic_train = 4 * s.batch;
      d.validation_fraction = 0;  // batches of one size
    };
  };
  for (const char* backend : {"cpu", "reference"}) {
    Trial plain(penalised(Parallelism::data), "lenet5", backend);
    Trial sharded(penalised(Parallelism::sharded), "lenet5", backend);
    ASSERT_TRUE(plain.run());
    ASSERT_TRUE(sharded.run());
    const double expected = sum_of_penalties(plain.sink.all<Steps>());
    EXPECT_GT(expected, 0);
    EXPECT_NEAR(sum_of_penalties(sharded.sink.all<Steps>()), expected, 1e-9 * expected) << backend;
  }
}

TEST(Sharded, ARunGoesOnWithAnotherNumberOfReplicas) {
  const Settings adam = [](TrainSettings& s) { s.optimizer.choose("adam"); };
  Trial plain(on_devices({"cpu:0", "cpu:1"}, Parallelism::data, adam), "lenet5");
  Trial sharded(on_devices({"cpu:0", "cpu:1"}, Parallelism::sharded, adam), "lenet5");
  for (Trial* t : {&plain, &sharded}) {
    t->request.stop_after = 1;
    ASSERT_TRUE(t->run());
    TrainControl fresh;
    Recording events;
    TrainRequest again{.run = t->request.run, .resume = true, .devices = {"cpu:0", "cpu:1", "cpu:2"}};
    const auto done = train(again, fresh, events);
    ASSERT_TRUE(done) << done.error().str();
  }
  EXPECT_EQ(state_of(plain.request.run), state_of(sharded.request.run));
}

Result<std::unique_ptr<Replicas>> replicas_of(const Trial::Change& change) {
  const GraphDoc doc = Trial::project(change, "lenet5");
  const DataFacts facts{.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 320};
  const TrainSettings& s = doc.settings();
  NW_ASSIGN(auto devices, resolve_devices(s.devices, s.threads));
  return Replicas::make(doc, facts, std::move(devices));
}

TEST(Sharded, EachOfTwoReplicasKeepsAboutHalfOfTheState) {
  const Settings adam = [](TrainSettings& s) { s.optimizer.choose("adam"); };
  const auto plain = replicas_of(on_devices({"cpu:0", "cpu:1"}, Parallelism::data, adam));
  const auto sharded = replicas_of(on_devices({"cpu:0", "cpu:1"}, Parallelism::sharded, adam));
  ASSERT_TRUE(plain && sharded);
  const std::int64_t all = (*sharded)->state_bytes();
  EXPECT_GE(all, 2 * 4 * (*plain)->parameters());
  EXPECT_EQ((*plain)->saved_bytes_of(0), 0);
  EXPECT_EQ((*sharded)->saved_bytes_of(0) + (*sharded)->saved_bytes_of(1), all) << "every part is kept once";
  for (const int rank : {0, 1}) {
    EXPECT_NEAR(static_cast<double>((*sharded)->saved_bytes_of(rank)), static_cast<double>(all) / 2, 2.0 * 4 * 8192);
    EXPECT_EQ((*plain)->memory_bytes_of(rank) - (*sharded)->memory_bytes_of(rank), (*sharded)->saved_bytes_of(rank))
        << "what is said to be saved is not allocated";
  }
}

TEST(Sharded, TheEstimateFromThePlanSaysWhatIsSaved) {
  const Settings adam = [](TrainSettings& s) { s.optimizer.choose("adam"); };
  const GraphDoc doc = Trial::project(on_devices({"cpu:0", "cpu:1"}, Parallelism::sharded, adam), "lenet5");
  const DataFacts facts{.channels = 1, .height = 28, .width = 28, .classes = 10, .train = 320};
  const auto devices = *resolve_devices(doc.settings().devices, 2);
  const MemoryEstimate planned = planned_memory(doc, facts, devices);
  const auto prepared = estimate_memory(doc, facts, devices);
  ASSERT_TRUE(prepared);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_GT(planned.devices[i].saved_bytes, 0);
    EXPECT_EQ(planned.devices[i].saved_bytes, prepared->devices[i].saved_bytes);
  }
}

TEST(Sharded, TheRunSaysAtItsStartWhatADeviceKeeps) {
  Trial t(on_devices({"cpu:0", "cpu:1"}, Parallelism::sharded, {}));
  ASSERT_TRUE(t.run());
  const auto notes = t.sink.all<Health>();
  ASSERT_FALSE(notes.empty());
  EXPECT_THAT(notes.front().message.str(), HasSubstr("The optimizer's state is divided among 2 devices"));
}

TEST(WeightsOfReplicas, ThatDifferEndTheRunWithTheDeviceAndTheFirstWeight) {
  const auto made = replicas_of(on_devices({"cpu:0", "cpu:1", "cpu:2"}, Parallelism::data, {}));
  ASSERT_TRUE(made);
  Replicas& replicas = **made;
  ASSERT_TRUE(replicas.start_weights(7));
  EXPECT_TRUE(replicas.compare_weights());
  for (const char* weight : {"conv2.weight", "fc2.weight"})
    ASSERT_TRUE(ReplicasSeam::change(replicas, 2, weight, ReplicasSeam::next));
  const Status same = replicas.compare_weights();
  ASSERT_FALSE(same);
  EXPECT_THAT(same.error().str(), HasSubstr("rank 2 (cpu:2) differ"));
  EXPECT_THAT(same.error().str(), HasSubstr("first in conv2.weight"));
}

}  // namespace
}  // namespace nw
