// SPDX-License-Identifier: Apache-2.0
// netwright-cli submit on this computer, and what it writes without connecting to anything.
#include <thread>

#include "tests/app/cli_fixture.hpp"
#include "tests/support/variable.hpp"

namespace nw {
namespace {

class SubmitHere : public Cli {
 protected:
  SubmitHere() { ::setenv("NETWRIGHT_JOBS", at("jobs").c_str(), 1); }
  ~SubmitHere() override { ::unsetenv("NETWRIGHT_JOBS"); }
  const std::string program_ = test::programs_folder() + "/netwright-cli";
};

TEST_F(SubmitHere, TrainsInAProcessOfItsOwn) {
  const CommandOutput submitted = run({"submit", project(2), "--to", "here", "--program", program_});
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  EXPECT_EQ(submitted.out, "small-1\n");
  const CommandOutput followed = run({"jobs", "follow", "small-1"});
  EXPECT_EQ(followed.code, 0) << followed.err;
  EXPECT_EQ(summarize_run(at("jobs/small-1/run"))->status, RunStatus::finished);
  const CommandOutput listed = run({"jobs", "list", "--json"});
  EXPECT_EQ(listed.lines().front().at("job"), "small-1");
}

TEST_F(SubmitHere, SeveralRanksTrainTogether) {
  if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "mpirun is not installed (Debian: openmpi-bin)";
  const test::Variable root("OMPI_ALLOW_RUN_AS_ROOT", "1"), confirmed("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
      leaks("ASAN_OPTIONS", "detect_leaks=0");  // Open MPI has some
  const CommandOutput submitted = run({"submit", project(2), "--to", "here", "--program", program_, "--ranks", "2"});
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  const CommandOutput followed = run({"jobs", "follow", "small-1", "--json"});
  ASSERT_EQ(followed.code, 0) << followed.err << *read_file(at("jobs/small-1/log.txt"), 1 << 20);
  EXPECT_EQ(summarize_run(at("jobs/small-1/run"))->status, RunStatus::finished);
  const auto events = read_file(at("jobs/small-1/run/events.jsonl"), 1 << 24);
  const std::size_t at_reduce = events->rfind("\"reduce_s\":");
  ASSERT_NE(at_reduce, std::string::npos);
  EXPECT_GT(std::stod(events->substr(at_reduce + 11)), 0) << "they exchange gradients";
}

/// As long as ten times what it takes; mpirun, left to itself, waits twice that after its processes have ended.
bool ends_within_a_minute(const std::string& folder) {
  for (int i = 0; i < 600 && !fs::exists(folder + "/exit"); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  return fs::exists(folder + "/exit");
}

TEST_F(SubmitHere, SeveralRanksThatAreStoppedEndWithACheckpoint) {
  if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "mpirun is not installed (Debian: openmpi-bin)";
  const test::Variable root("OMPI_ALLOW_RUN_AS_ROOT", "1"), confirmed("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"),
      leaks("ASAN_OPTIONS", "detect_leaks=0");  // Open MPI has some
  const std::string file = project(100000);
  for (const std::vector<std::string>& stop :
       {std::vector<std::string>{"jobs", "control", "a", "stop"}, std::vector<std::string>{"jobs", "cancel", "b"}}) {
    const std::string& name = stop[2];
    ASSERT_EQ(run({"submit", file, "--to", "here", "--program", program_, "--ranks", "2", "--name", name}).code, 0);
    const std::string folder = at("jobs/" + name);
    ASSERT_TRUE(wait_for([&] { return fs::exists(folder + "/run/latest"); }));
    const std::int64_t before = latest_checkpoint(folder + "/run")->step;
    EXPECT_EQ(run(stop).code, 0);
    ASSERT_TRUE(ends_within_a_minute(folder)) << "mpirun does not end";
    EXPECT_EQ(std::stoi(*read_file(folder + "/exit", 16)), name == "a" ? 8 : 143);
    EXPECT_EQ(summarize_run(folder + "/run")->status, RunStatus::stopped);
    EXPECT_GT(latest_checkpoint(folder + "/run")->step, before);
  }
}

TEST_F(SubmitHere, AFolderInWhichATrainingRunsIsNotTakenAgain) {
  const std::vector<std::string> words = {"submit",    project(100000), "--to",   "here",
                                          "--program", program_,        "--name", "a"};
  ASSERT_EQ(run(words).code, 0);
  ASSERT_TRUE(wait_for([&] { return fs::exists(at("jobs/a/run/latest")); }));
  const CommandOutput again = run(words);
  EXPECT_NE(again.err.find("a training runs in " + at("jobs/a") + " already"), std::string::npos) << again.err;
  EXPECT_EQ(run({"jobs", "cancel", "a"}).code, 0);
}

TEST_F(SubmitHere, AJobThatHasEndedIsRememberedAndForgotten) {
  ASSERT_EQ(run({"submit", project(1), "--to", "here", "--program", program_}).code, 0);
  const CommandOutput early = run({"jobs", "forget", "small-1"});
  EXPECT_NE(early.err.find("has not ended"), std::string::npos) << early.err;
  ASSERT_EQ(run({"jobs", "follow", "small-1"}).code, 0);
  const Json listed = run({"jobs", "list", "--json"}).lines().front();
  EXPECT_EQ(listed.at("state"), "ended");
  EXPECT_EQ(listed.at("exit_code"), 0);
  EXPECT_EQ(run({"jobs", "forget", "small-1", "--json"}).lines().front().at("type"), "done");
  EXPECT_FALSE(fs::exists(at("jobs/small-1")));
}

TEST_F(SubmitHere, WhatIsCheckedIsToldStepByStep) {
  const CommandOutput checked =
      run({"submit", project(1), "--to", "here", "--program", program_, "--check-only", "--json"});
  ASSERT_EQ(checked.code, 0) << checked.err;
  std::string told;
  for (const Json& line : checked.lines())
    told += line.value("step", line.at("type").get<std::string>()) + (line.value("done", true) ? ";" : " ");
  EXPECT_EQ(told, "commands commands;program program;checked;");
  EXPECT_FALSE(fs::exists(at("jobs")));
}

TEST_F(SubmitHere, ADryRunPrintsWhatWouldBeRunAndWritesNothing) {
  const CommandOutput shown = run({"submit", project(), "--to", "slurm", "--time-limit", "30", "--partition", "long",
                                   "--dry-run", "--", "--set", "schedule=$(reboot)"});
  ASSERT_EQ(shown.code, 0) << shown.err;
  for (const char* part :
       {"#SBATCH --time=30\n", "#SBATCH --partition=long\n", "'schedule=$(reboot)'", "sbatch --parsable"})
    EXPECT_NE(shown.out.find(part), std::string::npos) << part << shown.out;
  EXPECT_FALSE(fs::exists(at("jobs")));
  const CommandOutput written = run({"submit", project(), "--to", "kubernetes", "--image", "a/b:1", "--data-volume",
                                     "sets", "--ranks", "2", "--write-only", at("written")});
  ASSERT_EQ(written.code, 0) << written.err;
  EXPECT_TRUE(fs::exists(at("written/job.yaml")) && fs::exists(at("written/Containerfile")));
}

TEST_F(SubmitHere, WrongFieldsAreUsageErrors) {
  const std::string file = project();
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--to", "lsf"},
                                             {"--to", "ssh"},
                                             {"--to", "ssh:-oProxyCommand=x"},
                                             {"--to", "here:a"},
                                             {"--to", "here", "--partition", "a"},
                                             {"--to", "slurm", "--partition", "a\n#SBATCH --x"},
                                             {"--to", "slurm", "--ranks", "0"},
                                             {"--to", "kubernetes", "--data-volume", "a"},
                                             {"--to", "here", "--name", "2026-a"},
                                             {"--to", "here", "--", "--run-dir", "/tmp/x"}}) {
    std::vector<std::string> words = {"submit", file, "--dry-run"};
    words.insert(words.end(), more.begin(), more.end());
    const CommandOutput said = run(words);
    EXPECT_EQ(said.code, 2) << more[1] << said.err;
  }
  EXPECT_EQ(run({"jobs", "status", "none"}).code, 3);
}

}  // namespace
}  // namespace nw
