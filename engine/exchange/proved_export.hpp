// SPDX-License-Identifier: Apache-2.0
// Files for other programs that are written only if they hold what the run holds.
#pragma once
#include <functional>

#include "engine/exchange/proof.hpp"

namespace nw::exchange {

/// With what an exported file is proved.
struct ProofInputs {
  const RunDefinition& definition;  // not of a run (created is 0): the proof uses noise
  std::int64_t images = 64;         // of its data; rounded up to whole batches of the file
  fs::path program;                 // netwright-cli
  /// Called when a stage of the export begins: "write", "images", "run", "save", of a bundle also "stamp".
  std::function<void(const char* stage)> stage = {};
  void begin(const char* name) const {
    if (stage) stage(name);
  }
};

struct ProvedExport {
  Proof proof;
  std::uint64_t bytes = 0;  // of the file
  std::int64_t opset = 0, ir_version = 0;
  std::string trtexec;                       // of files for TensorRT
  std::int64_t opaque = 0;                   // operators that are not computed here: the file was read again, not run
  std::vector<std::string> newer_operators;  // that TensorRT 8.5 lacks
};
/// Writes the network beside `target` under another name, proves that file and puts it in the target's place with the
/// proof in its metadata. A failed proof is an error, and nothing is written. A network with opaque nodes cannot be
/// run: its file is read again, and their operators and all weights must be equal bit by bit.
Result<ProvedExport> export_proved(const ExportSource&, const ExportOptions&, const ProofInputs&,
                                   const fs::path& target);

/// Writes the images of a proof as the exported file takes them, and the run's own outputs: what `verify` compares.
Status export_samples(const ExportSource&, const ExportOptions&, const ProofInputs&, const fs::path& target);

struct WrittenWeights {
  std::size_t tensors = 0;
  std::string sha256;
};
/// Equal for equal weights only: by it, files of source code know the weights that they were written with. Letters and
/// digits.
std::string export_number(const ExportSource&);
inline constexpr const char* export_key = "export";  // of that number in a file's metadata
/// Writes the weights under PyTorch's names as safetensors, reads them again and compares them bit by bit.
Result<WrittenWeights> export_weights(const ExportSource&, const fs::path& target);

}  // namespace nw::exchange
