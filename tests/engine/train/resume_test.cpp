// SPDX-License-Identifier: Apache-2.0
// A run that is paused, ended and resumed gives the same bytes as an uninterrupted run, on any number of threads.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <random>
#include <thread>

#include "tests/engine/train/trial.hpp"
#include "tests/support/old_run.hpp"

namespace nw {
namespace {

Trial::Change long_run(std::int64_t threads, std::int64_t epochs = 12) {
  return [=](TrainSettings& s, DataChoice&) {
    s.epochs = epochs;
    s.threads = threads;
    s.schedule = ScheduleKind::cosine;
    s.random_crop = true;
    s.crop_padding = 2;
  };
}

/// Trains in parts of `every` steps or a few more, each ended by a stop and followed by a resume. Returns the final
/// weights.
std::string weights_with_stops(const Trial::Change& change, std::int64_t every, const std::string& backend = "cpu") {
  Trial t(change, "mlp", backend);
  t.sink.then = [&](const Event& e) {
    if (const auto* s = std::get_if<Steps>(&e.what); s && s->last >= every) t.control.stop(false);
  };
  auto result = t.run();
  EXPECT_TRUE(result);
  EXPECT_EQ(result->ended.reason, EndReason::stopped) << "the run was over before it could be stopped";
  for (int resumes = 0; result && result->ended.reason == EndReason::stopped && resumes < 100; ++resumes) {
    const std::int64_t from = result->ended.step;
    Recording events;
    TrainControl control;
    events.then = [&](const Event& e) {
      if (const auto* s = std::get_if<Steps>(&e.what); s && s->last >= from + every) control.stop(false);
    };
    TrainRequest again;
    again.run = t.request.run;
    again.resume = true;
    again.backend = backend;
    result = train(again, control, events);
    EXPECT_TRUE(result) << result.error().str();
    EXPECT_EQ(events.all<Resumed>().front().from_step, from);
  }
  EXPECT_EQ(result->ended.reason, EndReason::finished);
  return t.final_weights();
}

TEST(Resume, ARunOfVersion01ContinuesFromItsCheckpoint) {
  Trial t;
  test::copy_old_run(t.request.run);
  Recording events;
  TrainControl control;
  events.then = [&](const Event& e) {
    if (const auto* epoch = std::get_if<EpochEnd>(&e.what); epoch && epoch->epoch >= 5) control.stop(false);
  };
  TrainRequest again;
  again.run = t.request.run;
  again.resume = true;
  const auto result = train(again, control, events);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(events.all<Resumed>().front().from_step, 87);
  EXPECT_EQ(events.all<EpochEnd>().front().epoch, 4);
  EXPECT_EQ(result->ended.reason, EndReason::stopped);
  const auto summary = summarize_run(t.request.run);
  ASSERT_TRUE(summary) << summary.error().str();
  EXPECT_GE(summary->epochs_done, 5);
  EXPECT_GT(summary->images, 5400);
}

TEST(Resume, StoppedAndResumedRunsEndWithTheBytesOfAnUninterruptedOne) {
  Trial whole(long_run(1));
  ASSERT_TRUE(whole.run());
  const std::string expected = whole.final_weights();
  ASSERT_FALSE(expected.empty());
  for (const std::int64_t threads : {1, 2, 3, 4}) {
    Trial uninterrupted(long_run(threads));
    ASSERT_TRUE(uninterrupted.run());
    EXPECT_EQ(uninterrupted.final_weights(), expected) << threads << " threads, uninterrupted";
    EXPECT_EQ(weights_with_stops(long_run(threads), 37), expected) << threads << " threads, stopped";
  }
}

TEST(Resume, ReportsThatOtherKernelsAreUsedThanAtTheStart) {
  Trial t(long_run(1, 3));
  t.sink.then = [&](const Event& e) {
    if (std::holds_alternative<EpochEnd>(e.what)) t.control.stop(false);
  };
  ASSERT_TRUE(t.run());
  const auto warnings = [&] {
    Recording events;
    TrainControl control;
    events.then = [&](const Event& e) {
      if (std::holds_alternative<EpochEnd>(e.what)) control.stop(false);
    };
    TrainRequest again;
    again.run = t.request.run;
    again.resume = true;
    EXPECT_TRUE(train(again, control, events));
    int count = 0;
    for (const Health& h : events.all<Health>())
      count += h.message.str().find("another engine\")") != std::string::npos;
    return count;
  };
  EXPECT_EQ(warnings(), 0);
  auto definition = read_run_definition(t.request.run);
  ASSERT_TRUE(definition);
  ASSERT_FALSE(definition->choices.empty());
  definition->choices.back() = "conv1: another engine";
  ASSERT_TRUE(write_run_definition(t.request.run, *definition));
  EXPECT_EQ(warnings(), 1);
}
TEST(Resume, OnTheReferenceBackendTooAResumedRunEndsWithTheSameBytes) {
  const auto change = long_run(1, 3);
  Trial whole(change, "mlp", "reference");
  ASSERT_TRUE(whole.run());
  ASSERT_FALSE(whole.final_weights().empty());
  EXPECT_EQ(weights_with_stops(change, 7, "reference"), whole.final_weights());
}

TEST(Resume, InBf16TooAResumedRunEndsWithTheSameBytes) {
  const auto change = [](std::int64_t threads) {
    return [=](TrainSettings& s, DataChoice& d) {
      long_run(threads, 6)(s, d);
      s.precision = DType::bf16;
    };
  };
  Trial whole(change(1)), plain(long_run(1, 6));
  ASSERT_TRUE(whole.run());
  ASSERT_TRUE(plain.run());
  EXPECT_NE(whole.final_weights(), plain.final_weights());
  for (const std::int64_t threads : {1, 3})
    EXPECT_EQ(weights_with_stops(change(threads), 17), whole.final_weights()) << threads << " threads";
}

TEST(Resume, MetricsOfAResumedRunHaveNoGapAndNoRepetition) {
  Trial t(long_run(2));
  t.sink.then = [&](const Event& e) {
    if (const auto* s = std::get_if<Steps>(&e.what); s && s->last >= 5) t.control.stop(false);
  };
  ASSERT_TRUE(t.run());
  Recording more;
  ASSERT_TRUE(t.resume(more));
  std::ifstream csv(t.request.run / "metrics.csv");
  std::string line;
  std::int64_t last = 0;
  while (std::getline(csv, line))
    if (line.find("train/loss") != std::string::npos && line.find("epoch/") == std::string::npos) {
      const std::int64_t step = std::stoll(line);
      EXPECT_GT(step, last);
      last = step;
    }
  EventTail tail(t.request.run);
  std::vector<Event> events;
  while (*tail.poll(events)) {}
  std::vector<std::int64_t> epochs;
  for (const Event& e : events)
    if (const auto* epoch = std::get_if<EpochEnd>(&e.what)) epochs.push_back(epoch->epoch);
  std::vector<std::int64_t> expected(12);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = static_cast<std::int64_t>(i) + 1;
  EXPECT_EQ(epochs, expected);
}

/// Trains in a child process and returns its process ID.
pid_t train_in_child(const TrainRequest& request) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  TrainControl control;
  Recording sink;
  const auto result = train(request, control, sink);
  ::_exit(result ? result->ended.exit_code : static_cast<int>(result.error().code));
}

bool wait_for(const std::function<bool()>& condition) {
  for (int i = 0; i < 6000 && !condition(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  return condition();
}

TEST(Resume, AKilledRunContinuesAndASecondResumeIsRejected) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 4000; });
  const pid_t child = train_in_child(t.request);
  ASSERT_GT(child, 0);
  ASSERT_TRUE(wait_for([&] { return list_checkpoints(t.request.run).size() >= 2; }));
  EXPECT_TRUE(is_running(t.request.run));
  Recording second;
  const auto twice = t.resume(second);
  ASSERT_FALSE(twice) << "somebody is training there";
  EXPECT_EQ(twice.error().code, Errc::in_use);
  EXPECT_TRUE(is_running(t.request.run)) << "the first one was not disturbed";
  ::kill(child, SIGKILL);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  const auto summary = summarize_run(t.request.run);
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->status, RunStatus::interrupted);
  EXPECT_TRUE(summary->can_resume);

  TrainRequest again;
  again.run = t.request.run;
  again.resume = true;
  const pid_t resumed = train_in_child(again);
  ASSERT_TRUE(wait_for([&] { return is_running(t.request.run); }));
  Recording third;
  EXPECT_FALSE(t.resume(third)) << "a resumed run cannot be resumed again";
  const std::int64_t before = latest_checkpoint(t.request.run)->step;
  ASSERT_TRUE(wait_for([&] { return latest_checkpoint(t.request.run)->step > before; }));
  ASSERT_TRUE(control_run(t.request.run, "stop", 30));
  ASSERT_EQ(::waitpid(resumed, &status, 0), resumed);
  EXPECT_EQ(WEXITSTATUS(status), 8);
  EXPECT_EQ(summarize_run(t.request.run)->status, RunStatus::stopped);
}

