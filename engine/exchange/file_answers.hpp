// SPDX-License-Identifier: Apache-2.0
// What an exported file answers: whether predictions are those of the file that leaves.
#pragma once
#include "engine/exchange/proof.hpp"

namespace nw::exchange {

/// Exports the run's checkpoint as ONNX to a temporary file, reads the file again and computes the class of each image.
/// Of one output: class 1 where it is positive. Errc::bad_input, as of export_source() and of the importer: the run is
/// not exported (one in 8 bits), or its file is not understood.
Result<std::vector<std::int64_t>> classes_of_exported_file(const fs::path& run, const std::string& checkpoint,
                                                           const ProofImages&);

}  // namespace nw::exchange
