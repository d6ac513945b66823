// SPDX-License-Identifier: Apache-2.0
// SIGTERM, SIGINT and the command "stop" at random moments of a run, from opening its data to its last checkpoint: it
// ends with its code and a checkpoint of its last step, and goes on to the bytes of a run that was not stopped. 8 stops
// in a normal run, 150 with NETWRIGHT_LONG=1.
#include <random>

#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

class StoppedTraining : public Cli {};

TEST_F(StoppedTraining, EndsAtAnyMomentWithACheckpointOfItsLastStep) {
  const int stops = std::getenv("NETWRIGHT_LONG") ? 150 : 8;
  const std::string file = project(100);
  ASSERT_EQ(run({"train", file, "--run-dir", at("undisturbed"), "--quiet"}).code, 0);
  const std::string expected = latest_bytes(at("undisturbed"));
  std::mt19937 random(23);
  int stopped = 0, runs = 0, before_training = 0;
  std::string dir;
  bool finished = true;
  while (stopped < stops || !finished) {
    std::vector<std::string> words = {"resume", dir, "--quiet"};
    if (finished) {
      dir = at(fmt::format("run{}", ++runs));
      words = {"train", file, "--run-dir", dir, "--quiet"};
    }
    Command training(place_, words, {.words = {}, .first = [] { ::alarm(120); }});
    int wanted = 0;
    if (stopped < stops) {
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 250'000));
      const int how = std::vector{SIGTERM, SIGINT, 0}[random() % 3];
      wanted = how == 0 ? 8 : 128 + how;
      if (how != 0) ::kill(training.pid(), how);
      if (how == 0 && !control_run(dir, "stop")) wanted = 0;  // it did not listen yet, or had ended
    }
    const CommandOutput output = training.wait();
    const std::string when = fmt::format("stop {} ({}): {}", stopped, wanted, output.err);
    const auto summary = summarize_run(dir);
    finished = output.code == 0;
    // a signal before main() has prepared for it ends the process like any other
    ASSERT_TRUE(finished || output.code == wanted) << output.code << ", " << when;
    if (finished) {
      EXPECT_TRUE(latest_bytes(dir) == expected) << when << ": other weights";
      continue;
    }
    ++stopped;
    if (list_checkpoints(dir).empty()) {  // before its first step
      ++before_training;
      EXPECT_EQ(last_step(dir), 0) << when << ": steps are lost";
      fs::remove_all(dir);
      finished = true;
      continue;
    }
    EXPECT_EQ(latest_checkpoint(dir)->step, last_step(dir)) << when << ": steps after the checkpoint are lost";
    EXPECT_TRUE(verify_checkpoint(dir, latest_checkpoint(dir)->name)) << when;
    ASSERT_TRUE(summary && summary->can_resume) << when;
  }
  EXPECT_GT(stopped, before_training) << "no stop met a training";
}

}  // namespace
}  // namespace nw
