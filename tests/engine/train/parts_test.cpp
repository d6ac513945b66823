// SPDX-License-Identifier: Apache-2.0
// Unit tests of the trainer's parts: initial weights, batches, metric files.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "engine/data/batches/batch.hpp"
#include "engine/data/batches/inputs.hpp"
#include "engine/data/dataset.hpp"
#include "engine/train/initial_weights.hpp"
#include "engine/train/loss_history.hpp"
#include "engine/train/run_files.hpp"
#include "engine/train/tensorboard.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw {
namespace {

std::vector<float> start(const std::string& name, const std::string& init, int fan_in, std::uint64_t seed,
                         std::int64_t count = 10'000) {
  Value v;
  v.name = name;
  v.init = init;
  v.fan_in = fan_in;
  v.shape = {count};
  std::vector<float> out(static_cast<std::size_t>(count));
  EXPECT_TRUE(initial_values(v, seed, out));
  return out;
}

TEST(InitialWeights, AreUniformWithinOneOverTheRootOfFanIn) {
  const auto w = start("conv1.weight", "kaiming_uniform", 25, 1);
  const auto [lo, hi] = std::minmax_element(w.begin(), w.end());
  EXPECT_GE(*lo, -0.2F);
  EXPECT_LT(*hi, 0.2F);
  EXPECT_LT(*lo, -0.199F);
  EXPECT_GT(*hi, 0.199F);
  const double mean = std::accumulate(w.begin(), w.end(), 0.0) / static_cast<double>(w.size());
  EXPECT_NEAR(mean, 0, 0.005);
}

TEST(InitialWeights, FollowFromSeedAndNameAlone) {
  const auto w = start("conv1.weight", "kaiming_uniform", 25, 1);
  EXPECT_EQ(w, start("conv1.weight", "kaiming_uniform", 25, 1));
  EXPECT_NE(w, start("conv1.weight", "kaiming_uniform", 25, 2));
  EXPECT_NE(w, start("conv2.weight", "kaiming_uniform", 25, 1));
}

TEST(InitialWeights, NormsStartAsIdentity) {
  EXPECT_EQ(start("bn1.weight", "ones", 0, 1, 2), (std::vector<float>{1, 1}));
  EXPECT_EQ(start("bn1.bias", "zeros", 0, 1, 2), (std::vector<float>{0, 0}));
  EXPECT_EQ(start("bn1.running_var", "", 0, 1, 2), (std::vector<float>{1, 1}));
  EXPECT_EQ(start("bn1.running_mean", "", 0, 1, 2), (std::vector<float>{0, 0}));
  Value unknown;
  unknown.init = "magic";
  std::vector<float> out;
  EXPECT_FALSE(initial_values(unknown, 0, out));
}

/// Sample i is one grey pixel of value i with class i % 3.
class Counting final : public Dataset {
 public:
  explicit Counting(std::int64_t size, std::int64_t broken = -1) : size_(size), broken_(broken) {}
  std::int64_t size() const override { return size_; }
  std::int64_t channels() const override { return 1; }
  std::int64_t height() const override { return 1; }
  std::int64_t width() const override { return 1; }
  Status pixels(std::int64_t i, std::span<std::uint8_t> hwc) const override {
    if (i == broken_) return fail(Errc::bad_input, "sample {0} is broken", i);
    hwc[0] = static_cast<std::uint8_t>(i);
    return {};
  }
  std::int64_t label(std::int64_t i) const override { return i % 3; }
  std::string origin(std::int64_t i) const override { return std::to_string(i); }

