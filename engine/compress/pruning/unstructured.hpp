// SPDX-License-Identifier: Apache-2.0
// Unstructured pruning: single weights become zero, those of the smallest magnitude (Han et al., "Learning both weights
// and connections for efficient neural networks", NIPS 2015). The network keeps its sizes and its speed; its file takes
// less once it is compressed.
#pragma once
#include <map>

#include "engine/exchange/weights.hpp"

namespace nw::compress {

struct SparsityPlan {
  double share = 0;  // of the weights of all layers that are not named, over which magnitudes are compared; in [0, 1)
  std::map<std::string, double> layers;  // shares of single layers, in [0, 1)
};

struct SparseLayer {
  std::string layer;
  std::int64_t weights = 0, zeros = 0;
};
struct SparseNetwork {
  exchange::Weights weights;
  std::vector<SparseLayer> layers;  // in the order of computation
};
/// Of matrices and filters: weights called "weight" of two or more dimensions; biases and norms stay. Every layer keeps
/// its largest weight. Errc::bad_input: a weight is missing or not finite; a layer of the plan does not exist or has
/// nothing to prune.
Result<SparseNetwork> prune_weights(const FlatNetwork&, exchange::Weights, const SparsityPlan&);

/// Zeros of `pruned` become zeros of `weights`, in the matrices and filters that both hold.
void keep_zeros(const exchange::Weights& pruned, exchange::Weights& weights);

/// What the weights take as a list of those that are not 0: 4 bytes for each, and a bit for every place; a tensor that
/// is smaller as it is counts as it is.
std::int64_t sparse_bytes(const exchange::Weights&);
/// What the file takes once it is compressed (zlib, level 6). Errc::disk: it cannot be read.
Result<std::int64_t> deflated_bytes(const fs::path&);

}  // namespace nw::compress
