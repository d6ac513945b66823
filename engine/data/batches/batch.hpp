// SPDX-License-Identifier: Apache-2.0
// From samples to the batches that a network takes.
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "engine/data/batches/input_times.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/transforms/mixing.hpp"
#include "engine/design/transform.hpp"
#include "kernels/api.hpp"

namespace nw {

/// Per channel, over the training split, of pixels scaled to 0…1.
struct Normalization {
  std::vector<float> mean, deviation;
};
Result<Normalization> measure_normalization(const Dataset&, std::span<const std::int64_t> indices);

/// What changes training images: crop and flip first, then the transforms in their order.
struct Augmentation {
  bool random_crop = false;
  std::int64_t crop_padding = 4;
  bool horizontal_flip = false;
  std::vector<Transform> transforms = {};
};

/// Fills batches: pixels → augment → /255 → normalise, f32 (N,H,W,C) in memory, i.e. the border layout of (N,C,H,W).
class BatchMaker {
 public:
  BatchMaker(std::shared_ptr<const Dataset>, std::vector<std::int64_t> indices, const Normalization&, Augmentation,
             std::uint64_t seed);
  std::int64_t size() const;  // samples per epoch
  /// Data-set indices of positions [begin, end) of `epoch`: shuffled by (seed, epoch) when `shuffle`.
  void order(std::int64_t epoch, bool shuffle, std::vector<std::int64_t>& out) const;
  /// Writes `samples.size()` images; augmentation only when `augment`. `times`: where what it costs is added.
  Status fill(std::span<const std::int64_t> samples, std::int64_t epoch, bool augment, std::span<float> nhwc,
              InputTimes* times = nullptr) const;
  std::int64_t label(std::int64_t sample) const;
  /// See Dataset::targets().
  std::span<const float> targets(std::int64_t sample) const { return data_->targets(sample); }
  /// Mean over what is learned of its variance among these samples; 0 where classes are.
  double target_variance() const;
  /// How the samples of training batch `index` of `epoch` are mixed with each other.
  Mix mix(std::int64_t epoch, std::int64_t index) const;
  void mix_images(const Mix&, std::span<float> own, std::span<const float> other) const;
  /// What a device needs to make the same images itself; none where the pixels do not lie in memory, where transforms
  /// make every image anew, or where more than a class is learned: then batches are made here and copied, the same for
  /// every device.
  std::optional<SampleSet> samples() const;

 private:
  bool moves() const { return augmentation_.random_crop || augmentation_.horizontal_flip; }
  /// The sample as it is seen in this epoch: shifted, mirrored, transformed. In `place`.
  const std::uint8_t* changed(const std::uint8_t* from, std::int64_t sample, std::int64_t epoch,
                              TransformImage& place) const;
  void move(const std::uint8_t* from, std::int64_t sample, std::int64_t epoch, std::uint8_t* to) const;

  std::shared_ptr<const Dataset> data_;
  std::vector<std::int64_t> indices_;
  std::vector<std::array<float, 256>> table_;  // pixel value to normalised number, per channel
  Augmentation augmentation_;
  std::uint64_t seed_ = 0;
};

}  // namespace nw
