// SPDX-License-Identifier: Apache-2.0
// The deterministic pixel functions of the transforms. They follow
// torchvision.transforms.v2.functional on uint8 tensors (tests/reference/transforms.json holds its numbers); hue,
// saturation and grey do not change images without three channels.
#pragma once
#include "engine/design/transform.hpp"

namespace nw {

/// Angles in degrees (positive: counter-clockwise for the rotation's inverse map, as in torchvision.affine), shift in
/// pixels.
struct Affine {
  double angle = 0, shift_x = 0, shift_y = 0, scale = 1, shear_x = 0, shear_y = 0;
};
/// Affine map about the centre, bilinear interpolation; pixels from outside the image are black.
void affine(TransformImage&, const Affine&);
void flip_vertical(TransformImage&);

void adjust_brightness(TransformImage&, double factor);
/// Interpolates between the mean of the grey image (factor 0) and the image (1); above 1: extrapolates.
void adjust_contrast(TransformImage&, double factor);
/// Interpolates between the grey image (factor 0) and the image (1); above 1: extrapolates.
void adjust_saturation(TransformImage&, double factor);
/// Rotates the hue by the fraction `turn` of a full circle, -0.5 … 0.5.
void adjust_hue(TransformImage&, double turn);
/// Interpolates between a 3x3 blur with centre weight 5 (factor 0) and the image (1); edge pixels do not change.
void adjust_sharpness(TransformImage&, double factor);
void to_grayscale(TransformImage&);
/// Keeps the upper `bits` of each pixel, 0 … 8.
void posterize(TransformImage&, int bits);
/// Inverts pixels at or above the threshold.
void solarize(TransformImage&, double threshold);
/// Stretches each channel to 0 … 255.
void autocontrast(TransformImage&);
/// Equalizes the histogram of each channel.
void equalize(TransformImage&);
/// Separable Gaussian filter with `size` taps (an uneven number); edges are mirrored without repeating the edge pixel.
void gaussian_blur(TransformImage&, int size, double sigma);
/// Fills a rectangle with black; the part outside the image is ignored.
void erase(TransformImage&, std::int64_t top, std::int64_t left, std::int64_t height, std::int64_t width);

}  // namespace nw