 private:
  std::int64_t size_, broken_;
};

BatchBuilder maker_of(std::int64_t size, std::int64_t broken = -1) {
  std::vector<std::int64_t> all(static_cast<std::size_t>(size));
  std::iota(all.begin(), all.end(), 0);
  return BatchBuilder(std::make_shared<Counting>(size, broken), all, {{0.0F}, {1.0F}}, {}, 5);
}

std::vector<float> images_of(const BatchSamples& b) {
  std::vector<float> all(b.samples.size());
  EXPECT_TRUE(BatchInputs(b).images(0, static_cast<std::int64_t>(all.size()), all));
  return all;
}

TEST(Batches, EveryEpochHoldsEverySampleOnceInItsOwnOrder) {
  const BatchBuilder maker = maker_of(100);
  Batches batches({.maker = &maker, .shuffle = true, .batch = 8, .capacity = 8}, 0, 0, 3);
  std::vector<std::vector<std::int64_t>> epochs(3);
  while (const BatchSamples* b = batches.next()) {
    const std::vector<float> images = images_of(*b);
    for (std::size_t i = 0; i < static_cast<std::size_t>(b->valid); ++i) {
      epochs[static_cast<std::size_t>(b->epoch)].push_back(b->samples[i]);
      EXPECT_EQ(std::lround(images[i] * 255), b->samples[i]);
      EXPECT_EQ(b->labels[i], b->samples[i] % 3);
    }
  }
  EXPECT_NE(epochs[0], epochs[1]);
  for (auto& epoch : epochs) {
    std::sort(epoch.begin(), epoch.end());
    ASSERT_EQ(epoch.size(), 100U);
    for (std::int64_t i = 0; i < 100; ++i) EXPECT_EQ(epoch[static_cast<std::size_t>(i)], i);
  }
}

TEST(Batches, StartedInTheMiddleGiveTheSameRest) {
  const BatchBuilder maker = maker_of(50);
  const BatchSource source{.maker = &maker, .shuffle = true, .batch = 8, .capacity = 8};
  Batches whole(source, 0, 0, 2), rest(source, 1, 3, 2);
  for (int skipped = 0; skipped < 7 + 3; ++skipped) ASSERT_NE(whole.next(), nullptr);
  for (;;) {
    const BatchSamples *a = whole.next(), *b = rest.next();
    ASSERT_EQ(a == nullptr, b == nullptr);
    if (!a) break;
    EXPECT_EQ(a->samples, b->samples);
    EXPECT_EQ(images_of(*a), images_of(*b));
  }
}

TEST(Batches, StartedAtTheEndOfAnEpochContinueWithTheNext) {
  const BatchBuilder maker = maker_of(16);
  Batches batches({.maker = &maker, .batch = 8, .capacity = 8}, 0, 2, 2);
  const BatchSamples* first = batches.next();
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(first->epoch, 1);
  EXPECT_EQ(first->index, 0);
}

TEST(Batches, TheShortLastBatchIsPaddedWithZeros) {
  const BatchBuilder maker = maker_of(10);
  Batches batches({.maker = &maker, .batch = 8, .capacity = 9, .target_width = 3}, 0, 0, 1);
  ASSERT_NE(batches.next(), nullptr);
  const BatchSamples* last = batches.next();
  ASSERT_NE(last, nullptr);
  EXPECT_EQ(last->valid, 2);
  const std::vector<float> images = images_of(*last);
  EXPECT_EQ(std::lround(images[1] * 255), 9);
  for (std::size_t i = 2; i < 9; ++i) EXPECT_EQ(images[i], 0);
  EXPECT_EQ((std::vector<float>(last->targets.begin(), last->targets.begin() + 3)), (std::vector<float>{0, 0, 1}))
      << "sample 8 is of class 2, one-hot";
  EXPECT_EQ(batches.next(), nullptr);
}

/// The statistics of batch norm over one image say nothing about the others.
TEST(Batches, ALastBatchWithASingleSampleForStatisticsIsLeftOut) {
  const auto batches = [](std::int64_t size, std::int64_t statistics_over) {
    const BatchBuilder maker = maker_of(size);
    const BatchSource source{.maker = &maker, .batch = 8, .statistics_over = statistics_over, .capacity = 8};
    Batches all(source, 0, 0, 1);
    std::int64_t seen = 0;
    while (all.next()) ++seen;
    EXPECT_EQ(seen, batches_per_epoch(source));
    return seen;
  };
  EXPECT_EQ(batches(17, 0), 3);
  EXPECT_EQ(batches(17, 8), 2);
  EXPECT_EQ(batches(18, 8), 3);
  EXPECT_EQ(batches(16, 8), 2);
  EXPECT_EQ(batches(1, 8), 1) << "the only batch";
  EXPECT_EQ(batches(21, 8), 3);
  EXPECT_EQ(batches(21, 4), 2) << "the second device of two would get one image";
  EXPECT_EQ(batches(22, 4), 3);
  EXPECT_EQ(batches(20, 4), 3) << "the second device gets none";
}

TEST(Batches, SharesOfABatchAreItsPieces) {
  const BatchBuilder maker = maker_of(10);
  Batches batches({.maker = &maker, .shuffle = true, .batch = 10, .capacity = 12}, 0, 0, 1);
  const BatchSamples* b = batches.next();
  ASSERT_NE(b, nullptr);
  const std::vector<float> whole = images_of(*b);
  for (const std::int64_t size : {1, 5, 12})
    for (std::int64_t first = 0; first + size <= 12; ++first) {
      std::vector<float> piece(static_cast<std::size_t>(size), -1.0F);
      ASSERT_TRUE(BatchInputs(*b, first, size, nullptr).images(0, size, piece));
      EXPECT_TRUE(std::equal(piece.begin(), piece.end(), whole.begin() + first)) << first << " " << size;
    }
}

TEST(Batches, ASampleThatCannotBeReadIsReported) {
  const BatchBuilder maker = maker_of(100, 60);
  Batches batches({.maker = &maker, .batch = 8, .capacity = 8}, 0, 0, 1);
  for (int i = 0; i < 7; ++i) images_of(*batches.next());
  std::vector<float> images(8);
  const Status failed = BatchInputs(*batches.next()).images(0, 8, images);
  ASSERT_FALSE(failed);
  EXPECT_NE(failed.error().str().find("60"), std::string::npos);
}

TEST(Tensorboard, ChecksumsAreCastagnolis) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283u);            // the check value of the polynomial's catalogue entry
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8A9136AAu);  // RFC 3720, B.4
  EXPECT_EQ(crc32c(""), 0u);
}

