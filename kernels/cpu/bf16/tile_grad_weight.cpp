// SPDX-License-Identifier: Apache-2.0
// Weight gradient of a convolution by tiles. The sum runs over samples: a unit is 32 of them, two consecutive shards.
// The image of a unit consists of rows of 64 bytes, [row][column][channel], so that adjacent taps read one run of rows;
// its gradient is transposed, pixel by pixel, so that outputs are the columns. Sums of different units may be kept
// apart until the end; they are added in a fixed order.
#include <algorithm>
#include <cstring>

#include "kernels/catalogue.hpp"
#include "kernels/cpu/bf16/tile_costs.hpp"
#include "kernels/cpu/bf16/tile_narrow_gradient.hpp"
#include "kernels/cpu/bf16/tile_products.hpp"

namespace nw::cpu {
namespace {

constexpr std::int64_t sums_bytes = 4 << 20;  // for separate sums of units
constexpr std::int64_t band_bytes = 1 << 20;  // of the L2 cache, for the packed rows of a band
// rows read after a run that does not fill its last tile; the resulting sums are not used
constexpr std::int64_t spare_rows = tile_rows;
constexpr std::int64_t tasks_wanted = 4, pixels_together = 8;
constexpr std::int64_t rows_wanted = 4, most_row_parts = 4;  // rows per task; upper limit of parts

std::int64_t parts_of(std::int64_t count, std::int64_t each) { return (count + each - 1) / each; }
std::int64_t units_for(std::int64_t shards) { return parts_of(shards, 2); }

/// The runs of taps: the rows of the kernel, or single taps where dilation separates them.
struct TapRuns {
  std::vector<std::int32_t> offset;
  std::int64_t taps = 1;  // per run
  TapRuns(const ConvGeometry& g, std::int64_t slab_width) {
    taps = g.dilation.w == 1 ? g.kernel.w : 1;
    for (std::int64_t ky = 0; ky < g.kernel.h; ++ky)
      for (std::int64_t kx = 0; kx < g.kernel.w; kx += taps)
        offset.push_back(
            static_cast<std::int32_t>((ky * g.dilation.h * slab_width + kx * g.dilation.w) * g.x.channels * row_words));
  }
};

class TileGradientSums {
 public:
  TileGradientSums(const ConvGeometry& g, std::int64_t shards)
      : g_(g),
        width_((g.y.width - 1) * g.stride.w + (g.kernel.w - 1) * g.dilation.w + 1),
        runs_(g, width_),
        out_tiles_(parts_of(g.y.channels, tile_rows)) {
    tiles_per_part_ = out_tiles_;
    band_ = parts_of(g.y.height, std::clamp<std::int64_t>(g.y.height / rows_wanted, 1, most_row_parts));
    // depends on the shape alone, since sums must not depend on the batch
    row_parts_ = parts_of(g.y.height, band_);
    while (band_ > 1 && scratch_bytes() > band_bytes) band_ = (band_ + 1) / 2;
    const std::int64_t apart = std::max<std::int64_t>(1, sums_bytes / (sums() * 4 * row_parts_));
    chains_ = std::min(units_for(shards), apart);
    // each part packs x again
    const std::int64_t parts = std::clamp<std::int64_t>(parts_of(tasks_wanted, chains_ * row_parts_), 1, out_tiles_);
    tiles_per_part_ = parts_of(out_tiles_, parts);
  }
  /// Floats of one chain of sums: [out tile][run][row tile][row][out], then the bias gradients.
  std::int64_t sums() const { return out_tiles_ * (sums_of_tile() + tile_rows); }
  std::int64_t chains() const { return chains_ * row_parts_; }
  std::int64_t tasks() const { return chains() * parts_of(out_tiles_, tiles_per_part_); }
  std::int64_t out_tiles() const { return out_tiles_; }
  std::int64_t scratch_bytes() const { return round_up(x_words(), 16) * 4 + dy_words() * 4; }

