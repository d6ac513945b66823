// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/tsne.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/rng.hpp"
#include "engine/parallel/team.hpp"

namespace nw {
namespace {

constexpr int exaggerated_iterations = 250;
constexpr float exaggeration = 12, least_gain = 0.01F, first_spread = 1e-4F;
constexpr double least_probability = 1e-12, least_rate = 50;
constexpr std::size_t lanes = 8;
using Lanes = std::array<float, lanes>;

float sum_of(const Lanes& l) { return ((l[0] + l[1]) + (l[2] + l[3])) + ((l[4] + l[5]) + (l[6] + l[7])); }

/// Divides the rows between the team's threads. The result of a row does not depend on the thread that computes it.
void each_row(Team& team, std::size_t rows, const std::function<void(std::size_t)>& work) {
  const auto workers = static_cast<std::size_t>(team.size());
  team.run([&](int worker) {
    const auto w = static_cast<std::size_t>(worker);
    for (std::size_t i = rows * w / workers; i < rows * (w + 1) / workers; ++i) work(i);
  });
}

float squared_distance(std::span<const float> a, std::span<const float> b) {
  Lanes sum{};
  std::size_t k = 0;
  for (; k + lanes <= a.size(); k += lanes)
    for (std::size_t l = 0; l < lanes; ++l) sum[l] += (a[k + l] - b[k + l]) * (a[k + l] - b[k + l]);
  for (; k < a.size(); ++k) sum[0] += (a[k] - b[k]) * (a[k] - b[k]);
  return sum_of(sum);
}

/// The points, their affinities P and the state of gradient descent. Rows of P are padded to whole vectors; padding
/// points lie far away.
class TsneOptimizer {
 public:
  TsneOptimizer(const Features& f, const TsneSettings& s, Team& team)
      : team_(team), n_(static_cast<std::size_t>(f.count())), stride_((n_ + lanes - 1) / lanes * lanes) {
    find_neighbors(f, std::min(s.perplexity, std::max(1.0, (static_cast<double>(n_) - 1) / 3)));
    place(f, s.seed);
    rate_ = static_cast<float>(std::max(static_cast<double>(n_) / static_cast<double>(exaggeration) / 4, least_rate));
  }

  void step(int iteration) {
    const float pull = iteration < exaggerated_iterations ? exaggeration : 1.0F,
                momentum = iteration < exaggerated_iterations ? 0.5F : 0.8F;
    each_row(team_, n_, [&](std::size_t i) { forces(i); });
    double all = 0;
    for (std::size_t i = 0; i < n_; ++i) all += static_cast<double>(z_[i]);
    const auto push = static_cast<float>(1 / std::max(all, 1e-30));
    for (int axis = 0; axis < 2; ++axis)
      for (std::size_t i = 0; i < n_; ++i)
        move(axis, i, 4 * (pull * attract_[axis][i] - push * repel_[axis][i]), momentum);
    centre();
  }

  Embedding done() const {
    Embedding e{std::vector<double>(at_[0].begin(), at_[0].begin() + static_cast<std::ptrdiff_t>(n_)),
                std::vector<double>(at_[1].begin(), at_[1].begin() + static_cast<std::ptrdiff_t>(n_)), 0};
    double all = 0;
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        if (i != j) all += closeness(e, i, j);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        if (i != j)
          e.divergence += static_cast<double>(p_[i * stride_ + j]) *
                          std::log(static_cast<double>(p_[i * stride_ + j]) /
                                   std::max(closeness(e, i, j) / all, least_probability));
    return e;
  }

 private:
  static double closeness(const Embedding& e, std::size_t i, std::size_t j) {
    return 1 / (1 + (e.x[i] - e.x[j]) * (e.x[i] - e.x[j]) + (e.y[i] - e.y[j]) * (e.y[i] - e.y[j]));
  }

  /// P: the symmetric probability that two points are neighbours; it sums to 1.
  void find_neighbors(const Features& f, double perplexity) {
    std::vector<float> one_way(n_ * n_);
    each_row(team_, n_, [&](std::size_t i) {
      std::vector<float> distances(n_);
      for (std::size_t j = 0; j < n_; ++j)
        distances[j] = squared_distance(f.row(static_cast<std::int64_t>(i)), f.row(static_cast<std::int64_t>(j)));
      const std::vector<double> near = neighbourhood(distances, i, perplexity);
      std::copy(near.begin(), near.end(), one_way.begin() + static_cast<std::ptrdiff_t>(i * n_));
    });
    p_.assign(n_ * stride_, 0.0F);
    for (std::size_t i = 0; i < n_; ++i)
      for (std::size_t j = 0; j < n_; ++j)
        if (i != j)
          p_[i * stride_ + j] = static_cast<float>(
              std::max((static_cast<double>(one_way[i * n_ + j]) + static_cast<double>(one_way[j * n_ + i])) /
                           (2 * static_cast<double>(n_)),
                       least_probability));
  }

