// SPDX-License-Identifier: Apache-2.0
// What channels are worth, measured on a run's data: against finite differences of the loss, and against the network
// that really lacks them.
#include <gmock/gmock.h>

#include "engine/compress/measured/fisher.hpp"
#include "engine/compress/measured/sensitivity.hpp"
#include "engine/compress/pruning/channel_parts.hpp"
#include "engine/compress/pruning/prune.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw::compress {
namespace {

using exchange::Weights;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::int64_t batch = 32;

/// LeNet-5, trained on synthetic digits for an epoch.
class Measured : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    trial = std::make_unique<Trial>(
        [](TrainSettings& s, DataChoice&) {
          s.epochs = 1;
          s.threads = 1;
          s.optimizer.choose("adam");
          s.learning_rate = 0.002;
          s.random_crop = s.horizontal_flip = false;
        },
        "lenet5");
    ASSERT_TRUE(trial->run());
  }
  static void TearDownTestSuite() { trial.reset(); }

  void SetUp() override { open(batch); }
  void open(std::int64_t images) {
    const auto definition = read_run_definition(trial->request.run);
    ASSERT_TRUE(definition) << definition.error().str();
    auto weights = exchange::weights_of_run(trial->request.run, *definition, "latest");
    ASSERT_TRUE(weights) << weights.error().str();
    auto opened = MeasuredNetwork::open(trial->request.run, *weights, {.images = images, .threads = 1});
    ASSERT_TRUE(opened) << opened.error().str();
    network = std::move(*opened);
    groups = find_channel_groups(network->network());
  }
  std::size_t group_of(const std::string& layer) const {
    for (std::size_t g = 0; g < groups.groups.size(); ++g)
      for (const int p : groups.groups[g].producers)
        if (network->network().layers[static_cast<std::size_t>(p)].name == layer) return g;
    throw std::runtime_error("no layer " + layer);
  }
  /// The loss of the first training batch when what reads the channel is multiplied by `factor`.
  double loss_with(const ChannelGroup& group, std::int64_t channel, float factor) {
    Weights weights = network->weights();
    for (const ChannelAxis& axis : group.axes) {
      auto& w = weights.at(axis.weight);
      if (axis.reads)
        for_each_part(axis, group.channels, w.dims, [&](std::int64_t c, std::int64_t first, std::int64_t count) {
          for (std::int64_t i = first; c == channel && i < first + count; ++i)
            w.values[static_cast<std::size_t>(i)] *= factor;
        });
    }
    const auto answers = network->answers(weights, MeasuredNetwork::Part::training);
    EXPECT_TRUE(answers) << answers.error().str();
    return answers ? answers->loss : 0;
  }

  static inline std::unique_ptr<Trial> trial;
  std::unique_ptr<MeasuredNetwork> network;
  ChannelGroups groups;
};

TEST_F(Measured, AFishersScoreIsTheSquareOfTheLosssDerivativeForEachMultiplyAdd) {
  const auto scores = fisher_scores(*network, groups);
  ASSERT_TRUE(scores) << scores.error().str();
  for (const std::string layer : {"conv1", "conv2", "fc1"}) {
    const std::size_t g = group_of(layer);
    const ChannelGroup& group = groups.groups[g];
    std::vector<std::int64_t> count;
    for (const ChannelGroup& each : groups.groups) count.push_back(each.channels);
    const std::int64_t all = multiply_adds(network->network(), groups, count);
    --count[g];
    const auto cost = static_cast<double>(all - multiply_adds(network->network(), groups, count));
    double largest = 0, error = 0;
    for (std::int64_t c = 0; c < std::min<std::int64_t>(group.channels, 6); ++c) {
      constexpr float step = 0.02F;
      const double slope = (loss_with(group, c, 1 + step) - loss_with(group, c, 1 - step)) / (2 * step);
      const double root = std::sqrt((*scores)[g][static_cast<std::size_t>(c)] * cost);
      largest = std::max(largest, root);
      error = std::max(error, std::abs(root - std::abs(slope)));
    }
    EXPECT_GT(largest, 1e-4) << layer;
    EXPECT_LT(error, 0.02 * largest + 2e-5) << layer;
  }
}

TEST_F(Measured, TheScoresOfSeveralBatchesAreTheMeanOfTheirSquares) {
  open(3 * batch);
  std::vector<Weights> gradients;
  ASSERT_TRUE(network->gradients([&](const Weights& g) {
    gradients.push_back(g);
    return true;
  }));
  ASSERT_EQ(gradients.size(), 3U);
  const std::size_t g = group_of("fc1");
  const auto scores = fisher_scores(*network, groups);
  ASSERT_TRUE(scores);
  const auto& w = network->weights().at("fc2.weight");  // (84, 120): column c reads channel c of fc1
  double mean = 0;
  for (const Weights& each : gradients) {
    double sum = 0;
    for (std::size_t o = 0; o < 84; ++o)
      sum +=
          static_cast<double>(w.values[o * 120 + 7]) * static_cast<double>(each.at("fc2.weight").values[o * 120 + 7]);
    mean += sum * sum / 3;
  }
  EXPECT_NEAR((*scores)[g][7] * (400 + 84), mean, 1e-9 + 1e-5 * mean) << "a unit of fc1 reads 400 and is read by 84";
}

