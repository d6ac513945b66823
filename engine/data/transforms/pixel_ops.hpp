// SPDX-License-Identifier: Apache-2.0
// The deterministic pixel functions of the transforms. They follow
// torchvision.transforms.v2.functional on uint8 tensors (tests/reference/transforms.json holds its numbers); hue,
// saturation and grey leave images alone that have not three channels.
#pragma once
#include "engine/design/transform.hpp"

namespace nw {

/// Angles in degrees (positive: counter-clockwise for the rotation's inverse map, as in torchvision.affine), shift in
/// pixels.
struct Affine {
  double angle = 0, shift_x = 0, shift_y = 0, scale = 1, shear_x = 0, shear_y = 0;
};
/// Bilinear, about the centre, black where nothing was.
void affine(TransformImage&, const Affine&);
void flip_vertical(TransformImage&);

void adjust_brightness(TransformImage&, double factor);
/// Towards the mean of the grey image.
void adjust_contrast(TransformImage&, double factor);
/// Towards grey.
void adjust_saturation(TransformImage&, double factor);
/// Turns the hue by `turn` of a circle, -0.5 … 0.5.
void adjust_hue(TransformImage&, double turn);
/// Towards a 3x3 blur with the centre weighing 5; the edge stays.
void adjust_sharpness(TransformImage&, double factor);
void to_grayscale(TransformImage&);
/// Keeps the upper bits, 0 … 8.
void posterize(TransformImage&, int bits);
/// Inverts pixels at or above the threshold.
void solarize(TransformImage&, double threshold);
/// Stretches each channel to 0 … 255.
void autocontrast(TransformImage&);
/// Equalizes the histogram of each channel.
void equalize(TransformImage&);
/// Separable, kernel of `size` (odd), edges mirrored without repeating the edge.
void gaussian_blur(TransformImage&, int size, double sigma);
/// Black rectangle, cut to the image.
void erase(TransformImage&, std::int64_t top, std::int64_t left, std::int64_t height, std::int64_t width);

}  // namespace nw
