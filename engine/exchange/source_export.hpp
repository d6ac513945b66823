// SPDX-License-Identifier: Apache-2.0
// Networks as source code with their weights, written only if Python computes the run's outputs with them.
#pragma once
#include "engine/exchange/proved_export.hpp"
#include "engine/exchange/source/source_code.hpp"

namespace nw::exchange {

struct WrittenSource {
  Proof proof;          // without readers: Python, or the library, was not found
  std::string why_not;  // then: what is missing
  std::size_t lines = 0;
};
/// Writes the file `target` and, beside it under its name with the ending .safetensors, the weights. Before, both are
/// written to a temporary folder and run by the Python of NETWRIGHT_PYTHON: load_state_dict(strict=True), and the
/// outputs for images of the data. More than `source_tolerance` of the largest output is an error, and nothing is
/// written.
Result<WrittenSource> export_source_code(const ExportSource&, SourceLanguage, const ProofInputs&,
                                         const fs::path& target);
inline constexpr double source_tolerance = 1e-4;  // as of ONNX files
fs::path weights_beside(const fs::path& source_file);

}  // namespace nw::exchange
