// SPDX-License-Identifier: Apache-2.0
// Linear layers of vectors: four rows of weights at a time.
#include <fmt/format.h>

#include "engine/deploy/layers/c_layer.hpp"

namespace nw {
namespace deploy {
namespace {

constexpr std::string_view dense_text = R"C(
NW_KERNEL void nw_dense(const float *x, const float *rows, const float *bias, float *y, int inputs, int outputs,
                        float least, float most) {
  int o, i;
#if NW_LANES == 1
  for (o = 0; o < outputs; ++o) {
    float sum = bias[o];
    for (i = 0; i < inputs; ++i) sum += x[i] * *rows++;
    y[o] = nw_limit(sum, least, most);
  }
#else
  for (o = 0; o < outputs; o += 4) {
    const float *q0 = rows + (ptrdiff_t)o * inputs, *q1 = o + 1 < outputs ? q0 + inputs : q0;
    const float *q2 = o + 2 < outputs ? q1 + inputs : q1, *q3 = o + 3 < outputs ? q2 + inputs : q2;
    nw_v s0 = NW_ZERO, s1 = NW_ZERO, s2 = NW_ZERO, s3 = NW_ZERO;
    float part[4][NW_LANES], sum[4];
    int k;
    for (k = 0; k < 4; ++k) sum[k] = o + k < outputs ? bias[o + k] : 0.0f;
    for (i = 0; i + NW_LANES <= inputs; i += NW_LANES) {
      const nw_v v = NW_AT(x + i);
      s0 += v * NW_AT(q0 + i);
      s1 += v * NW_AT(q1 + i);
      s2 += v * NW_AT(q2 + i);
      s3 += v * NW_AT(q3 + i);
    }
    memcpy(part[0], &s0, sizeof s0);
    memcpy(part[1], &s1, sizeof s1);
    memcpy(part[2], &s2, sizeof s2);
    memcpy(part[3], &s3, sizeof s3);
    NW_SHORT_LOOP
    for (k = 0; k < NW_LANES; ++k) {
      sum[0] += part[0][k];
      sum[1] += part[1][k];
      sum[2] += part[2][k];
      sum[3] += part[3][k];
    }
    NW_SHORT_LOOP
    for (; i < inputs; ++i) {
      sum[0] += x[i] * q0[i];
      sum[1] += x[i] * q1[i];
      sum[2] += x[i] * q2[i];
      sum[3] += x[i] * q3[i];
    }
    NW_SHORT_LOOP
    for (k = 0; k < 4 && o + k < outputs; ++k) {
      const float v = sum[k] < least ? least : sum[k];
      y[o + k] = v > most ? most : v;
    }
  }
#endif
}
)C";

/// The numbers of one output, for the inputs as they lie in memory.
std::vector<float> row(const std::vector<float>& weight, std::int64_t o, std::int64_t inputs, const Shape& image) {
  const auto from = weight.begin() + o * inputs;
  const std::vector<float> numbers(from, from + inputs);
  return image.rank() == 4 ? channels_last(numbers, image) : numbers;
}

void write_linear(CWriter& w) {
  const std::int64_t inputs = w.in()[1], outputs = w.out()[1];
  const std::vector<float> weight = w.weight("weight");
  std::vector<float> rows, bias = w.weight("bias");
  bias.resize(static_cast<std::size_t>(outputs));
  for (std::int64_t o = 0; o < outputs; ++o) {
    const std::vector<float> numbers = row(weight, o, inputs, w.flattened());
    rows.insert(rows.end(), numbers.begin(), numbers.end());
  }
  w.needs("nw_dense");
  w.call(fmt::format("nw_dense({{0}}, {}, {}, {{out}}, {}, {}, {});", w.constants(rows), w.constants(bias), inputs,
                     outputs, c_clamp(w.clamp())));
}

}  // namespace
}  // namespace deploy

extern const deploy::CLayerFile linear_c_layers;
const deploy::CLayerFile linear_c_layers = [] {
  using namespace deploy;
  CLayer linear{"Linear", write_linear};
  linear.clamps = true;
  return CLayerFile{{linear}, {{"nw_dense", std::string(dense_text), {"nw_vectors"}}}};
}();

}  // namespace nw