TEST(Tensorboard, ARecordHoldsLengthChecksumsAndTheEvent) {
  const std::string event = tensorboard_scalars_event(1.5, 300, {{"loss", 0.25}});
  // wall_time = 1.5 (field 1, double); step = 300 (field 2, varint); summary (field 5) { value (1) { tag (1) "loss",
  // simple_value (2) 0.25 } }
  const std::string expected = std::string("\x09\x00\x00\x00\x00\x00\x00\xF8\x3F", 9) + "\x10\xAC\x02" + "\x2A\x0D" +
                               "\x0A\x0B" + "\x0A\x04loss" + std::string("\x15\x00\x00\x80\x3E", 5);
  EXPECT_EQ(event, expected);
  const std::string record = tensorboard_record(event);
  ASSERT_EQ(record.size(), 8 + 4 + event.size() + 4);
  std::uint64_t length = 0;
  std::memcpy(&length, record.data(), 8);
  EXPECT_EQ(length, event.size());
  const auto masked = [](std::string_view bytes) {
    const std::uint32_t crc = crc32c(bytes);
    return ((crc >> 15) | (crc << 17)) + 0xA282EAD8u;
  };
  std::uint32_t stored = 0;
  std::memcpy(&stored, record.data() + 8, 4);
  EXPECT_EQ(stored, masked(record.substr(0, 8)));
  std::memcpy(&stored, record.data() + 12 + event.size(), 4);
  EXPECT_EQ(stored, masked(event));
}

