// SPDX-License-Identifier: Apache-2.0
// netwright-cli submit --to kubernetes end to end, with a kubectl that plays the cluster (fake_kubectl.py): submitted,
// followed, stopped, fetched, cancelled, started again.
#include <optional>

#include "engine/submit/process.hpp"
#include "tests/app/cli_fixture.hpp"
#include "tests/submit/digits.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/variable.hpp"

namespace nw {
namespace {

class SubmitKubernetes : public Cli {
 protected:
  void SetUp() override {
    if (std::system("python3 -c 'import yaml' 2>/dev/null") != 0) GTEST_SKIP() << "python3 has no yaml";
    for (const char* folder : {"bin", "cluster/volume", "cluster/claim.sets"}) fs::create_directories(at(folder));
    fs::copy_file(NW_FAKE_KUBECTL, at("bin/kubectl"));
    fs::permissions(at("bin/kubectl"), fs::perms(0755));
    jobs_.emplace("NETWRIGHT_JOBS", at("jobs"));
    cluster_.emplace("FAKE_CLUSTER", at("cluster"));
    path_.emplace("PATH", at("bin") + ":" + test::programs_folder() + ":" + std::getenv("PATH"));
  }
  void TearDown() override { (void)run({"jobs", "cancel", "job"}); }
  CommandOutput submit(std::int64_t epochs, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"submit",  project(epochs), "--to",          "kubernetes", "--name", "job",
                                      "--image", "local/nw:1",    "--data-volume", "sets",       "--cpus", "1"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  std::string volume(const std::string& name) const { return at("cluster/volume/netwright/job/" + name); }
  static std::string text(const std::string& file) {
    const auto read = read_file(file, std::uint64_t{1} << 30);
    return read ? *read : "";
  }
  bool trains() {
    return wait_for([&] { return fs::exists(volume("run/latest")); });
  }
  void follows_to_the_end(Command& follow) {
    EXPECT_EQ(follow.wait().code, 0) << follow.err();
    EXPECT_EQ(text(at("jobs/job/run/events.jsonl")), text(volume("run/events.jsonl"))) << "with the last lines";
    EXPECT_FALSE(is_running(at("jobs/job/run")));
  }
  std::optional<test::Variable> jobs_, cluster_, path_;
};

TEST_F(SubmitKubernetes, AJobIsFollowedPausedStoppedAndFetched) {
  const CommandOutput submitted = submit(100000);
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  Command follow(place_, {"jobs", "follow", "job"});
  ASSERT_TRUE(trains()) << text(volume("log.txt")) << text(at("cluster/default/job.job/pod.log"));
  EXPECT_EQ(run({"jobs", "status", "job"}).out, "running\n");
  EXPECT_EQ(run({"jobs", "control", "job", "pause"}).out, "ok\n");
  ASSERT_TRUE(wait_for([&] {
    return run({"jobs", "control", "job", "status"}).out.find("\"paused\":true") != std::string::npos;
  }));
  EXPECT_EQ(run({"jobs", "fetch", "job"}).code, 0) << "a checkpoint while it pauses";
  EXPECT_TRUE(latest_checkpoint(at("jobs/job/run")));
  EXPECT_EQ(run({"jobs", "control", "job", "continue"}).out, "ok\n");
  EXPECT_EQ(run({"jobs", "control", "job", "stop"}).out, "ok\n");
  follows_to_the_end(follow);
  EXPECT_EQ(text(volume("exit")), "8\n");
  EXPECT_EQ(text(at("cluster/default/job.job/pods")), "0\n") << "the cluster does not start it again";
  EXPECT_EQ(summarize_run(at("jobs/job/run"))->status, RunStatus::stopped);
  ASSERT_EQ(run({"jobs", "fetch", "job"}).code, 0) << "from the volume of a pod that has ended";
  EXPECT_EQ(latest_bytes(at("jobs/job/run")), latest_bytes(volume("run")));
  EXPECT_FALSE(fs::exists(at("cluster/default/pod.job-files"))) << "what reads the volume is removed";
  EXPECT_EQ(run({"evaluate", at("jobs/job/run")}).code, 0);
}

TEST_F(SubmitKubernetes, APodThatDiesGoesOnInTheNextAndACancelledJobInANewOne) {
  ASSERT_EQ(submit(100000).code, 0);
  ASSERT_TRUE(trains());
  const auto resumed = [&] {
    const std::string events = text(volume("run/events.jsonl"));
    int count = 0;
    for (std::size_t at = 0; (at = events.find("\"resumed\"", at)) != std::string::npos; ++at) ++count;
    return count;
  };
  const pid_t pod = std::atoi(text(at("cluster/default/job.job/pod")).c_str());
  ::kill(-pod, SIGKILL);
  EXPECT_TRUE(wait_for([&] { return resumed() == 1; }));
  EXPECT_EQ(run({"jobs", "cancel", "job"}).code, 0);
  EXPECT_EQ(run({"jobs", "status", "job"}).out, "lost\n");
  const std::int64_t steps = summarize_run(volume("run"))->steps;
  EXPECT_EQ(latest_checkpoint(volume("run"))->step, steps) << "ended with a checkpoint";
  ASSERT_EQ(run({"jobs", "requeue", "job"}).code, 0);
  EXPECT_TRUE(wait_for([&] { return resumed() == 2; }));
}

TEST_F(SubmitKubernetes, SeveralRanksTrainAsAnMpiJob) {
  if (std::system("command -v mpirun >/dev/null") != 0) GTEST_SKIP() << "mpirun is not installed (Debian: openmpi-bin)";
  const test::Variable leaks("ASAN_OPTIONS", "detect_leaks=0");  // Open MPI has some
  const CommandOutput submitted = submit(3, {"--ranks", "2", "--namespace", "team"});
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  Command follow(place_, {"jobs", "follow", "job"});
  follows_to_the_end(follow);
  EXPECT_EQ(summarize_run(at("jobs/job/run"))->status, RunStatus::finished) << text(volume("log.txt"));
  EXPECT_TRUE(fs::exists(at("cluster/team/mpijob.job")));
}

TEST_F(SubmitKubernetes, OfAVolumeThatIsMountedHereNothingIsReadByWayOfThePod) {
  ASSERT_EQ(submit(3, {"--mounted", volume("")}).code, 0);
  Command follow(place_, {"jobs", "follow", "job"});
  follows_to_the_end(follow);
  ASSERT_EQ(run({"jobs", "fetch", "job"}).code, 0);
  EXPECT_EQ(latest_bytes(at("jobs/job/run")), latest_bytes(volume("run")));
  EXPECT_EQ(text(at("cluster/calls")).find("events.jsonl"), std::string::npos);
}

TEST_F(SubmitKubernetes, DataAreCopiedToTheVolumeAndTrainedOn) {
  test::write_digits(at("digits"));
  fs::create_directories(at("cluster/volume/digits"));
  fs::copy_file(at("digits/train-images-idx3-ubyte"), at("cluster/volume/digits/train-images-idx3-ubyte"));
  const CommandOutput submitted = run({"submit", "mlp", "--to", "kubernetes", "--name", "job", "--image", "local/nw:1",
                                       "--data-volume", "sets", "--data", at("digits"), "--", "--epochs", "1"});
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  EXPECT_NE(submitted.err.find("3 of 4 files are missing on the container of job"), std::string::npos) << submitted.err;
  EXPECT_FALSE(fs::exists(at("cluster/default/pod.job-files"))) << "what read the volume is removed";
  for (const char* name : {"train-images-idx3-ubyte", "t10k-labels-idx1-ubyte"})
    EXPECT_EQ(text(at("digits/" + std::string(name))), text(at("cluster/volume/digits/" + std::string(name))));
  Command follow(place_, {"jobs", "follow", "job"});
  follows_to_the_end(follow);
  EXPECT_TRUE(fs::equivalent(read_run_definition(volume("run"))->data_dir, at("cluster/volume/digits")));
}

TEST_F(SubmitKubernetes, WhatIsWrongInTheImageOrOnTheVolumeIsSaidBeforeItSubmits) {
  const auto refused = [&](const std::vector<std::string>& more, int code, const std::string& sentence) {
    const CommandOutput said = submit(1, more);
    EXPECT_EQ(said.code, code) << said.err;
    EXPECT_NE(said.err.find(sentence), std::string::npos) << said.err;
    EXPECT_FALSE(fs::exists(at("cluster/default/pod.job-files"))) << sentence;
  };
  ASSERT_TRUE(save_file(at("old"), "#!/bin/sh\necho 'netwright-cli 0.0.9'\n", 0700));
  refused({"--program", at("old")}, 3, "on the container of job is netwright-cli 0.0.9, here is netwright-cli ");
  refused({"--program", at("none")}, 1, "cannot be run on the container of job");
  refused({"--data-there", "/data/none"}, 3, "/data/none is not there on the container of job");
  ASSERT_TRUE(save_file(at("cluster/not-ready"), "ErrImagePull containers with unready status: [netwright]"));
  refused({}, 1, "pod/job-files does not run: ErrImagePull");
  fs::remove(at("cluster/not-ready"));
  ASSERT_TRUE(save_file(at("bin/df"), "#!/bin/sh\necho head; echo 'x 9 9 1000 1% /'\n", 0755));
  test::write_digits(at("digits"));
  refused({"--data", at("digits")}, 7, "on the container of job are 0 MiB free");
  EXPECT_FALSE(fs::exists(at("cluster/volume/digits")));
  for (const char* made : {"job.job", "configmap.job"}) EXPECT_FALSE(fs::exists(at("cluster/default") + "/" + made));
}

TEST_F(SubmitKubernetes, ACheckLeavesNothingAndIsNotHeldUpByAPodThatHasEnded) {
  fs::create_directories(at("cluster/default/pod.job-files"));
  ASSERT_TRUE(save_file(at("cluster/default/pod.job-files/phase"), "Failed"));
  const CommandOutput said = submit(1, {"--check-only", "--json"});
  ASSERT_EQ(said.code, 0) << said.err;
  EXPECT_NE(said.out.find(R"("done":true,"step":"program")"), std::string::npos) << said.out;
  EXPECT_TRUE(fs::is_empty(at("cluster/default")));
}

TEST(KubernetesDefinition, ManifestsAndTheTableOfTheirMembersFitTheOperators) {
  const auto said = submit::run_process({"python3", "-B", test::source_folder() + "/tests/submit/mpijob_test.py",
                                         test::programs_folder() + "/netwright-cli"},
                                        {}, {});
  ASSERT_TRUE(said) << said.error().str();
  EXPECT_EQ(said->code, 0) << said->err;
}

TEST_F(SubmitKubernetes, WhatTheClusterRefusesIsSaid) {
  fs::remove(at("cluster/claim.sets"));
  const CommandOutput said = submit(1);
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.err.find("\"sets\" not found"), std::string::npos) << said.err;
  fs::remove(at("bin/kubectl"));
  ASSERT_TRUE(
      save_file(at("bin/kubectl"), "#!/bin/sh\necho 'error: You must be logged in to the server' >&2; exit 1\n"));
  fs::permissions(at("bin/kubectl"), fs::perms(0755));
  EXPECT_NE(submit(1).err.find("You must be logged in"), std::string::npos);
}

}  // namespace
}  // namespace nw
