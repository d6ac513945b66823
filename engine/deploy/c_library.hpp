// SPDX-License-Identifier: Apache-2.0
// A network as a C99 library: one header, one source, no memory allocated, nothing but libm. It tests itself with
// pictures and outputs that it holds, and with a checksum of its weights.
#pragma once
#include "engine/exchange/export_onnx.hpp"

namespace nw::deploy {

/// A picture of the data, (H,W,C), and what the network computes for it.
struct GoldenSample {
  std::vector<std::uint8_t> pixels;
  std::vector<float> scores;
};

struct CLibraryOptions {
  bool weights_file = false;  // read by the caller and given to nw_init(), instead of constants
};

struct CLibrary {
  std::string header, source;
  std::string weights;                 // the file's bytes; empty: the source holds them
  std::int64_t parameters = 0;         // floats that are stored
  std::int64_t arena = 0;              // floats of memory
  std::int64_t outputs = 0;            // scores of a picture
  std::int64_t folded = 0, fused = 0;  // batch norms and activations inside other layers
};
inline constexpr const char *c_header_name = "nw_model.h", *c_source_name = "nw_model.c",
                            *c_weights_name = "nw_model.weights";
/// Beyond so many the weights are a file: compilers take minutes for more constants.
inline constexpr std::int64_t most_constants = std::int64_t{4} << 20;

/// Errc::bad_input: a layer that cannot be written in C, or weights that are missing or not finite.
/// Names of the network, its layers and classes are untrusted.
Result<CLibrary> c_library(const exchange::ExportSource&, const std::vector<GoldenSample>&, const CLibraryOptions&);

/// FNV-1a with 64 bits over the bits of each float: changes with every bit.
std::uint64_t checksum_of(const std::vector<float>&);

}  // namespace nw::deploy
