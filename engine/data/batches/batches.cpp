// SPDX-License-Identifier: Apache-2.0
#include "engine/data/batches/batches.hpp"

#include <algorithm>

namespace nw {

std::int64_t batches_per_epoch(const BatchSource& s) {
  const std::int64_t full = s.maker->size() / s.batch, rest = s.maker->size() % s.batch;
  const bool single = s.statistics_over > 0 && rest % s.statistics_over == 1;
  return full + (rest > 0 && (full == 0 || !single) ? 1 : 0);
}

BatchSamples samples_of(const BatchBuilder& maker, std::span<const std::int64_t> samples) {
  BatchSamples b;
  b.samples.assign(samples.begin(), samples.end());
  b.valid = std::ssize(samples);
  b.maker = &maker;
  return b;
}

Batches::Batches(BatchSource source, std::int64_t epoch, std::int64_t index, std::int64_t end_epoch)
    : source_(source), epoch_(epoch), index_(index), end_epoch_(end_epoch) {
  batch_.maker = source.maker;
  batch_.augment = source.augment;
  batch_.times = source.times;
  batch_.labels.resize(static_cast<std::size_t>(source.capacity));
  batch_.targets.resize(static_cast<std::size_t>(source.capacity * source.target_width));
  batch_.samples.resize(static_cast<std::size_t>(source.capacity));
}

const BatchSamples* Batches::next() {
  if (index_ >= batches_per_epoch(source_)) {
    ++epoch_;
    index_ = 0;
    order_.clear();
  }
  if (epoch_ >= end_epoch_ || source_.maker->size() == 0) return nullptr;
  if (order_.empty()) source_.maker->order(epoch_, source_.shuffle, order_);
  describe(index_++);
  return &batch_;
}

void Batches::describe(std::int64_t index) {
  const std::int64_t begin = index * source_.batch;
  batch_.valid = std::min(source_.batch, static_cast<std::int64_t>(order_.size()) - begin);
  batch_.epoch = epoch_;
  batch_.index = index;
  for (std::size_t i = 0; i < batch_.samples.size(); ++i) {
    const bool there = static_cast<std::int64_t>(i) < batch_.valid;
    batch_.samples[i] = there ? order_[static_cast<std::size_t>(begin) + i] : 0;
    set_target(i, batch_.samples[i], there);
  }
  batch_.mix = source_.augment ? source_.maker->mix(epoch_, index) : Mix();
  mix_all_targets();
}

// Mixes targets in the same way as BatchInputs mixes images.
void Batches::mix_all_targets() {
  const auto width = static_cast<std::size_t>(source_.target_width), count = static_cast<std::size_t>(batch_.valid);
  if (!batch_.mixes() || width == 0) return;
  const auto row = [&](std::size_t i) { return std::span(batch_.targets).subspan(i * width, width); };
  last_.assign(row(count - 1).begin(), row(count - 1).end());
  for (std::size_t i = count - 1; i > 0; --i) mix_targets(batch_.mix, row(i), row(i - 1));
  mix_targets(batch_.mix, row(0), last_);
}

void Batches::set_target(std::size_t i, std::int64_t sample, bool there) {
  const std::int64_t label = there ? source_.maker->label(sample) : 0;
  batch_.labels[i] = label;
  const auto width = static_cast<std::size_t>(source_.target_width);
  if (const std::span<const float> own = source_.maker->targets(sample); own.size() == width && width > 0) {
    for (std::size_t k = 0; k < width; ++k) batch_.targets[i * width + k] = there ? own[k] : 0.0F;
    return;
  }
  if (width == 1) batch_.targets[i] = static_cast<float>(label);
  for (std::size_t k = 0; width > 1 && k < width; ++k)
    batch_.targets[i * width + k] = there && static_cast<std::int64_t>(k) == label ? 1.0F : 0.0F;
}

}  // namespace nw
