// SPDX-License-Identifier: Apache-2.0
// What is predicted of a smaller network is what pruning then makes of it.
#include "engine/compress/pruning/plan_costs.hpp"

#include <gmock/gmock.h>

#include "engine/compress/pruning/prune.hpp"
#include "engine/core/rng.hpp"
#include "engine/design/project_file.hpp"
#include "tests/engine/exchange/networks.hpp"

namespace nw::compress {
namespace {

using exchange::Weights;

std::int64_t bytes_of(const Weights& weights, const GraphDoc& doc) {
  std::int64_t all = 0;
  for (const auto& [name, w] : weights) all += 4 * std::ssize(w.values);
  const auto flat = flatten(doc, {.training = false, .batch = 1});
  for (const FlatLayer& l : flat->layers)
    for (const Weight& w : l.weights) all += w.shape.rank() == 0 ? 8 : 0;
  return all;
}

TEST(PlanCosts, AreThoseOfTheNetworkThatPruningMakes) {
  for (const char* name : {"lenet5", "resnet18-cifar", "mobilenet-small", "vgg11-cifar"}) {
    const Template* found = find_template(name);
    if (!found) continue;
    const GraphDoc doc = found->make();
    const auto table = PlanCostTable::of(doc);
    ASSERT_TRUE(table) << table.error().str();
    RandomStream random({.seed = 3, .op = 1, .epoch = 0, .sample = 0});
    std::map<std::string, double> removed;
    for (const PlannedLayer& l : table->layers())
      if (!l.fixed && l.channels > 1) removed[l.name] = 0.05 + 0.9 * random.uniform();
    ASSERT_FALSE(removed.empty()) << name;
    const Weights weights = exchange::source_of(doc).weights;
    const auto network = flatten(doc, {.training = false, .batch = 1});
    const ChannelGroups groups = find_channel_groups(*network);
    const auto kept = choose_channels_of(*network, groups, channel_scores(groups, weights), removed);
    ASSERT_TRUE(kept) << name << ": " << kept.error().str();
    const auto made = keep_channels(doc, weights, *kept);
    ASSERT_TRUE(made) << made.error().str();
    const PlanCosts all = table->costs({}), left = table->costs(removed);
    EXPECT_EQ(all.multiply_adds, made->multiply_adds_before) << name;
    EXPECT_EQ(all.parameters, made->parameters_before) << name;
    EXPECT_EQ(all.bytes, bytes_of(weights, doc)) << name;
    EXPECT_EQ(left.multiply_adds, made->multiply_adds_after) << name;
    EXPECT_EQ(left.parameters, made->parameters_after) << name;
    EXPECT_EQ(left.bytes, bytes_of(made->weights, made->doc)) << name;
    EXPECT_LT(left.int8_bytes, left.bytes);
  }
}

TEST(PlanCosts, ListLayersInTheOrderOfComputationAndSayWhichKeepTheirChannels) {
  const auto table = PlanCostTable::of(find_template("lenet5")->make());
  ASSERT_TRUE(table);
  std::vector<std::string> names;
  for (const PlannedLayer& l : table->layers()) names.push_back(l.name);
  EXPECT_THAT(names, testing::ElementsAre("conv1", "conv2", "fc1", "fc2", "fc3"));
  EXPECT_TRUE(table->layers().back().fixed) << "the answer";
  EXPECT_EQ(table->layers()[1].type, "Conv2d");
  EXPECT_EQ(table->costs({{"fc3", 0.5}, {"none", 0.5}}), table->costs({}));
}

TEST(PlanCosts, AtLeastOneChannelIsLeft) {
  EXPECT_EQ(channels_left(16, 0.25), 12);
  EXPECT_EQ(channels_left(3, 0.99), 1);
  EXPECT_EQ(channels_left(6, 0), 6);
}

}  // namespace
}  // namespace nw::compress
