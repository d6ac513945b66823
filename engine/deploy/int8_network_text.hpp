// SPDX-License-Identifier: Apache-2.0
// The steps of an 8-bit network as C statements, with their constants and their memory. Private to engine/deploy.
#pragma once
#include "engine/compress/int8/network.hpp"

namespace nw::deploy {

struct Int8Text {
  std::string begin, statements;     // of nw_begin(a), before the picture is written; of nw_run(a, scores)
  std::vector<std::int8_t> weights;  // nw_weights
  std::vector<std::int32_t> bias;    // nw_bias
  std::vector<float> factor;         // nw_factor
  std::int64_t arena = 0;            // bytes
  std::int64_t picture = 0;          // place of the first pixel
  compress::int8::Extent in, out;    // of the picture; of the value that the scores are, if they are one
  std::int64_t result = -1;          // its place; -1: the last step writes scores
  std::int64_t outputs = 0;
};
/// `network`: assembled for kernels of a depth of 4. Errc::bad_input: a layer in
/// fp32; memory beyond 2^30 bytes.
Result<Int8Text> int8_text(const compress::int8::Network& network);

}  // namespace nw::deploy
