// SPDX-License-Identifier: Apache-2.0
// Single weights that become zero, and what is left.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>

#include "engine/compress/pruning/unstructured.hpp"
#include "engine/design/project_file.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw::compress {
namespace {

using exchange::Weights;

struct Net {
  FlatNetwork flat;
  Weights weights;
};
Net lenet() {
  Net n;
  n.flat = *flatten(find_template("lenet5")->make(), {.training = false, .batch = 1});
  n.weights = *exchange::initial_weights(n.flat, 3);
  return n;
}

TEST(Unstructured, TheSmallestOfAllLayersGo) {
  const Net n = lenet();
  const auto pruned = prune_weights(n.flat, n.weights, {.share = 0.6});
  ASSERT_TRUE(pruned) << pruned.error().str();
  double largest_gone = 0, least_kept = 1e9;
  std::int64_t all = 0, zeros = 0;
  for (const SparseLayer& l : pruned->layers) {
    const auto &before = n.weights.at(l.layer + ".weight").values,
               &after = pruned->weights.at(l.layer + ".weight").values;
    for (std::size_t i = 0; i < before.size(); ++i) {
      const double size = std::abs(static_cast<double>(before[i]));
      if (after[i] == 0) {
        largest_gone = std::max(largest_gone, size);
      } else {
        EXPECT_EQ(after[i], before[i]);
        least_kept = std::min(least_kept, size);
      }
    }
    all += l.weights;
    zeros += l.zeros;
  }
  EXPECT_LE(largest_gone, least_kept);
  EXPECT_NEAR(static_cast<double>(zeros), 0.6 * static_cast<double>(all), 1);
  EXPECT_EQ(pruned->weights.at("fc1.bias").values, n.weights.at("fc1.bias").values);
}

TEST(Unstructured, EveryLayerKeepsItsLargestWeight) {
  Net n = lenet();
  for (float& v : n.weights.at("conv1.weight").values) v *= 1e-6F;
  const auto pruned = prune_weights(n.flat, n.weights, {.share = 0.99});
  ASSERT_TRUE(pruned);
  const auto& conv = pruned->weights.at("conv1.weight").values;
  EXPECT_EQ(std::count(conv.begin(), conv.end(), 0.0F), std::ssize(conv) - 1);
  const auto larger = [](float a, float b) { return std::abs(a) < std::abs(b); };
  const auto& was = n.weights.at("conv1.weight").values;
  EXPECT_NE(conv[static_cast<std::size_t>(std::max_element(was.begin(), was.end(), larger) - was.begin())], 0);
}

TEST(Unstructured, RefusesNumbersThatAreNotFinite) {
  Net n = lenet();
  n.weights.at("fc1.weight").values[5] = NAN;
  const auto refused = prune_weights(n.flat, n.weights, {.share = 0.5});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().str(), "fc1 holds numbers that are not finite");
}

TEST(Unstructured, ZerosAreKeptAndBiasesAreNot) {
  const Weights pruned{{"a.weight", {{2, 2}, {0, 1, 2, 0}}}, {"a.bias", {{2}, {0, 1}}}};
  Weights trained{{"a.weight", {{2, 2}, {5, 6, 7, 8}}}, {"a.bias", {{2}, {3, 4}}}};
  keep_zeros(pruned, trained);
  EXPECT_EQ(trained.at("a.weight").values, (std::vector<float>{0, 6, 7, 0}));
  EXPECT_EQ(trained.at("a.bias").values, (std::vector<float>{3, 4}));
}

TEST(Unstructured, SizesAreThoseOfTheList) {
  std::vector<float> some(1000, 0.0F);
  some[3] = some[7] = 1;
  EXPECT_EQ(sparse_bytes({{"a.weight", {{10, 100}, some}}}), 2 * 4 + 125);
  EXPECT_EQ(sparse_bytes({{"a.weight", {{10, 100}, std::vector<float>(1000, 1.0F)}}}), 4000);
  const Folder folder;
  ASSERT_TRUE(save_file(folder.path / "f", std::string(100000, 'x')));
  EXPECT_LT(*deflated_bytes(folder.path / "f"), 1000);
}

}  // namespace
}  // namespace nw::compress
