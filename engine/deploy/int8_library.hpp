// SPDX-License-Identifier: Apache-2.0
// An 8-bit run as a C99 library: the header of every other C library, and a source that computes in whole numbers what
// the run does, byte for byte, on every processor whose floats are IEEE's and computed in their own precision.
#pragma once
#include "engine/compress/int8/network.hpp"
#include "engine/deploy/c_library.hpp"
#include "engine/deploy/export_c.hpp"

namespace nw::deploy {

struct Int8Source {
  std::string name;
  std::vector<std::string> classes;
  std::vector<float> mean, deviation;  // empty: the network takes numbers as they are
  FlatNetwork flat;
  compress::int8::Tensors tensors;
};
/// nullopt: the checkpoint ("best", "latest" or a name) is not in 8 bits.
Result<std::optional<Int8Source>> int8_source(const fs::path& run, const RunDefinition&, const std::string& checkpoint);

/// Errc::bad_input: a layer that is computed in fp32, by its name; a network that is too large.
Result<CLibrary> c_library(const Int8Source&, const std::vector<GoldenSample>&, const CLibraryOptions&);

/// As export_c() of a network in fp32; the compiled library must compute the run's scores to the bit.
Result<WrittenC> export_c(const Int8Source&, const CLibraryOptions&, const exchange::ProofInputs&,
                          const fs::path& folder);

}  // namespace nw::deploy
