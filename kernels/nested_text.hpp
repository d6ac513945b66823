// SPDX-License-Identifier: Apache-2.0
// A sentence within a sentence ("Left out: {0}"): as an argument it keeps its own template, so that both can be
// translated.
#pragma once
#include <optional>

#include "kernels/result.hpp"

namespace nw {

/// An argument that contains `text`; Text::str() inserts its English sentence. The arguments of `text` itself become
/// plain.
std::string nested(const Text& text);
/// The sentence in such an argument; empty for any other.
std::optional<Text> nested_in(const std::string& argument);
/// The argument in plain English.
std::string plain(const std::string& argument);

}  // namespace nw
