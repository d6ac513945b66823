// SPDX-License-Identifier: Apache-2.0
// Converts samples of a data set to batches of a network.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/core/explained_variance.hpp"
#include "engine/data/batches/input_times.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/transforms/mixing.hpp"
#include "engine/design/transform.hpp"
#include "kernels/api.hpp"

namespace nw {

/// Mean and standard deviation of each channel over the training split, for pixels scaled to 0…1.
struct Normalization {
  std::vector<float> mean, deviation;
};
Result<Normalization> measure_normalization(const Dataset&, std::span<const std::int64_t> indices);
/// What the choice says: none, its own numbers if they are for as many channels as the images have, or else measured.
Result<Normalization> normalization_of(const DataChoice&, const Dataset&, std::span<const std::int64_t> indices);
/// The scale of each of `channels` channels. A channel that the normalization lacks has mean 0 and standard deviation
/// 1.
std::vector<PixelScale> pixel_scales(const Normalization&, std::int64_t channels);

/// The augmentation of training images: crop and flip first, then the transforms in list order.
struct Augmentation {
  bool random_crop = false;
  std::int64_t crop_padding = 4;
  bool horizontal_flip = false;
  std::vector<Transform> transforms = {};
  double strength = 1;  // probability with which an image is changed by the transforms, or a batch is mixed
};

/// Fills batches: pixels → augmentation → /255 → normalization, f32 (N,H,W,C) in memory, i.e. the host layout of
/// (N,C,H,W).
class BatchBuilder {
 public:
  BatchBuilder(std::shared_ptr<const Dataset>, std::vector<std::int64_t> indices, const Normalization&, Augmentation,
               std::uint64_t seed);
  std::int64_t size() const;  // samples per epoch
  /// Data-set indices of positions [begin, end) of `epoch`; if `shuffle`, in a random order determined by (seed,
  /// epoch).
  void order(std::int64_t epoch, bool shuffle, std::vector<std::int64_t>& out) const;
  /// Writes `samples.size()` images; they are augmented only if `augment`. The time spent is added
  /// to `times`.
  Status fill(std::span<const std::int64_t> samples, std::int64_t epoch, bool augment, std::span<float> nhwc,
              InputTimes* times = nullptr) const;
  /// The pixels of a sample as used in `epoch`: cropped, mirrored and transformed, neither normalized nor mixed.
  Result<Image> augmented(std::int64_t sample, std::int64_t epoch) const;
  /// The same batches for a network that expects another normalization.
  BatchBuilder normalized_by(const Normalization&) const;
  /// Another Augmentation::strength, between two batches.
  void set_strength(double strength) { augmentation_.strength = strength; }
  /// Whether training images are augmented, individually or by mixing the samples of a batch.
  bool augments() const { return moves() || !augmentation_.transforms.empty(); }
  /// Number of elements of one image (H*W*C).
  std::int64_t image_elements() const { return data_->bytes(); }
  /// The scale of each channel that fill() applies to the pixels.
  std::span<const PixelScale> scales() const { return scales_; }
  /// The pixels (H,W,C) of a sample if they are in memory and fill() only scales them; else null.
  const std::uint8_t* bytes_in_memory(std::int64_t sample, bool augment) const;
  std::int64_t label(std::int64_t sample) const;
  /// See Dataset::targets().
  std::span<const float> targets(std::int64_t sample) const { return data_->targets(sample); }
  /// Mean and spread of each numeric target over these samples; empty for classes.
  std::vector<Moments> target_moments() const;
  /// How the samples of training batch `index` of `epoch` are mixed.
  Mix mix(std::int64_t epoch, std::int64_t index) const;
  /// The same for image `k` of a preview, clearly visible.
  Mix mix_of_preview(std::int64_t k) const;
  void mix_images(const Mix&, std::span<float> own, std::span<const float> other) const;
  /// The data from which a device can prepare the same images itself. Nullopt if the pixels are not in memory, if
  /// transforms are applied, or if the targets are not single classes; then the host prepares the batches and copies
  /// them to the device.
  std::optional<SampleSet> samples() const;

 private:
  bool moves() const { return augmentation_.random_crop || augmentation_.horizontal_flip; }
  /// The pixels of the sample, augmented for this epoch: shifted, mirrored, transformed. Stored in `place`.
  const std::uint8_t* changed(const std::uint8_t* from, std::int64_t sample, std::int64_t epoch,
                              TransformImage& place) const;
  /// Whether the transforms change this sample, or mix this batch, in `epoch`.
  bool is_drawn(std::int64_t epoch, std::int64_t of) const;
  void move(const std::uint8_t* from, std::int64_t sample, std::int64_t epoch, std::uint8_t* to) const;

  std::shared_ptr<const Dataset> data_;
  std::vector<std::int64_t> indices_;
  std::vector<PixelScale> scales_;
  std::vector<float> table_;  // (channels, 256): pixel value to normalised number
  Augmentation augmentation_;
  std::uint64_t seed_ = 0;
};

}  // namespace nw
