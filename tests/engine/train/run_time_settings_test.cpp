// SPDX-License-Identifier: Apache-2.0
// Accumulated gradients, averaged weights, the monitored figure, and settings that change while a run trains: their
// recipe, and branches. With all of them on, runs that are killed, replayed or branched end with the same bytes.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <thread>

#include "engine/io/safetensors.hpp"
#include "engine/train/branch.hpp"
#include "engine/train/knobs.hpp"
#include "engine/train/replay.hpp"
#include "engine/train/training_data.hpp"
#include "tests/engine/train/trained_state.hpp"
#include "tests/support/paths.hpp"

namespace nw {
namespace {

double largest_difference(const fs::path& a, const fs::path& b) {
  const auto left = tensors_of(a, "model.safetensors"), right = tensors_of(b, "model.safetensors");
  EXPECT_EQ(left.size(), right.size());
  double largest = 0;
  for (const auto& [name, values] : left)
    for (std::size_t i = 0; i < values.size(); ++i)
      largest = std::max(largest, std::abs(static_cast<double>(values[i]) - right.at(name)[i]));
  return largest;
}

Trial::Change batches(std::int64_t batch, std::int64_t accumulate, std::int64_t threads = 2,
                      std::vector<std::string> devices = {"cpu"}) {
  return [=](TrainSettings& s, DataChoice& d) {
    s.batch = batch;
    s.accumulate = accumulate;
    s.threads = threads;
    s.devices = devices;
    s.clip_norm = 1;
    d.synthetic_train = 300;  // the last update of an epoch has fewer images
  };
}

TEST(Accumulation, AnUpdateIsThatOfOneLargeBatch) {
  for (const char* backend : {"cpu", "reference"}) {
    Trial parts(batches(16, 4), "mlp", backend), whole(batches(64, 1), "mlp", backend);
    ASSERT_TRUE(parts.run());
    ASSERT_TRUE(whole.run());
    EXPECT_EQ(parts.sink.all<EpochEnd>().back().step, whole.sink.all<EpochEnd>().back().step);
    EXPECT_LT(largest_difference(parts.request.run, whole.request.run), 2e-5) << backend;
    EXPECT_NEAR(parts.sink.all<EpochEnd>().back().train_loss, whole.sink.all<EpochEnd>().back().train_loss, 1e-5);
    EXPECT_NEAR(parts.sink.all<Steps>().back().grad_norm, whole.sink.all<Steps>().back().grad_norm, 1e-4);
  }
}

TEST(Accumulation, OnSeveralDevicesTooAndOnAnyNumberOfThreads) {
  Trial one(batches(16, 3, 1)), threads(batches(16, 3, 3)), devices(batches(16, 3, 2, {"cpu:0", "cpu:1"}));
  for (Trial* t : {&one, &threads, &devices}) ASSERT_TRUE(t->run());
  EXPECT_EQ(state_of(one.request.run), state_of(threads.request.run));
  EXPECT_LT(largest_difference(one.request.run, devices.request.run), 2e-5);
}

TEST(Accumulation, Fp16IsRefused) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.accumulate = 2;
    s.precision = DType::f16;
  });
  const auto result = t.run();
  ASSERT_FALSE(result);
  EXPECT_NE(result.error().str().find("fp16 trains one batch for each update"), std::string::npos)
      << result.error().str();
}

TEST(AveragedWeights, AreSavedBesideTheTrainedOnesWhichTheyDoNotChange) {
  for (const char* backend : {"cpu", "reference"}) {
    const auto average = [](double decay) { return [=](TrainSettings& s, DataChoice&) { s.ema_decay = decay; }; };
    Trial plain({}, "mlp", backend), averaged(average(0.9), "mlp", backend);
    ASSERT_TRUE(plain.run());
    ASSERT_TRUE(averaged.run());
    const auto weights = tensors_of(plain.request.run, "model.safetensors"),
               state = tensors_of(averaged.request.run, "optimizer.safetensors"),
               means = tensors_of(averaged.request.run, "model.safetensors");
    for (const auto& [name, values] : weights) {
      EXPECT_EQ(state.at("trained " + name), values) << name;
      EXPECT_NE(means.at(name), values) << name;
    }
    EXPECT_NE(averaged.sink.all<EpochEnd>().back().validation_loss, plain.sink.all<EpochEnd>().back().validation_loss)
        << "the average is evaluated";
    EXPECT_EQ(averaged.sink.all<EpochEnd>().back().train_loss, plain.sink.all<EpochEnd>().back().train_loss);
  }
}

