// SPDX-License-Identifier: Apache-2.0
// Brings the images of a step into lanes: as numbers, from StepInputs::images() or from the samples' bytes, or as those
// bytes, if every kernel that reads them would round the numbers to bfloat16.
#include <algorithm>
#include <cstring>

#include "kernels/cpu/operators.hpp"
#include "kernels/fill_inputs.hpp"
#include "kernels/math/half.hpp"

namespace nw::cpu {
namespace {

// Finds the bytes of the step's images in memory. False: one of the images is not available as bytes.
bool find_samples(const StepInputs& inputs, std::int64_t valid, std::vector<const std::uint8_t*>& samples) {
  samples.clear();
  for (std::int64_t i = 0; i < valid; ++i) {
    samples.push_back(inputs.bytes(i));
    if (!samples.back()) return false;
  }
  return true;
}

void update_words(std::span<const PixelScale> scales, PixelLanes& p) {
  if (std::equal(scales.begin(), scales.end(), p.scales.begin(), p.scales.end())) return;
  p.scales.assign(scales.begin(), scales.end());
  p.words.clear();
  for (const float number : pixel_table(scales))
    p.words.push_back(static_cast<std::uint16_t>(math::float_bits(math::round_bf16(number)) >> 16));
}

// Converts the samples' bytes, if those of the whole shard are in memory. False: it has written nothing.
bool lanes_from_pixels(const VectorKernels& k, const RunState& state, std::int64_t shard, const Lanes& x) {
  const StepInputs& inputs = *state.args.inputs;
  const std::span<const PixelScale> scales = inputs.scales();
  if (std::ssize(scales) != x.channels || valid_lanes(state, shard) < shard_samples) return false;
  const std::uint8_t* samples[shard_samples];
  for (std::int64_t lane = 0; lane < shard_samples; ++lane) {
    samples[lane] = inputs.bytes(shard * shard_samples + lane);
    if (!samples[lane]) return false;
  }
  std::vector<float> mean, deviation;
  for (const PixelScale& s : scales) {
    mean.push_back(s.mean);
    deviation.push_back(s.deviation);
  }
  k.lanes_from_bytes({samples, x.channels, x.pixels(), mean.data(), deviation.data(), x.shard(shard)});
  return true;
}

// Brings the bytes of a shard's samples into lanes. A device without a sample in this step (the last batch of several
// devices) runs one shard of padding: its lanes do not count, but they must be numbers.
void load_bytes(const VectorKernels& k, const RunState& state, std::int64_t s) {
  const PixelLanes& p = state.pixels;
  if (valid_lanes(state, s) == 0)
    std::memset(p.shard(s), 0, static_cast<std::size_t>(p.channels * p.pixels * shard_samples));
  else
    k.byte_lanes({p.samples.data() + s * shard_samples, p.channels, p.pixels, p.shard(s)});
}

}  // namespace

// For whole shards only: a lane without an image must be zero, and zero need not be the number of any byte.
void choose_pixels(RunState& state) {
  PixelLanes& p = state.pixels;
  p.here = false;
  const StepInputs* const inputs = state.args.inputs;
  if (!inputs || !p.alone || state.args.valid % shard_samples != 0) return;
  if (std::ssize(inputs->scales()) != p.channels || !find_samples(*inputs, state.args.valid, p.samples)) return;
  update_words(inputs->scales(), p);
  p.here = true;
}

// Converts images in host layout (N,H,W,C), shard by shard; samples that are not valid become zero.
PreparedKernel load_input(const VectorKernels& k, const Value& v, std::byte* border, std::byte* to, RunState& state) {
  const Lanes x = lanes_of(reinterpret_cast<float*>(to), v);
  const bool images = v.name == "images", small = x.floats() * 4 <= load_scratch_bytes;
  if (images) {
    state.pixels.first = reinterpret_cast<std::uint8_t*>(to);
    state.pixels.shard_bytes = x.floats() * 4;
    state.pixels.channels = x.channels;
    state.pixels.pixels = x.pixels();
  }
  const std::int64_t batch = v.shape[0];
  return {{{shards_for(batch), true,
            [=, &k, &state](std::int64_t s, int worker) {
              auto* rows = reinterpret_cast<float*>(border) + s * x.floats();
              if (images && state.args.inputs) {
                if (state.pixels.here) return load_bytes(k, state, s);
                if (lanes_from_pixels(k, state, s, x)) return;
                if (small) rows = reinterpret_cast<float*>(state.worker_scratch[static_cast<std::size_t>(worker)]);
                // the host area ends after the batch
                const std::int64_t count = std::min(shard_samples, batch - s * shard_samples);
                state.loaded[static_cast<std::size_t>(s)] = state.args.inputs->images(
                    s * shard_samples, count, {rows, static_cast<std::size_t>(count * x.per_sample())});
              }
              k.lanes_from_rows(rows, x.channels, x.pixels(), valid_lanes(state, s), x.shard(s));
            }}},
          ""};
}

}  // namespace nw::cpu
