// SPDX-License-Identifier: Apache-2.0
// Self-attention between tokens, and softmax. Vaswani et al., "Attention is all you need", arXiv 1706.03762, 3.2.
#include <fmt/format.h>

#include "engine/deploy/layers/windows.hpp"

namespace nw {
namespace deploy {
namespace {

constexpr std::string_view softmax_text = R"C(
NW_KERNEL void nw_softmax(const float *x, float *y, int pixels, int n) {
  int i, k;
  for (i = 0; i < pixels; ++i, x += n, y += n) {
    float most = x[0], sum = 0.0f;
    for (k = 1; k < n; ++k) most = x[k] > most ? x[k] : most;
    for (k = 0; k < n; ++k) sum += y[k] = expf(x[k] - most);
    for (k = 0; k < n; ++k) y[k] /= sum;
  }
}
)C";

constexpr std::string_view attention_text = R"C(
/* `x`: queries, keys and values of each token; `p`: memory for one number a token. */
NW_KERNEL void nw_attention(const float *x, float *p, float *y, int tokens, int features, int heads) {
  const int each = features / heads;
  const float scale = 1.0f / sqrtf((float)each);
  int h, i, j, k;
  for (h = 0; h < heads; ++h)
    for (i = 0; i < tokens; ++i) {
      const float *query = x + (ptrdiff_t)i * 3 * features + h * each;
      float *out = y + (ptrdiff_t)i * features + h * each;
      for (j = 0; j < tokens; ++j) {
        const float *key = x + ((ptrdiff_t)j * 3 + 1) * features + h * each;
        float total = 0.0f;
        k = 0;
#if NW_LANES > 1
        {
          nw_v sum = NW_ZERO;
          for (; k + NW_LANES <= each; k += NW_LANES) sum += NW_AT(query + k) * NW_AT(key + k);
          total = nw_sum(sum);
        }
#endif
        for (; k < each; ++k) total += query[k] * key[k];
        p[j] = total * scale;
      }
      nw_softmax(p, p, 1, tokens);
      for (k = 0; k < each; ++k) out[k] = 0.0f;
      for (j = 0; j < tokens; ++j) {
        const float *value = x + ((ptrdiff_t)j * 3 + 2) * features + h * each;
        for (k = 0; k < each; ++k) out[k] += p[j] * value[k];
      }
    }
}
)C";

void write_softmax(CWriter& w) {
  w.needs("nw_softmax");
  w.in_place();
  w.call(fmt::format("nw_softmax({{0}}, {{out}}, {}, {});", pixels_of(w.in()), w.in()[1]));
}

/// A Linear of every token.
void project(CWriter& w, const std::string& x, const std::string& y, const char* weight, const char* bias,
             std::int64_t in, std::int64_t out) {
  std::vector<float> biases = w.weight(bias);
  biases.resize(static_cast<std::size_t>(out));
  write_product(w, x, y, {w.weight(weight), biases, in, out, pixels_of(w.in())});
}

void write_attention(CWriter& w) {
  const std::int64_t features = w.in()[1], tokens = pixels_of(w.in());
  w.needs("nw_attention");
  const std::string projected = w.scratch(3 * features * tokens), mixed = w.scratch(features * tokens),
                    shares = w.scratch(tokens);
  project(w, "{0}", projected, "in_proj_weight", "in_proj_bias", features, 3 * features);
  w.call(fmt::format("nw_attention({}, {}, {}, {}, {}, {});", projected, shares, mixed, tokens, features,
                     w.attrs().integer("num_heads")));
  project(w, mixed, "{out}", "out_proj.weight", "out_proj.bias", features, features);
}

}  // namespace
}  // namespace deploy

extern const deploy::CLayerFile attention_c_layers;
const deploy::CLayerFile attention_c_layers{
    {{"Softmax", deploy::write_softmax}, {"MultiheadAttention", deploy::write_attention}},
    {{"nw_softmax", std::string(deploy::softmax_text)},
     {"nw_attention", std::string(deploy::attention_text), {"nw_vectors", "nw_softmax"}}}};

}  // namespace nw
