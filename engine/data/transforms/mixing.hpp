// SPDX-License-Identifier: Apache-2.0
// Mixing the samples of a training batch: mixup (Zhang et al., arXiv 1710.09412) and CutMix (Yun et al., arXiv
// 1905.04899). Each sample and its targets are mixed with those of the sample before it in the batch, the first with
// the last.
#pragma once
#include <cstdint>
#include <span>

#include "engine/design/transform.hpp"

namespace nw {

/// How all samples of one batch are mixed: x = own * x + (1 - own) * other, or a rectangle of x is replaced by the same
/// rectangle of the other sample.
struct Mix {
  enum class Kind : std::uint8_t { none, mixup, cutmix };
  Kind kind = Kind::none;
  float own = 1;  // weight of a sample's own target
  // cutmix: rows [top, bottom) and columns [left, right) come from the other sample
  std::int64_t top = 0, left = 0, bottom = 0, right = 0;
};

/// Whether a row of the list mixes samples.
bool mixes(const Transform&);
bool mixes(std::span<const Transform>);

/// Each row of the list is drawn in order with the Philox key (seed, RandomOp::transform + row, epoch, batch index);
/// the first one that is drawn is applied. lambda is drawn from Beta(alpha, alpha).
Mix mix_of_batch(std::span<const Transform>, std::uint64_t seed, std::int64_t epoch, std::int64_t batch,
                 std::int64_t height, std::int64_t width);

/// The same for image `k` of a preview, but clearly visible: between 0.35 and 0.65 of each image, or a whole rectangle
/// of 0.25 to 0.5 of the area. Where nothing is drawn for the first image, the first row that can mix is used, so that
/// a preview of a rare mix shows one.
Mix mix_of_preview(std::span<const Transform>, std::uint64_t seed, std::int64_t k, std::int64_t height,
                   std::int64_t width);

/// Mixes `other` into `own`; pixels (H, W, C).
void mix_images(const Mix&, std::span<float> own, std::span<const float> other, std::int64_t width,
                std::int64_t channels);
/// Mixes `other` into `own`; rows of targets.
void mix_targets(const Mix&, std::span<float> own, std::span<const float> other);

}  // namespace nw