TEST_F(Measured, NeitherGradientsNorOtherWeightsChangeWhatTheNetworkAnswers) {
  const auto before = network->answers(network->weights());
  ASSERT_TRUE(network->gradients([](const Weights&) { return true; }));
  Weights zero = network->weights();
  for (auto& [name, w] : zero) std::fill(w.values.begin(), w.values.end(), 0.0F);
  const auto blank = network->answers(zero);
  const auto after = network->answers(network->weights());
  ASSERT_TRUE(before && blank && after);
  EXPECT_NEAR(blank->loss, std::log(10), 1e-4);
  EXPECT_EQ(before->loss, after->loss);
  EXPECT_EQ(before->correct, after->correct);
  EXPECT_EQ(before->images, batch) << "no more than asked for";
}

TEST_F(Measured, AFrozenLayerHasGradientsToo) {
  auto definition = read_run_definition(trial->request.run);
  ASSERT_TRUE(definition);
  const GraphDoc trained = definition->doc;
  for (const auto& [id, node] : trained.graph().nodes) {
    Node frozen = node;
    frozen.frozen = true;
    ASSERT_TRUE(definition->doc.apply({PutNode{"", id, frozen}}));
  }
  ASSERT_TRUE(write_run_definition(trial->request.run, *definition));
  open(batch);
  std::size_t seen = 0;
  ASSERT_TRUE(network->gradients([&](const Weights& g) {
    seen = g.size();
    return true;
  }));
  definition->doc = trained;
  ASSERT_TRUE(write_run_definition(trial->request.run, *definition));
  EXPECT_EQ(seen, 10U) << "weights and biases of five layers";
}

TEST_F(Measured, LayersThatLoseChannelsAnswerAsTheNetworkWithoutThem) {
  open(320);
  const auto scores = channel_scores(groups, network->weights());
  const auto all = measure_sensitivities(*network, groups, scores);
  ASSERT_TRUE(all) << all.error().str();
  EXPECT_EQ(all->whole.images, 33) << "the validation part";
  ASSERT_EQ(all->groups.size(), 4U) << "conv1, conv2, fc1, fc2; the answers of fc3 all stay";
  const Sensitivity& conv1 = all->groups.front();
  EXPECT_THAT(conv1.layers, ElementsAre("conv1"));
  std::vector<std::int64_t> kept;
  for (const SensitivityPoint& p : conv1.points) kept.push_back(p.kept);
  EXPECT_THAT(kept, ElementsAre(5, 4, 3, 2, 1)) << "of six";
  const SensitivityPoint& half = all->groups[2].points[3];
  EXPECT_EQ(half.kept, 60);
  const ChannelGroup& fc1 = groups.groups[group_of("fc1")];
  const auto direct =
      network->answers(without_channels(network->weights(), fc1, best_channels(scores[group_of("fc1")], 60)));
  ASSERT_TRUE(direct);
  EXPECT_EQ(direct->loss, half.answers.loss);
  EXPECT_NE(half.answers.loss, all->whole.loss);
}

TEST_F(Measured, AMeasurementStopsAtOnce) {
  int calls = 0;
  const auto stopped = measure_sensitivities(*network, groups, channel_scores(groups, network->weights()),
                                             [&](std::int64_t, std::int64_t) { return ++calls < 3; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Errc::stopped);
  EXPECT_EQ(calls, 3);
  const auto fisher = fisher_scores(*network, groups, [](std::int64_t) { return false; });
  ASSERT_FALSE(fisher);
  EXPECT_EQ(fisher.error().code, Errc::stopped);
}

TEST(SuggestedShares, AreTheLargestBeforeTheFirstLossThatIsTooLarge) {
  const auto right = [](std::int64_t n) { return MeasuredAnswers{.images = 1000, .correct = n}; };
  const Sensitivities all{
      .whole = right(990),
      .groups = {{{"a", "b"}, 8, {{7, right(991)}, {6, right(988)}, {4, right(980)}, {2, right(990)}}},
                 {{"c"}, 4, {{3, right(900)}, {2, right(990)}}}}};
  EXPECT_THAT(suggested_shares(all, 0.002), ElementsAre(testing::Pair("a", 0.25)));
  EXPECT_THAT(suggested_shares(all, 0.01), ElementsAre(testing::Pair("a", 0.75))) << "c loses nine points at once";
  EXPECT_TRUE(suggested_shares(all, -0.01).empty());
}

TEST_F(Measured, APlanByLayerTakesTheSharesItNames) {
  const auto scores = channel_scores(groups, network->weights());
  const auto kept = choose_channels_of(network->network(), groups, scores, {{"conv2", 0.25}, {"fc1", 0.5}});
  ASSERT_TRUE(kept) << kept.error().str();
  EXPECT_EQ((*kept)[group_of("conv2")].size(), 12U);
  EXPECT_EQ((*kept)[group_of("fc1")].size(), 60U);
  EXPECT_EQ((*kept)[group_of("conv1")].size(), 6U);
  EXPECT_EQ((*kept)[group_of("fc1")], best_channels(scores[group_of("fc1")], 60));
  const auto none = choose_channels_of(network->network(), groups, scores, {{"fc1", 0.999}});
  EXPECT_EQ((*none)[group_of("fc1")].size(), 1U) << "one stays";
  for (const auto& [layer, words] :
       std::map<std::string, std::string>{{"fc9", "no layer fc9"}, {"fc3", "fc3 all stay"}}) {
    const auto refused = choose_channels_of(network->network(), groups, scores, {{layer, 0.5}});
    ASSERT_FALSE(refused);
    EXPECT_THAT(refused.error().str(), HasSubstr(words));
  }
}

}  // namespace
}  // namespace nw::compress
