// SPDX-License-Identifier: Apache-2.0
// A network as source code of another library: a file that people read and change, whose modules have the names of our
// safetensors files.
#pragma once
#include "engine/exchange/source/layer_source.hpp"

namespace nw::exchange {

/// What a file is made of. Names and classes are untrusted.
struct SourceInput {
  std::string name;
  const GraphDoc& doc;
  std::vector<std::string> classes;
  std::vector<float> mean, deviation;  // of each channel; empty: the training measures them
  std::string weights_file;            // that the script reads if it is told no other; a name, no path
  std::string export_number;           // export_number() of the weights, which that file must hold too
};
/// The text of a Python file. Errc::bad_input: a layer that cannot be written, names that exclude each other, or more
/// layers than `most_source_layers`.
Result<std::string> source_code(const SourceInput&, SourceLanguage);
inline constexpr std::size_t most_source_layers = 20'000;

}  // namespace nw::exchange