  /// Computes one chain of sums for some tiles of outputs, including their `biases`: a part of the rows of units chain,
  /// chain + chains_, … in order.
  void run(const VectorKernels& k, std::int64_t task, std::int64_t shards, bool biases, float* sums_of_chains,
           std::byte* scratch) const {
    const std::int64_t chain = task % chains(), first = task / chains() * tiles_per_part_,
                       tiles = std::min(tiles_per_part_, out_tiles_ - first);
    const std::int64_t part = chain % row_parts_, from = g_.y.height * part / row_parts_,
                       to = g_.y.height * (part + 1) / row_parts_;
    auto* const x = reinterpret_cast<std::uint32_t*>(scratch);
    std::uint32_t* const dy = x + round_up(x_words(), 16);
    float* const bias_sums = sums_of_chains + chain * sums() + out_tiles_ * sums_of_tile();
    std::fill_n(bias_sums + first * tile_rows, tiles * tile_rows, 0.0f);
    bool add = false;
    for (Band band{chain / row_parts_, from, std::min(band_, to - from)}; band.unit < units_for(shards);
         band = behind(band, from, to)) {
      pack_x(k, band, shards, x);
      pack_dy(k, band, shards, first, tiles, dy);
      for (std::int64_t t = 0; biases && t < tiles; ++t)
        k.tile.sum_columns(dy + t * band.rows * g_.y.width * tile_words, band.rows * g_.y.width,
                           bias_sums + (first + t) * tile_rows);
      k.tiles->gradient({x, g_.stride.h * width_ * pixel_words(), g_.stride.w * pixel_words(), runs(), dy, band.rows,
                         g_.y.width, tiles, sums_of_chains + chain * sums() + first * sums_of_tile(), add});
      add = true;
    }
  }

  /// Adds the sums of all chains that have a unit into dw, in order, for one tile of outputs.
  void collect(std::int64_t tile, std::int64_t shards, const float* sums_of_chains, float* dw) const {
    const std::int64_t chains = std::min(chains_, units_for(shards)) * row_parts_,
                       outs = std::min(tile_rows, g_.y.channels - tile * tile_rows);
    const float* from = sums_of_chains + tile * sums_of_tile();
    for (std::size_t r = 0; r < runs_.offset.size(); ++r, from += runs().tiles() * tile_words)
      for (std::int64_t tap = 0; tap < runs_.taps; ++tap)
        for (std::int64_t c = 0; c < g_.x.channels; ++c) {
          const float* const row = from + (tap * g_.x.channels + c) * row_words;
          float* const to =
              dw + tile * tile_rows * g_.weight_row() + c * g_.taps() + static_cast<std::int64_t>(r) * runs_.taps + tap;
          float total[row_words] = {};
          for (std::int64_t chain = 0; chain < chains; ++chain)
            for (std::int64_t o = 0; o < row_words; ++o) total[o] += row[chain * sums() + o];
          for (std::int64_t o = 0; o < outs; ++o) to[o * g_.weight_row()] = total[o];
        }
  }

  void collect_biases(std::int64_t tile, std::int64_t shards, const float* sums_of_chains, float* db) const {
    const std::int64_t chains = std::min(chains_, units_for(shards)) * row_parts_;
    for (std::int64_t o = tile * tile_rows; o < std::min((tile + 1) * tile_rows, g_.y.channels); ++o) {
      db[o] = 0;
      for (std::int64_t chain = 0; chain < chains; ++chain)
        db[o] += sums_of_chains[chain * sums() + out_tiles_ * sums_of_tile() + o];
    }
  }

  /// Approximate cycles of a shard, without collect().
  double cycles(const TileKernels& kernels) const {
    const double product = kernels.product_cycles(tile_rows, tile_rows);
    const auto pixels = static_cast<double>(g_.y.pixels()), tiles = static_cast<double>(out_tiles_),
               parts = static_cast<double>(parts_of(out_tiles_, tiles_per_part_));
    const auto row_tiles = static_cast<double>(static_cast<std::int64_t>(runs_.offset.size()) * runs().tiles());
    const auto bands = static_cast<double>(row_parts_ * parts_of(parts_of(g_.y.height, row_parts_), band_));
    const auto x_rows =
        static_cast<double>(row_parts_ * slab_rows(parts_of(g_.y.height, row_parts_)) * width_ * g_.x.channels);
    const double unit = pixels * row_tiles * tiles * product + parts * x_rows * packed_row +
                        bands * row_tiles * tiles * 2 * product +
                        pixels * (tiles * turned_tile + static_cast<double>(g_.y.channels) * packed_row);
    return unit / 2;
  }

