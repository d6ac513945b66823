// SPDX-License-Identifier: Apache-2.0
// netwright-cli queue: trainings in order, paused, continued, removed, and what is left after a kill.
#include <random>

#include "engine/queue/journal.hpp"
#include "engine/runs/lock_holder.hpp"
#include "tests/app/cli_fixture.hpp"

namespace nw {
namespace {

using namespace std::chrono_literals;

class QueueCli : public Cli {
 protected:
  QueueCli() {
    ::setenv("NETWRIGHT_QUEUE", at("queue").c_str(), 1);
    ::setenv("XDG_CONFIG_HOME", at("config").c_str(), 1);
  }
  ~QueueCli() override {
    ::unsetenv("NETWRIGHT_QUEUE");
    ::unsetenv("XDG_CONFIG_HOME");
  }
  CommandOutput queue(std::vector<std::string> words) {
    words.insert(words.begin(), "queue");
    return run(words);
  }
  /// Adds the small project without starting the queue's process. Returns what was said on an error.
  std::string add(const std::vector<std::string>& more = {}, const std::vector<std::string>& before = {}) {
    std::vector<std::string> words = {"add", "--hold"};
    words.insert(words.end(), before.begin(), before.end());
    words.insert(words.end(), {"train", at("small.netwright")});
    words.insert(words.end(), more.begin(), more.end());
    const CommandOutput output = queue(words);
    EXPECT_EQ(output.code, 0) << output.err;
    return output.err;
  }
  Json list() {
    const CommandOutput output = queue({"list", "--json"});
    EXPECT_EQ(output.code, 0) << output.err;
    return output.code == 0 ? output.lines().front() : Json();
  }
  /// "2:finished 1:waiting"
  std::string states() {
    std::string text;
    const Json all = list();
    for (const Json& item : all.at("items"))
      text += fmt::format("{}{}:{}", text.empty() ? "" : " ", item.at("item").get<int>(),
                          item.at("state").get<std::string>());
    return text;
  }
  queue::Item item(std::int64_t n) {
    const auto read = queue::read_queue(at("queue"));
    EXPECT_TRUE(read) << (read ? "" : read.error().str());
    return read ? read->items().at(static_cast<std::size_t>(n - 1)) : queue::Item();
  }
  bool wait_until(const std::function<bool()>& is) {
    for (int i = 0; i < 3000; ++i, std::this_thread::sleep_for(10ms))
      if (is()) return true;
    return false;
  }
  /// Until the item trains and has a checkpoint.
  bool wait_for_checkpoint(std::int64_t n) {
    return wait_until([&] { return item(n).runs && latest_checkpoint(item(n).run); });
  }
  /// Of the newest checkpoint; 0: there is none.
  static std::int64_t newest_step(const fs::path& run) {
    const auto newest = latest_checkpoint(run);
    return newest ? newest->step : 0;
  }
  bool process_is_there() { return FileLock::is_held(at("queue/daemon.lock")); }
};

TEST_F(QueueCli, TrainsInOrderAndEnds) {
  project();
  add();
  add({"--seed", "2"});
  add({"--run-dir", at("third")}, {"--priority", "3", "--name", "third"});
  EXPECT_EQ(queue({"move", "2", "--before", "1"}).code, 0);
  EXPECT_EQ(states(), "3:waiting 2:waiting 1:waiting");
  const CommandOutput output = queue({"start"});
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(states(), "1:finished 2:finished 3:finished");
  EXPECT_LT(output.err.find("item 3: third begins"), output.err.find("item 2: small begins"));
  EXPECT_LT(output.err.find("item 2: finished"), output.err.find("item 1: small begins")) << "one at a time";
  EXPECT_EQ(item(3).run, at("third"));
  for (int n = 1; n <= 3; ++n) EXPECT_EQ(summarize_run(item(n).run)->status, RunStatus::finished);
  EXPECT_EQ(read_run_definition(item(2).run)->doc.settings().seed, 2U);
  EXPECT_FALSE(process_is_there());
}

TEST_F(QueueCli, AddStartsAProcessThatOutlivesIt) {
  const CommandOutput added = queue({"add", "train", project()});
  ASSERT_EQ(added.code, 0) << added.err;
  EXPECT_EQ(added.out, "item 1\n");
  ASSERT_TRUE(wait_until([&] { return item(1).state == queue::ItemState::finished; })) << states();
  EXPECT_TRUE(wait_until([&] { return !process_is_there(); })) << "nothing is left to do";
}

TEST_F(QueueCli, TheProjectIsTrainedAsItWasWhenItWasAdded) {
  project(1);
  add();
  project(4);  // the same file
  ASSERT_EQ(queue({"start"}).code, 0);
  EXPECT_EQ(summarize_run(item(1).run)->epochs, 1);
}

TEST_F(QueueCli, PauseStopsWithACheckpointAndContinueGoesOn) {
  project(400);
  add();
  add({"--epochs", "1"});
  Command start(place_, {"queue", "start"});
  ASSERT_TRUE(wait_for_checkpoint(1));
  EXPECT_EQ(queue({"pause", "1"}).code, 0);
  ASSERT_TRUE(wait_until([&] { return item(2).state == queue::ItemState::finished; })) << states();
  EXPECT_EQ(start.wait().code, 0) << "a paused item keeps no process";
  EXPECT_EQ(states(), "1:paused 2:finished");
  const std::int64_t done = summarize_run(item(1).run)->steps;
  EXPECT_GT(done, 0);
  EXPECT_EQ(queue({"continue", "1"}).code, 0);
  ASSERT_TRUE(wait_until([&] { return item(1).runs && summarize_run(item(1).run)->steps > done; })) << states();
  EXPECT_EQ(queue({"remove", "1"}).code, 0);
  EXPECT_TRUE(wait_until([&] { return !process_is_there(); }));
  EXPECT_EQ(states(), "2:finished");
  EXPECT_TRUE(latest_checkpoint(item(1).run)) << "the run is kept";
}

TEST_F(QueueCli, APausedQueueStartsNothing) {
  project();
  add();
  EXPECT_EQ(queue({"pause"}).code, 0);
  EXPECT_EQ(queue({"start"}).code, 0);
  EXPECT_EQ(states(), "1:waiting");
  EXPECT_EQ(queue({"continue"}).code, 0);
  EXPECT_TRUE(wait_until([&] { return item(1).state == queue::ItemState::finished; })) << states();
}

// As after a loss of power, and as after a signal of the system.
TEST_F(QueueCli, AKilledProcessLosesNothing) {
  for (const int signal : {SIGKILL, SIGTERM}) {
    ::setenv("NETWRIGHT_QUEUE", at("queue" + std::to_string(signal)).c_str(), 1);
    const std::string folder = at("queue" + std::to_string(signal));
    const auto first = [&] { return queue::read_queue(folder)->items().front(); };
    project(40);
    add();
    Command start(place_, {"queue", "start"});
    ASSERT_TRUE(wait_until([&] { return first().runs && latest_checkpoint(first().run); }));
    ::kill(start.pid(), signal);
    EXPECT_EQ(start.wait().code, 128 + signal);
    EXPECT_TRUE(wait_until([&] { return !is_running(first().run); })) << "the training stops with its queue";
    const auto before = summarize_run(first().run);
    ASSERT_TRUE(before);
    EXPECT_LT(before->epochs_done, 40);
    ASSERT_EQ(queue({"start"}).code, 0);
    const auto after = summarize_run(first().run);
    EXPECT_EQ(after->status, RunStatus::finished);
    EXPECT_EQ(after->epochs_done, 40);
    EXPECT_GE(after->steps, before->steps) << "it went on from its checkpoint";
    EXPECT_NE(read_file(first().run + "/events.jsonl", 1 << 24)->find("\"resumed\""), std::string::npos);
    EXPECT_EQ(first().state, queue::ItemState::finished);
  }
}

// The queue's process and that of the training, in turn.
TEST_F(QueueCli, KilledAtRandomMomentsItEndsWithTheWeightsOfAnUndisturbedTraining) {
  const bool is_long = std::getenv("NETWRIGHT_LONG") != nullptr;
#ifdef NW_SANITIZED
  const int kills = is_long ? 10 : 2, epochs = 20 * kills;
#else
  const int kills = is_long ? 50 : 4, epochs = 25 * kills;
#endif
  std::mt19937 random(31);
  ASSERT_EQ(run({"train", project(epochs), "--run-dir", at("whole"), "--quiet"}).code, 0);
  add();
  auto start = std::make_unique<Command>(place_, std::vector<std::string>{"queue", "start"});
  std::int64_t from = 0;
  for (int kill = 0; kill < kills; ++kill) {
    ASSERT_TRUE(wait_until([&] { return item(1).runs && newest_step(item(1).run) > from; }))
        << "kill " << kill << ": " << states();
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 15000));  // varies the moment of the kill
    const std::string folder = item(1).run, lock = kill % 2 ? folder + "/lock" : at("queue/daemon.lock");
    const pid_t victim = lock_holder(lock);
    ASSERT_GT(victim, 0) << lock << " has no holder: the run ended before it could be killed";
    ASSERT_EQ(::kill(victim, SIGKILL), 0);
    ASSERT_TRUE(wait_until([&] { return !is_running(folder) && !process_is_there(); }));
    start.reset();
    from = newest_step(folder);
    if (kill % 2) {
      EXPECT_EQ(states(), "1:failed");
      EXPECT_NE(item(1).message.find("signal 9"), std::string::npos) << item(1).message;
      EXPECT_EQ(queue({"continue", "1"}).code, 0);
    } else {
      start = std::make_unique<Command>(place_, std::vector<std::string>{"queue", "start"});
    }
  }
  ASSERT_TRUE(wait_until([&] { return item(1).state == queue::ItemState::finished; })) << states();
  for (const char* file : {"model.safetensors", "optimizer.safetensors"})
    EXPECT_EQ(latest_bytes(item(1).run, file), latest_bytes(at("whole"), file)) << file;
  EXPECT_EQ(list().at("items").size(), 1U);
}

