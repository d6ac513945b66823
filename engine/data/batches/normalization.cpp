// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>
#include <utility>

#include "engine/data/batches/batch.hpp"

namespace nw {
namespace {

/// Sums of each pixel and its square over images. Channels are summed independently, so many pixels are added at once.
class PixelSums {
 public:
  explicit PixelSums(std::size_t pixels) : few_(pixels), few_squares_(pixels), sum_(pixels), squares_(pixels) {}
  void add(std::span<const std::uint8_t> pixels) {
    std::uint32_t* const sum = few_.data();
    std::uint32_t* const squares = few_squares_.data();
    for (std::size_t i = 0; i < pixels.size(); ++i) {
      const std::uint32_t v = pixels[i];
      sum[i] += v;
      squares[i] += v * v;
    }
    if (++images_ == max_images) flush();
  }
  void flush() {
    for (std::size_t i = 0; i < sum_.size(); ++i) {
      sum_[i] += std::exchange(few_[i], 0);
      squares_[i] += std::exchange(few_squares_[i], 0);
    }
    images_ = 0;
  }
  std::uint64_t sum(std::size_t channel, std::size_t channels) const { return of(sum_, channel, channels); }
  std::uint64_t squares(std::size_t channel, std::size_t channels) const { return of(squares_, channel, channels); }

 private:
  static constexpr std::uint32_t max_images = std::numeric_limits<std::uint32_t>::max() / (255 * 255);
  static std::uint64_t of(const std::vector<std::uint64_t>& all, std::size_t channel, std::size_t channels) {
    std::uint64_t total = 0;
    for (std::size_t i = channel; i < all.size(); i += channels) total += all[i];
    return total;
  }
  std::vector<std::uint32_t> few_, few_squares_;
  std::vector<std::uint64_t> sum_, squares_;
  std::uint32_t images_ = 0;
};

}  // namespace

std::vector<PixelScale> pixel_scales(const Normalization& n, std::int64_t channels) {
  std::vector<PixelScale> scales(static_cast<std::size_t>(channels));
  for (std::size_t c = 0; c < scales.size(); ++c) {
    if (c < n.mean.size()) scales[c].mean = n.mean[c];
    if (c < n.deviation.size()) scales[c].deviation = n.deviation[c];
  }
  return scales;
}

Result<Normalization> measure_normalization(const Dataset& data, std::span<const std::int64_t> indices) {
  const auto channels = static_cast<std::size_t>(data.channels());
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(data.bytes()));
  PixelSums sums(pixels.size());
  for (const std::int64_t i : indices) {
    NW_TRY(data.pixels(i, pixels));
    sums.add(pixels);
  }
  sums.flush();
  Normalization n;
  const double count = static_cast<double>(indices.size()) * static_cast<double>(pixels.size() / channels);
  for (std::size_t c = 0; c < channels; ++c) {
    const double mean = count > 0 ? static_cast<double>(sums.sum(c, channels)) / count : 0;
    const double variance = count > 0 ? static_cast<double>(sums.squares(c, channels)) / count - mean * mean : 0;
    n.mean.push_back(static_cast<float>(mean / 255));
    // A constant channel has no information; dividing by its standard deviation would divide by zero.
    n.deviation.push_back(variance > 1e-6 ? static_cast<float>(std::sqrt(variance) / 255) : 1.0f);
  }
  return n;
}

Result<Normalization> normalization_of(const DataChoice& choice, const Dataset& data,
                                       std::span<const std::int64_t> indices) {
  const auto channels = static_cast<std::size_t>(data.channels());
  if (!choice.normalize) return Normalization{std::vector<float>(channels, 0.0F), std::vector<float>(channels, 1.0F)};
  if (choice.mean.size() == channels && choice.deviation.size() == channels)
    return Normalization{choice.mean, choice.deviation};
  return measure_normalization(data, indices);
}

}  // namespace nw
