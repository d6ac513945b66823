// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/file_answers.hpp"

#include <algorithm>

#include "engine/exchange/proof_parts.hpp"

namespace nw::exchange {
namespace {

std::vector<std::int64_t> classes_in(const std::vector<float>& scores, std::int64_t outputs) {
  std::vector<std::int64_t> all;
  const auto width = static_cast<std::size_t>(std::max<std::int64_t>(1, outputs));
  for (std::size_t at = 0; at + width <= scores.size(); at += width) {
    const auto row = scores.begin() + static_cast<std::ptrdiff_t>(at);
    all.push_back(width == 1 ? *row > 0 : std::max_element(row, row + static_cast<std::ptrdiff_t>(width)) - row);
  }
  return all;
}

}  // namespace

Result<std::vector<std::int64_t>> classes_of_exported_file(const fs::path& run, const std::string& checkpoint,
                                                           const ProofImages& images) {
  NW_ASSIGN(const RunDefinition definition, read_run_definition(run));
  NW_ASSIGN(const ExportSource source, export_source(run, definition, checkpoint));
  const ScratchFolder scratch;
  if (scratch.path.empty()) return fail(Errc::disk, NW_TR("There is no folder for temporary files"));
  NW_ASSIGN(const onnx::Model model, export_onnx(source, {}));
  const fs::path file = scratch.path / "network.onnx";
  NW_ASSIGN(const std::uint64_t bytes, onnx::write_model(model, file));
  (void)bytes;
  NW_ASSIGN(const ProofSamples samples, proof_samples(source, {}, images));
  NW_ASSIGN(const std::vector<float> scores, file_scores(file, samples));
  return classes_in(scores, samples.outputs);
}

}  // namespace nw::exchange
