// SPDX-License-Identifier: Apache-2.0
// Each call that changes files fails with EIO or ENOSPC, or ends the process: of a training, a branch, a study and a
// queue. An error is said in one sentence with its code, nothing crashes, and what is left goes on with the same bytes.
// Some calls in a normal run, every one with NETWRIGHT_LONG=1.
#include "engine/search/journal.hpp"
#include "tests/torture/every_system_call.hpp"

namespace nw {
namespace {

TEST_F(EverySystemCall, OfATrainingLosesNothing) {
  const std::string file = project(2), dir = at("run");
  ASSERT_EQ(run({"train", file, "--run-dir", at("undisturbed"), "--quiet"}).code, 0);
  const std::string expected = latest_bytes(at("undisturbed"));
  play({.words = {"train", file, "--run-dir", dir, "--quiet", "--disk-wait", "0"},
        .begin = [&] { fs::remove_all(dir); },
        .look =
            [&](const CommandOutput& output, const std::string& when) {
              if (output.code == 0) EXPECT_EQ(summarize_run(dir)->status, RunStatus::finished) << when;
              expect_goes_on(dir, expected, when);
            }});
}

/// SIGTERM at each call that opens, writes, syncs or renames a file. So short a run makes them before its first step
/// and at the ends of its epochs; StoppedTraining stops it within an epoch.
TEST_F(EverySystemCall, OfATrainingMayBeStoppedAndLeavesItsLastStepInACheckpoint) {
  const std::string file = project(2), dir = at("run");
  ASSERT_EQ(run({"train", file, "--run-dir", at("undisturbed"), "--quiet"}).code, 0);
  const std::string expected = latest_bytes(at("undisturbed"));
  const std::int64_t an_epoch = last_step(at("undisturbed")) / 2;
  calls = "openat,write,fsync,rename";
  faults = {"signal=TERM"};
  std::map<std::string, int> stopped;  // by where the run was
  play({.words = {"train", file, "--run-dir", dir, "--quiet", "--set", "checkpoint_epochs=1000"},
        .begin = [&] { fs::remove_all(dir); },
        .look =
            [&](const CommandOutput& output, const std::string& when) {
              if (output.code == 0) EXPECT_EQ(summarize_run(dir)->status, RunStatus::finished) << when;
              EXPECT_TRUE(output.code == 0 || output.code == 128 + SIGTERM) << when << ": " << output.err;
              const std::int64_t last = fs::exists(dir) ? last_step(dir) : 0;
              const auto latest = latest_checkpoint(dir);
              EXPECT_EQ(latest ? latest->step : 0, last) << when << ": steps after the checkpoint are lost";
              if (output.code != 0)
                ++stopped[last == 0 ? "before a step" : last % an_epoch != 0 ? "in an epoch" : "at the end of one"];
              if (latest) expect_goes_on(dir, expected, when);
            }},
       12);
  for (const auto& [where, times] : stopped) std::printf("%d %s\n", times, where.c_str());
}

TEST_F(EverySystemCall, OfABranchLosesNothingAndLeavesItsParent) {
  const std::string file = project(2), parent = at("parent"), dir = at("branch");
  ASSERT_EQ(run({"train", file, "--run-dir", at("undisturbed"), "--quiet"}).code, 0);
  ASSERT_EQ(run({"train", file, "--run-dir", parent, "--quiet", "--stop-after", "1"}).code, 8);
  const std::string expected = latest_bytes(at("undisturbed"));
  const auto content = [&] {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(parent))
      if (entry.is_regular_file()) all[entry.path().string()] = *read_file(entry.path(), 1 << 28);
    return all;
  };
  const auto before = content();
  play({.words = {"branch", parent, "--from", "latest", "--run-dir", dir, "--quiet", "--disk-wait", "0"},
        .begin = [&] { fs::remove_all(dir); },
        .look =
            [&](const CommandOutput& output, const std::string& when) {
              EXPECT_TRUE(content() == before) << when << ": the parent has changed";
              if (output.code == 0) EXPECT_EQ(summarize_run(dir)->status, RunStatus::finished) << when;
              if (fs::exists(dir)) expect_goes_on(dir, expected, when);
            }});
}

TEST_F(EverySystemCall, OfAStudyLosesAndRepeatsNothing) {
  ASSERT_TRUE(save_file(at("space.json"), R"({"parameters":[
      {"name":"learning_rate","type":"real","low":0.001,"high":0.3,"log":true}]})"));
  const std::string file = project(1);
  const auto words = [&](const std::string& study) {
    return std::vector<std::string>{"sweep", file,       "--space", at("space.json"), "--dir",
                                    study,   "--trials", "2",       "--quiet"};
  };
  // A trial each attempt of which was killed, since each process meets the fault, has failed and is kept as such: it
  // has no result.
  const auto results = [&](const std::string& study) {
    std::map<std::int64_t, std::string> all;
    const auto read = search::read_study(study);
    EXPECT_TRUE(read);
    for (const search::Trial& t : read ? read->trials() : std::vector<search::Trial>())
      if (t.message.find("ended by signal 9, several times") == std::string::npos)
        all[t.number] = fmt::format("{} {} {:x}", name_of(t.state), t.values.empty() ? 0 : t.values[0],
                                    xxh3(latest_bytes(study + "/" + t.run)));
    return all;
  };
  ASSERT_EQ(run(words(at("undisturbed"))).code, 0);
  const auto expected = results(at("undisturbed"));
  const std::string study = at("study");
  play({.words = words(study),
        .begin = [&] { fs::remove_all(study); },
        .look =
            [&](const CommandOutput& output, const std::string& when) {
              if (output.code != 0) {
                const CommandOutput again = run(words(study));
                EXPECT_TRUE(again.code == 0 || again.err.find("ended by signal 9, several times") != std::string::npos)
                    << when << ": " << again.err;
              }
              const auto found = results(study);
              EXPECT_TRUE(found.size() == expected.size() || when.find("KILL") != std::string::npos) << when;
              for (const auto& [number, result] : found)
                EXPECT_EQ(result, expected.at(number)) << when << ": trial " << number;
            }});
}

