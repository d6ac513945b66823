// SPDX-License-Identifier: Apache-2.0
// A sentence inside a sentence ("Left out: {0}"): as an argument it keeps its own template, so that both can be
// translated.
#pragma once
#include <optional>

#include "kernels/result.hpp"

namespace nw {

/// An argument that is `text`; Text::str() puts its English there. Its own arguments become plain.
std::string nested(const Text& text);
/// The sentence in such an argument; nothing for any other.
std::optional<Text> nested_in(const std::string& argument);
/// An argument for people who read English.
std::string plain(const std::string& argument);

}  // namespace nw
