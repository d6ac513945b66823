// SPDX-License-Identifier: Apache-2.0
// Embedding of features in a plane by t-SNE (van der Maaten & Hinton, "Visualizing Data using t-SNE", JMLR 9, 2008),
// exact: every iteration computes all pairs.
#pragma once
#include <functional>

#include "engine/core/files.hpp"
#include "engine/predict/features.hpp"

namespace nw {

struct TsneSettings {
  double perplexity = 30;  // effective number of neighbours of a point; at most a third of the other points
  int iterations = 1000;   // the first 250 with the attraction multiplied by 12 (early exaggeration)
  std::uint64_t seed = 0;  // the same positions for the same seed, on any number of threads
};
struct Embedding {
  std::vector<double> x, y;
  // Kullback-Leibler divergence between the neighbour probabilities of the features and of the plane; in nats
  double divergence = 0;
};
inline constexpr std::int64_t most_embedded = 2000;
/// Computes the embedding, initialized with the principal components. Errc::bad_input: more than most_embedded rows.
/// `progress` gets 0…1; false cancels (Errc::stopped).
Result<Embedding> tsne(const Features&, const TsneSettings& = {},
                       const std::function<bool(double)>& progress = nullptr);

/// Conditional neighbour probabilities p(j|self), given the squared distances of point `self` to all points (entry
/// `self` is not read): a Gaussian whose width gives the `perplexity`. They sum to 1; entry `self` is 0.
std::vector<double> neighbourhood(std::span<const float> squared_distances, std::size_t self, double perplexity);

}  // namespace nw
