// SPDX-License-Identifier: Apache-2.0
// The ranges of a network's values, measured on images: what a quantization to 8 bits needs to know of them. Weights
// need none, they are known.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace nw::compress {

/// A histogram of magnitudes in bounded memory: equal bins from 0 to `end`, which doubles as larger values come. Zeros
/// are not counted: every scale represents them.
class Magnitudes {
 public:
  static constexpr std::size_t bins = 2048;
  /// `values`: finite. `largest`: the largest magnitude among them.
  void add(std::span<const float> values, float largest);
  double end() const { return end_; }  // 0: there was none so far
  const std::array<std::uint64_t, bins>& counts() const { return counts_; }
  std::uint64_t total() const { return total_; }

 private:
  void reach(double largest);

  double end_ = 0;  // a power of two
  std::uint64_t total_ = 0;
  std::array<std::uint64_t, bins> counts_{};
};

/// What was seen of one layer's output.
struct ValueRange {
  float least = 0, most = 0;     // of the finite values
  std::uint64_t count = 0;       // of the finite values
  std::uint64_t not_finite = 0;  // infinite, or not a number
  Magnitudes magnitudes;
  void add(std::span<const float> values);
};
/// By the layers' dotted names.
using RangeTable = std::map<std::string, ValueRange>;

/// How the magnitude is chosen that the largest whole number stands for; larger ones are clipped to it.
enum class CalibrationMethod : std::uint8_t {
  minmax,      // the largest that was seen
  percentile,  // that which one value in 10,000 exceeds
  mse          // that with the least squared error of the quantized values
};
std::string_view name_of(CalibrationMethod);
std::optional<CalibrationMethod> calibration_method(std::string_view name);

inline constexpr int largest_int8 = 127;  // of symmetric int8: -127 to 127

/// The magnitude of the method. Positive: 1 where all values were 0 (or below 1e-30), which any scale represents.
double limit_of(const ValueRange&, CalibrationMethod);
/// The step between two whole numbers, as a file holds it.
float scale_of(double limit);
/// The whole number nearest to `value` / `scale`, ties to even, as ONNX's QuantizeLinear rounds.
std::int8_t quantized(float value, float scale);

}  // namespace nw::compress
