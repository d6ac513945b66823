// SPDX-License-Identifier: Apache-2.0
// The texts of a PNG (W3C, third edition, 11.3.3), read without decoding the picture.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "kernels/result.hpp"

namespace nw {

/// The text with this keyword in the tEXt, zTXt or iTXt chunks of a PNG, as UTF-8; nullopt if there is none. Errors:
/// not a PNG, a damaged chunk, or a text of more than `max_bytes`.
Result<std::optional<std::string>> png_text(std::string_view png, std::string_view keyword, std::size_t max_bytes,
                                            std::string_view where);

}  // namespace nw
