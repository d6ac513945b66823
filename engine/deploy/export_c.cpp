// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/export_c.hpp"

#include "engine/deploy/c_text.hpp"
#include "engine/deploy/prove_c.hpp"
#include "engine/exchange/proof_parts.hpp"
#include "kernels/nested_text.hpp"

namespace nw::deploy {

Status write_library(const CLibrary& library, const fs::path& folder, std::vector<std::string>& files) {
  NW_TRY(save_file(folder / c_header_name, library.header));
  NW_TRY(save_file(folder / c_source_name, library.source));
  files.insert(files.end(), {c_header_name, c_source_name});
  if (library.weights.empty()) return {};
  files.emplace_back(c_weights_name);
  return save_file(folder / c_weights_name, library.weights);
}

Result<WrittenC> export_c(const exchange::ExportSource& source, const CLibraryOptions& options,
                          const exchange::ProofInputs& inputs, const fs::path& folder) {
  inputs.begin("images");
  NW_ASSIGN(const ProofData data, proof_data(source, inputs));
  const auto make = [&](const std::vector<GoldenSample>& golden) { return c_library(source, golden, options); };
  return write_proved(data, make, inputs, c_tolerance, folder);
}

Result<WrittenC> write_proved(const ProofData& data,
                              const std::function<Result<CLibrary>(const std::vector<GoldenSample>&)>& make,
                              const exchange::ProofInputs& inputs, double tolerance, const fs::path& folder) {
  inputs.begin("write");
  WrittenC done;
  NW_ASSIGN(done.library, make(golden_samples(data)));
  tie_together(done.library);
  const exchange::ScratchFolder scratch;
  if (scratch.path.empty()) return fail(Errc::disk, NW_TR("There is no folder for temporary files"));
  std::vector<exchange::ReaderProof> readers;
  if (const std::string compiler = c_compiler(); !compiler.empty()) {
    std::vector<std::string> ignored;
    NW_TRY(write_library(done.library, scratch.path, ignored));
    inputs.begin("run");
    readers.push_back(prove_c(scratch.path, scratch.path, data, !done.library.weights.empty()));
    done.compiler = readers.front().version;
  }
  done.proof = proof_of(data, std::move(readers));
  if (const Text objection = objection_to(done.proof, tolerance); !objection.empty())
    return fail(Errc::other, NW_TR("{0} was not written, because the proof failed: {1}"), folder.string(),
                nested(objection));
  inputs.begin("save");
  NW_TRY(make_folder(folder));
  NW_TRY(write_library(done.library, folder, done.files));
  return done;
}

}  // namespace nw::deploy
