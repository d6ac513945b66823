// SPDX-License-Identifier: Apache-2.0
// The begin and end of a step on the device, and the loading of its samples from a data set stored there.
#pragma once
#include <math.h>

#include "kernels/cuda/elements/common.hpp"

namespace nw::cuda {

/// Index: a sample of the batch. Index 0 also sets the properties of the step, which has failed if an earlier step of
/// its burst failed.
struct BeginStep {
  StepBlock* block;
  const Burst* burst;
  const i64* order;  // (steps, batch)
  i64* sample;
  i64 batch;
  NW_HOST_DEVICE void operator()(i64 n) const {
    sample[n] = order[burst->next * batch + n];
    if (n != 0) return;
    const StepLine& line = burst->lines[burst->next];
    const i64 finite = burst->next == 0 || block->finite;
    *block = StepBlock{};
    block->step = line.step;
    block->epoch = line.epoch;
    block->seed = line.seed;
    block->valid = line.valid;
    block->global_valid = line.global_valid;
    block->loss_divisor = line.loss_divisor;
    block->learning_rate = line.learning_rate;
    block->finite = finite;
  }
};

/// Index 0: records the step's results and advances to the next line. Without an update nothing before has found out
/// that the loss is not finite.
struct EndStep {
  StepBlock* block;
  Burst* burst;
  StepRecord* ring;
  NW_HOST_DEVICE void operator()(i64) const {
    StepBlock& b = *block;
    if (!isfinite(b.loss_sum)) b.finite = 0;
    StepRecord& r = ring[burst->next];
    r.loss_sum = b.loss_sum;
    r.penalty = b.penalty;
    r.grad_norm = b.grad_norm;
    r.correct = b.correct;
    r.samples = b.samples;
    r.finite = b.finite;
    r.skipped = b.skipped;
    r.loss_scale = b.loss_scale;
    r.good_steps = b.good_steps;
    publish(&r.step, b.step + 1);
    ++burst->next;
  }
};

/// Uniform in [0, n), without bias: the first draw of the stream of this key (Lemire, 2019), equal to that of
/// engine/core/rng.hpp.
NW_HOST_DEVICE inline std::uint32_t draw_below(const RandomKey& key, std::uint32_t n) {
  PhiloxBlock words = philox_block(key, 0);
  std::uint64_t m = std::uint64_t{words.v[0]} * n;
  const std::uint32_t threshold = (0u - n) % n;
  for (std::uint32_t i = 1; static_cast<std::uint32_t>(m) < threshold; ++i) {
    if (i % 4 == 0) words = philox_block(key, i / 4);
    m = std::uint64_t{words.v[i % 4]} * n;
  }
  return static_cast<std::uint32_t>(m >> 32);
}

/// Index: an element of the batch's images (N,H,W,C). Shifts, mirrors and scales the pixels; zeros after the valid
/// samples.
struct GatherImages {
  float* images;
  const Burst* burst;
  const StepBlock* block;
  const i64* sample;
  NW_HOST_DEVICE void operator()(i64 e) const {
    const SampleSource& s = burst->source;
    const i64 c = e % s.channels, pixel = e / s.channels, x = pixel % s.width, y = pixel / s.width % s.height,
              n = pixel / (s.width * s.height);
    images[e] = n < block->valid ? s.table[c * 256 + value(s, sample[n], y, x, c)] : 0.0f;
  }

 private:
  NW_HOST_DEVICE std::uint8_t value(const SampleSource& s, i64 index, i64 y, i64 x, i64 c) const {
    RandomKey key{block->seed, s.crop_op, static_cast<std::uint32_t>(block->epoch), static_cast<std::uint64_t>(index)};
    i64 dy = 0, dx = 0;
    if (s.crop_padding > 0) {
      const auto places = static_cast<std::uint32_t>(2 * s.crop_padding + 1);
      const std::uint32_t place = draw_below(key, places * places);
      dy = static_cast<i64>(place / places) - s.crop_padding;
      dx = static_cast<i64>(place % places) - s.crop_padding;
    }
    key.op = s.flip_op;
    const bool mirrored = s.mirror && draw_below(key, 2) == 1;
    const i64 from_x = (mirrored ? s.width - 1 - x : x) + dx, from_y = y + dy;
    const bool inside = from_x >= 0 && from_x < s.width && from_y >= 0 && from_y < s.height;
    return inside ? s.pixels[((index * s.height + from_y) * s.width + from_x) * s.channels + c] : std::uint8_t{0};
  }
};

/// Index: a sample's label; 0 after the valid samples.
struct GatherLabels {
  i64* labels;
  const Burst* burst;
  const StepBlock* block;
  const i64* sample;
  NW_HOST_DEVICE void operator()(i64 n) const { labels[n] = n < block->valid ? burst->source.labels[sample[n]] : 0; }
};

/// Index: an element of the targets (N, width): the label as a number, or 1 at the index of the label and 0 elsewhere.
struct GatherTargets {
  float* targets;
  i64 width;
  const Burst* burst;
  const StepBlock* block;
  const i64* sample;
  NW_HOST_DEVICE void operator()(i64 e) const {
    const i64 n = e / width, label = n < block->valid ? burst->source.labels[sample[n]] : 0;
    targets[e] = width == 1 ? static_cast<float>(label) : label == e % width ? 1.0f : 0.0f;
  }
};

}  // namespace nw::cuda
