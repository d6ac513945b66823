// SPDX-License-Identifier: GPL-3.0-or-later
// What may happen to an image before a network sees it: turned, noisy, partly covered. The same numbers give the same
// image.
#pragma once
#include <QImage>

namespace nw::ui {

struct Distortion {
  int turn = 0;   // degrees, clockwise
  int noise = 0;  // percent: deviation of what is added to every pixel, of the whole range
  int cover = 0;  // percent of the image's area under a grey square in the middle
  bool none() const { return turn == 0 && noise == 0 && cover == 0; }
};
/// Of the same size and format (8 bits grey, or RGB).
QImage distorted(const QImage& image, const Distortion& how);

}  // namespace nw::ui
