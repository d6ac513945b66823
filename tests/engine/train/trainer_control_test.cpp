// SPDX-License-Identifier: Apache-2.0
// What ends or changes a training from outside: stop, pause, signals, new settings, requested checkpoints.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <functional>
#include <thread>
#include <utility>

#include "engine/runs/run_folder.hpp"
#include "engine/train/trainer.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {
namespace {

TEST(Trainer, StopWritesACheckpointOfTheCurrentStep) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 100000; });
  t.sink.then = [&](const Event& e) {
    if (const auto* s = std::get_if<Steps>(&e.what); s && s->last > 12) t.control.stop(false);
  };
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->ended.reason, EndReason::stopped);
  EXPECT_EQ(result->ended.exit_code, 8);
  EXPECT_EQ(latest_checkpoint(t.request.run)->step, result->ended.step);
  EXPECT_EQ(summarize_run(t.request.run)->status, RunStatus::stopped);
  EXPECT_TRUE(summarize_run(t.request.run)->can_resume);
}

TEST(Trainer, StopNowWritesNoCheckpoint) {
  Trial t(
      [](TrainSettings& s, DataChoice&) {
        s.epochs = 100000;
        s.checkpoint_epochs = 100000;
      },
      "mlp");
  auto doc = t.request.definition.doc;
  DataChoice data = doc.data();
  data.validation_fraction = 0;
  ASSERT_TRUE(t.request.definition.doc.apply({PutData{data}}));
  t.sink.then = [&](const Event& e) {
    if (std::holds_alternative<Steps>(e.what)) t.control.stop(true);
  };
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->ended.reason, EndReason::stopped);
  EXPECT_FALSE(latest_checkpoint(t.request.run));
}

TEST(Trainer, ASignalEndsWithItsOwnExitCode) {
  for (const auto& [signal, code] : {std::pair{SIGTERM, 143}, std::pair{SIGINT, 130}}) {
    Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 100000; });
    t.sink.then = [&, signal = signal](const Event& e) {
      if (const auto* s = std::get_if<Steps>(&e.what); s && s->last > 12) t.control.stop_for_signal(signal);
    };
    const auto result = t.run();
    ASSERT_TRUE(result);
    EXPECT_EQ(result->ended.exit_code, code);
    const auto latest = latest_checkpoint(t.request.run);
    ASSERT_TRUE(latest);
    EXPECT_EQ(latest->step, result->ended.step) << "an epoch's checkpoint is not that of the end";
  }
}

/// Asks `run` to stop as soon as its control socket answers; `heard` is set once it has, unless `begun` was true then.
std::jthread stop_when_it_answers(const fs::path& run, const std::function<bool()>& begun, std::atomic<bool>& heard) {
  return std::jthread([=, &heard](const std::stop_token& over) {
    while (!over.stop_requested() && !control_run(run, "stop"))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    heard = !begun();
  });
}

TEST(Trainer, AStopIsHeardWhileDataOpens) {
  Trial t([](TrainSettings& s, DataChoice& d) {
    s.epochs = 100000;
    d.synthetic_train = 4000;  // 0.4 s
  });
  const auto stop_late = [](TrainControl& control) {  // so that the test ends if nothing is heard
    return [&control](const Event& e) {
      if (std::holds_alternative<EpochEnd>(e.what)) control.stop(false);
    };
  };
  t.sink.then = stop_late(t.control);
  std::atomic<bool> heard{false};
  const auto begun = [](const Recording& sink) { return !sink.all<Started>().empty() || !sink.all<Resumed>().empty(); };
  auto stopper = stop_when_it_answers(
      t.request.run, [&] { return begun(t.sink); }, heard);
  const auto trained = t.run();
  stopper.request_stop();
  stopper.join();
  ASSERT_TRUE(trained) << trained.error().str();
  EXPECT_TRUE(heard);
  EXPECT_EQ(trained->ended.reason, EndReason::stopped);
  EXPECT_EQ(trained->ended.step, 0);

  heard = false;
  Recording events;
  stopper = stop_when_it_answers(
      t.request.run, [&] { return begun(events); }, heard);
  TrainRequest again;
  again.run = t.request.run;
  again.resume = true;
  again.backend = "cpu";
  TrainControl control;
  events.then = stop_late(control);
  const auto resumed = train(again, control, events);
  stopper.request_stop();
  stopper.join();
  ASSERT_TRUE(resumed) << resumed.error().str();
  EXPECT_TRUE(heard);
  EXPECT_EQ(resumed->ended.reason, EndReason::stopped);
  EXPECT_EQ(resumed->ended.step, 0);
}

