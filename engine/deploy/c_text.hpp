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

/// What the header says.
struct CHeader {
  std::string name;  // untrusted words
  std::int64_t channels = 1, height = 1, width = 1, outputs = 0, classes = 0, weights = 0, arena_floats = 0;
  bool weights_file = false;
};
std::string c_header(const CHeader&);
std::string c_source(const CText&);

/// Puts a number of this export into header and source: a source beside the header of another export, as an
/// interrupted one leaves it, does not compile.
void tie_together(CLibrary&);

/// The pictures of the self-test; outputs may differ from theirs by `tolerance`.
std::string golden_text(const std::vector<GoldenSample>&, double tolerance);
/// nw_selftest() and nw_best().
extern const std::string_view selftest_text;
/// nw_class_name(). The names are untrusted.
std::string names_text(const std::vector<std::string>& classes);

/// Words for a comment: letters, digits and a few signs; all others become "_".
std::string c_words(std::string_view untrusted);
/// A string literal of any bytes.
std::string c_string(std::string_view untrusted);
/// Numbers in lines, separated by commas.
std::string c_numbers(const std::vector<float>&);
std::string c_numbers(const std::vector<std::uint8_t>&);
std::string c_numbers(const std::vector<int>&);

/// The file of weights begins with these and a number of floats, as four bytes each, the lowest first.
inline constexpr std::string_view weights_magic = "NWWEIGHT";

}  // namespace nw::deploy
