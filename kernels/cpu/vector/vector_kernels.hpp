// SPDX-License-Identifier: Apache-2.0
// The inner loops of the CPU backend, compiled once per instruction set from the same sources and chosen at run time.
// The interface is plain data only, and the sources use no inline function from elsewhere, because code for one
// processor must not be linked into code for another. "Lanes": 16 floats, one per image of a shard. Offsets and strides
// count floats unless stated otherwise.
#pragma once
#include <cstdint>

#include "kernels/cpu/vector/layer_kernels.hpp"
#include "kernels/cpu/vector/tile_support.hpp"
#include "kernels/cpu/vector/winograd_kernels.hpp"
#include "kernels/math/element.hpp"

namespace nw::cpu {

/// y[o][q] = bias[o] (or y where accumulate) + sum over channels i and taps t of w[o,i,t] * x[i][tap_offset[t] +
/// x_pixel[q]], each term over 16 lanes. w[o,i,t] is w[o * w_out + (i * taps + t) * w_term].
struct Product {
  const float* x;
  std::int64_t x_channel, channels;
  const std::int32_t *tap_offset, *x_pixel, *y_pixel;
  std::int64_t taps, pixels, outs;
  const float* w;
  std::int64_t w_out, w_term;
  const float* bias;  // null: zero
  bool accumulate;
  bool relu;          // y = max(y, 0) at the end
  const float* gate;  // null, or laid out as y: y = 0 at the end where gate <= 0
  float* y;
  std::int64_t y_out;
};

/// dx = for every pixel of dy and every tap, w[tap][i][o] * dy[o][pixel] is added to the position that the tap read;
/// one group of one shard.
struct Scatter {
  const float *dy, *w;
  float* dx;
  std::int64_t outs, rows, columns, dy_channel;  // of dy
  std::int64_t ins, height, width, dx_channel;   // of dx
  std::int64_t kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w, dilation_h, dilation_w;
};

/// acc[o][j] += sum over pixels of dy[o][pixel] * x[column[j] + pixel], 16 lanes each, for outs x columns accumulators.
/// Pixels are those of `rows` rows of `shards` shards.
struct WeightGradient {
  const float* dy;
  std::int64_t dy_out, dy_row, dy_shard;  // pixels of dy are adjacent within a row
  const float* x;
  const std::int32_t* column;
  std::int64_t x_row, x_pixel, x_shard, shards, rows, row_pixels, outs, columns;
  float* acc;  // [outs][columns][16]
};

constexpr std::int64_t panel_columns = 64;

/// dw[o][i] = sum over samples of dy[o] * x[i] for o in [first_out, last_out). xt is x as rows of samples, divided into
/// panels of 64 columns (the last one padded), so that numbers read together are adjacent.
struct OuterProduct {
  const float* xt;                                             // [panel][sample][64]
  std::int64_t xt_panel, ins;                                  // floats from one panel to the next; columns
  const float* dy;                                             // [shard][outs][16]
  std::int64_t dy_out, dy_shard, shards, first_out, last_out;  // dy_out: floats from one output to the next
  float* dw;
  std::int64_t dw_out;  // floats from one output's row of dw to the next
  bool add;             // dw += instead
  double* squares;      // may be null: the sum of dw's squares is added here
};

struct PoolShape {
  std::int64_t channels, in_h, in_w, out_h, out_w, kernel_h, kernel_w, stride_h, stride_w, pad_h, pad_w;
  bool count_include_pad;
};

/// Max pooling over windows that neither overlap nor leave the image: output rows, columns and channels of one shard.
struct BlockPool {
  const float* x;
  std::int64_t x_channel, x_row;  // floats from one channel or row to the next
  std::int64_t channels, rows, columns, kernel_h, kernel_w;
  float* y;
  std::uint8_t* argmax;  // may be null
  // floats (and bytes of argmax) from one channel to the next; rows are adjacent
  std::int64_t y_channel;
  bool relu;  // y = max(y, 0) at the end
};

/// Its gradient: every element of dx is written once; elements outside all windows become zero.
struct BlockPoolGradient {
  const float *dy, *gate;  // gate: null, or laid out as dy: no gradient where gate <= 0
  const std::uint8_t* argmax;
  std::int64_t channels, rows, columns, kernel_h, kernel_w, in_h, in_w;
  float* dx;
};

/// y = (x - mean) * scale + shift (+ residual), then max(y, 0) where relu.
struct NormApply {
  const float *x, *residual;  // residual: may be null
  float* y;
  float mean, scale, shift;
  bool relu;
  std::int64_t pixels;
};

#define NW_ENUMERATOR(name, ...) name,
/// The element kernels, in the order of their list.
enum class Unary : int { NW_ELEMENT_KERNELS(NW_ENUMERATOR) };
#undef NW_ENUMERATOR
using ElementParameters = math::Parameters<float>;

struct LossArgs {
  const float* x;                   // [classes][16]
  float* dx;                        // may be null, may be x
  float* scratch;                   // [classes][16], used where dx is null
  const void* wanted;               // labels i64 (16), or targets f32 (16, elements)
  std::int64_t elements, lanes;     // lanes: valid ones
  double smoothing, scale;          // scale: 1 / loss_divisor()
  double loss;                      // out
  std::int64_t correct;             // out
  const double* weights = nullptr;  // of the scores: of classes, or of targets that are 1; null: 1
  double gamma = 0;                 // of the focal loss
  bool shares = false;              // general_cross_entropy: `wanted` are each class's fractions
};

/// A block of weights for an optimizer of kernels/optimizers.
struct UpdateArgs {
  static constexpr int most_states = 4, most_scalar_bytes = 64;
  float *w, *state[most_states];  // a state that is null is not stored, and 0 in every step
  const float* g;
  std::int64_t count;
  float l1, l2;
  alignas(16) unsigned char scalars[most_scalar_bytes];  // the optimizer's Scalars
};
using Update = void (*)(const UpdateArgs&);

struct DropoutArgs {
  const float* x;
  float* y;
  std::int64_t elements;  // per sample
  std::int64_t together;  // adjacent elements that one random number decides on
  std::uint32_t key0, key1, counter3;
  std::uint32_t low[16], high[16];  // second and third word of the counter, per lane
  float p, scale;
};

/// The pixels of 16 samples, (H*W, C) each, which are converted to (v / 255 - mean) / deviation of their channel, every
/// operation rounded.
struct LaneBytes {
  const std::uint8_t* const* samples;
  std::int64_t channels, pixels;
  const float *mean, *deviation;  // [channels]
  float* to;                      // [channels][pixels][16]
};

/// The same bytes moved into lanes, not converted.
struct ByteLanes {
  const std::uint8_t* const* samples;
  std::int64_t channels, pixels;
  std::uint8_t* to;  // [channels][pixels][16]
};

struct TileKernels;

struct VectorKernels {
  const char* isa;
  void (*product)(const Product&);
  void (*scatter)(const Scatter&);
  void (*weight_gradient)(const WeightGradient&);
  /// out[i] (+)= sum of the 16 lanes at acc + 16 i.
  void (*sum_lanes)(const float* acc, std::int64_t count, float* out, bool add);
  /// out[i] = sum over parts p < count of parts[p * stride + i].
  void (*sum_parts)(const float* parts, std::int64_t stride, std::int64_t count, std::int64_t elements, float* out);
  /// 16 lanes at `acc` += the sum of `count` adjacent lanes vectors.
  void (*sum_pixels)(const float* from, std::int64_t count, float* acc);
  void (*outer_product)(const OuterProduct&);
  /// Elements of 16 lanes, `element` floats apart -> rows of samples at row stride `stride`; columns up to the next
  /// multiple of 16 become zero.
  void (*rows_from_lanes)(const float* lanes, std::int64_t element, std::int64_t elements, float* rows,
                          std::int64_t stride);
  /// One shard of images in host layout (H*W pixels of C channels, or vectors with pixels == 1) -> lanes; lanes from
  /// `valid` on are zero.
  void (*lanes_from_rows)(const float* rows, std::int64_t channels, std::int64_t pixels, std::int64_t valid,
                          float* lanes);
  void (*lanes_from_bytes)(const LaneBytes&);
  void (*byte_lanes)(const ByteLanes&);
  void (*unary)(Unary, const float* x, float* y, std::int64_t count, ElementParameters);
  void (*unary_gradient)(Unary, const float* dy, const float* v, float* dx, std::int64_t count, ElementParameters);
  void (*round_bf16)(const float* x, float* y, std::int64_t count);
  void (*add)(const float* a, const float* b, float* y, std::int64_t count);
  /// y = max(a + b, 0)
  void (*add_relu)(const float* a, const float* b, float* y, std::int64_t count);
  void (*max_pool)(const PoolShape&, const float* x, float* y, std::uint8_t* argmax);
  /// gate: null, or laid out as dy: no gradient where gate <= 0.
  void (*max_pool_gradient)(const PoolShape&, const float* dy, const float* gate, const std::uint8_t* argmax,
                            float* dx);
  void (*block_pool)(const BlockPool&);
  void (*block_pool_gradient)(const BlockPoolGradient&);
  void (*avg_pool)(const PoolShape&, const float* x, float* y);
  void (*avg_pool_gradient)(const PoolShape&, const float* dy, float* dx);
  /// sums[0] += x, sums[1] += x^2 over pixels and the first `lanes` lanes.
  void (*norm_stats)(const float* x, std::int64_t pixels, std::int64_t lanes, double* sums);
  /// sums[0] += dy, sums[1] += dy * (x - mean) over pixels and the first `lanes` lanes.
  void (*norm_gradient_stats)(const float* dy, const float* x, float mean, std::int64_t pixels, std::int64_t lanes,
                              double* sums);
  void (*norm_apply)(const NormApply&);
  /// dx = scale * (dy - offset - (x - mean) * slope), zero from lane `lanes` on
  void (*norm_gradient)(const float* dy, const float* x, float* dx, float mean, float scale, float offset, float slope,
                        std::int64_t pixels, std::int64_t lanes);
  void (*softmax)(const float* x, float* y, std::int64_t classes, std::int64_t pixels);
  void (*softmax_gradient)(const float* dy, const float* y, float* dx, std::int64_t classes, std::int64_t pixels);
  void (*cross_entropy)(LossArgs&);
  void (*shared_cross_entropy)(LossArgs&);   // targets: each class's fraction
  void (*general_cross_entropy)(LossArgs&);  // with weights or focus
  void (*bce)(LossArgs&);
  void (*mse)(LossArgs&);
  void (*dropout)(const DropoutArgs&);
  double (*square_sum)(const float* g, std::int64_t count);
  /// The same over `count` numbers of each of `rows` rows, `step` floats apart.
  double (*square_sum_rows)(const float* g, std::int64_t rows, std::int64_t step, std::int64_t count);
  void (*scale)(float* g, std::int64_t count, float by);
  void (*clamp)(float* g, std::int64_t count, float limit);
  const Update* updates;  // in the order of all_optimizers()
  /// l1 * sum |w| + l2 / 2 * sum w^2
  double (*penalty)(const float* w, std::int64_t count, float l1, float l2);
  LayerKernels layer;
  const WinogradForms* winograd;
  /// Runs independent multiply-adds; result: 16 floats, in and out. Returns the number of floating-point operations.
  std::int64_t (*multiply_adds)(std::int64_t rounds, float* result);
  TileSupport tile;
  const TileKernels* tiles;  // null: there is no unit for tiles of bfloat16
};

namespace portable {
const VectorKernels& vector_kernels();
}
#if defined(__x86_64__)
namespace avx2 {
const VectorKernels& vector_kernels();
}
namespace avx512 {
const VectorKernels& vector_kernels();
}
#endif

}  // namespace nw::cpu
