// SPDX-License-Identifier: Apache-2.0
// An 8-bit network as steps of kernels/int8.hpp.
#pragma once
#include <array>
#include <variant>

#include "engine/compile/flat_network.hpp"
#include "engine/compress/int8/tensors.hpp"
#include "engine/exchange/weights.hpp"
#include "kernels/int8.hpp"

namespace nw::compress::int8 {

/// One value of one image: (H,W,C); a vector has one pixel.
struct Extent {
  std::int64_t height = 1, width = 1, channels = 1;
  float scale = 1;
  std::uint8_t zero = 0;
  std::int64_t border = 0;  // pixels on every side
  std::int64_t row() const { return (width + 2 * border) * channels; }
  std::int64_t bytes() const { return (height + 2 * border) * row(); }
};

/// An output for each of 256 inputs; copies into some channels of a value.
struct Remap {
  nw::int8::View in, out;
  std::array<std::uint8_t, 256> table{};
  std::int64_t first_channel = 0;
};

/// A layer in fp32: Network::real.
struct Real {
  nw::int8::View in, out;
  std::size_t at = 0;
};
struct RealSource {
  FlatLayer layer;
  exchange::Weights weights;
};

struct Step {
  std::vector<int> inputs;  // values; their views, and that of the output, are set by the runner
  int output = -1;          // -1: the scores
  std::variant<nw::int8::Product, nw::int8::Depthwise, nw::int8::Pool, nw::int8::Pair, Remap, Real> what;
};

struct Network {
  std::vector<Extent> values;  // the first is the image
  std::vector<Step> steps;
  std::vector<RealSource> real;
  int output = -1;  // the value that the scores are; -1: the last step computes them as real numbers
  std::int64_t outputs = 0;
  std::int64_t bytes_per_image() const;  // of all values
};

/// For kernels' order of weights. Errc::bad_input: tensors that are missing or of other shapes, scales that are not
/// positive and finite, sums that could exceed 32 bits.
Result<Network> assemble(const FlatNetwork&, const Tensors&, const nw::int8::Kernels&);

}  // namespace nw::compress::int8
