// SPDX-License-Identifier: Apache-2.0
// Sources of an executable's images: samples of a data set, pixels of the caller, or numbers computed before. Each
// offers several forms of its images; the executable uses the form that suits its device.
#pragma once
#include <span>
#include <vector>

#include "engine/data/batches/batches.hpp"
#include "kernels/api.hpp"

namespace nw {

/// One device's shard of a batch: images, labels and targets. The batch must outlive it.
class BatchInputs final : public StepInputs {
 public:
  BatchInputs() = default;
  /// The whole batch.
  explicit BatchInputs(const BatchSamples& batch) : BatchInputs(batch, 0, std::ssize(batch.samples), nullptr) {}
  /// Samples [first, first + count) of the batch. `kept`: the data set stored on that device; null: none.
  BatchInputs(const BatchSamples& batch, std::int64_t first, std::int64_t count, const DeviceSamples* kept);
  Status images(std::int64_t first, std::int64_t count, std::span<float> nhwc) const override;
  const std::uint8_t* bytes(std::int64_t i) const override;
  std::span<const PixelScale> scales() const override { return batch_->maker->scales(); }
  std::span<const std::int64_t> labels() const override { return labels_; }
  std::span<const float> targets() const override { return targets_; }
  const DeviceSamples* kept() const override { return kept_; }

 private:
  Status mix_with_others(std::int64_t first, std::span<float> nhwc) const;

  const BatchSamples* batch_ = nullptr;
  std::int64_t first_ = 0;
  std::span<const std::int64_t> labels_;
  std::span<const float> targets_;
  const DeviceSamples* kept_ = nullptr;
};

/// Images as u8 pixels (H,W,C), consecutive in memory, which must outlive this object.
class PixelInputs final : public StepInputs {
 public:
  /// `image_bytes`: bytes of one image; `scales`: one scale for each channel.
  PixelInputs(std::span<const std::uint8_t> pixels, std::int64_t image_bytes, std::span<const PixelScale> scales)
      : pixels_(pixels), image_bytes_(image_bytes), scales_(scales) {}
  Status images(std::int64_t first, std::int64_t count, std::span<float> nhwc) const override;
  const std::uint8_t* bytes(std::int64_t i) const override { return pixels_.data() + i * image_bytes_; }
  std::span<const PixelScale> scales() const override { return scales_; }

 private:
  std::span<const std::uint8_t> pixels_;
  std::int64_t image_bytes_;
  std::span<const PixelScale> scales_;
};

/// Images as normalized numbers in host layout, consecutive in memory, which must outlive this object.
class NumberInputs final : public StepInputs {
 public:
  NumberInputs(std::span<const float> nhwc, std::int64_t image_elements)
      : nhwc_(nhwc), image_elements_(image_elements) {}
  Status images(std::int64_t first, std::int64_t count, std::span<float> nhwc) const override;

 private:
  std::span<const float> nhwc_;
  std::int64_t image_elements_;
};

}  // namespace nw
