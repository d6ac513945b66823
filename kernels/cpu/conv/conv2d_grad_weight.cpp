// SPDX-License-Identifier: Apache-2.0
// Weight gradient of a convolution. Few weights: every shard computes its own sums, which are then added in order. Many
// weights: a task owns some of them and processes all shards, so that no partial sums are stored.
#include <algorithm>

#include "kernels/catalogue.hpp"
#include "kernels/cpu/bf16/tile_narrow_gradient.hpp"
#include "kernels/cpu/bf16/tile_products.hpp"
#include "kernels/cpu/conv/winograd.hpp"
#include "kernels/cpu/support/weight_panels.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t slab_bytes = 300 << 10, columns_wanted = 96, partial_bytes = 4 << 20, row_bytes = 16 << 10;
constexpr std::int64_t outs_together = 4;  // the height of a tile of VectorKernels::weight_gradient

class Gradient {
 public:
  Gradient(const ConvGeometry& g, const VectorKernels& k) : g_(g), k_(k) {
    slab_ = {-g.padding.h, -g.padding.w, (g.y.height - 1) * g.stride.h + (g.kernel.h - 1) * g.dilation.h + 1,
             (g.y.width - 1) * g.stride.w + (g.kernel.w - 1) * g.dilation.w + 1};
    direct_ = slab_.inside(g.x);
    const std::int64_t image = slab_.floats(1) * 4, fits = std::max<std::int64_t>(1, slab_bytes / image);
    block_ = std::clamp<std::int64_t>(columns_wanted / g.taps(), 1, std::min(fits, g.in_per_group));
    together_ = std::max<std::int64_t>(1, fits / block_);
    band_ = std::clamp<std::int64_t>(row_bytes / (outs_together * g.y.width * shard_samples * 4), 1, g.y.height);
    const std::int64_t width = direct_ ? g.x.width : slab_.width,
                       pixels = direct_ ? g.x.pixels() : slab_.height * slab_.width;
    for (std::int64_t c = 0; c < block_; ++c)
      for (std::int64_t ky = 0; ky < g.kernel.h; ++ky)
        for (std::int64_t kx = 0; kx < g.kernel.w; ++kx)
          columns_.push_back(
              static_cast<std::int32_t>((c * pixels + ky * g.dilation.h * width + kx * g.dilation.w) * shard_samples));
  }
  std::int64_t block() const { return block_; }
  std::int64_t scratch_bytes() const {
    return round_up(acc_floats() * 4, 64) + (direct_ ? 0 : together_ * slab_.floats(block_) * 4);
  }

  /// Computes dw[o][c, taps] over shards [first, last) for channels [c, c + count) and outputs [o, o_end) of a group.
  void run(std::int64_t first, std::int64_t last, std::int64_t group, std::int64_t c, std::int64_t count,
           std::int64_t o, std::int64_t o_end, float* dw, std::byte* scratch) const {
    auto* acc = reinterpret_cast<float*>(scratch);
    auto* slabs = reinterpret_cast<float*>(scratch + round_up(acc_floats() * 4, 64));
    const std::int64_t step = direct_ ? last - first : together_;
    for (std::int64_t s = first; s < last; s += step) {
      const std::int64_t end = std::min(s + step, last);
      for (std::int64_t i = s; i < end && !direct_; ++i)
        fill_slab(g_.x, image(i, group, c), count, slab_, slabs + (i - s) * slab_.floats(block_));
      for (std::int64_t out = o; out < o_end; out += outs_together) {
        const std::int64_t outs = std::min(outs_together, o_end - out), columns = count * g_.taps();
        std::fill_n(acc, outs * columns * shard_samples, 0.0f);
        add_shards(direct_ ? image(s, group, c) : slabs, s, end, group * g_.out_per_group + out, outs, columns, acc);
        for (std::int64_t j = 0; j < outs; ++j)
          k_.sum_lanes(acc + j * columns * shard_samples, columns,
                       dw + (group * g_.out_per_group + out + j) * g_.weight_row() + c * g_.taps(), s > first);
      }
    }
  }

