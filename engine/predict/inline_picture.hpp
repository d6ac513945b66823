// SPDX-License-Identifier: Apache-2.0
// Images embedded in an HTML page. Private to engine/predict.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "engine/core/png.hpp"

namespace nw::predicting {

/// RFC 4648, section 4.
std::string base64(std::string_view bytes);
/// "data:image/png;base64,…"
std::string data_uri(const Image&);

}  // namespace nw::predicting
