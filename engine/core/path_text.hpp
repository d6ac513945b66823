// SPDX-License-Identifier: Apache-2.0
// Paths in JSON. Names of files are bytes, texts of JSON are UTF-8: a byte that is no UTF-8 becomes one of 256
// characters that no name has, so that a run finds its data again.
#pragma once
#include <string>
#include <string_view>

namespace nw {

/// The bytes of a path as UTF-8: each byte b that is not, or that belongs to a character from U+10FF00 on, becomes
/// U+10FF00 + b. A path that is UTF-8 stays as it is.
std::string path_to_text(std::string_view path);
/// The path of such a text: the inverse.
std::string text_to_path(std::string_view text);

}  // namespace nw