 private:
  TileRuns runs() const {
    return {runs_.offset.data(), static_cast<std::int64_t>(runs_.offset.size()), runs_.taps * g_.x.channels};
  }
  std::int64_t sums_of_tile() const {
    return static_cast<std::int64_t>(runs_.offset.size()) * runs().tiles() * tile_words;
  }
  std::int64_t pixel_words() const { return g_.x.channels * row_words; }
  std::int64_t slab_rows(std::int64_t band) const {
    return (band - 1) * g_.stride.h + (g_.kernel.h - 1) * g_.dilation.h + 1;
  }
  std::int64_t x_words() const { return slab_rows(band_) * width_ * pixel_words() + spare_rows * row_words; }
  std::int64_t dy_words() const { return tiles_per_part_ * band_ * g_.y.width * tile_words; }

  /// Rows of dy of one unit. `kept`: number of the packed rows of x that the previous band read too.
  struct Band {
    // moved: the offset of the kept rows in the slab of the previous band, in rows of x
    std::int64_t unit, row, rows, kept = 0, moved = 0;
  };
  Band behind(const Band& b, std::int64_t from, std::int64_t to) const {
    const std::int64_t row = b.row + b.rows;
    if (row < to)
      return {b.unit, row, std::min(band_, to - row),
              std::max<std::int64_t>(0, slab_rows(b.rows) - b.rows * g_.stride.h), b.rows * g_.stride.h};
    return {b.unit + chains_, from, std::min(band_, to - from)};
  }
  std::int64_t image_row(const Band& b) const { return b.row * g_.stride.h - g_.padding.h; }
  static bool both(const Band& b, std::int64_t shards) { return 2 * b.unit + 1 < shards; }

  void pack_x(const VectorKernels& k, const Band& b, std::int64_t shards, std::uint32_t* to) const {
    const std::int64_t row_words_of_x = width_ * pixel_words();
    if (b.kept > 0)
      std::memmove(to, to + b.moved * row_words_of_x, static_cast<std::size_t>(b.kept * row_words_of_x) * 4);
    to += b.kept * row_words_of_x;
    for (std::int64_t r = b.kept; r < slab_rows(b.rows); ++r, to += row_words_of_x)
      pack_row(k, b, image_row(b) + r, both(b, shards), to);
    std::fill_n(to, spare_rows * row_words, 0u);
  }

  void pack_row(const VectorKernels& k, const Band& b, std::int64_t y, bool both, std::uint32_t* to) const {
    const std::int64_t left = -g_.padding.w, x0 = std::clamp<std::int64_t>(-left, 0, width_),
                       x1 = std::clamp<std::int64_t>(g_.x.width - left, x0, width_);
    const bool inside = y >= 0 && y < g_.x.height && x0 < x1;
    std::fill_n(to, (inside ? x0 : width_) * pixel_words(), 0u);
    if (!inside) return;
    for (std::int64_t x = x0; x < x1; x += pixels_together)
      for (std::int64_t c = 0; c < g_.x.channels; ++c) {
        const float* const a = g_.x.shard(2 * b.unit) + ((c * g_.x.height + y) * g_.x.width + left + x) * shard_samples;
        k.tile.pair_lanes({a, both ? a + g_.x.floats() : nullptr, shard_samples, std::min(pixels_together, x1 - x),
                           to + x * pixel_words() + c * row_words, pixel_words()});
      }
    std::fill_n(to + x1 * pixel_words(), (width_ - x1) * pixel_words(), 0u);
  }

