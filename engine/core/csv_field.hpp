// SPDX-License-Identifier: Apache-2.0
// Fields of CSV files, as every export writes them.
#pragma once
#include <string>
#include <string_view>

namespace nw {

/// The text with an apostrophe before it if a spreadsheet would evaluate it as a formula.
std::string without_formula(std::string_view text);
/// A field, quoted if it contains separators, quotes or line breaks; never a formula.
std::string csv_field(std::string_view text);
/// A field that is always quoted; never a formula.
std::string csv_quoted(std::string_view text);

}  // namespace nw
