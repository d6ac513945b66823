// SPDX-License-Identifier: GPL-3.0-or-later
// Distortions of an input image: rotation, noise, occlusion. Deterministic: equal parameters give equal images.
#pragma once
#include <QImage>

namespace nw::ui {

struct Distortion {
  int turn = 0;   // degrees, clockwise
  int noise = 0;  // percent: standard deviation of the noise, relative to the value range
  int cover = 0;  // percent of the image's area under a grey square in the middle
  bool none() const { return turn == 0 && noise == 0 && cover == 0; }
};
/// Of the same size and format (8 bits grey, or RGB).
QImage distorted(const QImage& image, const Distortion& how);

}  // namespace nw::ui
