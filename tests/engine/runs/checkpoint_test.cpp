// SPDX-License-Identifier: Apache-2.0
#include "engine/train/checkpoint.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <random>
#include <thread>

#include "tests/engine/runs/folder.hpp"
#include "tests/support/sparse_tensor.hpp"

namespace nw {
namespace {

/// Tensors whose bytes all depend on the step, so that a mixture of two checkpoints is detected.
std::vector<TensorSource> tensors(std::int64_t step, std::int64_t count) {
  return {{"layer.weight", DType::f32, {count}, [step](std::span<std::byte> to) {
             std::memset(to.data(), static_cast<int>(step % 251), to.size());
             return Status{};
           }}};
}
Progress at(std::int64_t step) {
  Progress p;
  p.step = step;
  p.epoch = 12;
  p.batch = 34;
  p.loss_sum = 2.0 / 3;
  p.correct = 56;
  p.samples = 78;
  p.seconds = 0.1;
  p.learning_rate = 0.1 / 3;
  p.best_accuracy = 1.0 / 7;
  p.best_loss = 1.0 / 11;
  p.best_epoch = 9;
  p.train_samples = 90;
  p.trained_s = 1e9 / 7;
  p.images = 123;
  p.loss_scale = 4096;
  p.good_steps = 17;
  return p;
}
Result<Saved> save(const fs::path& run, std::int64_t step, std::int64_t count = 1000) {
  return save_checkpoint(run, at(step), tensors(step, count), tensors(step + 1, count));
}

bool belongs_to(const SafetensorsFile& file, std::int64_t step) {
  const TensorInfo* info = file.find("layer.weight");
  if (!info) return false;
  std::vector<std::byte> bytes(info->bytes());
  if (!file.read(*info, bytes)) return false;
  return std::all_of(bytes.begin(), bytes.end(), [&](std::byte b) { return b == static_cast<std::byte>(step % 251); });
}

/// Moved away in mid-run: it is not made anew, so that it can be moved back.
TEST(Checkpoint, ARunFolderThatIsGoneIsAnErrorAndIsNotMade) {
  const Folder place;
  const auto saved = save(place.path / "run", 7);
  ASSERT_FALSE(saved);
  EXPECT_EQ(saved.error().code, Errc::disk);
  EXPECT_FALSE(fs::exists(place.path / "run"));
}

TEST(Checkpoint, PruningRemovesALinkNotWhatItPointsTo) {
  const Folder run, docs;
  ASSERT_TRUE(save_file(docs.path / "manifest.json", "mine"));
  for (const std::int64_t step : {10, 20, 30}) ASSERT_TRUE(save(run.path, step));
  fs::create_directory_symlink(docs.path, run.path / "checkpoints" / "step-00000001");
  prune_checkpoints(run.path, 1);
  EXPECT_EQ(*read_file(docs.path / "manifest.json", 100), "mine");
  EXPECT_FALSE(fs::exists(fs::symlink_status(run.path / "checkpoints" / "step-00000001")));
  EXPECT_TRUE(latest_checkpoint(run.path));
}

/// 64 GiB that take no room on the disk, with a manifest that is true: neither read nor allocated for a small network.
TEST(Checkpoint, AHugeSparseTensorIsRejectedUnread) {
  const Folder run;
  ASSERT_TRUE(save(run.path, 7));
  const fs::path model = run.path / "checkpoints" / "step-00000007" / "model.safetensors";
  if (test::write_sparse_tensor(model, "layer.weight") == 0)
    GTEST_SKIP() << "the file system keeps no holes of this size";
  const auto before = std::chrono::steady_clock::now();
  const auto opened = open_checkpoint(run.path, "step-00000007", 4000);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().str().find("belongs to another network"), std::string::npos) << opened.error().str();
  EXPECT_LT(std::chrono::steady_clock::now() - before, std::chrono::seconds(5));
}

TEST(Checkpoint, LoadsExactlyWhatWasSaved) {
  const Folder run;
  const auto saved = save(run.path, 12000);
  ASSERT_TRUE(saved) << saved.error().str();
  EXPECT_EQ(saved->checkpoint, "step-00012000");
  const auto latest = latest_checkpoint(run.path);
  ASSERT_TRUE(latest);
  EXPECT_EQ(latest->step, 12000);
  const auto back = open_checkpoint(run.path, latest->name);
  ASSERT_TRUE(back) << back.error().str();
  EXPECT_EQ(back->progress, at(12000)) << "doubles too, to the last bit";
  EXPECT_TRUE(belongs_to(back->model, 12000));
  EXPECT_TRUE(belongs_to(back->optimizer, 12001));
}

TEST(Checkpoint, MalformedCheckpointNamesAreRejected) {
  for (const char* bad :
       {"", "latest", "step-", "step-1", "step-000000-1", "step-0000001x", "../step-00000001", "step-00000001/..",
        "step-00000001\n", "step-99999999999999999999", "step-000000000001", "Step-00000001"})
    EXPECT_FALSE(checkpoint_step(bad)) << bad;
  EXPECT_EQ(checkpoint_step("step-00000001"), 1);
  EXPECT_EQ(checkpoint_step(checkpoint_name(123456789)), 123456789);
}

TEST(Checkpoint, KeepsTheNewestAndTheBest) {
  const Folder run;
  for (std::int64_t step = 1; step <= 6; ++step) {
    ASSERT_TRUE(save(run.path, step));
    if (step == 2) { ASSERT_TRUE(point_at_checkpoint(run.path, "best", checkpoint_name(2))); }
  }
  fs::create_directory(run.path / "checkpoints" / ".saving-step-00000007");
  prune_checkpoints(run.path, 3);
  std::vector<std::int64_t> steps;
  for (const auto& c : list_checkpoints(run.path)) steps.push_back(c.step);
  EXPECT_EQ(steps, (std::vector<std::int64_t>{2, 4, 5, 6}));
  EXPECT_EQ(best_checkpoint(run.path)->step, 2);
  EXPECT_FALSE(fs::exists(run.path / "checkpoints" / ".saving-step-00000007"));
}

TEST(Checkpoint, SavingTheSameStepReplacesTheOldCheckpoint) {
  const Folder run;
  ASSERT_TRUE(save(run.path, 5, 10));
  ASSERT_TRUE(save(run.path, 5, 20));
  const auto back = open_checkpoint(run.path, checkpoint_name(5));
  ASSERT_TRUE(back) << back.error().str();
  EXPECT_EQ(back->model.find("layer.weight")->shape.front(), 20);
  EXPECT_EQ(std::distance(fs::directory_iterator(run.path / "checkpoints"), {}), 1);
}

TEST(Checkpoint, AnInconsistentPointerFallsBackToTheNewestCompleteCheckpoint) {
  const Folder run, outside;
  ASSERT_TRUE(save(run.path, 5));
  ASSERT_TRUE(save(run.path, 9));
  for (const char* lie : {"step-00000099\n", "../../etc\n", "", "step-00000005 ", "\xff\n"}) {
    ASSERT_TRUE(save_file(run.path / "latest", lie));
    ASSERT_TRUE(latest_checkpoint(run.path)) << lie;
    EXPECT_EQ(latest_checkpoint(run.path)->step, 9) << lie;
  }
  fs::remove(run.path / "latest");
  fs::create_symlink(outside.path / "x", run.path / "latest");
  EXPECT_EQ(latest_checkpoint(run.path)->step, 9);
}

TEST(Checkpoint, DamagedCheckpointFilesAreDetected) {
  const Folder run;
  ASSERT_TRUE(save(run.path, 5));
  const fs::path folder = run.path / "checkpoints" / checkpoint_name(5);
  for (const char* name : {"model.safetensors", "optimizer.safetensors", "state.json"}) {
    const std::string good = *read_file(folder / name, 1 << 20);
    std::string bad = good;
    bad[bad.size() / 2] ^= 1;
    ASSERT_TRUE(save_file(folder / name, bad));
    EXPECT_FALSE(verify_checkpoint(run.path, checkpoint_name(5))) << name;
    EXPECT_FALSE(open_checkpoint(run.path, checkpoint_name(5))) << name;
    ASSERT_TRUE(save_file(folder / name, good.substr(0, good.size() - 1)));
    EXPECT_FALSE(verify_checkpoint(run.path, checkpoint_name(5))) << name;
    EXPECT_TRUE(list_checkpoints(run.path).empty()) << "a file of another size makes it not whole";
    ASSERT_TRUE(save_file(folder / name, good));
    EXPECT_TRUE(verify_checkpoint(run.path, checkpoint_name(5)));
  }
  fs::remove(folder / "manifest.json");
  EXPECT_FALSE(latest_checkpoint(run.path)) << "without its manifest it does not count";
}

TEST(Checkpoint, MalformedManifestsAndStatesAreRejected) {
  const Folder run;
  ASSERT_TRUE(save(run.path, 5));
  const fs::path folder = run.path / "checkpoints" / checkpoint_name(5);
  const std::string good = *read_file(folder / "manifest.json", 1 << 20);
  for (const char* bad : {"", "[]", "{}", "{\"schema\":1}", "{\"schema\":1,\"files\":[]}",
                          "{\"schema\":1,\"files\":{\"model.safetensors\":7}}", "{\"schema\":2,\"files\":{}}",
                          "{\"schema\":1,\"files\":{\"model.safetensors\":{\"bytes\":-1,\"xxh3\":\"\"}}}"}) {
    ASSERT_TRUE(save_file(folder / "manifest.json", bad));
    EXPECT_FALSE(verify_checkpoint(run.path, checkpoint_name(5))) << bad;
    EXPECT_TRUE(list_checkpoints(run.path).empty()) << bad;
  }
  for (const char* bad :
       {"[]", "{}", "{\"schema\":9}", "{\"schema\":1,\"step\":-5}", "{\"schema\":1,\"step\":\"5\"}"}) {
    const auto p = progress_from_json(Json::parse(bad), "state.json");
    ASSERT_FALSE(p) << bad;
    EXPECT_EQ(p.error().code, Errc::bad_input);
  }
}

TEST(Checkpoint, AFullDiskIsReportedAndKeepsTheOldCheckpoint) {
  const Folder run;
  ASSERT_TRUE(save(run.path, 1, 50'000));
  const auto before = *read_file(run.path / "latest", 100);
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  const rlim_t step = std::getenv("NETWRIGHT_LONG") ? 3125 : 12'500;
  for (rlim_t bytes = 0; bytes < 200'000; bytes += step) {
    const rlimit limit{bytes, old.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    const auto saved = save(run.path, 2, 50'000);
    ::setrlimit(RLIMIT_FSIZE, &old);
    ASSERT_FALSE(saved) << bytes;
    EXPECT_EQ(saved.error().code, Errc::disk);
    EXPECT_EQ(*read_file(run.path / "latest", 100), before);
    EXPECT_TRUE(verify_checkpoint(run.path, checkpoint_name(1)));
    EXPECT_EQ(std::distance(fs::directory_iterator(run.path / "checkpoints"), {}), 1) << "no half-written one stays";
  }
  EXPECT_TRUE(save(run.path, 2, 50'000));
}

TEST(Checkpoint, TheLastReportedCheckpointSurvivesKillsAtRandomMoments) {
  const int kills = std::getenv("NETWRIGHT_LONG") ? 1000 : 20;
  const Folder run;
  ASSERT_TRUE(save(run.path, 0));
  std::mt19937 random(3);
  std::int64_t reported = 0;
  for (int kill = 0; kill < kills; ++kill) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      for (std::int64_t step = reported + 1;; ++step) {
        if (!save(run.path, step, kill % 10 == 9 && kills > 20 ? 8'000'000 : 100'000)) ::_exit(1);  // 64 MB
        prune_checkpoints(run.path, 2);
        (void)!::write(pipe[1], &step, sizeof step);
      }
    }
    ::close(pipe[1]);
    std::int64_t step = 0;
    ASSERT_EQ(::read(pipe[0], &step, sizeof step), static_cast<ssize_t>(sizeof step)) << "the saver has begun";
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 30'000));
    ::kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "a save failed";
    do reported = step;
    while (::read(pipe[0], &step, sizeof step) == static_cast<ssize_t>(sizeof step));
    ::close(pipe[0]);
    const auto latest = latest_checkpoint(run.path);
    ASSERT_TRUE(latest) << "kill " << kill;
    EXPECT_GE(latest->step, reported) << "kill " << kill;
    const auto back = open_checkpoint(run.path, latest->name);
    ASSERT_TRUE(back) << "kill " << kill << ": " << back.error().str();
    EXPECT_EQ(back->progress, at(latest->step));
    EXPECT_TRUE(belongs_to(back->model, latest->step));
    EXPECT_TRUE(belongs_to(back->optimizer, latest->step + 1));
    reported = latest->step;
  }
}

}  // namespace
}  // namespace nw
