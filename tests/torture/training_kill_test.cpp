// SPDX-License-Identifier: Apache-2.0
// SIGKILL of the real program at random moments of training and checkpointing, and at its system calls: the run folder
// stays valid, no files accumulate in it, and the final weights equal those of an undisturbed run.
#include <random>

#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

class TrainingKilled : public Cli {
 protected:
  const bool long_ = std::getenv("NETWRIGHT_LONG") != nullptr;
  std::string expected_;  // weights of an undisturbed run

  /// A run that spends most of its time on checkpoints: one after every epoch of five small steps.
  std::string saving_project(std::int64_t epochs) {
    const std::string file = project(epochs), undisturbed = at("undisturbed");
    const CommandOutput output = run({"train", file, "--run-dir", undisturbed, "--quiet"});
    EXPECT_EQ(output.code, 0) << output.err;
    expected_ = latest_bytes(undisturbed);
    return file;
  }

  /// The checkpoint of the run's last checkpoint event.
  static std::int64_t last_reported(const std::string& dir) {
    EventTail tail(dir);
    std::vector<Event> events;
    for (auto more = tail.poll(events); more && *more;) more = tail.poll(events);
    std::int64_t step = -1;
    for (const Event& e : events)
      if (const auto* saved = std::get_if<Saved>(&e.what)) step = saved->step;
    return step;
  }

  static std::vector<std::string> hidden(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code error;
    for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
      if (it->path().filename().string().starts_with('.')) names.push_back(it->path().filename().string());
    return names;
  }

  /// Checks the invariants after a kill: every complete checkpoint verifies, no reported checkpoint is lost, and few
  /// temporary files remain.
  void expect_whole(const std::string& dir, const std::string& when) const {
    const auto all = list_checkpoints(dir);
    for (const CheckpointName& c : all) {
      const Status whole = verify_checkpoint(dir, c.name);
      EXPECT_TRUE(whole) << when << (whole ? "" : whole.error().str());
    }
    if (const std::int64_t told = last_reported(dir); told >= 0) {
      ASSERT_FALSE(all.empty()) << when << ": step " << told << " was reported";
      EXPECT_GE(latest_checkpoint(dir)->step, told) << when;
    }
    EXPECT_LE(hidden(fs::path(dir) / "checkpoints").size(), 1U) << when << ": half-saved checkpoints pile up";
    EXPECT_LE(hidden(dir).size(), 2U) << when << ": temporary files pile up";
  }

  void expect_finished_like_undisturbed(const std::string& dir, const std::string& when) const {
    EXPECT_EQ(summarize_run(dir)->status, RunStatus::finished) << when;
    EXPECT_TRUE(latest_bytes(dir) == expected_) << when << ": the weights differ from an undisturbed run's";
    EXPECT_TRUE(hidden(dir).empty() && hidden(fs::path(dir) / "checkpoints").empty())
        << when << ": temporary files were left";
  }
};

TEST_F(TrainingKilled, AtRandomMomentsLosesNoReportedProgress) {
  const std::string file = saving_project(long_ ? 300 : 60);
  const int kills = long_ ? 1000 : 20;
  std::mt19937 random(29);
  int runs = 0, killed = 0;
  std::string dir;
  bool finished = true;
  while (killed < kills || !finished) {
    std::vector<std::string> command = {"resume", dir, "--quiet"};
    if (finished) {
      dir = at("run" + std::to_string(runs++));
      command = {"train", file, "--run-dir", dir, "--quiet"};
    }
    Command training(place_, command);
    if (killed >= kills) {
      const CommandOutput output = training.wait();
      ASSERT_EQ(output.code, 0) << output.err;
      finished = true;
      expect_finished_like_undisturbed(dir, "in the end");
      continue;
    }
    // Waits for a new checkpoint, so that the run makes progress; then for a random moment.
    const std::int64_t from = last_reported(dir);
    ASSERT_TRUE(wait_for([&] { return last_reported(dir) > from || training.ended(); }));
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 40'000));
    ::kill(training.pid(), SIGKILL);
    const CommandOutput output = training.wait();
    // A kill after the run's last event does not interrupt the run: it has finished.
    const auto summary = summarize_run(dir);
    ASSERT_TRUE(summary) << summary.error().str();
    finished = summary->status == RunStatus::finished;
    ASSERT_TRUE(output.code == 128 + SIGKILL || (output.code == 0 && finished))
        << "the run failed by itself with code " << output.code << ": " << output.err;
    if (output.code != 0) expect_whole(dir, "kill " + std::to_string(++killed));
    if (finished) expect_finished_like_undisturbed(dir, "finished before a kill");
    if (HasFatalFailure()) return;
  }
}

TEST_F(TrainingKilled, AtWritingSystemCallsResumesFromACompleteCheckpoint) {
  if (std::system("strace -qq -o /dev/null true 2>/dev/null") != 0) GTEST_SKIP() << "strace cannot trace here";
  const std::string file = saving_project(2);
  int killed = 0;
  for (const char* call : {"write", "fsync", "rename", "mkdir", "unlink,unlinkat", "ftruncate"}) {
    // Every call in the long variant of the test; otherwise every few calls, and always the first ones.
    for (int n = 1, step = 1;; n += step, step = long_ || n < 4 ? 1 : 5) {
      const std::string when = std::string(call) + " " + std::to_string(n), dir = at("run");
      const std::string fault = std::string("inject=") + call + ":signal=KILL:when=" + std::to_string(n);
      const CommandOutput output =
          run({"train", file, "--run-dir", dir, "--quiet"},
              {.words = {"strace", "-f", "-qq", "-E", "ASAN_OPTIONS=detect_leaks=0:symbolize=0", "-E",
                         "TSAN_OPTIONS=symbolize=0", "-o", "/dev/null", "-e", fault},
               .first = {}});
      if (output.code == 0) {  // the run makes fewer such calls
        expect_finished_like_undisturbed(dir, when);
        fs::remove_all(dir);
        break;
      }
      ASSERT_EQ(output.code, 128 + SIGKILL) << when << ": " << output.err;
      ++killed;
      expect_whole(dir, when);
      if (HasFatalFailure()) return;
      // only its last event was lost
      if (const auto summary = summarize_run(dir); summary && summary->status == RunStatus::finished) {
        expect_finished_like_undisturbed(dir, when);
        fs::remove_all(dir);
        continue;
      }
      const CommandOutput resumed = run({"resume", dir, "--quiet"});
      if (resumed.code == 0)
        expect_finished_like_undisturbed(dir, when);
      else
        EXPECT_EQ(resumed.code, 3) << when << ": " << resumed.err;  // killed before its first checkpoint
      EXPECT_EQ(resumed.code == 3, last_reported(dir) < 0 && list_checkpoints(dir).empty())
          << when << ": " << resumed.err;
      fs::remove_all(dir);
    }
  }
  EXPECT_GE(killed, 20) << "the faults were not felt";
}

}  // namespace
}  // namespace nw