/// With a learning rate of nearly 0 its weights stay what they were at the start.
TEST(AveragedWeights, ARunWithoutThemTakesThemOverAsItsWeights) {
  Trial t([](TrainSettings& s, DataChoice&) { s.ema_decay = 0.5; });
  ASSERT_TRUE(t.run());
  BranchPlan plan{.parent = t.request.run,
                  .run = t.folder.path / "branch",
                  .from = "latest",
                  .settings = {"ema_decay=0", "epochs=3", "learning_rate=1e-30"},
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
  EXPECT_FALSE(tensors_of(plan.run, "optimizer.safetensors").contains("trained fc1.weight"));
}

TEST(Monitor, TheBestEpochIsThatOfTheChosenFigure) {
  for (const MonitoredFigure m : {MonitoredFigure::validation_loss, MonitoredFigure::train_loss,
                                  MonitoredFigure::train_accuracy, MonitoredFigure::validation_accuracy}) {
    Trial t([&](TrainSettings& s, DataChoice&) {
      s.epochs = 6;
      s.monitor = m;
      s.learning_rate = 0.4;  // up and down
    });
    ASSERT_TRUE(t.run());
    double best = 0;
    for (const EpochEnd& e : t.sink.all<EpochEnd>()) {
      const double figure = m == MonitoredFigure::validation_loss  ? -e.validation_loss
                            : m == MonitoredFigure::train_loss     ? -e.train_loss
                            : m == MonitoredFigure::train_accuracy ? e.train_accuracy
                                                                   : e.validation_accuracy;
      const bool better = e.epoch == 1 || figure > best;
      if (is_loss(m)) EXPECT_EQ(e.best, better) << name_of(m) << ", epoch " << e.epoch;
      if (better) EXPECT_TRUE(e.best) << name_of(m) << ", epoch " << e.epoch;
      if (better) best = figure;
    }
  }
}

TEST(Monitor, AChangeThatIsTooSmallDoesNotKeepARunGoing) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.epochs = 20;
    s.early_stopping_epochs = 2;
    s.min_change = 1000;
    s.monitor = MonitoredFigure::train_loss;
  });
  ASSERT_TRUE(t.run());
  EXPECT_EQ(t.sink.all<EpochEnd>().back().epoch, 3);
}

/// The figures of a run, and the rates that torch.optim.lr_scheduler.ReduceLROnPlateau gives for the same ones.
TEST(Plateau, TheRateFallsWhereTheFigureStalls) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.epochs = 12;
    s.schedule = ScheduleKind::plateau;
    s.monitor = MonitoredFigure::validation_loss;
    s.plateau_epochs = 0;
    s.plateau_gamma = 0.5;
    s.learning_rate = 0.4;
    s.min_learning_rate = 0.06;
  });
  ASSERT_TRUE(t.run());
  double scale = 1, best = INFINITY;
  std::vector<double> expected;
  for (const EpochEnd& e : t.sink.all<EpochEnd>()) {
    expected.push_back(std::max(0.4 * scale, std::min(0.4, 0.06)));
    if (e.validation_loss < best * (1 - 1e-4))
      best = e.validation_loss;
    else
      scale *= 0.5;
  }
  const std::int64_t per_epoch = t.sink.all<Started>().front().steps_per_epoch;
  for (const Steps& s : t.sink.all<Steps>())
    EXPECT_DOUBLE_EQ(s.learning_rate, expected[static_cast<std::size_t>((s.last - 1) / per_epoch)]) << s.last;
  EXPECT_LT(expected.back(), 0.4) << "the figure never stalled: the test shows nothing";
}

/// The number of images of an epoch that the transforms change.
TEST(AugmentStrength, ChangesThatPartOfTheImages) {
  RunDefinition definition;
  definition.doc = Trial::project(
      [](TrainSettings& s, DataChoice&) { s.transforms = {default_transform(*find_transform("RandomRotation"))}; },
      "mlp");
  auto data = open_training_data(definition, true, false);
  ASSERT_TRUE(data);
  const auto changed = [&](double strength, std::int64_t epoch) {
    data->train->set_strength(strength);
    int count = 0;
    for (std::int64_t i = 0; i < data->train->size(); ++i) {
      const std::uint8_t* plain = data->opened.train->in_memory(i);
      const auto image = data->train->augmented(i, epoch);
      count += image && std::memcmp(image->hwc.data(), plain, image->hwc.size()) != 0;
    }
    return count;
  };
  const auto all = static_cast<double>(changed(1, 0));
  ASSERT_GT(all, 200);
  EXPECT_EQ(changed(0, 0), 0);
  EXPECT_NEAR(changed(0.25, 0), 0.25 * all, 30);
  EXPECT_NEAR(changed(0.25, 1), 0.25 * all, 30);
}

const std::vector<std::pair<std::string, double>> changes = {
    {"weight_decay", 0.02}, {"clip_norm", 0.3}, {"augment_strength", 0.2}, {"l2", 0.001}, {"momentum", 0.5}};

/// Changes settings at the end of the second epoch, and another one of the network and the rate after the third.
std::function<void(const Event&)> turning(TrainControl& control, const GraphDoc& doc) {
  return [&control, &doc](const Event& e) {
    const auto* epoch = std::get_if<EpochEnd>(&e.what);
    if (!epoch) return;
    const std::vector<std::string> names = knob_names(doc);
    if (epoch->epoch == 2)
      for (const auto& [name, value] : changes)
        if (std::find(names.begin(), names.end(), name) != names.end()) control.set_knob(name, value);
    if (epoch->epoch == 3) {
      control.set_learning_rate(0.003);
      control.set_knob("frozen." + doc.graph().nodes.rbegin()->second.name, 0);
      control.set_knob("accumulate", 3);
    }
    if (epoch->epoch == 5) control.set_learning_rate(-1);
  };
}