TEST(Resume, KilledAtRandomMomentsTheFinalWeightsAreTheSame) {
  const bool longer = std::getenv("NETWRIGHT_LONG") != nullptr;
  const int wanted = longer ? 40 : 4;
  const std::int64_t epochs = longer ? 800 : 80;  // far more than pass between as many kills
  Trial whole(long_run(2, epochs));
  ASSERT_TRUE(whole.run());
  Trial t(long_run(2, epochs));
  std::mt19937 random(5);
  TrainRequest request = t.request;
  int kills = 0, status = 0;
  for (;;) {
    const pid_t child = train_in_child(request);
    ASSERT_GT(child, 0);
    const auto before = latest_checkpoint(t.request.run);
    const std::int64_t step = before ? before->step : -1;
    // Wait for a new checkpoint, so that the run progresses; then kill at a random moment.
    while (kills < wanted && ::waitpid(child, &status, WNOHANG) == 0) {
      const auto now = latest_checkpoint(t.request.run);
      if (!now || now->step <= step) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(random() % 20'000));
      ::kill(child, SIGKILL);
      ++kills;
      break;
    }
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) break;
    request.resume = true;
    ASSERT_TRUE(latest_checkpoint(t.request.run));
  }
  EXPECT_EQ(kills, wanted) << "the run was over before it could be killed as often";
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(t.final_weights(), whole.final_weights());
}