TEST_F(QueueCli, AQueueThatIsDeletedStopsItsTrainings) {
  project(400);
  add();
  Command start(place_, {"queue", "start"});
  ASSERT_TRUE(wait_for_checkpoint(1));
  const std::string run = item(1).run;
  fs::remove_all(at("queue"));
  const CommandOutput output = start.wait();
  EXPECT_EQ(output.code, 7) << output.err;
  EXPECT_NE(output.err.find("is gone"), std::string::npos) << output.err;
  EXPECT_FALSE(is_running(run));
}

TEST_F(QueueCli, AnItemThatCannotBeTrainedSaysWhyAndTheNextOneTrains) {
  project();
  add({"--data", at("nowhere")});
  add({}, {"--device", "any:2"});
  add();
  ASSERT_EQ(queue({"start"}).code, 0);
  EXPECT_EQ(item(3).state, queue::ItemState::finished);
  EXPECT_EQ(item(1).state, queue::ItemState::failed);
  EXPECT_NE(item(1).message.find("nowhere"), std::string::npos) << item(1).message;
  EXPECT_EQ(item(2).state, queue::ItemState::failed);
  EXPECT_NE(item(2).message.find("2 GPUs"), std::string::npos) << item(2).message;
  EXPECT_EQ(queue({"remove", "--ended"}).code, 0);
  EXPECT_EQ(states(), "");
}

