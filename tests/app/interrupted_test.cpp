// SPDX-License-Identifier: Apache-2.0
// Pausing, quitting, killing and resuming the real program does not change a byte of the trained weights.
#include <random>

#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

class InterruptedRun : public Cli {
 protected:
  static constexpr std::int64_t steps_per_epoch = 57;  // 900 images in batches of 16
  const bool long_ = std::getenv("NETWRIGHT_LONG") != nullptr;
#ifdef NW_SANITIZED
  const std::int64_t epochs = long_ ? 30 : 6;  // instrumented builds are fifteen times slower
#else
  const std::int64_t epochs = long_ ? 200 : 16;
#endif
  /// A convolutional network with every kind of training state: momentum, a schedule and random crops.
  std::string network() {
    GraphDoc doc = find_template("lenet5")->make();
    TrainSettings s = doc.settings();
    s.epochs = epochs;
    s.batch = 16;
    s.schedule = ScheduleKind::cosine;
    s.random_crop = true;
    s.crop_padding = 2;
    DataChoice d = doc.data();
    d.kind = SourceKind::synthetic;
    d.synthetic_train = 1000;
    d.synthetic_test = 50;
    EXPECT_TRUE(doc.apply({PutSettings{s}, PutData{d}}));
    EXPECT_TRUE(ProjectFile::save(doc, at("lenet5.netwright")));
    return at("lenet5.netwright");
  }
  struct Learnt {
    std::string model, optimizer;
    bool operator==(const Learnt&) const = default;
  };
  Learnt learnt(const std::string& run_dir) const {
    return {latest_bytes(run_dir), latest_bytes(run_dir, "optimizer.safetensors")};
  }
  Learnt uninterrupted(const std::string& threads, const std::vector<std::string>& how = {}) {
    const std::string dir = at("whole" + threads + fmt::format("{}", fmt::join(how, "")));
    std::vector<std::string> command = {"train", network(), "--threads", threads, "--run-dir", dir, "--quiet"};
    command.insert(command.end(), how.begin(), how.end());
    const CommandOutput output = run(command);
    EXPECT_EQ(output.code, 0) << output.err;
    return learnt(dir);
  }
  /// Starts the training, kills it so often, each time inside an epoch, and lets it end.
  void kill_in_mid_epochs(std::vector<std::string> command, const std::string& dir, int kills) {
    std::mt19937 random(11);
    for (int kill = 0; kill < kills; ++kill) {
      Command training(place_, command);
      const auto saved = latest_checkpoint(dir);
      const std::int64_t from = saved ? saved->step : 0;
      // Kill inside an epoch, after the process wrote a checkpoint: otherwise the run would never progress.
      const std::int64_t inside = 1 + static_cast<std::int64_t>(random() % (steps_per_epoch / 2));
      ASSERT_TRUE(wait_for([&] {
        const auto newest = latest_checkpoint(dir);
        return newest && newest->step > from && is_past(dir, newest->step + inside);
      })) << "kill "
          << kill;
      ::kill(training.pid(), SIGKILL);
      ASSERT_EQ(training.wait().code, 128 + SIGKILL) << "the run ended before it could be killed";
      EXPECT_EQ(summarize_run(dir)->status, RunStatus::interrupted);
      command = {"resume", dir, "--quiet"};
    }
    const CommandOutput last = run(command);
    EXPECT_EQ(last.code, 0) << last.err;
    EXPECT_EQ(summarize_run(dir)->status, RunStatus::finished);
  }
  /// The run's answer to "status"; null once the run has ended.
  static Json status(const std::string& run_dir) {
    const auto answer = control_run(run_dir, "status");
    return answer ? Json::parse(*answer, nullptr, false) : Json();
  }
  static bool is_past(const std::string& run_dir, std::int64_t step) {
    const Json now = status(run_dir);
    return now.is_object() && now["step"].get<std::int64_t>() >= step;
  }
};

TEST_F(InterruptedRun, PausedQuitAndResumedRunsLearnTheBytesOfAnUninterruptedOneOnAnyNumberOfThreads) {
  const Learnt expected = uninterrupted("1");
  ASSERT_FALSE(expected.model.empty());
  for (const char* threads : {"1", "2", "3", "4"}) {
    if (*threads != '1') { EXPECT_EQ(uninterrupted(threads), expected) << threads << " threads, uninterrupted"; }
    const std::string dir = at(std::string("stopped") + threads);
    Command training(place_, {"train", network(), "--threads", threads, "--run-dir", dir, "--quiet"});
    ASSERT_TRUE(wait_for([&] { return is_past(dir, 20); }));
    EXPECT_EQ(run({"control", dir, "pause"}).code, 0);
    ASSERT_TRUE(wait_for([&] { return status(dir).value("paused", false); }));
    EXPECT_EQ(run({"control", dir, "stop"}).code, 0);
    ASSERT_EQ(training.wait().code, 8);
    ASSERT_LT(latest_checkpoint(dir)->step, steps_per_epoch * epochs) << "the run was over before it could be stopped";
    const CommandOutput resumed = run({"resume", dir, "--quiet"});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(learnt(dir), expected) << threads << " threads, stopped";
  }
}

