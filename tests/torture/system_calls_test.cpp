// SPDX-License-Identifier: Apache-2.0
// Each call that changes files fails with EIO or ENOSPC, or ends the process: of a training, a branch, a study, a queue
// and exports. An error is said in one sentence with its code, nothing crashes, and what is left goes on with the
// same bytes. Some calls in a normal run, every one with NETWRIGHT_LONG=1.
#include <sys/resource.h>

#include <map>
#include <sstream>

#include "engine/search/journal.hpp"
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

struct Fault {
  std::string call, what;  // fsync, error=EIO
  int at = 0;              // of a thread's calls, from 1
  std::string str() const { return fmt::format("{} {} {}", call, at, what); }
};

class EverySystemCall : public Cli {
 protected:
  struct Work {
    std::vector<std::string> words;
    std::function<void()> begin;                                              // what is there before
    std::function<void(const CommandOutput&, const std::string& when)> look;  // what is left is as promised
  };

  void SetUp() override {
    if (std::system("strace -qq -o /dev/null true 2>/dev/null") != 0) GTEST_SKIP() << "strace cannot trace here";
  }
  CommandOutput under_strace(const std::vector<std::string>& words, const std::string& what) {
    std::vector<std::string> strace = {
        "strace", "-f",        "-qq", "-E", "ASAN_OPTIONS=detect_leaks=0:symbolize=0", "-E", "TSAN_OPTIONS=symbolize=0",
        "-o",     at("calls"), "-e",  what};
    if (!of_programs_it_starts) strace.insert(strace.end(), {"-b", "execve"});
    return run(words, {.words = strace, .first = [] { ::alarm(120); }});  // a command that hangs is ended by SIGALRM
  }
  /// Every fault of the command's calls. strace counts the calls of each thread.
  std::vector<Fault> faults_of(const Work& work) {
    work.begin();
    const CommandOutput output = under_strace(work.words, "trace=" + calls);
    EXPECT_EQ(output.code, 0) << output.err;
    work.look(output, "undisturbed");
    std::map<std::string, std::map<std::string, int>> made;  // by call and thread
    std::istringstream log(*read_file(at("calls"), 1 << 28));
    for (std::string thread, call; log >> thread && std::getline(log >> std::ws, call);)
      if (const auto name = call.substr(0, call.find('(')); ("," + calls + ",").find("," + name + ",") != calls.npos)
        ++made[name][thread];
    std::vector<Fault> all;
    for (const auto& [call, threads] : made) {
      int most = 0;
      for (const auto& [thread, count] : threads) most = std::max(most, count);
      for (int n = 1; n <= most; ++n)
        for (const char* what : faults) all.push_back({call, what, n});
    }
    return all;
  }
  void play(const Work& work, std::size_t some = 7) {
    const std::vector<Fault> all = faults_of(work);
    ASSERT_GE(all.size(), 9U);
    const std::size_t played = std::getenv("NETWRIGHT_LONG") ? all.size() : std::min(some, all.size());
    std::size_t felt = 0;
    for (std::size_t i = 0; i < played && !HasFatalFailure(); ++i) {
      const Fault& f = all[i * all.size() / played];
      work.begin();
      const CommandOutput output = under_strace(work.words, fmt::format("inject={}:{}:when={}", f.call, f.what, f.at));
      expect_ended_well(output, f);
      felt += output.code != 0;
      work.look(output, f.str());
    }
    EXPECT_GE(felt, played / 4) << "few faults were felt";
    std::printf("%zu of %zu faults, %zu felt\n", played, all.size(), felt);
  }
  static void expect_ended_well(const CommandOutput& output, const Fault& f) {
    const std::string when = f.str() + ": " + output.err;
    const int by_signal = f.what == "signal=KILL" ? 128 + SIGKILL : f.what == "signal=TERM" ? 128 + SIGTERM : 0;
    EXPECT_TRUE(output.code <= 8 || output.code == by_signal) << output.code << ", " << when;
    if (output.code == 0 || by_signal != 0) return;
    const char* why = f.what == "error=EIO" ? "Input/output error" : "No space left on device";
    const auto first = output.err.find(why);
    // what cannot be written to stderr is not said there
    if (f.call != "write") EXPECT_NE(first, std::string::npos) << when;
    if (first != std::string::npos) EXPECT_EQ(output.err.find(why, first + 1), std::string::npos) << "twice: " << when;
  }
  /// A run that was disturbed goes on to the bytes of one that was not; one without a checkpoint is told.
  void expect_goes_on(const std::string& dir, const std::string& expected, const std::string& when) {
    for (const CheckpointName& c : list_checkpoints(dir)) EXPECT_TRUE(verify_checkpoint(dir, c.name)) << when;
    const auto summary = summarize_run(dir);
    if (!summary || summary->status != RunStatus::finished) {
      const CommandOutput resumed = run({"resume", dir, "--quiet"});
      // a branch gets its run.json after its checkpoint
      const bool began = !list_checkpoints(dir).empty() && fs::exists(dir + "/run.json");
      EXPECT_EQ(resumed.code, began ? 0 : 3) << when << ": " << resumed.err;
      if (resumed.code != 0) return;
    }
    EXPECT_TRUE(latest_bytes(dir) == expected) << when << ": other weights";
  }

  bool of_programs_it_starts = true;
  std::vector<const char*> faults = {"signal=KILL", "error=EIO", "error=ENOSPC"};
#ifdef NW_SANITIZED  // a sanitizer writes too, to find out whether an address can be read, and ends at any other error
  std::string calls = "pwrite64,fsync,fdatasync,rename,renameat,renameat2,mkdir,unlink,ftruncate";
#else
  std::string calls = "write,pwrite64,fsync,fdatasync,rename,renameat,renameat2,mkdir,unlink,ftruncate";
#endif
};

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

