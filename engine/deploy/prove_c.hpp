// SPDX-License-Identifier: Apache-2.0
// Compiles a C library and runs it. Private to engine/deploy.
#pragma once
#include <functional>

#include "engine/deploy/export_c.hpp"
#include "engine/exchange/proof.hpp"

namespace nw::deploy {

/// Pictures, and what the run's own network computes for them.
struct ProofData {
  exchange::ProofImages images;
  std::vector<float> scores;
  std::int64_t outputs = 0;
};
Result<ProofData> proof_data(const exchange::ExportSource&, const exchange::ProofInputs&);
/// Of the first pictures, as many as fit into 4 kB, at least one and at most four.
std::vector<GoldenSample> golden_samples(const ProofData&);

/// What the library in `folder` computes; `work`: a folder for temporary files.
exchange::ReaderProof prove_c(const fs::path& folder, const fs::path& work, const ProofData&, bool weights_file);
/// The first line that the compiler says about itself.
std::string version_of(const std::string& compiler);
/// Adds the largest score.
exchange::Proof proof_of(const ProofData&, std::vector<exchange::ReaderProof> readers);
/// Why the library is not what the run is; empty: it is. `tolerance`: of the largest output.
Text objection_to(const exchange::Proof&, double tolerance = c_tolerance);
/// Makes the library with the golden samples, compiles, runs and writes it: see export_c().
Result<WrittenC> write_proved(const ProofData&,
                              const std::function<Result<CLibrary>(const std::vector<GoldenSample>&)>&,
                              const exchange::ProofInputs&, double tolerance, const fs::path& folder);

Status write_library(const CLibrary&, const fs::path& folder, std::vector<std::string>& files);

}  // namespace nw::deploy
