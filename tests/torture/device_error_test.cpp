// SPDX-License-Identifier: Apache-2.0
// A disk that answers with an I/O error (EIO) and is not mended: a training, a resumed one, a study and a queue each
// end soon with one sentence that names it, in no crash, and go on with the same bytes on a disk that works.
#include <algorithm>
#include <chrono>

#include "engine/search/journal.hpp"
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using Clock = std::chrono::steady_clock;

/// From the `from`-th call of this name on every one fails, of all files or of `file` only.
struct Fault {
  const char* call;
  int from;
  const char* file = "";
};

class FailingDevice : public Cli {
 protected:
  void SetUp() override {
    if (std::system("strace -qq -o /dev/null true 2>/dev/null") != 0) GTEST_SKIP() << "strace cannot trace here";
  }
  CommandOutput run_with(const Fault& f, const std::string& folder, const std::vector<std::string>& words) {
    Launch launch{.words = {"strace", "-f", "-qq", "-E", "ASAN_OPTIONS=detect_leaks=0", "-o", at("calls")},
                  .first = {}};
    if (*f.file) launch.words.insert(launch.words.end(), {"-P", folder + "/" + f.file});
    const std::string fault = fmt::format("inject={}:error=EIO:when={}+", f.call, f.from);
    launch.words.insert(launch.words.end(), {"-e", fault});
    const auto begin = Clock::now();
    const CommandOutput output = run(words, launch);
    took_s_ = std::chrono::duration<double>(Clock::now() - begin).count();
    EXPECT_NE(read_file(at("calls"), 1 << 26)->find("INJECTED"), std::string::npos) << f.call << " was not felt";
    return output;
  }
  /// Once, soon and by no crash: promised are 10 s, of which strace needs its part.
  void expect_said(const CommandOutput& output, const Fault& f) const {
    const std::string when = fmt::format("{} {} of {}: {}", f.call, f.from, f.file, output.err);
    EXPECT_EQ(output.code, 7) << when;
    std::size_t times = 0;
    for (auto at = output.err.find("Input/output error"); at != std::string::npos;
         at = output.err.find("Input/output error", at + 1))
      ++times;
    EXPECT_EQ(times, 1U) << when;
    EXPECT_LT(took_s_, 10) << when;
  }
  static fs::path latest_checkpoint_of(const std::string& dir) {
    return fs::path(dir) / "checkpoints" / list_checkpoints(dir).front().name;
  }
  double took_s_ = 0;
};

TEST_F(FailingDevice, EndsATrainingWithASentenceAndItResumesWithTheSameBytes) {
  const std::string file = project(2), dir = at("run");
  ASSERT_EQ(run({"train", file, "--run-dir", at("undisturbed"), "--quiet"}).code, 0);
  const std::string expected = latest_bytes(at("undisturbed"));
  for (const Fault& f : {Fault{"write", 4, "events.jsonl"}, Fault{"fdatasync", 2, "events.jsonl"}, Fault{"fsync", 8},
                         Fault{"rename", 2}}) {
    expect_said(run_with(f, dir, {"train", file, "--run-dir", dir, "--quiet", "--disk-wait", "0"}), f);
    for (const CheckpointName& c : list_checkpoints(dir)) EXPECT_TRUE(verify_checkpoint(dir, c.name)) << f.call;
    const bool began = !list_checkpoints(dir).empty();
    const CommandOutput resumed = run({"resume", dir, "--quiet"});
    EXPECT_EQ(resumed.code, began ? 0 : 3) << f.call << f.from << ": " << resumed.err;
    if (began) EXPECT_TRUE(latest_bytes(dir) == expected) << f.call << f.from;
    fs::remove_all(dir);
  }
}

TEST_F(FailingDevice, EndsAResumedRunWithASentenceAndLosesNothing) {
  const std::string file = project(2), dir = at("run"), half = at("half");
  ASSERT_EQ(run({"train", file, "--run-dir", at("undisturbed"), "--quiet"}).code, 0);
  ASSERT_EQ(run({"train", file, "--run-dir", half, "--quiet", "--stop-after", "1"}).code, 8);
  for (const Fault& f : {Fault{"write", 2, "metrics.csv"}, Fault{"read", 1, "metrics.bin"},
                         Fault{"read", 1, "probes.bin"}, Fault{"rename", 1}}) {
    fs::copy(half, dir, fs::copy_options::recursive);
    expect_said(run_with(f, dir, {"resume", dir, "--quiet", "--disk-wait", "0"}), f);
    const CommandOutput resumed = run({"resume", dir, "--quiet"});
    EXPECT_EQ(resumed.code, 0) << f.call << f.from << ": " << resumed.err;
    EXPECT_TRUE(latest_bytes(dir) == latest_bytes(at("undisturbed"))) << f.call << f.from;
    for (const char* kept : {"metrics.bin", "probes.bin"})
      EXPECT_EQ(*read_file(dir + "/" + kept, 1 << 20), *read_file(at("undisturbed/") + kept, 1 << 20)) << kept;
    fs::remove_all(dir);
  }
}

