// SPDX-License-Identifier: Apache-2.0
// Settings that change at any moment of a run, which is killed at any moment: what was trained is that of a run with
// the same changes that nothing disturbed, and that of its recipe.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <random>

#include "engine/runs/pause.hpp"
#include "engine/train/knobs.hpp"
#include "engine/train/replay.hpp"
#include "tests/engine/train/trained_state.hpp"

namespace nw {
namespace {

constexpr std::int64_t steps_per_epoch = 9, epochs = 5;  // 144 images in updates of 16

/// Changes after steps of any kind: in mid-epoch, and at its end, where a checkpoint has just been saved.
std::vector<Knob> drawn_changes(std::mt19937& random) {
  const std::vector<std::pair<std::string, double>> names = {
      {"weight_decay", 0.02}, {"clip_norm", 0.3},       {"l2", 0.001},    {"augment_strength", 0.2},
      {"ema_decay", 0.7},     {"learning_rate", 0.004}, {"frozen.fc1", 1}};
  std::vector<Knob> all;
  for (const auto& [name, value] : names) {
    const auto step = static_cast<std::int64_t>(random() % (steps_per_epoch * (epochs - 1)));
    all.push_back({name, value, random() % 2 == 0 ? step / steps_per_epoch * steps_per_epoch : step});
  }
  std::stable_sort(all.begin(), all.end(), [](const Knob& a, const Knob& b) { return a.step < b.step; });
  return all;
}

/// Trains in a process of its own, which dies with the `last` event of its training. False: it came to an end.
bool killed_at_event(const TrainRequest& request, int last) {
  const pid_t child = ::fork();
  if (child == 0) {
    TrainControl control;
    Recording sink;
    int seen = 0;
    sink.then = [&](const Event& e) {
      const bool counted = std::holds_alternative<Knob>(e.what) || std::holds_alternative<Saved>(e.what) ||
                           std::holds_alternative<EpochEnd>(e.what);
      if (counted && ++seen == last) ::raise(SIGKILL);
    };
    (void)train(request, control, sink);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status);
}

std::string trained(TrainRequest request, const fs::path& run) {
  request.run = run;
  TrainControl control;
  Recording sink;
  const auto done = train(request, control, sink);
  EXPECT_TRUE(done) << (done ? "" : done.error().str());
  return state_of(run);
}

TEST(KilledSettings, HoldAfterAKillAtAnyMoment) {
  const int draws = std::getenv("NETWRIGHT_LONG") ? 50 : 8;
  std::mt19937 random(5);
  int after_checkpoint = 0, taken_back = 0;  // what the draws are about
  for (int draw = 0; draw < draws; ++draw) {
    DropoutTrial t(everything(1 + draw % 2, epochs));
    TrainRequest request = t.request;
    request.replay = drawn_changes(random);
    const int last = 3 + static_cast<int>(random() % 14);
    const std::string what = "draw " + std::to_string(draw);
    if (!killed_at_event(request, last) || list_checkpoints(request.run).empty()) continue;
    const std::int64_t saved = latest_checkpoint(request.run)->step;
    const auto before = recorded_knobs(request.run);
    ASSERT_TRUE(before) << what;
    std::vector<Knob> made = before->done;
    for (const Knob& k : made) {
      after_checkpoint += k.step == saved;
      taken_back += k.step > saved;
    }
    // twice: a second kill must not lose what the first one had brought along
    TrainRequest again;
    again.run = request.run;
    again.resume = true;
    (void)killed_at_event(again, 1);
    const std::string resumed = trained(again, request.run);
    TrainRequest whole = t.request;
    whole.replay = made;
    EXPECT_EQ(resumed, trained(whole, t.folder.path / "whole")) << what << ", killed and resumed";
    auto recipe = replay_request(request.run);
    ASSERT_TRUE(recipe) << what;
    EXPECT_EQ(resumed, trained(*recipe, t.folder.path / "replayed")) << what << ", replayed";
  }
  EXPECT_GT(after_checkpoint, 0) << "no setting was changed right after a checkpoint: the test shows nothing";
  EXPECT_GT(taken_back, 0) << "no setting was changed between the checkpoint and the kill: the test shows nothing";
}

/// A command of the user ends what the log would repeat.
TEST(KilledSettings, ANewCommandCancelsARepeatedChange) {
  RecordedKnobs all;
  all.take({"l2", 0.1, 12});
  all.take({"l1", 0.1, 13});
  all.take({"l2", 0.2, 15});
  all.take_back(10);
  EXPECT_EQ(all.done.size(), 0U);
  EXPECT_EQ(all.taken_back.size(), 3U);
  all.take({"l2", 0.1, 12});
  EXPECT_EQ(all.taken_back.size(), 2U) << "made again; the later one is still to come";
  all.take({"l2", 0.3, 14});
  ASSERT_EQ(all.taken_back.size(), 1U) << "another value by the user";
  EXPECT_EQ(all.taken_back.front().name, "l1");
  EXPECT_EQ(all.done.size(), 2U);
}

/// Memory that runs out in mid-run: the run goes back to its last checkpoint, and ends as an undisturbed one.
TEST(Mending, ARunWithoutMemoryGoesBackToItsCheckpointAndEndsWithTheSameBytes) {
  for (const std::int64_t epoch : {1, 3}) {
    DropoutTrial whole(everything(2, epochs)), hit(everything(2, epochs));
    whole.request.replay =
        hit.request.replay = {{"l2", 0.001, 5}, {"clip_norm", 0.3, 21}, {"learning_rate", 0.004, 31}};
    ASSERT_TRUE(whole.run());
    int failures = 0;
    hit.sink.then = [&](const Event& e) {
      const auto* ended = std::get_if<EpochEnd>(&e.what);
      if (ended && ended->epoch == epoch && failures++ == 0) throw std::bad_alloc();
    };
    const auto done = hit.run();
    ASSERT_TRUE(done) << done.error().str();
    EXPECT_GE(failures, 2) << "the epoch was not trained again";
    EXPECT_EQ(state_of(hit.request.run), state_of(whole.request.run)) << "memory ran out in epoch " << epoch;
    ASSERT_EQ(hit.sink.all<Paused>().size(), 1U);
    PauseReader reader;
    for (const Event& e : hit.sink.events()) {
      reader.take(e);
      if (std::holds_alternative<Paused>(e.what))
        EXPECT_NE(reader.pause()->reason.str().find("not enough memory"), std::string::npos);
    }
    EXPECT_FALSE(reader.pause()) << "it went on";
    EXPECT_EQ(hit.sink.all<Continued>().size(), 1U);
    EXPECT_EQ(summarize_run(hit.request.run)->epochs_done, epochs);
    auto recipe = replay_request(hit.request.run);
    ASSERT_TRUE(recipe);
    EXPECT_EQ(trained(*recipe, hit.folder.path / "replayed"), state_of(whole.request.run));
  }
}

TEST(Mending, ContinueTriesAtOnce) {
  using Clock = std::chrono::steady_clock;
  DropoutTrial t(everything(1, epochs));
  bool failed = false;
  Clock::time_point paused, continued;
  t.sink.then = [&](const Event& e) {
    if (std::holds_alternative<EpochEnd>(e.what) && !std::exchange(failed, true)) throw std::bad_alloc();
    if (std::holds_alternative<Continued>(e.what)) continued = Clock::now();
    if (!std::holds_alternative<Paused>(e.what)) return;
    paused = Clock::now();
    t.control.unpause();
  };
  ASSERT_TRUE(t.run());
  EXPECT_LT(std::chrono::duration<double>(continued - paused).count(), 0.95) << "the first try by itself is after 1 s";
}

TEST(Mending, AStopWhileThereIsNoMemoryKeepsTheCheckpoint) {
  DropoutTrial t(everything(1, epochs));
  t.sink.then = [&](const Event& e) {
    if (const auto* ended = std::get_if<EpochEnd>(&e.what); ended && ended->epoch >= 2) throw std::bad_alloc();
    if (std::holds_alternative<Paused>(e.what)) t.control.stop(true);
  };
  const auto done = t.run();
  ASSERT_FALSE(done);
  EXPECT_EQ(done.error().code, Errc::out_of_memory);
  EXPECT_EQ(latest_checkpoint(t.request.run)->step, steps_per_epoch);
  EXPECT_TRUE(summarize_run(t.request.run)->can_resume);
}

}  // namespace
}  // namespace nw