  // Packs a few pixels at a time: the numbers of each channel become adjacent and stay in the L1 cache until they are
  // transposed.
  void pack_dy(const VectorKernels& k, const Band& b, std::int64_t shards, std::int64_t tile, std::int64_t tiles,
               std::uint32_t* to) const {
    const std::int64_t channel = g_.y.pixels() * shard_samples, end = (b.row + b.rows) * g_.y.width;
    alignas(64) std::uint32_t lying[pixels_together * tile_words];
    for (std::int64_t t = tile; t < tile + tiles; ++t)
      for (std::int64_t pixel = b.row * g_.y.width; pixel < end; pixel += pixels_together) {
        const std::int64_t outs = std::min(tile_rows, g_.y.channels - t * tile_rows),
                           count = std::min(pixels_together, end - pixel);
        const float* a = g_.y.shard(2 * b.unit) + t * tile_rows * channel + pixel * shard_samples;
        for (std::int64_t o = 0; o < outs; ++o, a += channel)
          k.tile.pair_lanes({a, both(b, shards) ? a + g_.y.floats() : nullptr, shard_samples, count,
                             lying + o * row_words, tile_words});
        for (std::int64_t q = 0; q < count; ++q, to += tile_words)
          k.rows_from_lanes(reinterpret_cast<const float*>(lying + q * tile_words), row_words, outs,
                            reinterpret_cast<float*>(to), row_words);
      }
  }

