// SPDX-License-Identifier: Apache-2.0
// Images embedded in an HTML page. Private to engine/predict.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "engine/core/image.hpp"

namespace nw::predicting {

/// A PNG file (W3C, "Portable Network Graphics", third edition): 8 bits, grey or RGB; for other numbers of channels
/// only the first channel.
std::string png_of(const Image&);
/// RFC 4648, section 4.
std::string base64(std::string_view bytes);
/// "data:image/png;base64,…"
std::string data_uri(const Image&);

}  // namespace nw::predicting
