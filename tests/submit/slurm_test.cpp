// SPDX-License-Identifier: Apache-2.0
// netwright-cli submit --to slurm, against a real Slurm of one node: munged, slurmctld and slurmd with keys, ports and
// folders of their own. With NETWRIGHT_LONG, as root.
#include "tests/submit/sshd.hpp"

namespace nw {
namespace {

class SubmitSlurm : public Cli {
 protected:
  SubmitSlurm() { ::setenv("NETWRIGHT_JOBS", at("jobs").c_str(), 1); }
  ~SubmitSlurm() override {
    for (const char* name : {"NETWRIGHT_JOBS", "SLURM_CONF"}) ::unsetenv(name);
  }
  void SetUp() override {
    if (!std::getenv("NETWRIGHT_LONG")) GTEST_SKIP() << "NETWRIGHT_LONG is not set";
    if (::geteuid() != 0) GTEST_SKIP() << "only root can start Slurm's daemons";
    for (const char* daemon : {"/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd"})
      if (::access(daemon, X_OK) != 0) GTEST_SKIP() << daemon << " is not installed (Debian: slurmctld, slurmd, munge)";
    start_slurm();
  }
  void start_slurm() {
    fs::permissions(place_.path, fs::perms(0755));
    for (const char* folder : {"munge", "state", "spool"}) fs::create_directory(at(folder));
    ASSERT_TRUE(save_file(at("munge/key"), std::string(128, 'k'), 0600));
    munged_ = std::make_unique<test::Server>(
        std::vector<std::string>{"/usr/sbin/munged", "--foreground", "--force", "--key-file=" + at("munge/key"),
                                 "--socket=" + at("munge/socket"), "--pid-file=" + at("munge/pid"),
                                 "--log-file=" + at("munge/log"), "--seed-file=" + at("munge/seed")},
        at("munged.log"));
    ASSERT_TRUE(wait_for([&] { return fs::exists(at("munge/socket")); }));
    write_configuration();
    ::setenv("SLURM_CONF", at("slurm.conf").c_str(), 1);
    controller_ = std::make_unique<test::Server>(
        std::vector<std::string>{"/usr/sbin/slurmctld", "-D", "-c", "-f", at("slurm.conf")}, at("slurmctld.log"));
    node_ = std::make_unique<test::Server>(std::vector<std::string>{"/usr/sbin/slurmd", "-D", "-f", at("slurm.conf")},
                                           at("slurmd.log"));
    ASSERT_TRUE(wait_for([] { return std::system("sinfo -h -o %T 2>/dev/null | grep -q idle") == 0; }));
  }
  void write_configuration() {
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    ASSERT_TRUE(save_file(
        at("slurm.conf"),
        fmt::format(
            "ClusterName=test\nSlurmctldHost={0}(127.0.0.1)\nSlurmUser=root\nAuthType=auth/munge\nAuthInfo=socket={1}\n"
            "CredType=cred/munge\nSlurmctldPort={2}\nSlurmdPort={3}\nStateSaveLocation={4}\nSlurmdSpoolDir={5}\n"
            "SlurmctldPidFile={6}\nSlurmdPidFile={7}\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
            "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=2\nMpiDefault=none\n"
            "SchedulerParameters=sched_interval=2\nKillWait=20\nSlurmdParameters=config_overrides\n"
            "NodeName={0} NodeAddr=127.0.0.1 CPUs={8} State=UNKNOWN\nPartitionName=long Nodes={0} Default=YES "
            "State=UP\n",
            host, at("munge/socket"), test::free_port(), test::free_port(), at("state"), at("spool"), at("ctld.pid"),
            at("slurmd.pid"), ::sysconf(_SC_NPROCESSORS_ONLN))));
  }
  std::string state() { return run({"jobs", "status", "job"}).out; }
  CommandOutput submit(std::int64_t epochs, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {
        "submit", project(epochs), "--to", "slurm",     "--partition",
        "long",   "--name",        "job",  "--program", test::programs_folder() + "/netwright-cli"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  std::string events() const {
    const auto read = read_file(at("jobs/job/run/events.jsonl"), std::uint64_t{1} << 30);
    return read ? *read : "";
  }
  std::unique_ptr<test::Server> munged_, controller_, node_;
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

TEST_F(SubmitSlurm, TheTimeLimitIsACheckpointAndANewTurn) {
  const CommandOutput submitted = submit(100000, {"--time-limit", "1"});
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  ASSERT_TRUE(wait_for([&] { return events().find("\"resumed\"") != std::string::npos; })) << state();
  const std::string text = events();
  EXPECT_NE(text.substr(0, text.find("\"resumed\"")).find("\"ended\""), std::string::npos) << "it ended by itself";
  EXPECT_EQ(run({"jobs", "cancel", "job"}).code, 0);
}

}  // namespace
}  // namespace nw
