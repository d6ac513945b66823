// SPDX-License-Identifier: Apache-2.0
// What the proofs of ONNX files, of source code and of C libraries share. Private to engine/exchange and engine/deploy.
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
struct Difference {
  double largest = 0, agreement = 0;  // of two outputs; share of the rows whose largest output is the same
  std::vector<std::int64_t> counts = std::vector<std::int64_t>(difference_bins);  // by difference_bin()
};
/// `outputs`: of a row; of one output, rows agree that differ by less than 0.001.
Difference compared(const std::vector<float>&, const std::vector<float>&, std::int64_t outputs);

/// Images of the run (`of_project`: or of the project's data), or noise: whole batches of `batch` images, at least one.
Result<ProofImages> images_of(const ProofInputs&, std::int64_t batch, bool of_project = false);

}  // namespace nw::exchange