TEST_F(InterruptedRun, KilledInMidEpochTheRunResumesAndLearnsTheSameBytes) {
  const Learnt expected = uninterrupted("2");
  const std::string dir = at("killed");
  kill_in_mid_epochs({"train", network(), "--threads", "2", "--run-dir", dir, "--quiet"}, dir, long_ ? 20 : 3);
  EXPECT_EQ(learnt(dir), expected);
}

TEST_F(InterruptedRun, OnTwoDevicesKilledInMidEpochTheRunResumesAndLearnsTheSameBytes) {
  for (const char* parallel : {"data", "sharded", "model"}) {
    const std::vector<std::string> how = {"--device", "cpu:0,cpu:1", "--parallel", parallel};
    const std::string dir = at(std::string("killed_") + parallel);
    const Learnt expected = uninterrupted("2", how);
    std::vector<std::string> command = {"train", network(), "--threads", "2", "--run-dir", dir, "--quiet"};
    command.insert(command.end(), how.begin(), how.end());
    kill_in_mid_epochs(command, dir, long_ ? 20 : 2);
    EXPECT_EQ(learnt(dir), expected) << parallel;
  }
}

TEST_F(InterruptedRun, ASecondResumeIsRejectedWithASentenceAndDisturbsNothing) {
  const std::string dir = at("run");
  Command training(place_, {"train", project(1'000'000), "--run-dir", dir, "--quiet"});
  ASSERT_TRUE(wait_for([&] { return !list_checkpoints(dir).empty(); }));
  ::kill(training.pid(), SIGKILL);
  training.wait();
  Command resumed(place_, {"resume", dir, "--quiet"});
  ASSERT_TRUE(wait_for([&] { return status(dir).is_object(); }));
  const std::string before = *read_file(dir + "/run.json", 1 << 20);
  const CommandOutput second = run({"resume", dir});
  EXPECT_EQ(second.code, 1);
  EXPECT_EQ(second.err,
            "netwright-cli: " + dir + " is being trained by another process; it cannot be trained twice at once\n");
  EXPECT_EQ(second.out, "");
  EXPECT_EQ(*read_file(dir + "/run.json", 1 << 20), before);
  ASSERT_TRUE(control_run(dir, "stop")) << "the first resume goes on";
  EXPECT_EQ(resumed.wait().code, 8);
}

TEST_F(InterruptedRun, AFinishedRunIsNotResumedAndARunWithoutACheckpointSaysWhatToDo) {
  ASSERT_EQ(run({"train", project(), "--run-dir", at("done"), "--quiet"}).code, 0);
  const std::string weights = latest_bytes(at("done"));
  const CommandOutput again = run({"resume", at("done")});
  EXPECT_EQ(again.code, 2);
  EXPECT_EQ(again.err, "netwright-cli: " + at("done") +
                           " has finished; there is nothing left to train. --epochs N trains it further\n");
  EXPECT_EQ(latest_bytes(at("done")), weights);

  fs::remove_all(at("done") + "/checkpoints");
  fs::remove(at("done") + "/events.jsonl");  // the state after a kill in the first epoch
  const CommandOutput nothing = run({"resume", at("done")});
  EXPECT_EQ(nothing.code, 3);
  EXPECT_EQ(nothing.err,
            "netwright-cli: " + at("done") + " holds no complete checkpoint; train again in a new folder\n");
}

TEST_F(InterruptedRun, AFinishedRunIsTrainedFurtherWithEpochs) {
  ASSERT_EQ(run({"train", project(2), "--run-dir", at("part"), "--quiet"}).code, 0);
  ASSERT_EQ(run({"train", project(4), "--run-dir", at("whole"), "--quiet"}).code, 0);
  const CommandOutput few = run({"resume", at("part"), "--epochs", "2", "--quiet"});
  EXPECT_EQ(few.code, 2);
  EXPECT_NE(few.err.find("has trained 2 epochs; --epochs is the new total and must be larger"), std::string::npos)
      << few.err;
  EXPECT_EQ(run({"resume", at("part"), "--epochs", "0"}).code, 2);
  EXPECT_EQ(summarize_run(at("part"))->status, RunStatus::finished) << "a rejection leaves the run as it was";
  const CommandOutput further = run({"resume", at("part"), "--epochs", "4", "--quiet"});
  EXPECT_EQ(further.code, 0) << further.err;
  EXPECT_EQ(learnt(at("part")), learnt(at("whole")));
  const auto summary = summarize_run(at("part"));
  EXPECT_EQ(summary->epochs, 4);
  EXPECT_EQ(summary->epochs_done, 4);
}

TEST_F(InterruptedRun, ClosedOutputPipeStopsTheRunWithACheckpoint) {
  int ends[2];
  ASSERT_EQ(::pipe2(ends, O_CLOEXEC), 0);
  Command training(place_, {"train", project(1'000'000), "--run-dir", at("run"), "--json"},
                   {.words = {}, .first = [&] { ::dup2(ends[1], 1); }});
  ::close(ends[1]);
  ASSERT_TRUE(wait_for([&] { return status(at("run")).is_object(); }));
  ::close(ends[0]);
  EXPECT_EQ(training.wait().code, 128 + SIGPIPE);
  EXPECT_EQ(summarize_run(at("run"))->status, RunStatus::stopped);
  EXPECT_TRUE(summarize_run(at("run"))->can_resume);
}

}  // namespace
}  // namespace nw