 private:
  std::int64_t acc_floats() const { return outs_together * block_ * g_.taps() * shard_samples; }
  const float* image(std::int64_t shard, std::int64_t group, std::int64_t c) const {
    return g_.x.shard(shard) + (group * g_.in_per_group + c) * g_.x.pixels() * shard_samples;
  }
  // Small images: all shards while the accumulators stay in registers. Large images: one band of rows at a time, which
  // stays in the L1 cache over all columns.
  void add_shards(const float* x, std::int64_t first, std::int64_t last, std::int64_t out, std::int64_t outs,
                  std::int64_t columns, float* acc) const {
    const std::int64_t width = direct_ ? g_.x.width : slab_.width, out_floats = g_.y.pixels() * shard_samples;
    WeightGradient w{};
    w.dy_out = out_floats;
    w.dy_row = g_.y.width * shard_samples;
    w.dy_shard = g_.y.floats();
    w.column = columns_.data();
    w.x_row = g_.stride.h * width * shard_samples;
    w.x_pixel = g_.stride.w * shard_samples;
    w.x_shard = direct_ ? g_.x.floats() : slab_.floats(block_);
    w.row_pixels = g_.y.width;
    w.outs = outs;
    w.columns = columns;
    w.acc = acc;
    w.shards = band_ == g_.y.height ? last - first : 1;
    for (std::int64_t shard = first; shard < last; shard += w.shards)
      for (std::int64_t row = 0; row < g_.y.height; row += band_) {
        w.rows = std::min(band_, g_.y.height - row);
        w.dy = g_.y.shard(shard) + out * out_floats + row * w.dy_row;
        w.x = x + (shard - first) * w.x_shard + row * w.x_row;
        k_.weight_gradient(w);
      }
  }

  const ConvGeometry g_;
  const VectorKernels& k_;
  Slab slab_{};
  bool direct_ = false;
  std::int64_t block_ = 1, together_ = 1, band_ = 1;
  std::vector<std::int32_t> columns_;
};

// Bias gradient of one shard: for each output channel, the sums over pixels of each lane.
void bias_sums(const VectorKernels& k, const Lanes& dy, std::int64_t shard, float* sums) {
  for (std::int64_t o = 0; o < dy.channels; ++o) {
    float acc[shard_samples] = {};
    k.sum_pixels(dy.shard(shard) + o * dy.pixels() * shard_samples, dy.pixels(), acc);
    k.sum_lanes(acc, 1, sums + o, false);
  }
}

// Each shard separately into partial[shard][weights]; then the shards are added in order.
void add_partial_phases(KernelContext& c, const ConvGeometry& g, const std::shared_ptr<const Gradient>& gradient,
                        PreparedKernel& kernel) {
  const std::int64_t weights = g.y.channels * g.weight_row();
  auto* partial = c.own<float>(shards_for(c.plan.batch) * weights);
  float* dw = c.out(0);
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  const double cycles = 0.5 * static_cast<double>(g.y.pixels() * g.y.channels * g.weight_row());
  kernel.phases.push_back(per_shard(c, cycles, [=, &state](std::int64_t s, Part part, int worker) {
    for (std::int64_t group = 0; group < g.groups; ++group)
      for (std::int64_t i = 0; i < g.in_per_group; i += gradient->block())
        gradient->run(s, s + 1, group, i, std::min(gradient->block(), g.in_per_group - i), part.begin(g.out_per_group),
                      part.end(g.out_per_group), partial + s * weights,
                      state.worker_scratch[static_cast<std::size_t>(worker)]);
  }));
  constexpr std::int64_t block = 8192;
  const std::int64_t tasks = (weights + block - 1) / block;
  double* const squares = c.square_sums(0, tasks);
  kernel.phases.push_back({tasks, false, [=, &k, &state](std::int64_t t, int) {
                             const std::int64_t count = std::min(block, weights - t * block);
                             k.sum_parts(partial + t * block, weights, state.active_shards, count, dw + t * block);
                             if (squares) squares[t] = k.square_sum(dw + t * block, count);
                           }});
}

