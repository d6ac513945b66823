// SPDX-License-Identifier: Apache-2.0
#include "engine/train/batches.hpp"

#include <algorithm>

namespace nw {
namespace {

/// Small batches are made further ahead, so that the loader wakes seldom; 3 is the least (one in use, one ready, one being made).
std::size_t ring_size(const BatchSource& s) {
  const std::int64_t bytes = std::max<std::int64_t>(1, s.capacity * s.image_elements * 4);
  return static_cast<std::size_t>(std::clamp<std::int64_t>((std::int64_t{16} << 20) / bytes, 3, 9));
}

Batch empty_batch(const BatchSource& s) {
  Batch b;
  b.images.resize(static_cast<std::size_t>(s.capacity * s.image_elements));
  b.labels.resize(static_cast<std::size_t>(s.capacity));
  b.targets.resize(static_cast<std::size_t>(s.capacity * s.target_width));
  b.samples.resize(static_cast<std::size_t>(s.capacity));
  return b;
}

void set_target(const BatchSource& s, Batch& out, std::size_t i, std::int64_t label) {
  out.labels[i] = label;
  const auto width = static_cast<std::size_t>(s.target_width);
  if (width == 1) out.targets[i] = static_cast<float>(label);
  for (std::size_t k = 0; width > 1 && k < width; ++k) out.targets[i * width + k] = static_cast<std::int64_t>(k) == label ? 1.0F : 0.0F;
}

}  // namespace

std::int64_t batches_per_epoch(const BatchSource& s) { return (s.maker->size() + s.batch - 1) / s.batch; }

Status make_batch(const BatchSource& s, std::span<const std::int64_t> order, std::int64_t epoch, std::int64_t index, Batch& out) {
  if (out.labels.empty()) out = empty_batch(s);
  const std::int64_t begin = index * s.batch;
  out.valid = std::min(s.batch, static_cast<std::int64_t>(order.size()) - begin);
  out.epoch = epoch;
  out.index = index;
  const auto valid = static_cast<std::size_t>(out.valid);
  const auto mine = order.subspan(static_cast<std::size_t>(begin), valid);
  std::copy(mine.begin(), mine.end(), out.samples.begin());
  const std::size_t used = valid * static_cast<std::size_t>(s.image_elements);
  NW_TRY(s.maker->fill(mine, epoch, s.augment, std::span(out.images).first(used)));
  for (std::size_t i = 0; i < valid; ++i) set_target(s, out, i, s.maker->label(mine[i]));
  if (valid < out.labels.size()) {
    std::fill(out.images.begin() + static_cast<std::ptrdiff_t>(used), out.images.end(), 0.0F);
    for (std::size_t i = valid; i < out.labels.size(); ++i) {
      set_target(s, out, i, 0);
      out.samples[i] = 0;
    }
  }
  return {};
}

BatchLoader::BatchLoader(BatchSource source, std::int64_t epoch, std::int64_t index, std::int64_t end_epoch)
    : source_(source), ring_(ring_size(source)), thread_([=, this] { work(epoch, index, end_epoch); }) {}

BatchLoader::~BatchLoader() {
  {
    const std::lock_guard lock(mutex_);
    leaving_ = true;
  }
  changed_.notify_all();
}

void BatchLoader::work(std::int64_t epoch, std::int64_t index, std::int64_t end_epoch) {
  std::vector<std::int64_t> order;
  const std::int64_t count = batches_per_epoch(source_);
  for (; epoch < end_epoch; ++epoch, index = 0) {
    if (index < count) source_.maker->order(epoch, source_.shuffle, order);
    for (; index < count; ++index) {
      const auto place = wait_for_room();
      if (!place) return;
      const Status made = make_batch(source_, order, epoch, index, ring_[*place]);
      hand_over(made);
      if (!made) return;
    }
  }
  const std::lock_guard lock(mutex_);
  ended_ = true;
  changed_.notify_all();
}

// The loader sleeps until half the ring is free, so that a fast network does not wake it for every single batch.
std::optional<std::size_t> BatchLoader::wait_for_room() {
  std::unique_lock lock(mutex_);
  const std::size_t room = ring_.size() - 1;   // one batch is in its user's hands
  const auto ahead = [&] { return made_ - taken_; };
  if (ahead() >= room) changed_.wait(lock, [&] { return leaving_ || ahead() <= room / 2; });
  return leaving_ ? std::nullopt : std::optional(made_ % ring_.size());
}

void BatchLoader::hand_over(Status made) {
  const std::lock_guard lock(mutex_);
  if (made) ++made_;
  else error_ = made.error();
  if (!made || made_ - taken_ == 1) changed_.notify_all();
}

Result<const Batch*> BatchLoader::next() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return made_ > taken_ || ended_ || error_; });
  if (made_ > taken_) {
    const Batch* batch = &ring_[taken_ % ring_.size()];
    ++taken_;
    if (made_ - taken_ <= (ring_.size() - 1) / 2) changed_.notify_all();
    return batch;
  }
  if (error_) return *error_;
  return static_cast<const Batch*>(nullptr);
}

}  // namespace nw
