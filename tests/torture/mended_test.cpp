// SPDX-License-Identifier: Apache-2.0
// What comes from outside of a run and ends again: a full disk, writes that fail, data and run folders that are gone.
// The run pauses with a sentence and goes on by itself, or at "continue"; stopped or killed while
// it is paused, it resumes. In each case it ends with the bytes of a run that nothing disturbed.
#include "engine/runs/pause.hpp"
#include "tests/app/cli_fixture.hpp"
#include "tests/support/data_files.hpp"
#include "tests/torture/small_disk.hpp"

namespace nw {
namespace {

class Mended : public Cli {
 protected:
  std::string undisturbed(const std::string& file, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"train", file, "--run-dir", at("undisturbed"), "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    EXPECT_EQ(run(words).code, 0);
    return latest_bytes(at("undisturbed"));
  }
  static Json status(const std::string& dir) {
    const auto answer = control_run(dir, "status");
    return answer ? Json::parse(*answer, nullptr, false) : Json::object();
  }
  /// The reason why the run is paused; empty: it is not.
  static std::string reason(const std::string& dir) {
    const Json now = status(dir);
    return now.contains("reason") && now["reason"].is_string() ? now["reason"].get<std::string>() : "";
  }
  static std::vector<Event> events_of(const std::string& dir) {
    EventTail tail(dir);
    std::vector<Event> events;
    for (auto more = tail.poll(events); more && *more;) more = tail.poll(events);
    EXPECT_EQ(tail.damaged_lines(), 0);
    return events;
  }
  template <class T>
  static std::vector<T> all(const std::vector<Event>& events) {
    std::vector<T> out;
    for (const Event& e : events)
      if (const T* what = std::get_if<T>(&e.what)) out.push_back(*what);
    return out;
  }
  /// No epoch is missing from the log, no step from metrics.bin and metrics.csv; every checkpoint is whole.
  static void expect_complete(const std::string& dir, std::int64_t epochs) {
    const auto ends = all<EpochEnd>(events_of(dir));
    ASSERT_EQ(std::ssize(ends), epochs);
    for (std::int64_t i = 0; i < epochs; ++i) EXPECT_EQ(ends[static_cast<std::size_t>(i)].epoch, i + 1);
    EXPECT_EQ(fs::file_size(dir + "/metrics.bin"), 16U + 4U * static_cast<std::uint64_t>(ends.back().step));
    const std::string csv = *read_file(dir + "/metrics.csv", 1 << 24);
    for (const EpochEnd& e : ends)
      EXPECT_NE(csv.find("\n" + std::to_string(e.step) + "," + std::to_string(e.epoch) + ","), std::string::npos)
          << "epoch " << e.epoch << " is missing from metrics.csv";
    for (const CheckpointName& c : list_checkpoints(dir)) EXPECT_TRUE(verify_checkpoint(dir, c.name)) << c.name;
  }
};

class MendedDisk : public Mended {
 protected:
  void SetUp() override {
    if (!disk_.ready()) GTEST_SKIP() << "no disk can be mounted here";
    expected_ = undisturbed(project(epochs));
    disk_.fill(2'000'000);  // one checkpoint takes 1.3 MB
  }
  Command start(const std::string& verb = "train") {
    if (verb == "resume") return {place_, {"resume", dir_, "--quiet"}};
    return {place_, {"train", at("small.netwright"), "--run-dir", dir_, "--quiet"}};
  }
  bool paused(const Command& training) const {
    return wait_for(
               [&] { return reason(dir_).find("No space left on device") != std::string::npos || training.ended(); }) &&
           !training.ended();
  }
  static constexpr std::int64_t epochs = 8;
  const SmallDisk disk_{place_.path / "disk", "12m"};
  const std::string dir_ = (disk_.path() / "run").string();
  std::string expected_;
};

TEST_F(MendedDisk, TheReasonIsShownAndContinueTriesAtOnce) {
  Command training = start();
  ASSERT_TRUE(paused(training)) << training.err();
  EXPECT_TRUE(status(dir_).value("paused", false));
  EXPECT_TRUE(
      wait_for([&] { return training.err().find("Training is paused until this is mended") != std::string::npos; }));
  disk_.make_room();
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  ASSERT_TRUE(control_run(dir_, "continue"));
  EXPECT_EQ(training.wait().code, 0);
  EXPECT_TRUE(latest_bytes(dir_) == expected_);
  expect_complete(dir_, epochs);
  EXPECT_FALSE(all<Paused>(events_of(dir_)).empty());
  EXPECT_EQ(all<Continued>(events_of(dir_)).size(), all<Paused>(events_of(dir_)).size());
}

TEST_F(MendedDisk, ItTriesAgainByItself) {
  Command training = start();
  ASSERT_TRUE(paused(training)) << training.err();
  disk_.make_room();
  EXPECT_EQ(training.wait().code, 0);
  EXPECT_TRUE(latest_bytes(dir_) == expected_);
}

TEST_F(MendedDisk, StoppedOrKilledWhilePausedItResumes) {
  for (const bool killed : {false, true}) {
    Command training = start();
    ASSERT_TRUE(paused(training)) << training.err();
    killed ? (void)::kill(training.pid(), SIGKILL) : (void)control_run(dir_, "stop");
    EXPECT_EQ(training.wait().code, killed ? 128 + SIGKILL : 7);
    ASSERT_EQ(list_checkpoints(dir_).size(), 1U);
    EXPECT_TRUE(verify_checkpoint(dir_, list_checkpoints(dir_).front().name));
    EXPECT_FALSE(pause_of(dir_)) << "nothing runs";
    disk_.make_room();
    const CommandOutput resumed = start("resume").wait();
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_TRUE(latest_bytes(dir_) == expected_) << (killed ? "killed" : "stopped");
    fs::remove_all(dir_);
    disk_.fill(2'000'000);
  }
}

/// Between two checkpoints: the log cannot be written, so the run pauses before anything must be thrown away.
TEST_F(MendedDisk, ALogThatCannotBeWrittenPausesARunBetweenCheckpoints) {
  disk_.make_room();
  // weights that stay as they are have one best epoch, the first
  Command training(place_, {"train", project(1'000'000), "--run-dir", dir_, "--set", "checkpoint_epochs=1000000",
                            "--lr", "1e-20", "--quiet"});
  ASSERT_TRUE(wait_for([&] { return !list_checkpoints(dir_).empty(); }));
  ASSERT_TRUE(wait_for([&] { return status(dir_).value("step", 0) > 0; }));
  disk_.fill(0);
  ASSERT_TRUE(paused(training)) << training.err();
  EXPECT_TRUE(summarize_run(dir_)->status == RunStatus::running);
  const std::int64_t step = status(dir_)["step"].get<std::int64_t>();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(status(dir_)["step"].get<std::int64_t>(), step) << "it trains on";
  disk_.make_room();
  ASSERT_TRUE(wait_for([&] { return status(dir_)["step"].get<std::int64_t>() > step; }));
  ASSERT_TRUE(control_run(dir_, "stop"));
  EXPECT_EQ(training.wait().code, 8);
  std::int64_t last = 0;
  for (const Steps& s : all<Steps>(events_of(dir_))) {
    EXPECT_EQ(s.last - s.count, last) << "steps are missing from the log";
    last = s.last;
  }
}

class MendedWrites : public Mended {
 protected:
  void SetUp() override {
    if (std::system("strace -qq -o /dev/null true 2>/dev/null") != 0) GTEST_SKIP() << "strace cannot trace here";
  }
  static Launch failing(const std::string& fault, const std::string& log, const std::string& path) {
    Launch launch{.words = {"strace", "-f", "-qq", "-E", "ASAN_OPTIONS=detect_leaks=0", "-o", log}, .first = {}};
    if (!path.empty()) launch.words.insert(launch.words.end(), {"-P", path});
    launch.words.insert(launch.words.end(), {"-e", "inject=" + fault});
    return launch;
  }
};

TEST_F(MendedWrites, ErrorsOfTheDeviceThatEndLoseNothing) {
  const std::string file = project(4), expected = undisturbed(file);
  const std::pair<std::string, std::string> faults[] = {{"write:error=EIO:when=6..7", "events.jsonl"},
                                                        {"write:error=EIO:when=4..6", "metrics.csv"},
                                                        {"write:error=EIO:when=2..3", "metrics.bin"},
                                                        {"fdatasync:error=EIO:when=2..3", "events.jsonl"},
                                                        {"fsync:error=EIO:when=10..12", ""}};
  for (const auto& [fault, name] : faults) {
    const std::string dir = at("run");
    const CommandOutput output = run({"train", file, "--run-dir", dir, "--quiet"},
                                     failing(fault, at("calls"), name.empty() ? "" : dir + "/" + name));
    EXPECT_EQ(output.code, 0) << fault << ": " << output.err;
    EXPECT_NE(read_file(at("calls"), 1 << 26)->find("INJECTED"), std::string::npos) << fault << " was not felt";
    EXPECT_TRUE(latest_bytes(dir) == expected) << fault;
    expect_complete(dir, 4);
    fs::remove_all(dir);
  }
}

TEST_F(Mended, ARunFolderThatIsMovedAwayAndBackIsNotMadeAnew) {
  const std::string file = project(30), expected = undisturbed(file), dir = at("run"), away = at("away");
  Command training(place_, {"train", file, "--run-dir", dir, "--quiet"});
  ASSERT_TRUE(wait_for([&] { return !list_checkpoints(dir).empty(); }));
  fs::rename(dir, away);
  ASSERT_TRUE(wait_for([&] {
    return training.err().find("Training is paused") != std::string::npos || fs::exists(dir) || training.ended();
  }));
  std::this_thread::sleep_for(std::chrono::milliseconds(100));
  EXPECT_FALSE(fs::exists(dir)) << "it was made again";
  fs::rename(away, dir);
  const CommandOutput output = training.wait();
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_TRUE(latest_bytes(dir) == expected);
  expect_complete(dir, 30);
}

class MendedData : public Mended {
 protected:
  MendedData() {
    fs::create_directory(data());
    EXPECT_TRUE(save_file(data() + "/train-images-idx3-ubyte", test::idx_images(320, 28, 28)));
    EXPECT_TRUE(save_file(data() + "/train-labels-idx1-ubyte", test::idx_labels(320, 10)));
    EXPECT_TRUE(save_file(data() + "/t10k-images-idx3-ubyte", test::idx_images(40, 28, 28)));
    EXPECT_TRUE(save_file(data() + "/t10k-labels-idx1-ubyte", test::idx_labels(40, 10)));
    EXPECT_EQ(run({"new", "-t", "mlp", "-o", at("mnist.netwright")}).code, 0);
  }
  std::string data() const { return at("digits"); }
  std::vector<std::string> train(const std::string& dir) const {
    return {"train", at("mnist.netwright"), "--data", data(), "--epochs", "30", "--run-dir", at(dir), "--quiet"};
  }
  std::string expected() {
    EXPECT_EQ(run(train("undisturbed")).code, 0);
    return latest_bytes(at("undisturbed"));
  }
};

/// Images are in memory: a folder that is moved in mid-run is not missed.
TEST_F(MendedData, AFolderThatIsMovedAwayInMidRunDisturbsNothing) {
  const std::string wanted = expected();
  Command training(place_, train("run"));
  ASSERT_TRUE(wait_for([&] { return !list_checkpoints(at("run")).empty(); }));
  fs::rename(data(), at("away"));
  const CommandOutput output = training.wait();
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_TRUE(latest_bytes(at("run")) == wanted);
}

TEST_F(MendedData, AResumedRunWaitsForItsFolderAlsoAfterAStopAndAKill) {
  const std::string wanted = expected(), dir = at("run");
  Command training(place_, train("run"));
  ASSERT_TRUE(wait_for([&] { return !list_checkpoints(dir).empty(); }));
  ::kill(training.pid(), SIGKILL);
  training.wait();
  const std::string saved = latest_checkpoint(dir)->name;
  fs::rename(data(), at("away"));
  const CommandOutput hasty = run({"resume", dir, "--quiet", "--disk-wait", "0"});
  EXPECT_EQ(hasty.code, 3) << hasty.err;
  for (const int signal : {SIGTERM, SIGKILL}) {
    Command waiting(place_, {"resume", dir, "--quiet"});
    ASSERT_TRUE(wait_for([&] { return reason(dir).find("is not there") != std::string::npos; }));
    EXPECT_NE(waiting.err().find("digits, is not there"), std::string::npos) << waiting.err();
    ASSERT_TRUE(wait_for([&] {
      return pause_of(dir) && pause_of(dir)->reason.str().find("is not there") != std::string::npos;
    })) << "its log has the reason";
    EXPECT_NE(run({"runs", "show", dir}).out.find("is not there"), std::string::npos);
    ::kill(waiting.pid(), signal);
    EXPECT_EQ(waiting.wait().code, 128 + signal);
    EXPECT_EQ(latest_checkpoint(dir)->name, saved);
  }
  Command waiting(place_, {"resume", dir, "--quiet"});
  ASSERT_TRUE(wait_for([&] { return !reason(dir).empty(); }));
  fs::rename(at("away"), data());
  const CommandOutput output = waiting.wait();
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_TRUE(latest_bytes(dir) == wanted);
}

}  // namespace
}  // namespace nw