class EverySystemCallOfAnExport : public EverySystemCall {
 protected:
  /// `whole`: whether a file is what the export writes.
  void replaces_all_or_nothing(const std::string& option, const std::string& name,
                               const std::function<bool(const std::string& file)>& whole) {
    ASSERT_EQ(run({"train", project(1), "--run-dir", at("run"), "--quiet"}).code, 0);
    fs::create_directory(at("exports"));
    const std::string file = at("exports/" + name);
    ::setenv("NETWRIGHT_PYTHON", "/nonexistent", 1);
    play({.words = {"export", at("run"), option, file, "--force", "--images", "2"},
          .begin = [&] { ASSERT_TRUE(save_file(file, "what was there")); },
          .look =
              [&](const CommandOutput& output, const std::string& when) {
                const bool old = *read_file(file, 1 << 28) == "what was there";
                EXPECT_TRUE(old ? output.code != 0 : whole(file)) << when << ": neither the old file nor the new one";
              }},
         10);
    ::unsetenv("NETWRIGHT_PYTHON");
  }
};

TEST_F(EverySystemCallOfAnExport, OfWeightsLeavesTheOldOrTheNewFile) {
  std::string made;
  replaces_all_or_nothing("--safetensors", "weights.safetensors", [&](const std::string& file) {
    const std::string now = *read_file(file, 1 << 28);
    return now == (made.empty() ? made = now : made);
  });
}
/// The file tells how long its proof took, so two are not equal.
TEST_F(EverySystemCallOfAnExport, OfOnnxLeavesTheOldOrTheNewFile) {
  replaces_all_or_nothing("--onnx", "net.onnx", [&](const std::string& file) {
    return run({"import", file, "-o", at("again.netwright"), "--strict", "--force"}).code == 0;
  });
}
/// Two files, so that an old one may be beside a new one: the compiler refuses these.
TEST_F(EverySystemCallOfAnExport, OfACLibraryLeavesFilesOfOneExportOrOnesThatDoNotCompile) {
  if (std::system("command -v cc >/dev/null") != 0) GTEST_SKIP() << "no C compiler is installed";
  of_programs_it_starts = false;
  ASSERT_EQ(run({"train", project(1), "--run-dir", at("run"), "--quiet"}).code, 0);
  const std::string folder = at("library"), header = folder + "/nw_model.h", source = folder + "/nw_model.c";
  ASSERT_EQ(run({"export", "lenet5", "--c", at("before"), "--images", "2"}).code, 0);
  calls = "rename";
  std::map<std::string, std::string> made;
  int mixed = 0;
  play({.words = {"export", at("run"), "--c", folder, "--force", "--images", "2"},
        .begin =
            [&] { fs::copy(at("before"), folder, fs::copy_options::recursive | fs::copy_options::overwrite_existing); },
        .look =
            [&](const CommandOutput& output, const std::string& when) {
              if (output.code == 0 && made.empty())
                for (const auto& file : {header, source}) made[file] = *read_file(file, 1 << 28);
              int replaced = 0;
              for (const auto& [file, text] : made) {
                const std::string now = *read_file(file, 1 << 28);
                if (now != text)
                  EXPECT_TRUE(now == *read_file(at("before/") + fs::path(file).filename().string(), 1 << 28)) << when;
                replaced += now == text;
              }
              EXPECT_TRUE(replaced == 2 || output.code != 0) << when;
              mixed += replaced == 1;
              const int compiled = std::system(("cc -fsyntax-only " + source + " 2>/dev/null").c_str());
              EXPECT_EQ(compiled == 0, replaced != 1) << when;
            }},
       12);
  EXPECT_GT(mixed, 0) << "no fault left an old file beside a new one";
}
/// A bundle is a folder that is exchanged as a whole.
TEST_F(EverySystemCallOfAnExport, OfABundleLeavesTheOldOrTheNewOne) {
  if (std::system("command -v cc >/dev/null") != 0) GTEST_SKIP() << "no C compiler is installed";
  of_programs_it_starts = false;
  ASSERT_EQ(run({"train", project(1), "--run-dir", at("run"), "--quiet"}).code, 0);
  const std::string folder = at("bundles/one"), file = "/PROOF.json";
  ::setenv("NETWRIGHT_PYTHON", "/nonexistent", 1);
  const CommandOutput first = run({"export", "mlp", "--bundle", at("before"), "--images", "2"});
  ASSERT_EQ(first.code, 0) << first.err;
  const std::string old = *read_file(at("before") + file, 1 << 28);
  play({.words = {"export", at("run"), "--bundle", folder, "--force", "--images", "2"},
        .begin =
            [&] {
              fs::remove_all(at("bundles"));
              fs::create_directory(at("bundles"));
              fs::copy(at("before"), folder, fs::copy_options::recursive);
            },
        .look =
            [&](const CommandOutput& output, const std::string& when) {
              EXPECT_EQ(run({"verify", folder}).code, 0) << when << ": files of two bundles";
              const bool replaced = *read_file(folder + file, 1 << 28) != old;
              EXPECT_TRUE(replaced || output.code != 0) << when;
              // what is killed may leave the folder that it was writing, and nothing else does
              const auto folders = std::distance(fs::directory_iterator(at("bundles")), {});
              EXPECT_LE(folders, when.find("KILL") != std::string::npos ? 2 : 1) << when;
            }},
       5);
  ::unsetenv("NETWRIGHT_PYTHON");
}

}  // namespace
}  // namespace nw
