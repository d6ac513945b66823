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

}  // namespace nw::deploy