/// Every file that a training and a resumed run cannot do without.
TEST_F(FailingDevice, IsSaidOfEachFileThatCannotBeRead) {
  std::string table;
  for (int i = 0; i < 120; ++i) table += fmt::format("{},{},{},{},{}\n", i % 2, i % 7 * 30, i % 2 * 200, i % 5, i % 3);
  ASSERT_TRUE(save_file(at("table.csv"), table));
  ASSERT_EQ(run({"new", "--template", "mlp", "--data", at("table.csv"), "-o", at("table.netwright")}).code, 0);
  const std::vector<std::string> train = {"train", at("table.netwright"), "--epochs", "2", "--quiet", "--run-dir"};
  const auto trained = [&](const std::string& dir, const std::vector<std::string>& more) {
    std::vector<std::string> words = train;
    words.push_back(dir);
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  ASSERT_EQ(run(trained(at("undisturbed"), {})).code, 0);
  ASSERT_EQ(run(trained(at("half"), {"--stop-after", "1"})).code, 8);
  const auto fault = [](const std::string& file) { return Fault{"read,pread64", 1, file.c_str()}; };
  for (const char* file : {"table.netwright", "table.csv"}) {
    expect_said(run_with(fault(file), place_.path.string(), trained(at("new"), {"--disk-wait", "0"})), fault(file));
    EXPECT_FALSE(fs::exists(at("new/checkpoints"))) << file;
    fs::remove_all(at("new"));
  }
  std::vector<std::string> files = {"run.json", "events.jsonl", "metrics.csv", "statistics.jsonl"};
  for (const auto& entry : fs::directory_iterator(latest_checkpoint_of(at("half"))))
    files.push_back(entry.path().lexically_relative(at("half")).string());
  EXPECT_EQ(files.size(), 8U);
  for (const std::string& file : files) {
    fs::copy(at("half"), at("again"), fs::copy_options::recursive);
    expect_said(run_with(fault(file), at("again"), {"resume", at("again"), "--quiet", "--disk-wait", "0"}),
                fault(file));
    EXPECT_EQ(run({"resume", at("again"), "--quiet"}).code, 0) << file;
    EXPECT_TRUE(latest_bytes(at("again")) == latest_bytes(at("undisturbed"))) << file;
    fs::remove_all(at("again"));
  }
}

TEST_F(FailingDevice, EndsAStudyWithASentenceAndTheSameCommandGoesOn) {
  ASSERT_TRUE(save_file(at("space.json"), R"({"parameters":[
      {"name":"learning_rate","type":"real","low":0.001,"high":0.3,"log":true}]})"));
  const std::string file = project(1);
  const auto command = [&](const std::string& study) {
    return std::vector<std::string>{"sweep", file,       "--space", at("space.json"), "--dir",
                                    study,   "--trials", "2",       "--quiet"};
  };
  ASSERT_EQ(run(command(at("undisturbed"))).code, 0);
  const auto expected = search::read_study(at("undisturbed"));
  for (const Fault& f : {Fault{"write", 3, "journal.jsonl"}, Fault{"fdatasync,fsync", 2, "journal.jsonl"}}) {
    const std::string study = at("study");
    expect_said(run_with(f, study, command(study)), f);
    const CommandOutput again = run(command(study));
    EXPECT_EQ(again.code, 0) << f.call << f.from << ": " << again.err;
    const auto after = search::read_study(study);
    ASSERT_TRUE(after) << after.error().str();
    ASSERT_EQ(after->trials().size(), expected->trials().size());
    for (std::size_t i = 0; i < expected->trials().size(); ++i) {
      EXPECT_EQ(after->trials()[i].state, search::TrialState::complete);
      EXPECT_EQ(after->trials()[i].values, expected->trials()[i].values);
    }
    fs::remove_all(study);
  }
}

TEST_F(FailingDevice, IsSaidByAQueueThatKeepsWhatItHeld) {
  const std::string file = project(1);
  ::setenv("NETWRIGHT_QUEUE", at("queue").c_str(), 1);
  ASSERT_EQ(run({"queue", "add", "--hold", "train", file}).code, 0);
  const std::string before = *read_file(at("queue/journal.jsonl"), 1 << 20);
  for (const Fault& f : {Fault{"write", 1, "queue/journal.jsonl"}, Fault{"fdatasync,fsync", 1, "queue/journal.jsonl"},
                         Fault{"read,pread64", 1, "queue/journal.jsonl"}}) {
    expect_said(run_with(f, place_.path.string(), {"queue", "add", "--hold", "train", file}), f);
    EXPECT_TRUE(read_file(at("queue/journal.jsonl"), 1 << 20)->starts_with(before));
    const CommandOutput list = run({"queue", "list", "--json"});
    EXPECT_EQ(list.code, 0) << list.err;
  }
  ::unsetenv("NETWRIGHT_QUEUE");
}

}  // namespace
}  // namespace nw
