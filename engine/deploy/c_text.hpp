// SPDX-License-Identifier: Apache-2.0
// Parts of the C library's text. Private to engine/deploy.
#pragma once
#include "engine/deploy/c_library.hpp"
#include "engine/deploy/c_network.hpp"

namespace nw::deploy {

/// What the text is made of.
struct CText {
  const exchange::ExportSource& from;
  const CNetwork& net;
  const PlacedNetwork& placed;
  const std::vector<GoldenSample>& golden;
  bool weights_file = false;
};

std::string c_header(const CText&);
std::string c_source(const CText&);

/// Words for a comment: letters, digits and a few signs; all others become "_".
std::string c_words(std::string_view untrusted);
/// A string literal of any bytes.
std::string c_string(std::string_view untrusted);
/// Numbers in lines, separated by commas.
std::string c_numbers(const std::vector<float>&);
std::string c_numbers(const std::vector<std::uint8_t>&);

/// The file of weights begins with these and a number of floats, as four bytes each, the lowest first.
inline constexpr std::string_view weights_magic = "NWWEIGHT";

}  // namespace nw::deploy
