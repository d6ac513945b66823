// SPDX-License-Identifier: Apache-2.0
#include "engine/train/trainer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>
#include <thread>

#include "engine/train/loss_history.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {
namespace {

TEST(Trainer, LearnsSyntheticDigitsAndReportsThemOnce) {
  Trial t([](TrainSettings& s, DataChoice& d) {
    s.epochs = 5;
    d.synthetic_train = 1000;
  });
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  EXPECT_EQ(result->ended.reason, EndReason::finished);
  EXPECT_EQ(result->ended.exit_code, 0);
  EXPECT_GT(result->ended.test_accuracy, 0.8);
  EXPECT_GT(result->ended.images_per_s, 0);
  EXPECT_EQ(t.sink.all<Ended>().size(), 1U);
  EXPECT_TRUE(std::holds_alternative<Ended>(t.sink.events().back().what)) << "it is the last word";
  ASSERT_EQ(t.sink.all<Started>().size(), 1U);
  const Started started = t.sink.all<Started>().front();
  EXPECT_EQ(started.parameters, 784 * 128 + 128 + 128 * 64 + 64 + 64 * 10 + 10);
  EXPECT_EQ(started.train + started.validation, 1000);
  EXPECT_EQ(started.steps_per_epoch, (started.train + 31) / 32) << "the last short batch is kept";
  EXPECT_EQ(result->steps, started.steps_per_epoch * 5);
  const auto epochs = t.sink.all<EpochEnd>();
  ASSERT_EQ(epochs.size(), 5U);
  EXPECT_LT(epochs.back().train_loss, epochs.front().train_loss / 2);
  EXPECT_TRUE(epochs.front().best);
}

TEST(Trainer, BatchNormNeverTakesItsStatisticsFromOneImage) {
  const auto steps = [](const std::string& network, std::int64_t images) {
    Trial t(
        [&](TrainSettings& s, DataChoice& d) {
          s.epochs = 1;
          d.synthetic_set = "shapes";
          d.synthetic_train = images;
          d.validation_fraction = 0;
        },
        network);
    EXPECT_TRUE(t.run());
    const auto started = t.sink.all<Started>();
    return started.empty() ? -1 : started.front().steps_per_epoch;
  };
  EXPECT_EQ(steps("convnet-tiny", 65), 2) << "the 65th image is left out of this epoch";
  EXPECT_EQ(steps("convnet-tiny", 66), 3);
}

TEST(Trainer, NoDeviceTakesItsOwnStatisticsFromOneImage) {
  const auto steps = [](std::int64_t images, std::vector<std::string> devices, bool shared, std::int64_t batch = 32) {
    Trial t(
        [&](TrainSettings& s, DataChoice& d) {
          s.epochs = 1;
          s.batch = batch;
          s.devices = std::move(devices);
          s.threads = 2;
          s.sync_batch_norm = shared;
          d.synthetic_set = "shapes";
          d.synthetic_train = images;
          d.validation_fraction = 0;
        },
        "convnet-tiny");
    EXPECT_TRUE(t.run());
    const auto started = t.sink.all<Started>();
    return started.empty() ? -1 : started.front().steps_per_epoch;
  };
  const std::vector<std::string> two{"cpu:0", "cpu:1"}, three{"cpu:0", "cpu:1", "cpu:2"};
  EXPECT_EQ(steps(49, two, false), 1) << "of the 17 images left, 16 would go to the first device";
  EXPECT_EQ(steps(49, two, true), 2) << "statistics of all 17";
  EXPECT_EQ(steps(48, two, false), 2) << "the second device gets none";
  EXPECT_EQ(steps(35, three, false, 7), 5) << "a full batch is shared 4, 3, 0 and not 3, 3, 1";
  EXPECT_EQ(steps(33, three, false, 7), 4) << "of the 5 left, one would be the second device's";
}

TEST(Trainer, EveryStepIsCountedInTheBinsAndInTheLossHistory) {
  Trial t;
  ASSERT_TRUE(t.run());
  std::int64_t counted = 0, last = 0;
  for (const Steps& s : t.sink.all<Steps>()) {
    counted += s.count;
    EXPECT_LE(s.loss.min, s.loss.mean + 1e-12);
    EXPECT_LE(s.loss.mean, s.loss.max + 1e-12);
    EXPECT_EQ(s.last, last + s.count);
    last = s.last;
  }
  EXPECT_EQ(counted, t.sink.all<Ended>().front().step);
  const auto history = read_loss_history(t.request.run);
  ASSERT_TRUE(history) << history.error().str();
  EXPECT_EQ(static_cast<std::int64_t>(history->loss.size()), counted);
}

TEST(Trainer, TheLossOfStepsIsThatOfTheirEpochAndPenaltiesHaveAnotherName) {
  Trial t([](TrainSettings& s, DataChoice&) {
    s.l1 = 1e-3;
    s.l2 = 0.05;
    s.epochs = 1;
  });
  ASSERT_TRUE(t.run());
  double loss = 0, images = 0, penalty = 0;
  std::int64_t last = 0;
  const auto history = read_loss_history(t.request.run)->loss;
  for (std::size_t k = 0; k < history.size(); ++k) {
    const double batch = std::min(32.0, static_cast<double>(t.sink.all<Started>().front().train) - images);
    loss += static_cast<double>(history[k]) * batch;
    images += batch;
  }
  for (const Steps& s : t.sink.all<Steps>()) {
    penalty = s.penalty;
    last = s.last;
    const Event read = *parse_event(event_line({0, s}));
    EXPECT_DOUBLE_EQ(std::get<Steps>(read.what).penalty, s.penalty);
  }
  EXPECT_EQ(last, 9);
  EXPECT_NEAR(loss / images, t.sink.all<EpochEnd>().front().train_loss, 1e-5);
  EXPECT_GT(penalty, 1) << "0.05 / 2 of about a hundred squares, and 1e-3 of thousands of weights";
  const std::string csv = *read_file(t.request.run / "metrics.csv", 1 << 20);
  EXPECT_NE(csv.find("train/penalty"), std::string::npos);
}

TEST(Trainer, ProfileReportsStepTimePerLayer) {
  Trial t;
  t.request.profile = true;
  ASSERT_TRUE(t.run());
  const auto bytes = read_file(t.request.run / "profile.json", 1 << 20);
  ASSERT_TRUE(bytes) << bytes.error().str();
  const Json profile = Json::parse(*bytes, nullptr, false);
  ASSERT_TRUE(profile.is_object());
  EXPECT_EQ(profile["schema"], 1);
  EXPECT_EQ(profile["steps"], t.sink.all<Ended>().front().step - 1) << "all but the first";
  double sum = 0;
  std::set<std::string> layers;
  for (const Json& l : profile["layers"]) {
    layers.insert(l["layer"].get<std::string>());
    const double all = l["forward_s"].get<double>() + l["backward_s"].get<double>() + l["update_s"].get<double>();
    double kernels = 0;
    for (const Json& k : l["kernels"]) kernels += k["seconds"].get<double>();
    EXPECT_NEAR(all, kernels, 1e-9);
    sum += all;
  }
  EXPECT_GT(sum, 0);
  EXPECT_NEAR(sum, profile["seconds"].get<double>(), 1e-9);
  const GraphDoc& doc = t.request.definition.doc;
  std::size_t linears = 0;
  for (const auto& [id, node] : doc.graph().nodes)
    if (node.type == "Linear") linears += layers.count(node.name);
  EXPECT_EQ(linears, 3U) << "the canvas finds its layers by their names";
}
TEST(Trainer, WithoutAProfileNoneIsWritten) {
  Trial t;
  ASSERT_TRUE(t.run());
  EXPECT_FALSE(fs::exists(t.request.run / "profile.json"));
}

TEST(Trainer, RunFolderContainsTheEventsSentToTheSink) {
  Trial t;
  ASSERT_TRUE(t.run());
  EventTail tail(t.request.run);
  std::vector<Event> read;
  while (*tail.poll(read)) {}
  auto heard = t.sink.events();
  // layer statistics are stored in a separate file
  std::erase_if(heard, [](const Event& e) { return std::holds_alternative<LayerStatistics>(e.what); });
  ASSERT_EQ(read.size(), heard.size());
  for (std::size_t i = 0; i < read.size(); ++i) EXPECT_EQ(event_line(read[i]), event_line(heard[i]));
  const auto summary = summarize_run(t.request.run);
  ASSERT_TRUE(summary) << summary.error().str();
  EXPECT_EQ(summary->status, RunStatus::finished);
  EXPECT_EQ(summary->epochs_done, 2);
  EXPECT_FALSE(is_running(t.request.run));
  const auto definition = read_run_definition(t.request.run);
  ASSERT_TRUE(definition);
  EXPECT_NE(definition->data_hash, 0U);
  EXPECT_EQ(definition->mean.size(), 1U);
  EXPECT_EQ(definition->classes.size(), 10U);
  for (const char* file : {"metrics.csv", "metrics.bin", "latest", "best"})
    EXPECT_TRUE(fs::exists(t.request.run / file)) << file;
}

// A separate thread samples the machine every second; a sample that becomes due while the `ended` event is posted
// must be dropped.
TEST(Trainer, NothingIsReportedAfterTheEnd) {
  Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 1'000'000; });
  t.sink.then = [&t](const Event& e) {
    if (std::holds_alternative<DeviceSample>(e.what)) t.control.stop(true);  // the sampling thread is active now
    if (std::holds_alternative<Ended>(e.what)) std::this_thread::sleep_for(std::chrono::milliseconds(1200));
  };
  ASSERT_TRUE(t.run());
  EXPECT_FALSE(t.sink.all<DeviceSample>().empty());
  EXPECT_TRUE(std::holds_alternative<Ended>(t.sink.events().back().what));
}

