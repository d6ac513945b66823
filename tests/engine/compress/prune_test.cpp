// SPDX-License-Identifier: Apache-2.0
// Channels that are removed: which belong together, which go first, and that nothing else changes. Channels that no
// layer reads (their columns are zero) can be removed without any change of the outputs: so templates and random
// networks must give the same scores before and after.
#include "engine/compress/pruning/prune.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "engine/compress/measured/sensitivity.hpp"
#include "engine/design/project_file.hpp"
#include "tests/engine/exchange/networks.hpp"
#include "tests/engine/exchange/random_network.hpp"

namespace nw::compress {
namespace {

using exchange::Weights;
using testing::ElementsAre;
using testing::SizeIs;

struct Made {
  GraphDoc doc;
  Weights weights;
  FlatNetwork network;
  ChannelGroups groups;
};
/// Without weights.
Made layers_of(const GraphDoc& doc) {
  Made m{doc, {}, {}, {}};
  auto flat = flatten(doc, {.training = false, .batch = 1});
  EXPECT_TRUE(flat) << flat.error().str();
  m.network = *flat;
  m.groups = find_channel_groups(m.network);
  return m;
}
Made network_of(const GraphDoc& doc) {
  Made m = layers_of(doc);
  m.weights = exchange::source_of(doc).weights;
  return m;
}
const ChannelGroup& group_of(const Made& m, const std::string& layer) {
  for (std::size_t i = 0; i < m.network.layers.size(); ++i)
    if (m.network.layers[i].name == layer)
      return m.groups.groups[static_cast<std::size_t>(m.groups.outputs[i].front().group)];
  throw std::runtime_error("no layer " + layer);
}
std::vector<std::string> producers_of(const Made& m, const std::string& layer) {
  std::vector<std::string> names;
  for (const int p : group_of(m, layer).producers) names.push_back(m.network.layers[static_cast<std::size_t>(p)].name);
  return names;
}

Result<PrunedNetwork> pruned(const Made& m, const PruneOptions& options) {
  NW_TRY(check_weights(m.network, m.weights));
  NW_ASSIGN(const auto kept, choose_channels(m.network, m.groups, channel_scores(m.groups, m.weights), options));
  return keep_channels(m.doc, m.weights, kept);
}

/// Returns the share of the multiply-adds that is left.
double expect_no_change(const GraphDoc& doc, double share) {
  Made m = network_of(doc);
  const auto kept = choose_channels(m.network, m.groups, channel_scores(m.groups, m.weights),
                                    {.share = share, .least_kept = 0.3, .multiple_of = 2});
  if (!kept) return 1;
  for (std::size_t g = 0; g < kept->size(); ++g)
    m.weights = without_channels(std::move(m.weights), m.groups.groups[g], (*kept)[g]);
  const auto made = keep_channels(doc, m.weights, *kept);
  EXPECT_TRUE(made) << made.error().str();
  if (!made) return 1;
  EXPECT_LT(exchange::relative(exchange::outputs(made->doc, made->weights), exchange::outputs(doc, m.weights)), 1e-4);
  EXPECT_EQ(made->multiply_adds_after, [&] {
    std::vector<std::int64_t> count;
    for (const auto& k : *kept) count.push_back(std::ssize(k));
    return multiply_adds(m.network, m.groups, count);
  }());
  return static_cast<double>(made->multiply_adds_after) / static_cast<double>(made->multiply_adds_before);
}

TEST(ChannelGroups, OfLenetAreOneForEachLayerButTheInputAndTheLast) {
  const Made m = network_of(find_template("lenet5")->make());
  EXPECT_FALSE(group_of(m, "conv1").fixed);
  EXPECT_THAT(producers_of(m, "conv2"), ElementsAre("conv2"));
  EXPECT_THAT(group_of(m, "conv2").axes,
              ElementsAre(ChannelAxis{"conv2.weight", 0}, ChannelAxis{"conv2.bias", 0, 0, 1, false},
                          ChannelAxis{"fc1.weight", 1, 0, 25, true, true}));
  EXPECT_TRUE(group_of(m, "fc3").fixed);
  EXPECT_TRUE(group_of(m, m.network.layers[static_cast<std::size_t>(m.network.input)].name).fixed);
}
TEST(ChannelGroups, LayersBehindAnAdditionLoseTheSameChannels) {
  const Made m = network_of(find_template("resnet18-cifar")->make());
  EXPECT_THAT(producers_of(m, "layer1.1.conv2"), ElementsAre("conv1", "layer1.0.conv2", "layer1.1.conv2"));
  EXPECT_THAT(producers_of(m, "layer1.0.conv1"), ElementsAre("layer1.0.conv1"));
}
TEST(ChannelGroups, MultiplyAddsOfAllChannelsAreTheNetworks) {
  for (const Template& t : all_templates()) {
    const Made m = layers_of(t.make());
    std::vector<std::int64_t> all;
    std::int64_t wanted = 0;
    for (const ChannelGroup& g : m.groups.groups) all.push_back(g.channels);
    for (const FlatLayer& l : m.network.layers)
      if (l.type->multiply_adds) wanted += l.type->multiply_adds(l.attrs, l.input_shapes, l.shape);
    EXPECT_EQ(multiply_adds(m.network, m.groups, all), wanted) << t.name;
  }
}

TEST(Pruning, TheSmallestChannelsGoFirst) {
  Made m = network_of(find_template("lenet5")->make());
  auto& w = m.weights.at("conv2.weight");
  const auto row = static_cast<std::size_t>(w.dims[1] * w.dims[2] * w.dims[3]);
  for (const std::size_t channel : {3U, 8U, 9U, 15U})
    for (std::size_t i = 0; i < row; ++i) w.values[channel * row + i] *= 0.01F;
  const auto kept = choose_channels(m.network, m.groups, channel_scores(m.groups, m.weights), {.share = 0.1});
  ASSERT_TRUE(kept);
  const auto& of_conv2 = (*kept)[static_cast<std::size_t>(&group_of(m, "conv2") - m.groups.groups.data())];
  EXPECT_THAT(of_conv2, ElementsAre(0, 1, 2, 4, 5, 6, 7, 10, 11, 12, 13, 14));
}
TEST(Pruning, RemovesTheShareThatIsAskedForAndNotMuchMore) {
  for (const char* name : {"resnet18-cifar", "vgg13-cifar"}) {
    const Made m = network_of(find_template(name)->make());
    const auto made = pruned(m, {.share = 0.5});
    ASSERT_TRUE(made) << made.error().str();
    const double left =
        static_cast<double>(made->multiply_adds_after) / static_cast<double>(made->multiply_adds_before);
    EXPECT_LE(left, 0.5) << name;
    EXPECT_GE(left, 0.45) << name;
    EXPECT_LT(made->parameters_after, made->parameters_before) << name;
    for (const auto& row : made->rows)
      if (row.before >= 8) EXPECT_EQ(row.after % 2, 0) << row.layer;
  }
}
TEST(Pruning, AShareThatCannotBeReachedIsRefused) {
  const Made m = network_of(find_template("lenet5")->make());
  const auto made = pruned(m, {.share = 0.95, .least_kept = 0.5});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Errc::bad_input);
  EXPECT_THAT(made.error().str(), testing::HasSubstr("remove a smaller share"));
}
TEST(Pruning, AMissingWeightIsNamed) {
  Made m = network_of(find_template("lenet5")->make());
  m.weights.erase("fc2.bias");
  const auto made = pruned(m, {});
  ASSERT_FALSE(made);
  EXPECT_THAT(made.error().str(), testing::HasSubstr("fc2.bias"));
}

/// Two branches of 8 channels behind one another, and all their pixels read by a linear layer.
GraphDoc two_branches() {
  GraphDoc doc;
  Draft d(doc);
  const auto i = [](std::int64_t v) { return Attr(v); };
  const NodeId in = d.add("Input", "images", {{"channels", i(2)}, {"height", i(6)}, {"width", i(5)}});
  const NodeId a = d.add("Conv2d", "a", {{"out_channels", i(8)}});
  d.branch(in, 0);
  const NodeId b = d.add("Conv2d", "b", {{"out_channels", i(8)}});
  d.back_to(a, 0, 0);
  d.connect(b, d.add("Concat", "concat"), 1);
  d.add("Flatten", "flatten");
  d.add("Linear", "fc", {{"out_features", i(3)}});
  d.add("CrossEntropy", "loss");
  return doc;
}
TEST(Pruning, OfBranchesBehindOneAnotherReadsTheirPixelsInOrder) {
  EXPECT_LT(expect_no_change(two_branches(), 0.4), 0.61);
}

class PrunedTemplates : public testing::TestWithParam<std::string> {};
TEST_P(PrunedTemplates, ChannelsThatNothingReadsChangeNothing) {
  const GraphDoc doc = find_template(GetParam())->make();
  EXPECT_LT(expect_no_change(doc, 0.3), 0.71);
}
INSTANTIATE_TEST_SUITE_P(All, PrunedTemplates,
                         testing::Values("lenet5", "mlp", "vgg13-cifar", "resnet18-cifar", "mobilenet-small"),
                         [](const auto& info) {
                           std::string name = info.param;
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Pruning, OfRandomNetworksChangesNothingThatIsRead) {
  int smaller = 0;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    SCOPED_TRACE(seed);
    smaller += expect_no_change(exchange::RandomNetwork(seed).make(), 0.1) < 1;
  }
  EXPECT_GT(smaller, 10);
}

}  // namespace
}  // namespace nw::compress
