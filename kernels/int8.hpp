// SPDX-License-Identifier: Apache-2.0
// Inference in 8-bit whole numbers on the processor. A number is unsigned with a scale and a zero point for a whole
// value: real = scale (number - zero). Weights are signed, -127 to 127, with a scale for each output channel.
//
// Every result is defined exactly, so every instruction set gives the same bytes. Sums of products are exact in int32.
// Then, with float operations that are rounded to nearest, ties to even, each on its own (no fused multiply-add):
// number = clamp(round(float(sum) * factor), least - zero, most - zero) + zero.
//
// In memory an image is (H,W,C), the channels of a pixel beside each other and not padded. Values have a border of
// pixels that hold the zero point, so that a convolution reads its padding like pixels.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace nw::int8 {

/// Readable bytes that must lie behind every value: kernels read channels in blocks.
inline constexpr std::int64_t slack_bytes = 64;
inline constexpr std::int64_t block = 16;  // output channels computed together

/// Images in memory; strides in bytes. `at`: first pixel of the first image, without the border.
struct View {
  std::uint8_t* at = nullptr;
  std::int64_t height = 1, width = 1, channels = 1;
  std::int64_t row = 0, image = 0;
};

/// How a real number becomes a whole one: what is added to it, and its limits (0 to 255; an activation narrows them).
struct Rounding {
  std::int32_t zero = 0, least = 0, most = 255;
};

/// The constants of a product or depthwise convolution.
struct Constants {
  std::vector<std::int8_t> weights;  // as pack() orders them; of Depthwise: (taps, channels in whole blocks)
  std::vector<std::int32_t> bias;    // whole blocks; what belongs to the input's zero point is in it
  std::vector<float> factor;         // whole blocks: input scale * weight scale / output scale
};

/// Convolution or linear layer, or one group of the former. A pixel's inputs are `runs` pieces of `run` neighbouring
/// bytes: rows of a filter, whose pixels are neighbours in memory.
struct Product {
  View in, out;
  std::int64_t step_y = 1, step_x = 1;  // bytes of the input between neighbouring outputs
  std::vector<std::int64_t> runs;       // offsets in bytes from the first tap of output (0, 0)
  std::int64_t run = 0;                 // bytes of each
  std::int64_t outputs = 0;             // channels
  std::int64_t first_output = 0;        // channel of `out` that is the first of them
  std::shared_ptr<const Constants> constants;
  Rounding rounding;
  float* scores = nullptr;  // not null: the results are float(sum) * factor, (pixels, outputs), instead of `out`
};

/// Convolution of each channel with a filter of its own.
struct Depthwise {
  View in, out;
  std::int64_t step_y = 1, step_x = 1;
  std::vector<std::int64_t> taps;  // offsets in bytes
  std::shared_ptr<const Constants> constants;
  Rounding rounding;
};

/// Maximum or mean over windows, which are clipped to the image.
struct Pool {
  View in, out;
  std::int64_t kernel_y = 1, kernel_x = 1, stride_y = 1, stride_x = 1, padding_y = 0, padding_x = 0;
  bool mean = false;
  bool counts_padding = true;  // mean: divides by the whole window's size
  std::int32_t zero = 0;       // of the input
  float factor = 1;            // mean: input scale / output scale; divided by the count in float
  Rounding rounding;           // mean
};

/// Sum or product of two values. `b` may have one pixel for each image, which is used for all.
struct Pair {
  View a, b, out;
  std::int32_t zero_a = 0, zero_b = 0;
  float factor_a = 1, factor_b = 1;  // multiplication: factor_a alone
  bool multiplies = false;
  Rounding rounding;
};

/// Work from `first` up to but excluding `last`.
struct Range {
  std::int64_t first = 0, last = 0;
};

/// Kernels of one instruction set.
struct Kernels {
  const char* name;
  /// Neighbouring inputs whose products one instruction adds: the order of weights.
  std::int64_t depth;
  /// `pixels`: outputs over all images, row by row. `blocks`: of output channels.
  void (*product)(const Product&, Range pixels, Range blocks);
  /// `rows`: of the output over all images.
  void (*depthwise)(const Depthwise&, Range rows);
  void (*pool)(const Pool&, Range rows);
  void (*pair)(const Pair&, Range rows);
  /// round(x / scale) + zero, limited to 0 to 255; a NaN becomes `zero`.
  void (*quantize)(const float* from, std::uint8_t* to, std::int64_t count, float scale, std::int32_t zero);
};

/// Bytes of one run, filled up with zero weights to a multiple of every `depth`.
std::int64_t padded_run(std::int64_t run);
/// Weights (outputs, runs, run) in the order of the kernels: [block][input / depth][16 outputs][depth].
std::vector<std::int8_t> pack(const Kernels&, const std::vector<std::int8_t>& weights, std::int64_t outputs,
                              std::int64_t runs, std::int64_t run);

/// Those that this processor can run, the best first: amx (if its products are right), avx512-vnni, avx-vnni, avx512,
/// avx2, portable.
const std::vector<const Kernels*>& all_kernels();
/// Products by tiles: AMX's instructions, which this processor may lack, and a unit in software, for tests.
const Kernels& amx_kernels();
const Kernels& emulated_tiles();
/// Whether some products are equal.
bool same_products(const Kernels&, const Kernels&);
/// The best; NETWRIGHT_CPU=portable|avx2|avx512|amx limits them to that instruction set, and NETWRIGHT_INT8 names one
/// of all_kernels() or amx-emulated itself.
const Kernels& best_kernels();

}  // namespace nw::int8
