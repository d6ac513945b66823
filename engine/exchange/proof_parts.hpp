// SPDX-License-Identifier: Apache-2.0
// What the proofs of ONNX files and of source code share. Private to engine/exchange.
#pragma once
#include "engine/exchange/proved_export.hpp"

namespace nw::exchange {

/// A folder for temporary files that is removed with them; without a path: it could not be made.
class ScratchFolder {
 public:
  ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder();
  fs::path path;
};

/// The JSON objects, a line each, that programs print about a file.
std::vector<ReaderProof> proofs_in(const std::string& lines);
/// Images of the run (`of_project`: or of the project's data), or noise: whole batches of `batch` images, at least one.
Result<ProofImages> images_of(const ProofInputs&, std::int64_t batch, bool of_project = false);

}  // namespace nw::exchange
