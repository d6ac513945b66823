// SPDX-License-Identifier: Apache-2.0
// netwright-cli submit --to ssh:HOST, against a real sshd: submitted, followed, stopped, fetched, cut.
#include <algorithm>
#include <atomic>

#include "engine/submit/submission.hpp"
#include "tests/submit/digits.hpp"
#include "tests/submit/sshd.hpp"

namespace nw {
namespace {

using test::SubmitSsh;
using test::write_digits;

TEST_F(SubmitSsh, CopiesTheDataTrainsFollowsAndFetches) {
  write_digits(at("digits"));
  const CommandOutput submitted =
      run({"submit", "mlp", "--to", "ssh:there", "--ssh-config", at("ssh_config"), "--folder", at("there/job"),
           "--program", program(), "--name", "job", "--data", at("digits"), "--", "--epochs", "2"});
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  EXPECT_EQ(submitted.out, "job\n");
  EXPECT_NE(submitted.err.find("4 of 4 files are missing on there"), std::string::npos) << submitted.err;
  for (const char* name : {"train-images-idx3-ubyte", "t10k-labels-idx1-ubyte"})
    EXPECT_EQ(bytes("digits/" + std::string(name)), bytes("there/data/digits/" + std::string(name)));
  const CommandOutput followed = run({"jobs", "follow", "job", "--json"});
  ASSERT_EQ(followed.code, 0) << followed.err << bytes("there/job/log.txt");
  EXPECT_EQ(followed.lines().back().at("type"), "ended");
  EXPECT_EQ(bytes("jobs/job/run/events.jsonl"), bytes("there/job/run/events.jsonl"));
  EXPECT_TRUE(fs::equivalent(read_run_definition(at("jobs/job/run"))->data_dir, at("there/data/digits")));
  EXPECT_EQ(state(), "ended with code 0\n");
  ASSERT_EQ(run({"jobs", "fetch", "job"}).code, 0);
  const auto latest = latest_checkpoint(at("jobs/job/run"));
  ASSERT_TRUE(latest);
  EXPECT_TRUE(verify_checkpoint(at("jobs/job/run"), latest->name));
  EXPECT_EQ(latest_bytes(at("jobs/job/run")), latest_bytes(at("there/job/run")));
  EXPECT_EQ(run({"evaluate", at("jobs/job/run")}).code, 0) << "a fetched run is a run";
}

TEST_F(SubmitSsh, DataThatAreThereAreNotCopiedAgainAndChangedOnesAre) {
  write_digits(at("digits"));
  write_digits(at("there/data/digits"));
  ASSERT_TRUE(save_file(at("there/data/digits/t10k-labels-idx1-ubyte"),
                        bytes("digits/t10k-labels-idx1-ubyte").replace(20, 1, "\7")));
  const CommandOutput submitted =
      run({"submit", "mlp", "--to", "ssh:there", "--ssh-config", at("ssh_config"), "--folder", at("there/job"),
           "--program", program(), "--name", "job", "--data", at("digits"), "--", "--epochs", "1"});
  ASSERT_EQ(submitted.code, 0) << submitted.err;
  EXPECT_NE(submitted.err.find("1 of 4 files are missing"), std::string::npos) << submitted.err;
  EXPECT_EQ(bytes("digits/t10k-labels-idx1-ubyte"), bytes("there/data/digits/t10k-labels-idx1-ubyte"));
  EXPECT_EQ(run({"jobs", "follow", "job"}).code, 0);
}

TEST_F(SubmitSsh, IsPausedContinuedAndStoppedWithACheckpoint) {
  ASSERT_EQ(run(submit_words({}, 100000)).code, 0);
  Command follow(place_, {"jobs", "follow", "job"});
  ASSERT_TRUE(wait_for([&] { return fs::exists(at("there/job/run/latest")); }));
  EXPECT_EQ(state(), "running\n");
  EXPECT_TRUE(wait_for([&] { return is_running(at("jobs/job/run")); })) << "what is followed is seen as a live run";
  EXPECT_EQ(run({"jobs", "control", "job", "pause"}).out, "ok\n");
  ASSERT_TRUE(wait_for([&] {
    return run({"jobs", "control", "job", "status"}).out.find("\"paused\":true") != std::string::npos;
  }));
  EXPECT_EQ(run({"jobs", "control", "job", "continue"}).out, "ok\n");
  EXPECT_EQ(run({"jobs", "control", "job", "stop"}).out, "ok\n");
  EXPECT_EQ(follow.wait().code, 8);
  EXPECT_EQ(state(), "ended with code 8\n");
  EXPECT_FALSE(is_running(at("jobs/job/run")));
  const std::int64_t steps = summarize_run(at("there/job/run"))->steps;
  ASSERT_EQ(run({"jobs", "requeue", "job"}).code, 0);
  ASSERT_TRUE(wait_for([&] { return summarize_run(at("there/job/run"))->steps > steps; }));
  EXPECT_EQ(run({"jobs", "cancel", "job"}).code, 0);
  EXPECT_EQ(state(), "ended with code 143\n");
  EXPECT_NE(bytes("there/job/run/events.jsonl").find("\"resumed\""), std::string::npos);
}

TEST_F(SubmitSsh, AConnectionThatIsCutGoesOnWhereItWas) {
  ASSERT_EQ(run(submit_words({}, 100000)).code, 0);
  Command follow(place_, {"jobs", "follow", "job"});
  const auto mirrored = [&] { return bytes("jobs/job/run/events.jsonl").size(); };
  for (int n = 0; n < 3; ++n) {
    const std::size_t before = mirrored();
    ASSERT_TRUE(wait_for([&] { return mirrored() > before + 2000; }));
    cut();
  }
  EXPECT_EQ(run({"jobs", "control", "job", "stop"}).out, "ok\n");
  EXPECT_EQ(follow.wait().code, 8) << follow.err();
  EXPECT_EQ(bytes("jobs/job/run/events.jsonl"), bytes("there/job/run/events.jsonl"));
  EXPECT_EQ(EventTail(at("jobs/job/run")).damaged_lines(), 0);
}

TEST_F(SubmitSsh, OneProcessFollowsAndACheckpointIsFetchedMeanwhile) {
  ASSERT_EQ(run(submit_words({}, 100000)).code, 0);
  Command follow(place_, {"jobs", "follow", "job"});
  ASSERT_TRUE(wait_for([&] { return is_running(at("jobs/job/run")) && fs::exists(at("there/job/run/latest")); }));
  Command second(place_, {"jobs", "follow", "job"});
  ASSERT_TRUE(wait_for([&] { return second.ended(); })) << "it follows too";
  EXPECT_NE(second.err().find("another process follows this job"), std::string::npos) << second.err();
  EXPECT_EQ(run({"jobs", "control", "job", "pause"}).out, "ok\n");
  ASSERT_TRUE(wait_for([&] {
    return run({"jobs", "control", "job", "status"}).out.find("\"paused\":true") != std::string::npos;
  }));
  ASSERT_EQ(run({"jobs", "fetch", "job"}).code, 0);
  EXPECT_TRUE(latest_checkpoint(at("jobs/job/run")));
  EXPECT_EQ(run({"jobs", "control", "job", "continue"}).out, "ok\n");
  EXPECT_EQ(run({"jobs", "control", "job", "stop"}).out, "ok\n");
  EXPECT_EQ(follow.wait().code, 8);
  EXPECT_EQ(bytes("jobs/job/run/events.jsonl"), bytes("there/job/run/events.jsonl")) << "no line twice";
}

/// The path of the mounted folder exists on this side alone: what names it over ssh is refused.
TEST_F(SubmitSsh, AMountedFolderIsReadHereAndTheStateAskedForThere) {
  ASSERT_TRUE(save_file(at("remote"),
                        "#!/bin/sh\nprintf '%s\\n' \"$SSH_ORIGINAL_COMMAND\" >>" + at("commands") +
                            "\ncase $SSH_ORIGINAL_COMMAND in *" + at("mount") +
                            "*) exit 72 ;; esac\nexec sh -c \"$SSH_ORIGINAL_COMMAND\"\n",
                        0700));
  start("ForceCommand " + at("remote") + "\n");
  fs::create_directory_symlink(at("there/job"), at("mount"));
  ASSERT_EQ(run(submit_words({"--mounted", fs::relative(at("mount"))}, 100000)).code, 0);
  EXPECT_EQ(submit::load_job(at("jobs/job"))->mounted, at("mount"));
  Command follow(place_, {"jobs", "follow", "job"});
  const auto is_refused = [&] { return bytes("commands").find(at("mount")) != std::string::npos; };
  ASSERT_TRUE(wait_for(
      [&] { return is_refused() || (is_running(at("jobs/job/run")) && fs::exists(at("there/job/run/latest"))); }));
  ASSERT_FALSE(is_refused()) << bytes("commands");
  EXPECT_EQ(run({"jobs", "control", "job", "stop"}).out, "ok\n");
  EXPECT_EQ(follow.wait().code, 8) << follow.err();
  EXPECT_EQ(bytes("jobs/job/run/events.jsonl"), bytes("there/job/run/events.jsonl"));
  const CommandOutput fetched = run({"jobs", "fetch", "job"});
  ASSERT_EQ(fetched.code, 0) << fetched.err;
  EXPECT_EQ(latest_bytes(at("jobs/job/run")), latest_bytes(at("there/job/run")));
  for (const char* reading : {"events.jsonl", "sha256sum"})
    EXPECT_EQ(bytes("commands").find(reading), std::string::npos) << reading;
}

TEST_F(SubmitSsh, AMountedFolderOrAHostThatIsGoneIsSaid) {
  fs::create_directory_symlink(at("there/job"), at("mount"));
  ASSERT_EQ(run(submit_words({"--mounted", at("mount")})).code, 0);
  ASSERT_TRUE(wait_for([&] { return fs::exists(at("there/job/exit")); }));
  server_->stop();
  CommandOutput said = run({"jobs", "follow", "job", "--patience", "0.1"});
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.err.find("the connection to there was cut"), std::string::npos) << said.err;
  fs::remove(at("mount"));
  said = run({"jobs", "follow", "job", "--patience", "0.1"});
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.err.find(at("mount") + " is not there on this computer"), std::string::npos) << said.err;
  said = run({"jobs", "fetch", "job"});
  EXPECT_EQ(said.code, 3);
  EXPECT_NE(said.err.find(at("mount") + " is not there on this computer"), std::string::npos) << said.err;
}

