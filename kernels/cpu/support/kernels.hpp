// SPDX-License-Identifier: Apache-2.0
// Shared by the CPU backend's kernels. All batched values have the layout lanes16: [shard][(C,H,W)][16 images]. A
// kernel in this folder distributes the work; vector/ has the arithmetic.
#pragma once
#include "kernels/cpu/tiles/tile_kernels.hpp"
#include "kernels/cpu/vector/vector_kernels.hpp"
#include "kernels/executor.hpp"

namespace nw::cpu {

inline const VectorKernels& vector_of(const KernelContext& c) { return *static_cast<const VectorKernels*>(c.backend); }
inline std::int64_t round_up(std::int64_t n, std::int64_t to) { return (n + to - 1) / to * to; }

/// A batched f32 value in lanes16.
struct Lanes {
  float* p = nullptr;
  std::int64_t channels = 1, height = 1, width = 1;
  std::int64_t pixels() const { return height * width; }
  std::int64_t per_sample() const { return channels * height * width; }
  std::int64_t floats() const { return per_sample() * shard_samples; }  // of one shard
  float* shard(std::int64_t s) const { return p + s * floats(); }
};
Lanes lanes_of(float* data, const Value&);
inline Lanes in(const KernelContext& c, int i) { return lanes_of(c.in(i), c.in_value(i)); }
inline Lanes out(const KernelContext& c, int i) { return lanes_of(c.out(i), c.out_value(i)); }

/// Valid samples of shard `s`: 16 except for the last one.
inline std::int64_t valid_lanes(const RunState& state, std::int64_t s) {
  return std::min<std::int64_t>(shard_samples, state.args.valid - s * shard_samples);
}
/// A phase over shards: run(shard, worker).
KernelPhase per_shard(const KernelContext&, std::function<void(std::int64_t shard, int worker)> run);
/// A phase over shards that may be divided: run(shard, part, worker). `cycles`: approximate cost of a shard; small ones
/// are not divided.
KernelPhase per_shard(const KernelContext&, double cycles,
                      std::function<void(std::int64_t shard, Part, int worker)> run);
/// Approximate cycles of a pass over the numbers of x.
inline double passing_cycles(const Lanes& x) { return static_cast<double>(x.floats()) / 4; }
/// A phase that passes over images of the size of x. If there are as many parts as channels, the parts are whole
/// channels.
KernelPhase per_channel(const KernelContext&, const Lanes& x,
                        std::function<void(std::int64_t shard, Part, int worker)> run);
/// True: a step of a linear layer that takes each pixel of images by itself.
inline bool is_linear_of_pixels(const Plan& plan, const Step& s) {
  return s.kernel.starts_with("linear") && plan.values[static_cast<std::size_t>(s.inputs[0])].shape.rank() == 4;
}
/// True: a step of a linear layer with so few weights that each worker computes its own shards,
/// or of one that takes pixels, as convolutions do.
bool taken_by_shard(const Plan&, const Step&);

// For KernelEntry::runs_alone.
inline bool always_alone(const Plan&, const Step&) { return true; }
inline bool alone_unless_by_shard(const Plan& plan, const Step& s) { return !taken_by_shard(plan, s); }

/// A phase that runs on one worker.
KernelPhase serial(std::function<void()> run);

}  // namespace nw::cpu