TEST(Recipe, KilledReplayedAndBranchedRunsEndWithTheSameBytes) {
  std::string expected;
  for (const std::int64_t threads : {1, 2}) {
    DropoutTrial whole(everything(threads));
    whole.sink.then = turning(whole.control, whole.request.definition.doc);
    const auto done = whole.run();
    ASSERT_TRUE(done) << done.error().str();
    const std::string state = state_of(whole.request.run);
    if (expected.empty()) expected = state;
    EXPECT_EQ(state, expected) << threads << " threads";
    ASSERT_GE(whole.sink.all<Knob>().size(), 6U);

    auto again = replay_request(whole.request.run);
    ASSERT_TRUE(again) << again.error().str();
    DropoutTrial replayed(everything(threads));
    again->run = replayed.request.run;
    TrainControl control;
    Recording events;
    const auto result = train(*again, control, events);
    ASSERT_TRUE(result) << result.error().str();
    EXPECT_EQ(state_of(replayed.request.run), expected) << threads << " threads, replayed";
    EXPECT_EQ(events.all<Knob>().size(), whole.sink.all<Knob>().size());

    // killed after the fourth epoch, in the middle of the fifth, and resumed
    DropoutTrial killed(everything(threads));
    TrainRequest request = *replay_request(whole.request.run);
    request.run = killed.request.run;
    const pid_t child = ::fork();
    if (child == 0) {
      TrainControl own;
      Recording sink;
      sink.then = [](const Event& e) {
        if (const auto* s = std::get_if<Steps>(&e.what); s && s->last > 4 * 10 + 3) ::raise(SIGKILL);
      };
      (void)train(request, own, sink);
      ::_exit(0);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the run was over before it could be killed";
    request.resume = true;
    const std::int64_t saved = latest_checkpoint(request.run)->step;
    const auto held = std::erase_if(request.replay, [&](const Knob& k) { return k.step < saved; });
    ASSERT_GE(held, 6U) << "the checkpoint holds no changes: the test shows nothing";
    TrainControl fresh;
    Recording more;
    const auto resumed = train(request, fresh, more);
    ASSERT_TRUE(resumed) << resumed.error().str();
    EXPECT_EQ(state_of(killed.request.run), expected) << threads << " threads, killed and resumed";
  }
}

TEST(RunTimeSettings, TheSocketTakesWhatTheRunCanTrainWith) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 100000; });
  bool asked = false;
  t.sink.then = [&](const Event& e) {
    if (!std::holds_alternative<EpochEnd>(e.what) || std::exchange(asked, true)) return;
    const auto taken = [&](const std::string& words) { return control_run(t.request.run, "set " + words); };
    for (const char* words : {"epochs 3", "l2 -1", "l2 nan", "l2", "wings 2", "frozen.nothing 1", "batch 7"}) {
      const auto answer = taken(words);
      ASSERT_FALSE(answer) << words;
      EXPECT_EQ(answer.error().code, Errc::usage) << words;
    }
    EXPECT_TRUE(taken("l2 0.01"));
    EXPECT_TRUE(taken("frozen.fc1 1"));
    EXPECT_TRUE(taken("frozen.fc2 1"));
    const auto all = taken("frozen.fc3 1");
    EXPECT_FALSE(all) << "nothing would be trained";
    t.control.stop(false);
  };
  ASSERT_TRUE(t.run());
  EXPECT_TRUE(asked);
}

TEST(RunTimeSettings, AFrozenLayerKeepsItsWeights) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.epochs = 3;
    s.keep_checkpoints = 100;
  });
  t.sink.then = [&](const Event& e) {
    if (const auto* epoch = std::get_if<EpochEnd>(&e.what); epoch && epoch->epoch == 1)
      t.control.set_knob("frozen.fc1", 1);
  };
  ASSERT_TRUE(t.run());
  const std::int64_t per_epoch = t.sink.all<Started>().front().steps_per_epoch;
  const auto weight = [&](std::int64_t epoch, const char* name) {
    const auto f =
        SafetensorsFile::open(t.request.run / "checkpoints" / checkpoint_name(epoch * per_epoch) / "model.safetensors");
    std::vector<float> values(f->find(name)->bytes() / sizeof(float));
    EXPECT_TRUE(f->read(*f->find(name), std::as_writable_bytes(std::span(values))));
    return values;
  };
  EXPECT_EQ(weight(1, "fc1.weight"), weight(3, "fc1.weight"));
  EXPECT_NE(weight(1, "fc2.weight"), weight(3, "fc2.weight"));
  const auto knobs = t.sink.all<Knob>();
  ASSERT_EQ(knobs.size(), 1U);
  EXPECT_EQ(knobs.front().name, "frozen.fc1");
  EXPECT_EQ(knobs.front().step, per_epoch);
}

}  // namespace
}  // namespace nw