TEST(Trainer, ARunWithoutAControlSocketBeginsAndWarns) {
  Trial t;
  // a path longer than the limit of a socket's address
  ::setenv("XDG_RUNTIME_DIR", (t.runtime.path / std::string(120, 'x')).c_str(), 1);
  ASSERT_TRUE(t.run());
  EXPECT_TRUE(std::holds_alternative<Started>(t.sink.events().front().what));
  ASSERT_EQ(t.sink.all<Health>().size(), 1U);
  EXPECT_EQ(t.sink.all<Health>().front().level, HealthLevel::warning);
}

TEST(Trainer, WithoutAFolderNothingIsWritten) {
  Trial t;
  t.request.run.clear();
  ASSERT_TRUE(t.run());
  EXPECT_TRUE(fs::is_empty(t.folder.path));
  EXPECT_TRUE(fs::is_empty(t.runtime.path));
}

TEST(Trainer, TheSameSeedGivesTheSameBytesAndAnotherOneDoesNot) {
  const auto weights = [](std::uint64_t seed) {
    Trial t([=](TrainSettings& s, DataChoice&) {
      s.seed = seed;
      s.epochs = 1;
    });
    EXPECT_TRUE(t.run());
    return t.final_weights();
  };
  const std::string first = weights(7);
  EXPECT_FALSE(first.empty());
  EXPECT_EQ(first, weights(7));
  EXPECT_NE(first, weights(8));
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define NW_MEMORY_IS_KEPT_BACK true
#elif defined(__has_feature)
#define NW_MEMORY_IS_KEPT_BACK (__has_feature(address_sanitizer) || __has_feature(thread_sanitizer))
#else
#define NW_MEMORY_IS_KEPT_BACK false
#endif

double resident_mib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("VmRSS:")) return std::stod(line.substr(6)) / 1024;
  return 0;
}

