// SPDX-License-Identifier: Apache-2.0
// What convolutions and poolings share: windows that move over an image which is padded already.
#pragma once
#include "engine/deploy/layers/c_layer.hpp"

namespace nw::deploy {

/// The members of the C struct nw_windows; distances in floats.
struct Windows {
  std::int64_t rows, columns, step_x, step_y, taps_y, tap_y, taps_x, tap_x, run, out;
  Clamp clamp{};
};
/// The statement that declares it as `c`.
std::string declared(const Windows&);
/// Calls nw_pad on the input; returns the words for the padded image.
std::string padded(CWriter&, std::pair<std::int64_t, std::int64_t> padding, double with);

/// The same sums for each pixel.
struct PixelProduct {
  std::vector<float> weight, bias;  // (out, in); out
  std::int64_t in, out, pixels;
};
/// `y`: with room for 16 floats behind it.
void write_product(CWriter&, const std::string& x, const std::string& y, const PixelProduct&);

}  // namespace nw::deploy
