// SPDX-License-Identifier: Apache-2.0
// A C library on disk, written only if it computes what the run does: it is compiled, and run in a new process on the
// pictures that it holds and on the run's test pictures.
#pragma once
#include "engine/deploy/c_library.hpp"
#include "engine/exchange/proved_export.hpp"

namespace nw::deploy {

struct WrittenC {
  CLibrary library;
  exchange::Proof proof;           // one reader, "C library"; none: there is no compiler
  std::vector<std::string> files;  // names, written to the folder
  std::string compiler;            // "cc (Debian …) 12.2.0"
};

/// Pictures that a proof takes when the caller names no number: the whole test part, within 256 MB.
inline constexpr std::int64_t whole_test_part = 0;
/// How many pictures of this size that are.
std::int64_t pictures_within_budget(const RunDefinition&);

/// The compiler that proves C libraries: $CC, or cc, gcc, clang of the PATH; empty: there is none.
std::string c_compiler();

/// Writes nw_model.h, nw_model.c and, if the weights are a file, nw_model.weights to `folder`, which is made if it is
/// missing. Without a compiler the library is written without a proof. `inputs.images` may be `whole_test_part`.
Result<WrittenC> export_c(const exchange::ExportSource&, const CLibraryOptions&, const exchange::ProofInputs&,
                          const fs::path& folder);

/// Outputs of the compiled library may differ by so much of the largest output.
inline constexpr double c_tolerance = 1e-4;

}  // namespace nw::deploy
