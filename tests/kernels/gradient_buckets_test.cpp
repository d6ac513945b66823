// SPDX-License-Identifier: Apache-2.0
#include "kernels/gradient_buckets.hpp"

#include <gtest/gtest.h>

namespace nw {
namespace {

TEST(GradientBuckets, AreContiguousRunsOfWholeGradientsInOrder) {
  const std::int64_t mib = (1 << 20) / 4;
  const auto b = make_buckets({{3 * mib, mib / 2, 9},
                               {0, 2 * mib, 4},
                               {2 * mib, mib / 4, 7},
                               {2 * mib + mib / 4, mib / 4, 8},
                               {2 * mib + mib / 2, mib / 2, 2}});
  ASSERT_EQ(b.size(), 3u);
  EXPECT_EQ(b[0].begin, 0);
  EXPECT_EQ(b[0].count, 2 * mib);
  EXPECT_EQ(b[0].ready, 4);
  EXPECT_EQ(b[1].begin, 2 * mib);
  EXPECT_EQ(b[1].count, mib);
  EXPECT_EQ(b[1].ready, 8) << "when the last of its gradients is made";
  EXPECT_EQ(b[2].ready, 9);
}

TEST(GradientBuckets, LateOnesDoNotKeepOthersWaiting) {
  const std::vector<GradientBucket> grads = {{0, 10, 24}, {10, 500, 13}, {510, 5, 13}, {515, 300, 15}, {815, 8, 23}};
  const auto split = make_buckets(grads, {.least = 100, .split_late = true});
  EXPECT_EQ(split, (std::vector<GradientBucket>{{0, 10, 24}, {10, 500, 13}, {510, 305, 15}, {815, 8, 23}}));
  EXPECT_EQ(make_buckets(grads, {.least = 100}).front(), (GradientBucket{0, 510, 24}));
}

TEST(GradientBuckets, AreEarlyWhereOthersAreCompleteLater) {
  EXPECT_EQ(early_elements({}), 0);
  EXPECT_EQ(early_elements({{0, 10, 4}}), 0);
  EXPECT_EQ(early_elements({{0, 10, 9}, {10, 20, 4}, {30, 40, 9}, {70, 1, -1}}), 21);
}

}  // namespace
}  // namespace nw