TEST(Trainer, PausesUntilTheContinueCommand) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 4; });
  std::atomic<bool> asked{false};
  std::jthread waker;
  t.sink.then = [&](const Event& e) {
    if (const auto* epoch = std::get_if<EpochEnd>(&e.what); epoch && epoch->epoch == 1) t.control.pause();
    if (std::holds_alternative<Continued>(e.what)) { EXPECT_TRUE(asked) << "it went on by itself"; }
    if (!std::holds_alternative<Paused>(e.what)) return;
    waker = std::jthread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(200));
      asked = true;
      t.control.unpause();
    });
  };
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->ended.reason, EndReason::finished);
  ASSERT_EQ(t.sink.all<Paused>().size(), 1U);
  ASSERT_EQ(t.sink.all<Continued>().size(), 1U);
  EXPECT_EQ(t.sink.all<Paused>().front().step, t.sink.all<Continued>().front().step) << "no step was taken meanwhile";
}

TEST(Trainer, AStopEndsAPause) {
  Trial t;
  t.control.pause();
  std::jthread stopper;
  t.sink.then = [&](const Event& e) {
    if (std::holds_alternative<Paused>(e.what)) stopper = std::jthread([&] { t.control.stop(false); });
  };
  const auto result = t.run();
  ASSERT_TRUE(result);
  EXPECT_EQ(result->ended.reason, EndReason::stopped);
  EXPECT_EQ(result->ended.step, 0);
  EXPECT_EQ(latest_checkpoint(t.request.run)->step, 0) << "even before the first step there is something to go on from";
}

TEST(Trainer, ASettingChangedBetweenStepsTakesEffectAndIsRecorded) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 3; });
  t.sink.then = [&](const Event& e) {
    if (const auto* epoch = std::get_if<EpochEnd>(&e.what); epoch && epoch->epoch == 1)
      t.control.set_learning_rate(0.000125);
  };
  ASSERT_TRUE(t.run());
  const auto knobs = t.sink.all<Knob>();
  ASSERT_EQ(knobs.size(), 1U);
  EXPECT_EQ(knobs.front().name, "learning_rate");
  EXPECT_EQ(knobs.front().value, 0.000125);
  EXPECT_EQ(knobs.front().step, t.sink.all<EpochEnd>().front().step);
  EXPECT_EQ(t.sink.all<Steps>().back().learning_rate, 0.000125);
}

TEST(Trainer, TheControlSocketTakesTheLearningRatesThatFilesTake) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 100000; });
  bool asked = false;
  t.sink.then = [&](const Event& e) {
    if (!std::holds_alternative<EpochEnd>(e.what) || std::exchange(asked, true)) return;
    const auto taken = [&](const std::string& word) { return control_run(t.request.run, "set learning_rate " + word); };
    for (const char* word : {"1e31", "1e308", "1e999", "inf", "nan", "0", "-0.1", "", "0.1 0.2", "fast"}) {
      const auto answer = taken(word);
      ASSERT_FALSE(answer) << word;
      EXPECT_EQ(answer.error().code, Errc::usage) << word;
      EXPECT_EQ(answer.error().str().find('\n'), std::string::npos) << word;
    }
    EXPECT_EQ(t.control.learning_rate(), -1) << "nothing was changed";
    for (const char* word : {"1e30", "1e-30", "0.25"}) EXPECT_TRUE(taken(word)) << word;
    EXPECT_EQ(t.control.learning_rate(), 0.25);
    t.control.stop(false);
  };
  ASSERT_TRUE(t.run());
  EXPECT_TRUE(asked);
}

TEST(Trainer, ACheckpointCanBeRequestedAtAnyTime) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.epochs = 3;
    s.checkpoint_epochs = 1000;
  });
  t.control.checkpoint();
  ASSERT_TRUE(t.run());
  EXPECT_EQ(t.sink.all<Saved>().front().step, 0);
}

TEST(Trainer, EarlyStoppingEndsARunThatNoLongerImproves) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.epochs = 1000;
    s.learning_rate = 1e-30;
    s.early_stopping_epochs = 3;
  });
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->ended.reason, EndReason::finished);
  EXPECT_EQ(t.sink.all<EpochEnd>().size(), 4U) << "one best epoch and three without improvement";
}

}  // namespace
}  // namespace nw
