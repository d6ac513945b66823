// SPDX-License-Identifier: Apache-2.0
// Features laid out in a plane so that neighbours stay neighbours: t-SNE (van der Maaten & Hinton, "Visualizing Data
// using t-SNE", JMLR 9, 2008), exact: every iteration computes every pair.
#pragma once
#include <functional>

#include "engine/core/files.hpp"
#include "engine/predict/features.hpp"

namespace nw {

struct TsneSettings {
  double perplexity = 30;  // about how many neighbours a point has; at most a third of the others
  int iterations = 1000;   // the first 250 with all attraction twelvefold
  std::uint64_t seed = 0;  // the same positions for the same seed, on any number of threads
};
struct Embedding {
  std::vector<double> x, y;
  // Kullback-Leibler, of the neighbourhoods in the plane from those of the features; in nats
  double divergence = 0;
};
inline constexpr std::int64_t most_embedded = 2000;
/// Begins with the plane of the largest variance. Errc::bad_input: more than most_embedded rows. Errc::stopped:
/// `progress`, which hears 0…1, said false.
Result<Embedding> tsne(const Features&, const TsneSettings& = {},
                       const std::function<bool(double)>& progress = nullptr);

/// How likely point `self` takes each of the others for its neighbour, given its squared distances to all (its own is
/// not read): a Gaussian as wide as `perplexity` asks. Sums to 1; 0 for itself.
std::vector<double> neighbourhood(std::span<const float> squared_distances, std::size_t self, double perplexity);

}  // namespace nw
