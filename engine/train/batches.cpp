// SPDX-License-Identifier: Apache-2.0
#include "engine/train/batches.hpp"

#include <algorithm>

namespace nw {

std::int64_t batches_per_epoch(const BatchSource& s) { return (s.maker->size() + s.batch - 1) / s.batch; }

Status Batch::make(std::int64_t first, std::int64_t count, std::span<float> nhwc) const {
  const std::int64_t there = std::clamp<std::int64_t>(valid - first, 0, count), used = there * source->image_elements;
  std::fill(nhwc.begin() + static_cast<std::ptrdiff_t>(used), nhwc.end(), 0.0F);
  if (there == 0) return {};
  const auto mine = std::span(samples).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(there));
  return source->maker->fill(mine, epoch, source->augment, nhwc.first(static_cast<std::size_t>(used)), source->times);
}

Batches::Batches(BatchSource source, std::int64_t epoch, std::int64_t index, std::int64_t end_epoch)
    : source_(source), epoch_(epoch), index_(index), end_epoch_(end_epoch) {
  batch_.source = &source_;
  batch_.labels.resize(static_cast<std::size_t>(source.capacity));
  batch_.targets.resize(static_cast<std::size_t>(source.capacity * source.target_width));
  batch_.samples.resize(static_cast<std::size_t>(source.capacity));
}

const Batch* Batches::next() {
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
    set_target(i, there ? source_.maker->label(batch_.samples[i]) : 0);
  }
}

void Batches::set_target(std::size_t i, std::int64_t label) {
  batch_.labels[i] = label;
  const auto width = static_cast<std::size_t>(source_.target_width);
  if (width == 1) batch_.targets[i] = static_cast<float>(label);
  for (std::size_t k = 0; width > 1 && k < width; ++k) batch_.targets[i * width + k] = static_cast<std::int64_t>(k) == label ? 1.0F : 0.0F;
}

}  // namespace nw
