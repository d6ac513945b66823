// SPDX-License-Identifier: Apache-2.0
// The weights of a network by their names, outside of a device.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "engine/compile/flat_network.hpp"
#include "engine/core/files.hpp"
#include "engine/exchange/kept_operators.hpp"
#include "engine/io/safetensors.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw::exchange {

struct NamedWeight {
  std::vector<std::int64_t> dims;
  std::vector<float> values;
};
/// Without the counters of batch norms; by their names in files.
using Weights = std::map<std::string, NamedWeight>;
/// The batches that each batch norm has counted: PyTorch's num_batches_tracked.
using Counters = std::map<std::string, std::int64_t>;

/// Of a run's checkpoint: a name, "best" or "latest". `counters`: filled if given, as with load_weights().
Result<Weights> weights_of_run(const fs::path& run, const RunDefinition&, const std::string& checkpoint,
                               Counters* counters = nullptr);
/// Those that training begins with.
Result<Weights> initial_weights(const FlatNetwork&, std::uint64_t seed);
/// What a file of weights holds: the names of weights and those of the counters of batch norms.
struct WeightNames {
  std::vector<std::string> weights, counters;
};
WeightNames names_of(const FlatNetwork&);
/// Adds the names of one layer's weights.
void add_names(WeightNames&, const std::string& layer, const std::vector<Weight>&);
/// The named weights and counters (0 where unknown) for write_safetensors() and checkpoints. `weights` must outlive the
/// result. Errc::other: one of them is missing.
Result<std::vector<TensorSource>> sources_of(const Weights& weights, const WeightNames&, const Counters& = {});
/// Writes a safetensors file, the counters of batch norms (0 where unknown) included, as PyTorch's
/// load_state_dict(strict=True) needs them, and the operators of opaque nodes. Returns its SHA-256.
Result<std::string> save_weights(const Weights&, const WeightNames&, const fs::path&, const Counters& = {},
                                 const KeptOperators& = {}, const SafetensorsMetadata& = {});
Result<Weights> load_weights(const fs::path&, Counters* counters = nullptr);
/// Takes the values of those weights of `from` whose sizes fit, but for the layers of `fresh`. Returns how many.
std::size_t take_weights(Weights&, const Weights& from, const std::vector<std::string>& fresh);

std::vector<std::int64_t> sizes_of(const Shape&);
/// The name in files of a weight of the layer `layer`.
std::string weight_name(const std::string& layer, std::string_view weight);

}  // namespace nw::exchange