  /// Initializes the points with the principal components, scaled down, plus noise that separates equal points.
  void place(const Features& f, std::uint64_t seed) {
    const Plane plane = principal_plane(f);
    double square = 0;
    for (const double x : plane.x) square += x * x;
    const double scale =
        square > 0 ? static_cast<double>(first_spread) / std::sqrt(square / static_cast<double>(n_)) : 0;
    RandomStream draw({.seed = seed, .op = static_cast<std::uint32_t>(RandomOp::init)});
    for (int axis = 0; axis < 2; ++axis) {
      const std::vector<double>& from = axis == 0 ? plane.x : plane.y;
      at_[axis].assign(stride_, 1e15F * static_cast<float>(1 + axis));
      for (std::size_t i = 0; i < n_; ++i)
        at_[axis][i] = static_cast<float>(scale * from[i]) + 0.01F * first_spread * (draw.uniform() - 0.5F);
      for (auto* v : {&attract_[axis], &repel_[axis], &speed_[axis]}) v->assign(n_, 0.0F);
      gain_[axis].assign(n_, 1.0F);
    }
    z_.assign(n_, 0.0F);
  }

  void forces(std::size_t i) {
    Lanes ax{}, ay{}, rx{}, ry{}, z{};
    const float xi = at_[0][i], yi = at_[1][i];
    const float *x = at_[0].data(), *y = at_[1].data(), *p = &p_[i * stride_];
    for (std::size_t j = 0; j < stride_; j += lanes)
      for (std::size_t l = 0; l < lanes; ++l) {
        const float dx = xi - x[j + l], dy = yi - y[j + l], w = 1 / (1 + dx * dx + dy * dy), pw = p[j + l] * w,
                    ww = w * w;
        z[l] += w;
        ax[l] += pw * dx;
        ay[l] += pw * dy;
        rx[l] += ww * dx;
        ry[l] += ww * dy;
      }
    z_[i] = sum_of(z) - 1;  // minus the point's own term
    attract_[0][i] = sum_of(ax);
    attract_[1][i] = sum_of(ay);
    repel_[0][i] = sum_of(rx);
    repel_[1][i] = sum_of(ry);
  }

  /// A gain grows while a point moves in the same direction and shrinks when it turns (Jacobs 1988).
  void move(int axis, std::size_t i, float gradient, float momentum) {
    float &gain = gain_[axis][i], &speed = speed_[axis][i];
    gain = std::max(speed * gradient < 0 ? gain + 0.2F : gain * 0.8F, least_gain);
    speed = momentum * speed - rate_ * gain * gradient;
    at_[axis][i] += speed;
  }

  void centre() {
    for (auto& axis : at_) {
      double sum = 0;
      for (std::size_t i = 0; i < n_; ++i) sum += static_cast<double>(axis[i]);
      const auto middle = static_cast<float>(sum / static_cast<double>(n_));
      for (std::size_t i = 0; i < n_; ++i) axis[i] -= middle;
    }
  }

  Team& team_;
  const std::size_t n_, stride_;
  std::vector<float> p_, z_;
  std::vector<float> at_[2], attract_[2], repel_[2], speed_[2], gain_[2];
  float rate_ = 0;
};

}  // namespace

std::vector<double> neighbourhood(std::span<const float> distances, std::size_t self, double perplexity) {
  std::vector<double> p(distances.size(), 0.0);
  double nearest = std::numeric_limits<double>::infinity(), low = 0, high = std::numeric_limits<double>::infinity(),
         narrow = 1;
  for (std::size_t j = 0; j < p.size(); ++j)
    if (j != self) nearest = std::min(nearest, static_cast<double>(distances[j]));
  for (int tried = 0; tried < 200; ++tried) {
    double sum = 0, moment = 0;
    for (std::size_t j = 0; j < p.size(); ++j) {
      if (j == self) continue;
      const double beyond = static_cast<double>(distances[j]) - nearest;
      p[j] = std::exp(-narrow * beyond);
      sum += p[j];
      moment += p[j] * beyond;
    }
    if (sum == 0) break;
    for (double& v : p) v /= sum;
    const double entropy = std::log(sum) + narrow * moment / sum, off = entropy - std::log(perplexity);
    if (std::abs(off) < 1e-6) break;
    (off > 0 ? low : high) = narrow;  // too many neighbours: a narrower Gaussian
    narrow = std::isinf(high) ? narrow * 2 : (low + high) / 2;
  }
  return p;
}

Result<Embedding> tsne(const Features& f, const TsneSettings& s, const std::function<bool(double)>& progress) {
  if (f.count() > most_embedded)
    return fail(Errc::bad_input, NW_TR("{0} images are too many for this map; at most {1}"), f.count(), most_embedded);
  const auto n = static_cast<std::size_t>(f.count());
  if (n < 3) return Embedding{std::vector<double>(n, 0.0), std::vector<double>(n, 0.0), 0};
  NW_ASSIGN(const std::unique_ptr<Team> team, start_team(default_threads(0)));
  TsneOptimizer embedder(f, s, *team);
  for (int i = 0; i < s.iterations; ++i) {
    if (progress && i % 10 == 0 && !progress(static_cast<double>(i) / s.iterations))
      return fail(Errc::stopped, NW_TR("cancelled"));
    embedder.step(i);
  }
  return embedder.done();
}

}  // namespace nw
