// SPDX-License-Identifier: Apache-2.0
// Trainings that fail or are rejected: numbers that are not finite, devices, folders, a full disk, batches.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <csignal>

#include "engine/runs/began.hpp"
#include "engine/runs/contained.hpp"
#include "engine/train/trainer.hpp"
#include "tests/engine/train/trial.hpp"
#include "tests/support/diverged_run.hpp"

namespace nw {
namespace {

TEST(Trainer, NumbersThatAreNotFiniteStopTheRunAndNameTheLayer) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.optimizer.choose("sgd");
    s.optimizer.set("momentum", 0);
    s.learning_rate = 1e30;
    s.epochs = 5;
  });
  const auto result = t.run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::not_finite);
  const Ended ended = t.sink.all<Ended>().front();
  EXPECT_EQ(ended.reason, EndReason::failed);
  EXPECT_EQ(ended.exit_code, 6);
  EXPECT_NE(ended.message.str().find("step "), std::string::npos) << ended.message.str();
  EXPECT_NE(ended.message.str().find("fc"), std::string::npos) << "a layer is named: " << ended.message.str();
}

// One step with a huge learning rate: its loss is finite, those of validation and test set are not.
TEST(Trainer, ATestThatIsNotFiniteEndsWithCodeSix) {
  Trial t(test::diverge_in_one_step);
  const auto result = t.run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::not_finite);
  ASSERT_EQ(t.sink.all<EpochEnd>().size(), 1U);
  EXPECT_TRUE(std::isfinite(t.sink.all<EpochEnd>().front().train_loss));
  const auto health = t.sink.all<Health>();
  EXPECT_TRUE(std::any_of(health.begin(), health.end(), [](const Health& h) {
    return h.level == HealthLevel::error && h.message.str().find("validation loss after epoch 1") != std::string::npos;
  }));
  const Ended ended = t.sink.all<Ended>().front();
  EXPECT_EQ(ended.reason, EndReason::failed);
  EXPECT_EQ(ended.exit_code, 6);
  EXPECT_NE(ended.message.str().find("test set"), std::string::npos) << ended.message.str();
  EXPECT_EQ(summarize_run(t.request.run)->status, RunStatus::failed);
}

TEST(Trainer, ABadDeviceIsAUsageOrDeviceError) {
  for (const auto& [name, code] :
       {std::pair{"gpu", Errc::usage}, std::pair{"cuda:0", Errc::no_device}, std::pair{"cpu:x", Errc::usage}}) {
    Trial t([name = name](TrainSettings& s, DataChoice&) { s.devices = {name}; });
    const auto result = t.run();
    ASSERT_FALSE(result) << name;
    EXPECT_EQ(result.error().code, code) << result.error().str();
    EXPECT_EQ(t.sink.all<Ended>().size(), 1U);
  }
}

TEST(Trainer, AFolderThatHoldsARunIsNotTrainedOver) {
  Trial t;
  ASSERT_TRUE(t.run());
  const std::string before = t.final_weights();
  Recording again;
  TrainControl control;
  const auto result = train(t.request, control, again);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::usage);
  EXPECT_EQ(t.final_weights(), before);
}

TEST(Trainer, AFolderWhoseRunNeverBeganIsTrainedIn) {
  Trial t([](TrainSettings& s, DataChoice&) { s.devices = {"cuda:7"}; });
  ASSERT_FALSE(t.run());
  EXPECT_TRUE(fs::exists(t.request.run / "events.jsonl")) << "it has the reason";
  EXPECT_FALSE(run_began(t.request.run));
  ASSERT_TRUE(save_file(t.request.run / "notes.txt", "mine"));
  t.request.definition.doc = Trial::project({}, "mlp");
  Recording again;
  TrainControl control;
  const auto result = train(t.request, control, again);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_TRUE(run_began(t.request.run));
  EXPECT_EQ(*read_file(t.request.run / "notes.txt", 100), "mine");
  std::size_t ends = 0;
  ASSERT_TRUE(each_line_inside(t.request.run, "events.jsonl", 1 << 20, [&](std::string_view line) {
    ends += line.find("\"type\":\"ended\"") != std::string_view::npos;
  }));
  EXPECT_EQ(ends, 1U) << "the record of the failure is gone";
}

TEST(Trainer, AFolderWithACheckpointIsNotTrainedOverWhateverItsEvents) {
  Trial t;
  ASSERT_TRUE(t.run());
  fs::remove(t.request.run / "events.jsonl");
  Recording again;
  TrainControl control;
  const auto result = train(t.request, control, again);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::usage);
}

/// Nothing in a received folder leads to writing outside it.
TEST(Trainer, LinksAndPipesInARunFolderAreRefused) {
  for (const char* name :
       {"run.json", "lock", "log.txt", "events.jsonl", "metrics.csv", "metrics.bin", "probes.bin", "statistics.jsonl",
        "latest", "best", "profile.json", "events.out.tfevents.1.h.1", "anything else", "checkpoints"}) {
    Trial t;
    const fs::path victim = t.folder.path / "victim";
    ASSERT_TRUE(save_file(victim, "keep"));
    ASSERT_TRUE(make_folder(t.request.run));
    t.request.profile = true;
    for (const bool pipe : {false, true}) {
      fs::remove(t.request.run / name);
      pipe ? (void)::mkfifo((t.request.run / name).c_str(), 0600) : fs::create_symlink(victim, t.request.run / name);
      const auto result = t.run();
      ASSERT_FALSE(result) << name;
      EXPECT_EQ(result.error().code, Errc::bad_input);
      EXPECT_NE(result.error().str().find(name), std::string::npos) << result.error().str();
      EXPECT_EQ(*read_file(victim, 100), "keep") << name;
    }
  }
}

TEST(Trainer, FullDiskPausesTheRunUntilSpaceIsAvailable) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 2; });
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const auto set_room = [&](rlim_t bytes) {
    const rlimit limit{bytes, old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  t.sink.then = [&](const Event& e) {
    if (std::holds_alternative<Started>(e.what)) set_room(100'000);  // a checkpoint holds 400 KB of weights
    if (std::holds_alternative<Paused>(e.what)) set_room(old.rlim_cur);
  };
  const auto result = t.run();
  set_room(old.rlim_cur);
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->ended.reason, EndReason::finished);
  EXPECT_EQ(t.sink.all<Paused>().size(), 1U);
  EXPECT_EQ(t.sink.all<Health>().front().level, HealthLevel::error);
  EXPECT_NE(t.sink.all<Health>().front().message.str().find("model.safetensors"), std::string::npos);
  EXPECT_EQ(t.sink.all<EpochEnd>().size(), 2U);
}

TEST(Trainer, ADiskThatStaysFullEndsTheRunWithTheDiskError) {
  Trial t;
  t.request.disk_wait_s = 0;
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  t.sink.then = [&](const Event& e) {
    if (!std::holds_alternative<Started>(e.what)) return;
    const rlimit limit{100'000, old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  };
  const auto result = t.run();
  ::setrlimit(RLIMIT_FSIZE, &old);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::disk);
  EXPECT_EQ(t.sink.all<Ended>().front().exit_code, 7);
}

TEST(Trainer, ABatchThatCannotBeSharedIsRejected) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.batch = 1;
    s.devices = {"cpu:0", "cpu:1"};
  });
  const auto result = t.run();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, Errc::usage);
}

}  // namespace
}  // namespace nw