TEST(Resume, AFinishedRunHasNothingLeftToTrain) {
  Trial t;
  ASSERT_TRUE(t.run());
  Recording more;
  const auto result = t.resume(more);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::usage);
}

TEST(Resume, ADamagedLatestCheckpointFallsBackToTheOneBefore) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 1000; });
  t.sink.then = [&](const Event& e) {
    if (const auto* epoch = std::get_if<EpochEnd>(&e.what); epoch && epoch->epoch == 3) t.control.stop(false);
  };
  ASSERT_TRUE(t.run());
  const auto all = list_checkpoints(t.request.run);
  ASSERT_GE(all.size(), 2U);
  const fs::path model = t.request.run / "checkpoints" / all.back().name / "model.safetensors";
  std::string bytes = *read_file(model, 1 << 30);
  bytes[bytes.size() / 2] ^= 1;
  ASSERT_TRUE(save_file(model, bytes));
  Recording more;
  TrainControl control;
  control.stop(false);
  TrainRequest again;
  again.run = t.request.run;
  again.resume = true;
  ASSERT_TRUE(train(again, control, more));
  EXPECT_EQ(more.all<Resumed>().front().from_step, all[all.size() - 2].step);
}

TEST(Resume, AMalformedRunFolderIsNotWrittenInto) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 1000; });
  t.sink.then = [&](const Event& e) {
    if (std::holds_alternative<EpochEnd>(e.what)) t.control.stop(false);
  };
  ASSERT_TRUE(t.run());
  const Folder outside;
  ASSERT_TRUE(save_file(outside.path / "precious", "precious"));
  for (const char* name : {"latest", "best", "events.jsonl", "metrics.csv", "metrics.bin", "lock"}) {
    const fs::path file = t.request.run / name, kept = t.request.run / (std::string(name) + "-kept");
    fs::rename(file, kept);
    fs::create_symlink(outside.path / "precious", file);
    Recording more;
    const auto result = t.resume(more);
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(*read_file(outside.path / "precious", 100), "precious") << name;
    fs::remove(file);
    fs::rename(kept, file);
  }
  fs::rename(t.request.run / "checkpoints", outside.path / "checkpoints");
  fs::create_directory_symlink(outside.path / "checkpoints", t.request.run / "checkpoints");
  Recording more;
  EXPECT_FALSE(t.resume(more));
}

TEST(Resume, AnEmptyOrMissingFolderIsRejectedAndNotWrittenTo) {
  Trial t;
  Recording more;
  const auto result = t.resume(more);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::bad_input);
  EXPECT_FALSE(fs::exists(t.request.run / "run.json"));
}

/// Trains in parts that end after these epochs, each as a new process would, with `threads` threads.
std::string trained_in_parts(const std::vector<std::int64_t>& parts, std::int64_t threads) {
  Trial t([&](TrainSettings& s, DataChoice&) {
    s.epochs = 5;
    s.schedule = ScheduleKind::cosine;
    s.optimizer.choose("adam");
    s.random_crop = s.horizontal_flip = true;
    s.threads = threads;
  });
  for (const std::int64_t end : parts) {
    TrainControl control;
    Recording events;
    TrainRequest request = t.request;
    request.resume = fs::exists(t.request.run / "run.json");
    request.stop_after = end;
    const auto result = train(request, control, events);
    EXPECT_TRUE(result) << result.error().str();
    EXPECT_EQ(result->ended.reason, end < 5 ? EndReason::stopped : EndReason::finished);
    EXPECT_EQ(summarize_run(t.request.run)->epochs_done, end);
  }
  return t.final_weights();
}

TEST(Resume, PartsThatEndAfterAnEpochHaveTheBytesOfAWholeRun) {
  const std::string whole = trained_in_parts({5}, 1);
  EXPECT_TRUE(trained_in_parts({1, 3, 5}, 1) == whole);
  EXPECT_TRUE(trained_in_parts({2, 5}, 2) == whole) << "also with two threads";
}

// A part that is repeated, as after a kill between its end and the next record about it, trains nothing.
TEST(Resume, APartThatIsOverTrainsNothing) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 4; });
  t.request.stop_after = 2;
  ASSERT_TRUE(t.run());
  const std::string weights = t.final_weights();
  TrainControl control;
  Recording events;
  TrainRequest again = t.request;
  again.resume = true;
  const auto result = train(again, control, events);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->ended.reason, EndReason::stopped);
  EXPECT_TRUE(events.all<EpochEnd>().empty());
  EXPECT_TRUE(t.final_weights() == weights);
}

}  // namespace
}  // namespace nw