/// A trial whose files cannot be written is not to blame for it, and so would be all others.
TEST_F(EverySystemCall, OfOneTrialEndsTheStudyWhichGoesOn) {
  ASSERT_TRUE(save_file(at("space.json"), R"({"parameters":[
      {"name":"learning_rate","type":"real","low":0.001,"high":0.3,"log":true}]})"));
  const std::string file = project(1), study = at("study");
  const std::vector<std::string> words = {"sweep", file,       "--space", at("space.json"), "--dir",
                                          study,   "--trials", "2",       "--quiet"};
  const CommandOutput output =
      run(words, {.words = {"strace", "-f", "-qq", "-E", "ASAN_OPTIONS=detect_leaks=0", "-o", at("calls"), "-P",
                            study + "/trial-0001", "-e", "inject=fsync:error=EIO"}});
  EXPECT_EQ(output.code, static_cast<int>(Errc::disk)) << output.err;
  EXPECT_NE(output.err.find("trial 1: "), std::string::npos) << output.err;
  EXPECT_NE(output.err.find("Input/output error"), std::string::npos) << output.err;
  const CommandOutput again = run(words);
  ASSERT_EQ(again.code, 0) << again.err;
  const auto read = search::read_study(study);
  ASSERT_TRUE(read);
  ASSERT_EQ(read->trials().size(), 2U);
  for (const search::Trial& t : read->trials()) EXPECT_EQ(t.state, search::TrialState::complete) << t.number;
}

TEST_F(EverySystemCall, OfAQueueLosesNoItem) {
  const std::string file = project(1);
  ::setenv("NETWRIGHT_QUEUE", at("queue").c_str(), 1);
  ASSERT_EQ(run({"queue", "add", "--hold", "train", file}).code, 0);
  fs::rename(at("queue"), at("one item"));
  play({.words = {"queue", "add", "--hold", "train", file},
        .begin =
            [&] {
              fs::remove_all(at("queue"));
              fs::copy(at("one item"), at("queue"), fs::copy_options::recursive);
            },
        .look =
            [&](const CommandOutput& output, const std::string& when) {
              const CommandOutput list = run({"queue", "list", "--json"});
              ASSERT_EQ(list.code, 0) << when << ": " << list.err;
              const std::size_t items = list.lines().at(0).at("items").size();
              EXPECT_GE(items, output.code == 0 ? 2U : 1U) << when << ": " << list.out;
              EXPECT_EQ(run({"queue", "add", "--hold", "train", file}).code, 0) << when << ": the next one";
            }});
  ::unsetenv("NETWRIGHT_QUEUE");
}

}  // namespace
}  // namespace nw
