// SPDX-License-Identifier: Apache-2.0
// How differences of a proof are counted.
#include <gtest/gtest.h>

#include <cmath>

#include "engine/exchange/proof_parts.hpp"

namespace nw::exchange {
namespace {

TEST(ProofDifferences, EveryOutputIsInTheBinOfItsSize) {
  const Json empty = histogram_json(std::vector<std::int64_t>(difference_bins));
  const std::vector<double> edges = empty.at("edges");
  ASSERT_EQ(edges.size() + 1, empty.at("counts").size());
  EXPECT_EQ(edges.size() + 2, static_cast<std::size_t>(difference_bins));
  EXPECT_DOUBLE_EQ(edges.front(), 1e-10);
  EXPECT_DOUBLE_EQ(edges.back(), 10);
  EXPECT_EQ(difference_bin(0), 0);
  EXPECT_EQ(difference_bin(1e-20), 1);
  for (std::size_t i = 0; i < edges.size(); ++i) {  // counts[i + 1] is from edges[i] on
    EXPECT_EQ(difference_bin(edges[i] * 1.01), static_cast<int>(i) + 2) << edges[i];
    EXPECT_EQ(difference_bin(edges[i] * 0.99), static_cast<int>(i) + 1) << edges[i];
  }
  EXPECT_EQ(difference_bin(INFINITY), difference_bins - 1);
  EXPECT_EQ(difference_bin(NAN), difference_bins - 1);
}

TEST(ProofDifferences, AreCountedOverAllOutputs) {
  const Difference d = compared({1, 2, 3, 4, 5, NAN}, {1, 2.5F, 3, 4.002F, 5, 6}, 2);
  std::int64_t all = 0;
  for (const std::int64_t n : d.counts) all += n;
  EXPECT_EQ(all, 6);
  EXPECT_EQ(d.counts.front(), 3);
  EXPECT_EQ(d.counts.back(), 1);
  EXPECT_EQ(d.counts[static_cast<std::size_t>(difference_bin(0.5))], 1);
  EXPECT_EQ(d.counts[static_cast<std::size_t>(difference_bin(0.002))], 1);
  const Json j = to_json(ReaderProof{.reader = "C", .version = "1", .problem = "", .differences = d.counts});
  EXPECT_EQ(j.at("differences").at("zero"), 3);
}

}  // namespace
}  // namespace nw::exchange