TEST_F(QueueCli, RunsAreResumedAndBranchedAndStudiesSearched) {
  ASSERT_EQ(run({"train", project(), "--run-dir", at("run"), "--quiet"}).code, 0);
  ASSERT_TRUE(
      save_file(at("space.json"),
                R"({"parameters":[{"name":"learning_rate","type":"real","low":0.001,"high":0.3,"log":true}]})"));
  ASSERT_EQ(queue({"add", "--hold", "resume", at("run"), "--epochs", "3"}).code, 0);
  ASSERT_EQ(queue({"add", "--hold", "branch", at("run"), "--set", "epochs=2"}).code, 0);
  ASSERT_EQ(queue({"add", "--hold", "sweep", at("small.netwright"), "--space", at("space.json"), "--trials", "2",
                   "--dir", at("study")})
                .code,
            0);
  const CommandOutput output = queue({"start"});
  ASSERT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(states(), "1:finished 2:finished 3:finished") << item(2).message;
  EXPECT_EQ(summarize_run(at("run"))->epochs_done, 3);
  EXPECT_EQ(read_run_definition(item(2).run)->parent, fs::path(at("run")).filename().string());
  EXPECT_EQ(summarize_run(at("study/trial-0001"))->status, RunStatus::finished);
}

TEST_F(QueueCli, RefusesWhatItCannotTrainInOneSentence) {
  project();
  struct Case {
    std::vector<std::string> words;
    int code;
    std::string says;
  };
  const Case cases[] = {{{"add"}, 2, "a queue takes train"},
                        {{"add", "predict", "x"}, 2, "a queue takes train"},
                        {{"add", "train", "--epochs", "3", at("small.netwright")}, 2, "directly after"},
                        {{"add", "train", at("small.netwright"), "--epochs", "many"}, 2, "epochs"},
                        {{"add", "train", at("small.netwright"), "--nonsense"}, 2, "nonsense"},
                        {{"add", "train", at("none.netwright")}, 3, "none.netwright"},
                        {{"add", "resume", at("none")}, 3, "none"},
                        {{"add", "--device", "gpu", "train", at("small.netwright")}, 2, "names no devices"},
                        {{"add", "--device", "cpu", "train", at("small.netwright"), "--device", "cpu"}, 2, "twice"},
                        {{"move", "1", "--first"}, 2, "no item 1"},
                        {{"move", "1"}, 2, "name the place"},
                        {{"pause", "7"}, 2, "no item 7"},
                        {{"continue", "7"}, 2, "no item 7"},
                        {{"remove"}, 2, "--ended"},
                        {{"remove", "7"}, 2, "no item 7"}};
  for (const Case& c : cases) {
    const CommandOutput output = queue(c.words);
    EXPECT_EQ(output.code, c.code) << c.words[0] << " " << c.says << ": " << output.err;
    EXPECT_NE(output.err.find(c.says), std::string::npos) << c.says << ": " << output.err;
  }
  EXPECT_EQ(states(), "");
  EXPECT_FALSE(process_is_there());
  ASSERT_TRUE(save_file(at("queue/journal.jsonl"), "{}\n"));
  EXPECT_EQ(queue({"list"}).code, 3);
  EXPECT_EQ(*read_file(at("queue/journal.jsonl"), 100), "{}\n") << "a damaged journal is left as it is";
}

TEST_F(QueueCli, TheAutostartEntryStartsThisQueue) {
  EXPECT_EQ(queue({"autostart", "status"}).out, "off\n");
  ASSERT_EQ(queue({"autostart", "on", "--queue", at("my $queue %d")}).code, 0);
  EXPECT_EQ(queue({"autostart", "status"}).out, "on\n");
  const std::string entry = *read_file(at("config/autostart/netwright-queue.desktop"), 4096);
  EXPECT_NE(entry.find("queue start --queue \"" + at("my \\\\$queue %%d") + "\"\n"), std::string::npos) << entry;
  ASSERT_EQ(queue({"autostart", "off"}).code, 0);
  EXPECT_EQ(queue({"autostart", "status"}).out, "off\n");
}

}  // namespace
}  // namespace nw