TEST_F(SubmitSsh, TheTrainingOutlivesEveryConnection) {
  ASSERT_EQ(run(submit_words({}, 3)).code, 0);
  server_->stop();
  ASSERT_TRUE(wait_for([&] { return fs::exists(at("there/job/exit")); }));
  EXPECT_NE(state().find("there cannot be reached"), std::string::npos);
  EXPECT_EQ(run({"jobs", "follow", "job", "--patience", "1"}).code, 1);
  start();
  EXPECT_EQ(run({"jobs", "follow", "job"}).code, 0);
  EXPECT_EQ(bytes("jobs/job/run/events.jsonl"), bytes("there/job/run/events.jsonl"));
}

TEST_F(SubmitSsh, WhatIsWrongThereIsSaidBeforeAnythingIsCopied) {
  ASSERT_TRUE(save_file(at("old"), "#!/bin/sh\necho 'netwright-cli 0.0.9'\n", 0700));
  CommandOutput said = run(submit_words({"--program", at("old")}));
  EXPECT_EQ(said.code, 2) << "twice the same option";
  const auto with_program = [&](const std::string& path) {
    std::vector<std::string> words = submit_words();
    *(std::find(words.begin(), words.end(), "--program") + 1) = path;
    return run(words);
  };
  said = with_program(at("old"));
  EXPECT_EQ(said.code, 3);
  EXPECT_NE(said.err.find("on there is netwright-cli 0.0.9"), std::string::npos) << said.err;
  said = with_program(at("none"));
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.err.find("cannot be run on there"), std::string::npos) << said.err;
  EXPECT_FALSE(fs::exists(at("there/job")));
  said = run(submit_words({"--data-there", at("no-data")}));
  EXPECT_EQ(said.code, 3);
  EXPECT_NE(said.err.find("is not there on there"), std::string::npos) << said.err;
  fs::create_directories(at("shims"));
  ASSERT_TRUE(save_file(at("shims/df"), "#!/bin/sh\necho head; echo 'x 9 9 1000 1% /'\n", 0755));
  start("SetEnv PATH=" + at("shims") + ":/usr/local/bin:/usr/bin:/bin\n");
  write_digits(at("digits"));
  said = run({"submit", "mlp", "--to", "ssh:there", "--ssh-config", at("ssh_config"), "--folder", at("there/job"),
              "--program", program(), "--name", "job", "--data", at("digits")});
  EXPECT_EQ(said.code, 7) << said.err;
  EXPECT_FALSE(fs::exists(at("there/data")));
}

}  // namespace
}  // namespace nw
