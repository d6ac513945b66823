// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/inline_picture.hpp"

#include <cstdint>

namespace nw::predicting {

std::string base64(std::string_view bytes) {
  constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<std::uint8_t>(bytes[i + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += i + k <= bytes.size() ? letters[three >> (18 - 6 * k) & 63] : '=';
  }
  return out;
}

std::string data_uri(const Image& p) { return "data:image/png;base64," + base64(png_of(p)); }

}  // namespace nw::predicting
