// SPDX-License-Identifier: Apache-2.0
// Stochastic weight averaging: the mean of the weights at the ends of epochs, the statistics of batch norm that belong
// to it, and its bytes after a resume.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/train/branch.hpp"
#include "engine/train/replay.hpp"
#include "tests/engine/train/trained_state.hpp"

namespace nw {
namespace {

Trial::Change averaging(std::int64_t start, std::int64_t epochs, std::int64_t threads = 2) {
  return [=](TrainSettings& s, DataChoice&) {
    s.epochs = epochs;
    s.swa_start = start;
    s.threads = threads;
    s.keep_checkpoints = 1000;
  };
}

/// lenet5 with a batch norm in place of its first activation.
struct NormTrial : Trial {
  NormTrial(const Change& change, double momentum) : Trial(change, "lenet5") {
    GraphDoc& doc = request.definition.doc;
    for (const auto& [id, node] : doc.graph().nodes) {
      if (node.type != "ReLU") continue;
      Node norm = node;
      norm.type = "BatchNorm2d";
      norm.name = "norm";
      norm.attrs = {{"momentum", momentum}};
      if (!doc.apply({PutNode{"", id, norm}})) std::abort();
      return;
    }
    ADD_FAILURE() << "no activation";
  }
};

std::map<std::string, std::vector<float>> tensors_at(const fs::path& run, std::int64_t step, const char* file) {
  const auto opened = SafetensorsFile::open(run / "checkpoints" / checkpoint_name(step) / file);
  EXPECT_TRUE(opened) << opened.error().str();
  std::map<std::string, std::vector<float>> all;
  for (const TensorInfo& t : opened->header().tensors) {
    if (t.dtype != "F32") continue;
    all[t.name].resize(t.bytes() / sizeof(float));
    EXPECT_TRUE(opened->read(t, std::as_writable_bytes(std::span(all[t.name]))));
  }
  return all;
}

TEST(WeightMean, IsThatOfTheEpochsEndsAndLeavesTheTrainingAsItIs) {
  Trial plain(averaging(0, 4)), mean(averaging(2, 4));
  ASSERT_TRUE(plain.run());
  ASSERT_TRUE(mean.run());
  const auto epochs = plain.sink.all<EpochEnd>();
  const auto model = tensors_of(mean.request.run, "model.safetensors"),
             state = tensors_of(mean.request.run, "optimizer.safetensors");
  const auto last = tensors_of(plain.request.run, "model.safetensors");
  std::vector<std::map<std::string, std::vector<float>>> ends;
  for (const EpochEnd& e : epochs) ends.push_back(tensors_at(plain.request.run, e.step, "model.safetensors"));
  for (const auto& [name, values] : last) {
    EXPECT_EQ(state.at("trained " + name), values) << name;
    for (std::size_t i = 0; i < values.size(); ++i) {
      double sum = 0;
      for (std::size_t e = 1; e < 4; ++e) sum += ends[e].at(name)[i];
      ASSERT_NEAR(model.at(name)[i], sum / 3, 1e-6) << name << " " << i;
    }
  }
  const auto averaged = mean.sink.all<EpochEnd>();
  EXPECT_EQ(averaged[0].validation_loss, epochs[0].validation_loss);
  EXPECT_EQ(averaged[1].validation_loss, epochs[1].validation_loss) << "a mean of one";
  EXPECT_NE(averaged[2].validation_loss, epochs[2].validation_loss) << "the mean is evaluated";
  EXPECT_EQ(averaged[3].train_loss, epochs[3].train_loss);
}

// With weights that do not change, two batches an epoch and batch norm's momentum 1, running statistics are those of
// the second batch; with momentum 1/2 they follow from both. So both are known, and their mean is what is measured.
TEST(WeightMean, ItsStatisticsAreTheMeanOverTheBatches) {
  const auto still = [](std::int64_t start) {
    return [=](TrainSettings& s, DataChoice& d) {
      s.epochs = 1;
      s.swa_start = start;
      s.learning_rate = 1e-30;
      s.batch = 36;
      d.synthetic_train = 80;
    };
  };
  NormTrial whole(still(0), 1), half(still(0), 0.5), mean(still(1), 0.1);
  for (Trial* t : {static_cast<Trial*>(&whole), static_cast<Trial*>(&half), static_cast<Trial*>(&mean)})
    ASSERT_TRUE(t->run());
  ASSERT_EQ(whole.sink.all<EpochEnd>().back().step, 2) << "two batches";
  const auto second = tensors_of(whole.request.run, "model.safetensors"),
             both = tensors_of(half.request.run, "model.safetensors"),
             got = tensors_of(mean.request.run, "model.safetensors"),
             state = tensors_of(mean.request.run, "optimizer.safetensors");
  for (const auto& [name, start] : {std::pair{"norm.running_mean", 0.0}, {"norm.running_var", 1.0}})
    for (std::size_t i = 0; i < second.at(name).size(); ++i) {
      const double s2 = second.at(name)[i], s1 = (both.at(name)[i] - 0.5 * s2 - 0.25 * start) / 0.25;
      EXPECT_NEAR(got.at(name)[i], (s1 + s2) / 2, 1e-5 * std::max(1.0, std::abs(s1))) << name << " " << i;
      EXPECT_NEAR(state.at("trained " + std::string(name))[i], 0.81 * start + 0.09 * s1 + 0.1 * s2, 1e-5)
          << "of training";
    }
}

// Statistics are those of whole batches, which devices share.
TEST(WeightMean, TwoDevicesMeasureTheStatisticsOfOne) {
  const auto on = [](std::vector<std::string> devices) {
    return [=](TrainSettings& s, DataChoice&) {
      DataChoice same;
      averaging(1, 2)(s, same);
      s.devices = devices;
    };
  };
  NormTrial one(on({"cpu"}), 0.1), two(on({"cpu:0", "cpu:1"}), 0.1);
  ASSERT_TRUE(one.run());
  ASSERT_TRUE(two.run());
  const auto a = tensors_of(one.request.run, "model.safetensors"), b = tensors_of(two.request.run, "model.safetensors");
  for (const char* name : {"norm.running_mean", "norm.running_var", "norm.weight"})
    for (std::size_t i = 0; i < a.at(name).size(); ++i)
      EXPECT_NEAR(a.at(name)[i], b.at(name)[i], 1e-4 * std::max(1.0F, std::abs(a.at(name)[i]))) << name << " " << i;
}

/// Stops at every so many steps, also while statistics are measured, and resumes.
std::string state_with_stops(Trial& t, std::int64_t every) {
  const auto watch = [&](Recording& sink, TrainControl& control, std::int64_t from) {
    sink.then = [&control, from, every](const Event& e) {
      if (const auto* s = std::get_if<Steps>(&e.what); s && s->last >= from + every) control.stop(false);
    };
  };
  watch(t.sink, t.control, 0);
  auto result = t.run();
  EXPECT_TRUE(result);
  int stops = 0;
  for (; result && result->ended.reason == EndReason::stopped && stops < 100; ++stops) {
    Recording sink;
    TrainControl control;
    watch(sink, control, result->ended.step);
    TrainRequest again;
    again.run = t.request.run;
    again.resume = true;
    result = train(again, control, sink);
    EXPECT_TRUE(result) << result.error().str();
  }
  EXPECT_GE(stops, 2);
  return state_of(t.request.run);
}

TEST(WeightMean, StoppedAndResumedRunsEndWithTheBytesOfAnUninterruptedOne) {
  const auto change = [](std::int64_t threads) {
    return [=](TrainSettings& s, DataChoice& d) {
      everything(threads, 6)(s, d);
      s.ema_decay = 0;
      s.swa_start = 3;
      s.swa_learning_rate = 0.01;
      s.swa_anneal_epochs = 2;
    };
  };
  NormTrial whole(change(1), 0.1);
  ASSERT_TRUE(whole.run());
  const std::string expected = state_of(whole.request.run);
  ASSERT_FALSE(expected.empty());
  for (const std::int64_t threads : {1, 2}) {
    for (const std::int64_t every : {7, 9}) {
      NormTrial stopped(change(threads), 0.1);
      EXPECT_EQ(state_with_stops(stopped, every), expected) << threads << " threads, " << every << " steps";
    }
  }
}

// A change of a setting makes the network anew, in the middle of the last epoch.
TEST(WeightMean, IsKeptWhenASettingChangesAndIsReplayed) {
  Trial t(averaging(2, 4));
  t.request.replay = {Knob{"l2", 0.01, 30}};
  ASSERT_TRUE(t.run());
  const auto epochs = t.sink.all<EpochEnd>();
  ASSERT_LT(epochs[2].step, 30);
  ASSERT_GT(epochs[3].step, 30);
  const auto model = tensors_of(t.request.run, "model.safetensors");
  for (const auto& [name, values] : model)
    for (const std::size_t i : {std::size_t{0}, values.size() - 1}) {
      double sum = 0;
      for (std::size_t e = 1; e < 4; ++e)
        sum += tensors_at(t.request.run, epochs[e].step, "optimizer.safetensors").at("trained " + name)[i];
      EXPECT_NEAR(values[i], sum / 3, 1e-6) << name;
    }
  auto again = replay_request(t.request.run);
  ASSERT_TRUE(again) << again.error().str();
  Trial other(averaging(2, 4));
  again->run = other.request.run;
  again->definition.doc = Trial::project(averaging(2, 4, 1), "mlp");  // one thread
  TrainControl control;
  Recording sink;
  ASSERT_TRUE(train(*again, control, sink));
  EXPECT_EQ(state_of(other.request.run), state_of(t.request.run));
}

TEST(WeightMean, ABranchWithoutItTrainsTheTrainedWeightsFurther) {
  Trial t(averaging(1, 3));
  ASSERT_TRUE(t.run());
  BranchPlan plan{.parent = t.request.run,
                  .run = t.folder.path / "branch",
                  .from = "latest",
                  .settings = {"swa_start=0", "epochs=4", "learning_rate=1e-30"},
                  .project = {},
                  .devices = {}};
  auto b = plan_branch(plan);
  ASSERT_TRUE(b) << b.error().str();
  ASSERT_TRUE(write_branch(plan, *b));
  TrainControl control;
  Recording sink;
  ASSERT_TRUE(train(b->request, control, sink));
  EXPECT_EQ(tensors_of(plan.run, "model.safetensors").at("fc1.weight"),
            tensors_of(t.request.run, "optimizer.safetensors").at("trained fc1.weight"));
}

TEST(WeightMean, IsNotCombinedWithAMovingAverage) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.ema_decay = 0.9;
    s.swa_start = 1;
  });
  const auto result = t.run();
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().str().find("averaged in two ways"), std::string::npos) << result.error().str();
}

}  // namespace
}  // namespace nw