  const ConvGeometry g_;
  const std::int64_t width_;
  const TapRuns runs_;
  const std::int64_t out_tiles_;
  // chains_: over units, each in row_parts_ parts
  std::int64_t chains_ = 1, row_parts_ = 1, tiles_per_part_ = 1, band_ = 1;
};

bool only_reader(const Plan& plan, int value, const Step& reader) {
  for (const Step& s : plan.steps)
    if (&s != &reader && std::find(s.inputs.begin(), s.inputs.end(), value) != s.inputs.end()) return false;
  for (const Value& v : plan.values)
    if (v.alias_of == value) return false;
  return plan.values[static_cast<std::size_t>(value)].alias_of < 0;
}

// The cycles of the narrow form; larger than any estimate where the form does not fit.
double narrow_cycles(const TileKernels& tiles, const ConvGeometry& g, std::int64_t shards) {
  return NarrowGradient::fits(g) ? NarrowGradient(g, shards).cycles(tiles.product_cycles) : 1e300;
}

void add_narrow_gradient(KernelContext& c, const ConvGeometry& g, PreparedKernel& kernel) {
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  auto narrow = std::make_shared<const NarrowGradient>(g, shards_for(c.plan.batch), pooled_gradient(c));
  c.need_shared_scratch(narrow->tasks() * narrow->sums() * 4);
  c.need_worker_scratch(std::max(narrow->scratch_bytes(), narrow->collect_bytes()));
  kernel.phases.push_back({narrow->tasks(), false, [=, &k, &state](std::int64_t t, int worker) {
                             narrow->run(k, t, state.active_shards, reinterpret_cast<float*>(state.shared_scratch),
                                         state.worker_scratch[static_cast<std::size_t>(worker)]);
                           }});
  float *const dw = c.out(0), *const db = c.out(1);
  const std::int64_t tiles = parts_of(g.y.channels, tile_rows), row = g.weight_row(), outs = g.y.channels;
  double* const squares = c.square_sums(0, tiles);
  kernel.phases.push_back({tiles, false, [=, &k, &state](std::int64_t tile, int worker) {
                             const std::int64_t first = tile * tile_rows, last = std::min(first + tile_rows, outs);
                             narrow->collect(k, tile, state.active_shards,
                                             reinterpret_cast<const float*>(state.shared_scratch), dw, db,
                                             state.worker_scratch[static_cast<std::size_t>(worker)]);
                             if (squares) squares[tile] = k.square_sum(dw + first * row, (last - first) * row);
                           }});
  kernel.choice = fmt::format("weight gradient, narrow tiles{}, {}",
                              narrow->takes_along() ? " with the pool's gradient" : "", k.tiles->name);
}

}  // namespace

const Step* pool_taken_along(const TileKernels& tiles, const Plan& plan, const Step& step) {
  if (!plan.training || &step == plan.steps.data() || step.kernel != "conv2d_grad_weight" || !rounds_operands(step))
    return nullptr;
  const Step& pool = *(&step - 1);
  const bool is_pool = pool.kernel == "max_pool2d_grad" || pool.kernel == "max_pool2d_relu_grad";
  if (!is_pool || pool.outputs[0] != step.inputs[0] || !only_reader(plan, pool.outputs[0], step)) return nullptr;
  const auto image_of = [&](int v) { return lanes_of(nullptr, plan.values[static_cast<std::size_t>(v)]); };
  const Lanes dy = image_of(pool.inputs[0]);
  const ConvGeometry g(step, image_of(step.inputs[1]), image_of(step.inputs[0]),
                       plan.values[static_cast<std::size_t>(step.outputs[0])]);
  const Pair kernel = pair_attr(pool, "kernel", 1), stride = pair_attr(pool, "stride", 1),
             padding = pair_attr(pool, "padding", 0);
  const bool covered = kernel.h == stride.h && kernel.w == stride.w && padding.h == 0 && padding.w == 0 &&
                       dy.height * kernel.h == g.y.height && dy.width * kernel.w == g.y.width;
  const std::int64_t shards = shards_for(plan.batch);
  return covered && narrow_cycles(tiles, g, shards) < TileGradientSums(g, shards).cycles(tiles) &&
                 NarrowGradient(g, shards, {.kernel = kernel}).takes_pooled(kernel)
             ? &pool
             : nullptr;
}

bool goes_along(const TileKernels& tiles, const Plan& plan, const Step& pool) {
  return &pool != &plan.steps.back() && pool_taken_along(tiles, plan, *(&pool + 1)) == &pool;
}

PooledGradient pooled_gradient(const KernelContext& c) {
  const Step* const pool = pool_taken_along(*vector_of(c).tiles, c.plan, c.step);
  if (!pool) return {};
  const auto image_of = [&](std::size_t i) {
    const auto v = static_cast<std::size_t>(pool->inputs[i]);
    return lanes_of(reinterpret_cast<float*>(c.storage.at(pool->inputs[i])), c.plan.values[v]);
  };
  const auto* argmax = reinterpret_cast<const std::uint8_t*>(c.storage.at(pool->inputs[1]));
  return {image_of(0), pool->inputs.size() > 2 ? image_of(2) : Lanes{}, argmax, pair_attr(*pool, "kernel", 1)};
}

double tile_grad_weight_cycles(const TileKernels& tiles, const ConvGeometry& g, std::int64_t shards) {
  const auto weights = static_cast<double>(g.y.channels * g.weight_row());
  return std::min(TileGradientSums(g, shards).cycles(tiles), narrow_cycles(tiles, g, shards)) +
         weights * 2 / static_cast<double>(shards);
}

void add_tile_grad_weight(KernelContext& c, const ConvGeometry& g, PreparedKernel& kernel) {
  const VectorKernels& k = vector_of(c);
  const RunState& state = c.state;
  auto sums = std::make_shared<const TileGradientSums>(g, shards_for(c.plan.batch));
  if (narrow_cycles(*k.tiles, g, shards_for(c.plan.batch)) < sums->cycles(*k.tiles))
    return add_narrow_gradient(c, g, kernel);
  float *const dw = c.out(0), *const db = c.out(1);
  c.need_shared_scratch(sums->chains() * sums->sums() * 4);
  c.need_worker_scratch(sums->scratch_bytes());
  kernel.phases.push_back({sums->tasks(), false, [=, &k, &state](std::int64_t t, int worker) {
                             sums->run(k, t, state.active_shards, db != nullptr,
                                       reinterpret_cast<float*>(state.shared_scratch),
                                       state.worker_scratch[static_cast<std::size_t>(worker)]);
                           }});
  double* const squares = c.square_sums(0, sums->out_tiles());
  const std::int64_t row = g.weight_row(), outs = g.y.channels;
  kernel.phases.push_back(
      {sums->out_tiles(), false, [=, &k, &state](std::int64_t tile, int) {
         sums->collect(tile, state.active_shards, reinterpret_cast<const float*>(state.shared_scratch), dw);
         if (db)
           sums->collect_biases(tile, state.active_shards, reinterpret_cast<const float*>(state.shared_scratch), db);
         const std::int64_t first = tile * tile_rows;
         if (squares) squares[tile] = k.square_sum(dw + first * row, (std::min(first + tile_rows, outs) - first) * row);
       }});
  kernel.choice = fmt::format("weight gradient, tiles, {}", k.tiles->name);
}

}  // namespace nw::cpu