// A task owns a block of input channels and of outputs.
void add_owner_phase(KernelContext& c, const ConvGeometry& g, const std::shared_ptr<const Gradient>& gradient,
                     PreparedKernel& kernel) {
  float* dw = c.out(0);
  const RunState& state = c.state;
  const std::int64_t in_blocks = (g.in_per_group + gradient->block() - 1) / gradient->block();
  kernel.phases.push_back({g.groups * in_blocks, false, [=, &state](std::int64_t t, int worker) {
                             const std::int64_t i = t % in_blocks * gradient->block();
                             gradient->run(0, state.active_shards, t / in_blocks, i,
                                           std::min(gradient->block(), g.in_per_group - i), 0, g.out_per_group, dw,
                                           state.worker_scratch[static_cast<std::size_t>(worker)]);
                           }});
}

void add_direct_phases(KernelContext& c, const ConvGeometry& g, PreparedKernel& kernel) {
  auto gradient = std::make_shared<const Gradient>(g, vector_of(c));
  c.need_worker_scratch(gradient->scratch_bytes());
  const bool partial = shards_for(c.plan.batch) * g.y.channels * g.weight_row() * 4 <= partial_bytes;
  kernel.choice = fmt::format("weight gradient {}, {}", partial ? "per shard" : "per owner", vector_of(c).isa);
  if (partial)
    add_partial_phases(c, g, gradient, kernel);
  else
    add_owner_phase(c, g, gradient, kernel);
}

void add_pointwise_phase(KernelContext& c, const ConvGeometry& g, PreparedKernel& kernel) {
  const WeightPanels w(vector_of(c), g.y, g.x, g.stride, c.out(0), shards_for(c.plan.batch));
  double* const squares = c.square_sums(0, w.tasks());
  c.need_worker_scratch(WeightPanels::scratch_bytes());
  const RunState& state = c.state;
  kernel.phases.push_back({w.tasks(), false, [=, &state](std::int64_t t, int worker) {
                             w.run(t, state.active_shards, squares ? squares + t : nullptr,
                                   state.worker_scratch[static_cast<std::size_t>(worker)]);
                           }});
  kernel.choice = fmt::format("weight gradient by panels, {}", vector_of(c).isa);
}

}  // namespace

// 1 x 1 taps: one matrix maps the pixels of x to those of dy. Not used for few weights, because each task processes all
// samples.
bool is_pointwise(const ConvGeometry& g) {
  return g.taps() == 1 && g.padding.h == 0 && g.padding.w == 0 && g.groups == 1 && g.x.channels >= shard_samples &&
         g.x.channels * g.y.channels > 4 * 64 * 24;
}

PreparedKernel prepare_conv2d_grad_weight(KernelContext& c) {
  const ConvGeometry g(c.step, in(c, 1), in(c, 0), c.out_value(0));
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  PreparedKernel kernel;
  if (rounds_operands(c.step)) {
    add_tile_grad_weight(c, g, kernel);
    return kernel;
  }
  float* db = c.out(1);
  float* sums = db ? c.own<float>(shards_for(c.plan.batch) * g.y.channels) : nullptr;
  if (db)
    kernel.phases.push_back(
        per_shard(c, [=, &k](std::int64_t s, int) { bias_sums(k, g.y, s, sums + s * g.y.channels); }));
  if (const auto form = winograd_grad_weight(k, g))
    add_winograd_grad_weight(c, *form, kernel);
  else if (is_pointwise(g))
    add_pointwise_phase(c, g, kernel);
  else
    add_direct_phases(c, g, kernel);
  if (db)
    kernel.phases.push_back(
        serial([=, &k, &state] { k.sum_parts(sums, g.y.channels, state.active_shards, g.y.channels, db); }));
  return kernel;
}

}  // namespace nw::cpu