TEST(LossHistory, KeepsEveryStepAndIsCutAtTheResumedStep) {
  const Folder run;
  {
    auto file = LossHistoryFile::open(run.path, 0);
    ASSERT_TRUE(file);
    for (int i = 1; i <= 100; ++i) {
      const auto loss = static_cast<float>(i);
      ASSERT_TRUE(file->append({&loss, 1}));
    }
  }
  EXPECT_EQ(read_loss_history(run.path)->loss.size(), 100U);
  auto file = LossHistoryFile::open(run.path, 60);
  ASSERT_TRUE(file);
  const float after = -1;
  ASSERT_TRUE(file->append({&after, 1}));
  const auto h = read_loss_history(run.path);
  ASSERT_TRUE(h);
  ASSERT_EQ(h->loss.size(), 61U);
  EXPECT_EQ(h->loss[59], 60);
  EXPECT_EQ(h->loss[60], -1);
}

TEST(LossHistory, HalvesItselfBeforeItGrowsTooLarge) {
  const Folder run;
  auto file = LossHistoryFile::open(run.path, 0, 16);
  ASSERT_TRUE(file);
  for (int i = 0; i < 1000; ++i) {
    const auto loss = static_cast<float>(i);
    ASSERT_TRUE(file->append({&loss, 1}));
    EXPECT_LT(read_loss_history(run.path)->loss.size(), 17U);
  }
  const auto h = read_loss_history(run.path);
  ASSERT_EQ(h->stride, 64U);
  for (std::size_t k = 0; k < h->loss.size(); ++k) EXPECT_FLOAT_EQ(h->loss[k], static_cast<float>(k) * 64 + 31.5F);
}

TEST(LossHistory, DamagedFilesAreRejectedOrStartAgain) {
  const Folder run;
  for (const std::string& bad :
       {std::string(), std::string("NWLOSS1\n"), std::string("something else entirely"),
        std::string("NWLOSS1\n\0\0\0\0\0\0\0\0", 16), std::string("NWLOSS1\n\3\0\0\0\0\0\0\0", 16)}) {
    ASSERT_TRUE(save_file(run.path / "metrics.bin", bad));
    EXPECT_FALSE(read_loss_history(run.path));
    EXPECT_TRUE(LossHistoryFile::open(run.path, 3));
    EXPECT_EQ(read_loss_history(run.path)->loss.size(), 3U) << "the count of steps is kept";
  }
}

TEST(RunFiles, AnIncompleteEventIsRemovedWhenTheRunContinues) {
  const Folder run;
  const std::string line = event_line({0, Paused{1}});
  ASSERT_TRUE(save_file(run.path / "events.jsonl", line + "\n" + line.substr(0, 9)));
  auto files = RunFiles::open(run.path, 1);
  ASSERT_TRUE(files) << files.error().str();
  (*files)->post({1, Continued{1}});
  EXPECT_EQ(*read_file(run.path / "events.jsonl", 1000), line + "\n" + event_line({1, Continued{1}}) + "\n");
}

TEST(RunFiles, MetricsCsvHasNoRowTwice) {
  const Folder run;
  const auto epoch = [](std::int64_t n) {
    return Event{static_cast<double>(n), EpochEnd{n, n * 10, 1, 0.5, false, 0, 0, 1, 1, false}};
  };
  {
    auto files = RunFiles::open(run.path, 0);
    ASSERT_TRUE(files);
    for (std::int64_t n = 1; n <= 3; ++n) (*files)->post(epoch(n));
  }
  auto files = RunFiles::open(run.path, 20);
  ASSERT_TRUE(files);
  (*files)->post(epoch(3));
  EXPECT_EQ(*read_file(run.path / "metrics.csv", 10000),
            "step,epoch,time_s,name,value\n"
            "10,1,1.000,epoch/train_loss,1\n10,1,1.000,epoch/train_accuracy,0.5\n"
            "20,2,2.000,epoch/train_loss,1\n20,2,2.000,epoch/train_accuracy,0.5\n"
            "30,3,3.000,epoch/train_loss,1\n30,3,3.000,epoch/train_accuracy,0.5\n");
}

}  // namespace
}  // namespace nw
