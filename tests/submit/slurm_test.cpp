// SPDX-License-Identifier: Apache-2.0
// netwright-cli submit --to slurm, against a real Slurm of one node. With NETWRIGHT_LONG, as root.
#include <optional>

#include "tests/app/cli_fixture.hpp"
#include "tests/submit/slurm_server.hpp"
#include "tests/support/variable.hpp"

namespace nw {
namespace {

class SubmitSlurm : public Cli {
 protected:
  SubmitSlurm() { ::setenv("NETWRIGHT_JOBS", at("jobs").c_str(), 1); }
  ~SubmitSlurm() override { ::unsetenv("NETWRIGHT_JOBS"); }
  void SetUp() override {
    if (const std::string why = test::SlurmServer::why_not(); !why.empty()) GTEST_SKIP() << why;
    server_.emplace(place_.path);
  }
  std::string state() { return run({"jobs", "status", "job"}).out; }
  CommandOutput submit(std::int64_t epochs, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {
        "submit", project(epochs), "--to", "slurm",     "--partition",
        "long",   "--name",        "job",  "--program", test::programs_folder() + "/netwright-cli"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  void expect_a_new_turn(const std::vector<std::string>& more);
  std::string events() const {
    const auto read = read_file(at("jobs/job/run/events.jsonl"), std::uint64_t{1} << 30);
    return read ? *read : "";
  }
  std::optional<test::SlurmServer> server_;
};

TEST_F(SubmitSlurm, IsSubmittedFollowedCancelledAndRequeued) {
  const CommandOutput submitted = submit(100000);
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  Command follow(place_, {"jobs", "follow", "job"});
  ASSERT_TRUE(wait_for([&] { return fs::exists(at("jobs/job/run/latest")); }));
  EXPECT_EQ(state(), "running\n");
  EXPECT_EQ(run({"jobs", "control", "job", "pause"}).out, "ok\n");
  EXPECT_EQ(run({"jobs", "control", "job", "continue"}).out, "ok\n");
  EXPECT_EQ(run({"jobs", "cancel", "job"}).code, 0);
  const int code = follow.wait().code;
  EXPECT_TRUE(code == 8 || code == 143) << code;
  const std::int64_t steps = summarize_run(at("jobs/job/run"))->steps;
  EXPECT_EQ(latest_checkpoint(at("jobs/job/run"))->step, steps) << "cancelled with a checkpoint";
  ASSERT_EQ(run({"jobs", "requeue", "job"}).code, 0);
  ASSERT_TRUE(wait_for([&] { return summarize_run(at("jobs/job/run"))->steps > steps; }));
  EXPECT_NE(events().find("\"resumed\""), std::string::npos);
  EXPECT_EQ(run({"jobs", "cancel", "job"}).code, 0);
}

void SubmitSlurm::expect_a_new_turn(const std::vector<std::string>& more) {
  std::vector<std::string> words{"--time-limit", "1"};
  words.insert(words.end(), more.begin(), more.end());
  const CommandOutput submitted = submit(100000, words);
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  ASSERT_TRUE(wait_for([&] { return events().find("\"resumed\"") != std::string::npos; })) << state();
  const std::string text = events();
  EXPECT_NE(text.substr(0, text.find("\"resumed\"")).find("\"ended\""), std::string::npos) << "it ended by itself";
  EXPECT_EQ(run({"jobs", "cancel", "job"}).code, 0);
}

TEST_F(SubmitSlurm, TheTimeLimitIsACheckpointAndANewTurn) { expect_a_new_turn({}); }

/// mpirun, which is not sent SIGTERM, ends before Slurm kills it.
TEST_F(SubmitSlurm, TheTimeLimitOfSeveralRanksIsACheckpointAndANewTurn) {
  if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "mpirun is not installed (Debian: openmpi-bin)";
  const test::Variable root("OMPI_ALLOW_RUN_AS_ROOT", "1"), confirmed("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  expect_a_new_turn({"--ranks", "2"});
}

}  // namespace
}  // namespace nw
