// SPDX-License-Identifier: Apache-2.0
#include "engine/data/batches/inputs.hpp"

#include <algorithm>
#include <new>

namespace nw {
namespace {

/// A part of `all`; empty if `all` is empty, because labels and targets may be absent.
template <class T>
std::span<const T> part(const std::vector<T>& all, std::int64_t first, std::int64_t count) {
  if (all.empty()) return {};
  return std::span(all).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

/// The existing ones of the elements [first, first + count).
template <class T>
std::span<const T> slice(std::span<const T> all, std::int64_t first, std::int64_t count) {
  const auto begin = std::min(static_cast<std::size_t>(first), all.size());
  return all.subspan(begin, std::min(static_cast<std::size_t>(count), all.size() - begin));
}

/// Said by the threads of a step, which nothing may leave; where there is no memory for a sentence either, in short.
Error no_memory() noexcept try {
  return fail(Errc::out_of_memory, NW_TR("there is not enough memory"));
} catch (const std::bad_alloc&) { return {Errc::out_of_memory, {"out of memory", {}}}; }

}  // namespace

BatchInputs::BatchInputs(const BatchSamples& batch, std::int64_t first, std::int64_t count, const DeviceSamples* kept)
    : batch_(&batch), first_(first), labels_(part(batch.labels, first, count)), kept_(kept) {
  const std::int64_t width = batch.labels.empty() ? 0 : std::ssize(batch.targets) / std::ssize(batch.labels);
  targets_ = part(batch.targets, first * width, count * width);
}

const std::uint8_t* BatchInputs::bytes(std::int64_t i) const {
  if (batch_->mixes()) return nullptr;
  return batch_->maker->bytes_in_memory(batch_->samples[static_cast<std::size_t>(first_ + i)], batch_->augment);
}

Status BatchInputs::images(std::int64_t first, std::int64_t count, std::span<float> nhwc) const try {
  const BatchSamples& b = *batch_;
  const std::int64_t valid = std::clamp<std::int64_t>(b.valid - first_ - first, 0, count);
  const auto used = static_cast<std::size_t>(valid * b.maker->image_elements());
  std::fill(nhwc.begin() + static_cast<std::ptrdiff_t>(used), nhwc.end(), 0.0F);
  if (valid == 0) return {};
  const auto samples = part(b.samples, first_ + first, valid);
  NW_TRY(b.maker->fill(samples, b.epoch, b.augment, nhwc.first(used), b.times));
  return b.mixes() ? mix_with_others(first_ + first, nhwc.first(used)) : Status();
} catch (const std::bad_alloc&) { return no_memory(); }

// From the last image to the first, so that each is mixed with the unmixed image before it. Only the image before the
// first is built a second time.
Status BatchInputs::mix_with_others(std::int64_t first, std::span<float> nhwc) const {
  const BatchSamples& b = *batch_;
  const auto each = static_cast<std::size_t>(b.maker->image_elements());
  std::vector<float> before(each);
  const std::int64_t sample = b.samples[static_cast<std::size_t>((first + b.valid - 1) % b.valid)];
  NW_TRY(b.maker->fill(std::span(&sample, 1), b.epoch, b.augment, before, b.times));
  for (std::size_t i = nhwc.size() / each; i > 1; --i)
    b.maker->mix_images(b.mix, nhwc.subspan((i - 1) * each, each), nhwc.subspan((i - 2) * each, each));
  b.maker->mix_images(b.mix, nhwc.first(each), before);
  return {};
}

Status PixelInputs::images(std::int64_t first, std::int64_t count, std::span<float> nhwc) const {
  const auto used = slice(pixels_, first * image_bytes_, count * image_bytes_);
  for (std::size_t i = 0; i < used.size(); ++i) nhwc[i] = math::scaled_pixel(used[i], scales_[i % scales_.size()]);
  std::fill(nhwc.begin() + std::ssize(used), nhwc.end(), 0.0F);
  return {};
}

Status NumberInputs::images(std::int64_t first, std::int64_t count, std::span<float> nhwc) const {
  const auto used = slice(nhwc_, first * image_elements_, count * image_elements_);
  const auto end = std::copy(used.begin(), used.end(), nhwc.begin());
  std::fill(end, nhwc.end(), 0.0F);
  return {};
}

}  // namespace nw
