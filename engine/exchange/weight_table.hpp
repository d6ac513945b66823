// SPDX-License-Identifier: Apache-2.0
// What a file of weights and a network have in common, before any weight is taken; and files of weights that are not
// read because opening them runs code.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "engine/compile/flat_network.hpp"
#include "engine/io/safetensors.hpp"

namespace nw::exchange {

enum class WeightMatch : std::uint8_t { taken, other_shape, not_in_file, not_in_network };
std::string_view name_of(WeightMatch);  // "taken", "other shape", "not in file", "not in network"

struct WeightRow {
  std::string name;
  std::vector<std::int64_t> network, file;  // shapes; empty: it is not there, or a single number
  WeightMatch match = WeightMatch::taken;
};
/// The network's weights in the order of its layers, then those that only the file has. Counters of batch norms are not
/// listed.
std::vector<WeightRow> weight_table(const FlatNetwork&, const SafetensorsHeader&);

/// A program whose files of weights run code when they are opened.
enum class ForeignWeights : std::uint8_t { pytorch, keras };
/// By the file's first bytes (a ZIP archive or pickle, HDF5) and its name; nullopt: neither, or it cannot be read.
std::optional<ForeignWeights> foreign_weights(const fs::path&);
/// Errc::bad_input: says what the file is and that conversion_script() converts it.
Error foreign_weights_error(ForeignWeights, const fs::path&);
/// A Python script that converts such a file, its path and that of the new one as arguments: PyTorch's to safetensors,
/// Keras' to ONNX.
std::string_view conversion_script(ForeignWeights);

}  // namespace nw::exchange
