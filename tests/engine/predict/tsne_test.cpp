// SPDX-License-Identifier: Apache-2.0
// t-SNE: bandwidths for a perplexity, separate clusters, scikit-learn's divergence, the same positions for the same
// seed.
#include "engine/predict/tsne.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numeric>

#include "engine/core/json.hpp"
#include "tests/support/paths.hpp"

namespace nw {
namespace {

constexpr int clusters = 5;

/// The same points as in make_tsne_reference.py.
Features heaps(int points, int width) {
  Features f{.width = width, .rows = {}, .sample = {}, .label = {}};
  for (int i = 0; i < points; ++i) {
    for (int k = 0; k < width; ++k)
      f.rows.push_back(static_cast<float>(6 * std::sin(1 + 7.3 * (i % clusters) + 2.9 * k) +
                                          std::sin(12.9898 * (i + 1) + 78.233 * (k + 1) * (i + 1))));
    f.sample.push_back(i);
    f.label.push_back(i % clusters);
  }
  return f;
}

double distance(const Embedding& e, std::size_t i, std::size_t j) {
  return std::hypot(e.x[i] - e.x[j], e.y[i] - e.y[j]);
}

TEST(Tsne, NeighbourhoodsHaveTheRequestedPerplexity) {
  std::vector<float> distances;
  // large distances: only their differences may matter
  for (int j = 0; j < 100; ++j) distances.push_back(static_cast<float>(1000 + j * j % 977));
  for (const double perplexity : {2.0, 15.0, 40.0}) {
    const std::vector<double> p = neighbourhood(distances, 7, perplexity);
    EXPECT_EQ(p[7], 0);
    EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-9);
    double entropy = 0;
    for (const double v : p)
      if (v > 0) entropy -= v * std::log(v);
    EXPECT_NEAR(std::exp(entropy), perplexity, 1e-3);
  }
}

TEST(Tsne, SeparatesClustersAndTheDivergenceIsNearScikitLearns) {
  Json want;
  std::ifstream(test::tests_folder() + "/reference/tsne.json") >> want;
  const Features f = heaps(want["points"], want["width"]);
  for (std::size_t at = 0; at < want["perplexity"].size(); ++at) {
    const auto e = tsne(f, {.perplexity = want["perplexity"][at]});
    ASSERT_TRUE(e) << e.error().str();
    EXPECT_LT(e->divergence, want["divergence"][at].get<double>() * 1.1 + 0.005);
    EXPECT_GT(e->divergence, 0);
    int same = 0;
    for (std::size_t i = 0; i < e->x.size(); ++i) {
      std::size_t nearest = i == 0 ? 1 : 0;
      for (std::size_t j = 0; j < e->x.size(); ++j)
        if (j != i && distance(*e, i, j) < distance(*e, i, nearest)) nearest = j;
      same += f.label[i] == f.label[nearest];
    }
    EXPECT_EQ(same, static_cast<int>(e->x.size())) << "every point lies beside one of its heap";
  }
}

TEST(Tsne, IsReproducibleForASeed) {
  const Features f = heaps(60, 12);
  const TsneSettings settings{.perplexity = 10, .iterations = 300, .seed = 3};
  const Embedding a = *tsne(f, settings), b = *tsne(f, settings),
                  other = *tsne(f, {.perplexity = 10, .iterations = 300, .seed = 4});
  EXPECT_EQ(a.x, b.x);
  EXPECT_EQ(a.y, b.y);
  EXPECT_NE(a.x, other.x);
}

TEST(Tsne, CanBeCancelledAndReportsProgress) {
  const Features f = heaps(60, 12);
  double last = -1;
  const auto stopped = tsne(f, {.iterations = 500}, [&](double done) {
    EXPECT_GT(done, last);
    last = done;
    return done < 0.5;
  });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Errc::stopped);
  EXPECT_GE(last, 0.5);
  EXPECT_LT(last, 0.6);
}

TEST(Tsne, OfAFewOrEqualPointsIsFinite) {
  for (const int points : {0, 1, 2, 3, 4}) {
    const auto e = tsne(heaps(points, 3));
    ASSERT_TRUE(e) << points;
    EXPECT_EQ(e->x.size(), static_cast<std::size_t>(points));
    for (const double v : e->x) EXPECT_TRUE(std::isfinite(v)) << points;
  }
  Features equal = heaps(10, 3);
  std::fill(equal.rows.begin(), equal.rows.end(), 2.0F);
  const auto e = tsne(equal, {.iterations = 200});
  ASSERT_TRUE(e);
  for (const double v : e->y) EXPECT_TRUE(std::isfinite(v));
  EXPECT_FALSE(tsne(heaps(static_cast<int>(most_embedded) + 1, 1)));
}

}  // namespace
}  // namespace nw
