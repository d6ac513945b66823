// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/layer_statistics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "engine/data/batches/inputs.hpp"
#include "engine/parallel/team.hpp"
#include "engine/predict/predictor.hpp"
#include "engine/train/initial_weights.hpp"
#include "engine/train/layer_recorder.hpp"
#include "engine/train/training.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {
namespace {

Figures figures(const std::vector<float>& numbers) {
  const std::span<const float> all = numbers;
  return figures_of({&all, 1});
}

const LayerState* find(const LayerStatistics& s, const std::string& layer) {
  for (const LayerState& l : s.layers)
    if (l.layer == layer) return &l;
  return nullptr;
}

/// A run that records statistics at every step, with plain gradient descent: w' = w - 0.1 g.
struct Watched : Trial {
  explicit Watched(const std::string& backend, std::int64_t every = 1)
      : Trial(
            [](TrainSettings& s, DataChoice& d) {
              s.optimizer.choose("sgd");
              s.optimizer.set("momentum", 0);
              s.learning_rate = 0.1;
              s.epochs = 1;
              d.synthetic_train = 96;
            },
            "lenet5", backend) {
    request.statistics_steps = every;
  }
};

TEST(Figures, AreThoseOfTheNumbers) {
  const Figures f = figures({-3, 0, 0, 1, 4, std::nanf("")});
  EXPECT_EQ(f.count, 5);
  EXPECT_EQ(f.zeros, 2);
  EXPECT_EQ(f.not_finite, 1);
  EXPECT_DOUBLE_EQ(f.mean, 0.4);
  EXPECT_DOUBLE_EQ(f.mean_abs, 1.6);
  EXPECT_DOUBLE_EQ(f.norm, std::sqrt(26.0));
  EXPECT_DOUBLE_EQ(f.deviation, std::sqrt(26.0 / 5 - 0.16));
  EXPECT_EQ(f.least, -3);
  EXPECT_EQ(f.most, 4);
  EXPECT_EQ(f.max_abs(), 4);
  ASSERT_EQ(f.bins.size(), histogram_bins);
  EXPECT_EQ(f.bins.front(), 1);
  EXPECT_EQ(f.bins.back(), 1) << "the greatest lies in the last bin";
  EXPECT_EQ(f.bins[static_cast<std::size_t>(3.0 / 7 * 24)], 2);
  EXPECT_EQ(f.bins[static_cast<std::size_t>(4.0 / 7 * 24)], 1);
  EXPECT_EQ(figures({}), Figures());
  EXPECT_EQ(figures({2, 2}).bins.front(), 2) << "no width";
}

// Recomputes the first step without the trainer: the plan on the reference backend, the initial weights, the first
// batch.
TEST(LayerStatistics, FirstGradientsAreThoseOfTheReference) {
  Watched t("reference");
  ASSERT_TRUE(t.run());
  const auto statistics = t.sink.all<LayerStatistics>();
  ASSERT_FALSE(statistics.empty());
  EXPECT_EQ(statistics.front().step, 1);

  RunDefinition definition = t.request.definition;
  const auto data = open_training_data(definition, true, false);
  ASSERT_TRUE(data) << data.error().str();
  const auto devices = resolve_devices({"cpu"}, 1, "reference");
  ASSERT_TRUE(devices);
  const auto compiled = compile(
      definition.doc, {.training = true, .batch = 32, .device = devices->front().device.get(), .data = data->facts});
  ASSERT_TRUE(compiled) << compiled.error().str();
  const auto team = make_team(1);
  auto run = devices->front().device->prepare(compiled->plan, {.team = team.get()});
  ASSERT_TRUE(run) << run.error().str();
  const BatchSource source{.maker = &*data->train, .shuffle = true, .augment = true, .batch = 32, .capacity = 32};
  Batches batches(source, 0, 0, 1);
  const BatchSamples& batch = *batches.next();
  std::vector<float> images(32 * 28 * 28);
  ASSERT_TRUE(BatchInputs(batch).images(0, 32, images));
  for (std::size_t i = 0; i < compiled->plan.values.size(); ++i) {
    const Value& v = compiled->plan.values[i];
    if (v.role != Role::weight) continue;
    std::vector<float> numbers(static_cast<std::size_t>(v.shape.elements()));
    ASSERT_TRUE(initial_values(v, definition.doc.settings().seed, numbers));
    (*run)->write(static_cast<int>(i), std::as_bytes(std::span(numbers)));
  }
  (*run)->write(compiled->plan.find("images"), std::as_bytes(std::span(images)));
  (*run)->write(compiled->plan.find("labels"), std::as_bytes(std::span(batch.labels)));
  StepArgs args{.seed = definition.doc.settings().seed,
                .valid = 32,
                .global_valid = 32,
                .learning_rate = 0.1,
                .sample = batch.samples.data()};
  ASSERT_TRUE((*run)->run(args));
  for (const char* layer : {"conv1", "fc3"}) {
    const auto read = [&](const std::string& name) {
      const int value = compiled->plan.find(name);
      std::vector<float> numbers(
          static_cast<std::size_t>(compiled->plan.values[static_cast<std::size_t>(value)].shape.elements()));
      (*run)->read(value, std::as_writable_bytes(std::span(numbers)));
      return numbers;
    };
    const std::vector<float> weight = read(std::string("grad ") + layer + ".weight"),
                             bias = read(std::string("grad ") + layer + ".bias");
    const std::span<const float> parts[] = {weight, bias};
    const Figures direct = figures_of(parts);
    ASSERT_NE(find(statistics.front(), layer), nullptr) << layer;
    EXPECT_GT(direct.norm, 0) << layer;
    EXPECT_EQ(find(statistics.front(), layer)->gradients, direct) << layer;
  }
}

struct OnBackend : testing::TestWithParam<const char*> {};

TEST_P(OnBackend, AStepOfPlainDescentChangesTheWeightsByRateTimesGradient) {
  Watched t(GetParam());
  ASSERT_TRUE(t.run());
  const auto statistics = t.sink.all<LayerStatistics>();
  ASSERT_GE(statistics.size(), 2U);
  for (std::size_t k = 1; k < statistics.size(); ++k)
    for (const char* layer : {"conv1", "conv2", "fc1", "fc2", "fc3"}) {
      const LayerState *now = find(statistics[k], layer), *then = find(statistics[k - 1], layer);
      ASSERT_TRUE(now && then) << layer;
      EXPECT_NEAR(now->update_ratio * then->weights.norm / (0.1 * now->gradients.norm), 1, 1e-3)
          << layer << " at step " << statistics[k].step;
    }
}

TEST_P(OnBackend, WeightsAndOutputsAreThoseOfTheLastCheckpoint) {
  Watched t(GetParam(), 1000);
  ASSERT_TRUE(t.run());
  const auto statistics = t.sink.all<LayerStatistics>();
  ASSERT_EQ(statistics.size(), 1U) << "the epoch's last step";
  EXPECT_EQ(statistics[0].step, t.sink.all<Ended>().front().step);
  const auto latest = latest_checkpoint(t.request.run);
  ASSERT_TRUE(latest);
  const auto checkpoint = open_checkpoint(t.request.run, latest->name);
  ASSERT_TRUE(checkpoint);
  std::vector<std::vector<float>> tensors;
  for (const char* name : {"conv2.weight", "conv2.bias"}) {
    const TensorInfo* info = checkpoint->model.find(name);
    ASSERT_NE(info, nullptr);
    tensors.emplace_back(info->bytes() / 4);
    ASSERT_TRUE(checkpoint->model.read(*info, std::as_writable_bytes(std::span(tensors.back()))));
  }
  const std::span<const float> parts[] = {tensors[0], tensors[1]};
  EXPECT_EQ(find(statistics[0], "conv2")->weights, figures_of(parts));

  RunDefinition definition = t.request.definition;
  const auto data = open_training_data(definition, true, false);
  ASSERT_TRUE(data);
  auto predictor = Predictor::open(t.request.run, "latest", "reference");
  ASSERT_TRUE(predictor) << predictor.error().str();
  std::vector<std::int64_t> order;
  data->train->order(0, false, order);
  ASSERT_GT(statistics[0].images, 1);
  std::vector<float> all;
  std::vector<bool> alive(6);
  for (std::int64_t i = 0; i < statistics[0].images; ++i) {
    std::vector<std::uint8_t> pixels(28 * 28);
    ASSERT_TRUE(data->opened.train->pixels(order[static_cast<std::size_t>(i)], pixels));
    const auto relu = (*predictor)->activation(pixels, "relu1");  // (6, 28, 28)
    ASSERT_TRUE(relu) << relu.error().str();
    for (std::size_t k = 0; k < relu->second.size(); ++k)
      if (relu->second[k] != 0) alive[k * 6 / relu->second.size()] = true;
    all.insert(all.end(), relu->second.begin(), relu->second.end());
  }
  const LayerState* relu = find(statistics[0], "relu1");
  ASSERT_NE(relu, nullptr);
  EXPECT_EQ(relu->outputs.count, static_cast<std::int64_t>(all.size()));
  EXPECT_NEAR(relu->outputs.mean, figures(all).mean, 1e-5);
  EXPECT_NEAR(relu->outputs.norm / figures(all).norm, 1, 1e-5);
  EXPECT_EQ(relu->units, 6);
  EXPECT_EQ(relu->dead, std::count(alive.begin(), alive.end(), false));
  EXPECT_EQ(find(statistics[0], "fc3")->units, 0) << "only a ReLU's units can be dead";
}

TEST_P(OnBackend, RecordingStatisticsDoesNotChangeTheRun) {
  Watched looked_at(GetParam()), left_alone(GetParam(), 0);
  ASSERT_TRUE(looked_at.run());
  ASSERT_TRUE(left_alone.run());
  EXPECT_FALSE(looked_at.sink.all<LayerStatistics>().empty());
  EXPECT_TRUE(left_alone.sink.all<LayerStatistics>().empty());
  EXPECT_FALSE(fs::exists(left_alone.request.run / statistics_file));
  EXPECT_EQ(looked_at.final_weights(), left_alone.final_weights());
}

INSTANTIATE_TEST_SUITE_P(LayerStatistics, OnBackend, testing::Values("reference", "cpu"),
                         [](const auto& info) { return std::string(info.param); });

TEST(LayerStatistics, AUnitWhoseBiasIsFarBelowZeroIsDead) {
  Watched t("cpu", 1000);
  t.sink.then = [](const Event&) {};
  TrainSettings s = t.request.definition.doc.settings();
  s.learning_rate = 30;  // makes most units dead in the first steps
  s.clip_norm = 100;
  ASSERT_TRUE(t.request.definition.doc.apply({PutSettings{s}}));
  (void)t.run();
  const auto statistics = t.sink.all<LayerStatistics>();
  ASSERT_EQ(statistics.size(), 1U);
  std::int64_t dead = 0;
  for (const LayerState& l : statistics[0].layers) {
    dead += l.dead;
    if (l.units > 0 && l.dead == l.units) EXPECT_EQ(l.outputs.zeros, l.outputs.count) << l.layer;
    if (l.units > 0 && l.outputs.zeros == l.outputs.count) EXPECT_EQ(l.dead, l.units) << l.layer;
  }
  EXPECT_GT(dead, 0);
}

TEST(LayerStatistics, TheFileHoldsTheEventsAndAResumedRunAppendsToIt) {
  Watched t("cpu");
  ASSERT_TRUE(t.run());
  const auto statistics = t.sink.all<LayerStatistics>();
  const StatisticsHistory read = read_statistics(t.request.run);
  EXPECT_TRUE(read.problem.source.empty()) << read.problem.str();
  ASSERT_EQ(read.records.size(), statistics.size());
  for (std::size_t i = 0; i < statistics.size(); ++i)
    EXPECT_EQ(event_line({0, read.records[i]}), event_line({0, statistics[i]}));
  ASSERT_TRUE(last_statistics(t.request.run));
  EXPECT_EQ(last_statistics(t.request.run)->step, statistics.back().step);
  const auto files = RunFiles::open(t.request.run, 2);
  ASSERT_TRUE(files) << files.error().str();
  (*files)->post({1, statistics.back()});
  EXPECT_EQ(read_statistics(t.request.run).records.size(), 3U) << "steps 1 and 2, and what came after the resume";
}

TEST(LayerStatistics, ADamagedFileGivesOneSentence) {
  Folder folder;
  EXPECT_TRUE(read_statistics(folder.path).problem.source.empty()) << "no file is no damage";
  EXPECT_FALSE(last_statistics(folder.path));
  const LayerStatistics one{.step = 7, .epoch = 0.5, .images = 1, .layers = {}};
  std::ofstream(folder.path / statistics_file) << "{\"type\":\"statistics\"\n"
                                               << event_line({1, one}) << "\nnonsense\n[]\n{\"torn";
  const StatisticsHistory read = read_statistics(folder.path);
  ASSERT_EQ(read.records.size(), 1U);
  EXPECT_EQ(read.records[0].step, 7);
  EXPECT_NE(read.problem.str().find("3 lines are damaged"), std::string::npos) << read.problem.str();
  ASSERT_TRUE(last_statistics(folder.path));
  EXPECT_EQ(last_statistics(folder.path)->step, 7);
  fs::remove(folder.path / statistics_file);
  fs::create_symlink("/etc/passwd", folder.path / statistics_file);
  EXPECT_FALSE(read_statistics(folder.path).problem.source.empty()) << "a link is not followed";
}

TEST(StatisticsSchedule, TakesLessThanAHundredthOfTheTimeButRecordsTheFirstAndLastEpochsEnd) {
  StatisticsSchedule clock(-1);
  EXPECT_FALSE(clock.due({.step = 1, .seconds = 0.1}));
  EXPECT_TRUE(clock.due({.step = 9, .edge = true, .outer_edge = true, .seconds = 0.1}));
  EXPECT_TRUE(clock.due({.step = 20, .seconds = 0.3}));
  clock.looked(0.3, 0.01);
  EXPECT_FALSE(clock.due({.step = 21, .seconds = 0.9})) << "0.01 s is more than 1 % of it";
  EXPECT_FALSE(clock.due({.step = 30, .edge = true, .seconds = 0.9}));
  EXPECT_TRUE(clock.due({.step = 30, .edge = true, .seconds = 1.1}));
  EXPECT_FALSE(clock.due({.step = 21, .seconds = 1.9}));
  EXPECT_TRUE(clock.due({.step = 21, .seconds = 2.1}));
  double spent = 0;
  StatisticsSchedule busy(-1);
  for (double now = 0; now < 1000; now += 0.01)
    if (busy.due({.step = 1, .seconds = now})) {
      busy.looked(now, 0.05);
      spent += 0.05;
    }
  EXPECT_GT(spent, 0.5);
  EXPECT_LT(spent, 10);
  EXPECT_FALSE(StatisticsSchedule(0).due({.step = 10, .edge = true, .outer_edge = true, .seconds = 10}));
  EXPECT_TRUE(StatisticsSchedule(5).due({.step = 10}));
  EXPECT_FALSE(StatisticsSchedule(5).due({.step = 11, .seconds = 100}));
}

}  // namespace
}  // namespace nw
