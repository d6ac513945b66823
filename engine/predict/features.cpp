// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/features.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace nw {
namespace {

constexpr int iterations = 60;
using Vector = std::vector<double>;

double dot(const Vector& a, const Vector& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

double length(std::span<const float> v) {
  double sum = 0;
  for (const float x : v) sum += static_cast<double>(x) * x;
  return std::sqrt(sum);
}

bool normalise(Vector& v) {
  const double size = std::sqrt(dot(v, v));
  if (!(size > 1e-12)) return false;
  for (double& x : v) x /= size;
  return true;
}

void take_out(Vector& v, const Vector& direction) {
  const double part = dot(v, direction);
  for (std::size_t i = 0; i < v.size(); ++i) v[i] -= part * direction[i];
}

/// The centred features, their projections on a direction and their covariance.
class FeatureMatrix {
 public:
  explicit FeatureMatrix(const Features& f) : f_(f), mean_(static_cast<std::size_t>(f.width), 0.0) {
    for (std::int64_t i = 0; i < f.count(); ++i)
      for (std::size_t k = 0; k < mean_.size(); ++k)
        mean_[k] += static_cast<double>(f.row(i)[k]) / static_cast<double>(f.count());
  }
  Vector along(const Vector& direction) const {
    Vector out(static_cast<std::size_t>(f_.count()));
    const double offset = dot(mean_, direction);
    for (std::int64_t i = 0; i < f_.count(); ++i) {
      double sum = -offset;
      const auto row = f_.row(i);
      for (std::size_t k = 0; k < direction.size(); ++k) sum += static_cast<double>(row[k]) * direction[k];
      out[static_cast<std::size_t>(i)] = sum;
    }
    return out;
  }
  /// The product of the covariance matrix (times the count) and a direction.
  Vector pulled(const Vector& direction) const {
    const Vector seen = along(direction);
    Vector out(mean_.size(), 0.0);
    for (std::int64_t i = 0; i < f_.count(); ++i) {
      const auto row = f_.row(i);
      for (std::size_t k = 0; k < out.size(); ++k)
        out[k] += seen[static_cast<std::size_t>(i)] * (static_cast<double>(row[k]) - mean_[k]);
    }
    return out;
  }
  double variance() const {
    double sum = 0;
    for (std::int64_t i = 0; i < f_.count(); ++i)
      for (std::size_t k = 0; k < mean_.size(); ++k) sum += std::pow(static_cast<double>(f_.row(i)[k]) - mean_[k], 2);
    return sum;
  }

 private:
  const Features& f_;
  Vector mean_;
};

}  // namespace

std::vector<Neighbor> nearest(const Features& f, std::span<const float> one, std::size_t most, std::int64_t but) {
  std::vector<Neighbor> all;
  const double own = length(one);
  for (std::int64_t i = 0; i < f.count(); ++i) {
    if (i == but) continue;
    const auto row = f.row(i);
    double sum = 0;
    for (std::size_t k = 0; k < one.size(); ++k) sum += static_cast<double>(row[k]) * one[k];
    const double size = own * length(row);
    all.push_back({i, size > 0 ? sum / size : 0});
  }
  const auto kept = static_cast<std::ptrdiff_t>(std::min(most, all.size()));
  std::partial_sort(all.begin(), all.begin() + kept, all.end(), [](const Neighbor& a, const Neighbor& b) {
    return a.likeness != b.likeness ? a.likeness > b.likeness : a.at < b.at;
  });
  all.resize(static_cast<std::size_t>(kept));
  return all;
}

Plane principal_plane(const Features& f) {
  const auto n = static_cast<std::size_t>(f.count()), width = static_cast<std::size_t>(f.width);
  Plane p{Vector(n, 0.0), Vector(n, 0.0)};
  if (n < 2 || width == 0) return p;
  const FeatureMatrix cloud(f);
  Vector a(width), b(width);
  for (std::size_t k = 0; k < width; ++k) {  // two start vectors that are not orthogonal to the features of real data
    a[k] = 1 + std::sin(static_cast<double>(k));
    b[k] = std::cos(1.7 * static_cast<double>(k));
  }
  bool two = false;
  for (int i = 0; i < iterations; ++i) {
    a = cloud.pulled(a);
    if (!normalise(a)) return p;
    b = cloud.pulled(b);
    take_out(b, a);
    two = normalise(b);
    if (!two) break;
    take_out(b, a);  // a second time, against rounding errors
    two = normalise(b);
  }
  const double all = cloud.variance();
  p.x = cloud.along(a);
  p.share[0] = dot(p.x, p.x) / all;
  if (!two) return p;
  p.y = cloud.along(b);
  p.share[1] = dot(p.y, p.y) / all;
  return p;
}

}  // namespace nw
