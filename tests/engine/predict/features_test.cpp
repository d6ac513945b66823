// SPDX-License-Identifier: Apache-2.0
// Nearest neighbors, and the projection onto the first two principal components.
#include <gmock/gmock.h>

#include <cmath>

#include "tests/engine/predict/trained.hpp"

namespace nw {
namespace {

Features points(const std::vector<std::vector<float>>& rows) {
  Features f{.width = static_cast<std::int64_t>(rows.front().size())};
  for (const auto& r : rows) {
    f.rows.insert(f.rows.end(), r.begin(), r.end());
    f.sample.push_back(f.count());
    f.label.push_back(0);
  }
  return f;
}

TEST(Features, TheNearestPointTheSameWayWhateverTheirLength) {
  const Features f = points({{1, 0}, {5, 2}, {0, 2}, {-3, 0}, {0, 0}});
  const std::vector<float> one{10, 1};
  const auto near = nearest(f, one, 3);
  ASSERT_EQ(near.size(), 3u);
  EXPECT_EQ(near[0].at, 0);
  EXPECT_NEAR(near[0].likeness, 10 / std::sqrt(101.0), 1e-9);
  EXPECT_EQ(near[1].at, 1);
  EXPECT_EQ(nearest(f, one, 3, 0)[0].at, 1) << "an image is not its own neighbour";
  EXPECT_EQ(nearest(f, one, 99).back().at, 3) << "the other way";
}

/// Points with the variances 9, 4 and 0.01 along three orthogonal directions.
TEST(Features, ThePlaneHoldsTheTwoLargestVariances) {
  std::vector<std::vector<float>> rows;
  const double u[3] = {2.0 / 3, 2.0 / 3, 1.0 / 3}, v[3] = {-2.0 / 3, 1.0 / 3, 2.0 / 3},
               w[3] = {1.0 / 3, -2.0 / 3, 2.0 / 3};
  for (const double a : {-3.0, 3.0})
    for (const double b : {-2.0, 2.0})
      for (const double c : {-0.1, 0.1}) {
        rows.emplace_back();
        for (int k = 0; k < 3; ++k) rows.back().push_back(static_cast<float>(7 + a * u[k] + b * v[k] + c * w[k]));
      }
  const Plane p = principal_plane(points(rows));
  EXPECT_NEAR(p.share[0], 9 / 13.01, 1e-4);
  EXPECT_NEAR(p.share[1], 4 / 13.01, 1e-4);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_NEAR(std::abs(p.x[i]), 3, 1e-3);
    EXPECT_NEAR(std::abs(p.y[i]), 2, 1e-3);
  }
}

TEST(Features, OfEqualImagesHaveTheSamePosition) {
  const Plane p = principal_plane(points({{1, 2}, {1, 2}, {1, 2}}));
  EXPECT_EQ(p.x, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(p.y, (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(principal_plane(points({{1, 2}})).x, std::vector<double>{0});
}

TEST(Features, AreTheInputsOfTheLastLinearLayer) {
  auto p = *Predictor::open(trained().request.run, "latest");
  const auto f = p->features("test", 50);
  ASSERT_TRUE(f) << f.error().str();
  EXPECT_EQ(f->count(), 50);
  EXPECT_EQ(f->width, 84) << "LeNet-5's fc3 reads 84 numbers";
  const SplitData d = data_of(*p);
  const auto one = p->features_of(pixels(d, f->sample[7]));
  ASSERT_TRUE(one) << one.error().str();
  const auto row = f->row(7);
  for (std::size_t k = 0; k < row.size(); ++k) EXPECT_NEAR((*one)[k], row[k], 1e-4);
  int same = 0;
  for (std::int64_t i = 0; i < f->count(); ++i)
    same +=
        f->label[static_cast<std::size_t>(nearest(*f, f->row(i), 1, i)[0].at)] == f->label[static_cast<std::size_t>(i)];
  EXPECT_GT(same, 25) << "a trained network sees images of a class near each other";
}

}  // namespace
}  // namespace nw