std::ptrdiff_t open_files() { return std::distance(fs::directory_iterator("/proc/self/fd"), fs::directory_iterator()); }

/// The long run has 2,000 epochs: a leak of 4 KiB an epoch is noticed.
TEST(Trainer, MemoryAndOpenFilesStayAsTheyWereAfterTheFirstSteps) {
  if (NW_MEMORY_IS_KEPT_BACK) GTEST_SKIP() << "a sanitizer keeps freed memory back";
  Trial t(
      [](TrainSettings& s, DataChoice& d) {
        s.epochs = std::getenv("NETWRIGHT_LONG") ? 2000 : 40;
        s.checkpoint_epochs = s.epochs / 20;
        d.synthetic_train = 1000;
      },
      "lenet5");
  double begin = 0, end = 0;
  std::ptrdiff_t first_files = 0, most_files = 0;  // at the ends of epochs
  t.sink.then = [&](const Event& e) {
    if (std::holds_alternative<EpochEnd>(e.what)) {
      most_files = std::max(most_files, open_files());
      if (first_files == 0) first_files = most_files;
    }
    const auto* steps = std::get_if<Steps>(&e.what);
    if (!steps) return;
    if (begin == 0) begin = resident_mib();
    end = resident_mib();
  };
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  ASSERT_GT(begin, 0);
  EXPECT_LT(end - begin, 8) << "MiB more after " << result->steps << " steps";
  EXPECT_LE(most_files, first_files + 6) << "a checkpoint that is being written has a few";
  EXPECT_GT(first_files, 0);
}

TEST(Trainer, TwoDevicesGiveTheLossesOfOne) {
  const auto losses = [](std::vector<std::string> devices) {
    Trial t(
        [&](TrainSettings& s, DataChoice&) {
          s.devices = std::move(devices);
          s.epochs = 2;
          s.threads = 2;
        },
        "lenet5");
    EXPECT_TRUE(t.run());
    return std::pair{read_loss_history(t.request.run)->loss, t.sink.all<EpochEnd>()};
  };
  const auto [one, one_epochs] = losses({"cpu"});
  const auto [two, two_epochs] = losses({"cpu:0", "cpu:1"});
  const auto [three, three_epochs] = losses({"cpu:0", "cpu:1", "cpu:2"});
  ASSERT_FALSE(one.empty());
  ASSERT_EQ(one.size(), two.size());
  ASSERT_EQ(one.size(), three.size());
  for (std::size_t i = 0; i < one.size(); ++i) {
    EXPECT_NEAR(two[i], one[i], 1e-5 * std::abs(one[i])) << "step " << i + 1;
    EXPECT_NEAR(three[i], one[i], 1e-5 * std::abs(one[i])) << "step " << i + 1;
  }
  EXPECT_NEAR(two_epochs.back().validation_loss, one_epochs.back().validation_loss,
              1e-5 * one_epochs.back().validation_loss);
  EXPECT_DOUBLE_EQ(two_epochs.back().validation_accuracy, one_epochs.back().validation_accuracy);
}

}  // namespace
}  // namespace nw
