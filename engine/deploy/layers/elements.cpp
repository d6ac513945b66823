// SPDX-License-Identifier: Apache-2.0
// Sums, products and joins of several values; learned factors and tokens.
#include <fmt/format.h>

#include "engine/deploy/layers/c_layer.hpp"

namespace nw {
namespace deploy {
namespace {

constexpr std::string_view add_text = R"C(
NW_KERNEL void nw_sum_of(const float *a, const float *b, float *y, int n, float least, float most) {
  int i;
  for (i = 0; i < n; ++i) {
    float v = a[i] + b[i];
    v = v < least ? least : v;
    y[i] = v > most ? most : v;
  }
}
)C";

constexpr std::string_view multiply_text = R"C(
/* `b` holds as many pixels as `a`, or one that is a factor of each channel. */
NW_KERNEL void nw_multiply(const float *a, const float *b, float *y, int pixels, int channels, int step) {
  int i, k;
  for (i = 0; i < pixels; ++i, a += channels, b += step, y += channels)
    for (k = 0; k < channels; ++k) y[k] = a[k] * b[k];
}
)C";

constexpr std::string_view copy_rows = R"C(
/* Rows of `n` numbers, which lie `from` and `to` floats apart. */
NW_KERNEL void nw_copy(const float *x, float *y, int rows, int n, int from, int to) {
  int i;
  for (i = 0; i < rows; ++i) memcpy(y + (ptrdiff_t)i * to, x + (ptrdiff_t)i * from, sizeof(float) * (size_t)n);
}
)C";

/// An Add clamps with the last of its sums only.
void write_add(CWriter& w) {
  const std::size_t inputs = w.layer().inputs.size();
  const std::int64_t n = w.out().per_sample();
  w.needs(inputs == 1 ? "nw_clamp" : "nw_sum_of");
  w.in_place();
  if (inputs == 1) w.call(fmt::format("nw_clamp({{0}}, {{out}}, {}, {});", n, c_clamp(w.clamp())));
  for (std::size_t i = 1; i < inputs; ++i)
    w.call(fmt::format("nw_sum_of({}, {{{}}}, {{out}}, {}, {});", i == 1 ? "{0}" : "{out}", i, n,
                       c_clamp(i + 1 == inputs ? w.clamp() : Clamp{})));
}

/// The first factor is one of the output's size.
void write_multiply(CWriter& w) {
  const std::size_t inputs = w.layer().inputs.size();
  if (inputs == 1) return w.same();
  std::size_t first = 0;
  while (first + 1 < inputs && !(w.in(first) == w.out())) ++first;
  std::string from = fmt::format("{{{}}}", first);
  w.needs("nw_multiply");
  if (first == 0) w.in_place();
  for (std::size_t i = 0; i < inputs; ++i) {
    if (i == first) continue;
    const std::int64_t channels = w.out()[1];
    w.call(fmt::format("nw_multiply({}, {{{}}}, {{out}}, {}, {}, {});", from, i, pixels_of(w.out()), channels,
                       w.in(i) == w.out() ? channels : 0));
    from = "{out}";
  }
}

void write_concat(CWriter& w) {
  std::int64_t at = 0;
  w.needs("nw_copy");
  for (std::size_t i = 0; i < w.layer().inputs.size(); ++i) {
    const std::int64_t channels = w.in(i)[1];
    w.call(fmt::format("nw_copy({{{}}}, {{out}} + {}, {}, {}, {}, {});", i, at, pixels_of(w.out()), channels, channels,
                       w.out()[1]));
    at += channels;
  }
}

void write_scale(CWriter& w) {
  w.needs("nw_multiply");
  w.in_place();
  w.call(fmt::format("nw_multiply({{0}}, {}, {{out}}, {}, {}, 0);", w.constants(w.weight("")), pixels_of(w.in()),
                     w.in()[1]));
}

void write_class_token(CWriter& w) {
  const std::int64_t features = w.in()[1], tokens = pixels_of(w.in());
  w.needs("nw_copy");
  w.call(fmt::format("nw_copy({}, {{out}}, 1, {}, 0, 0);", w.constants(w.weight("")), features));
  w.call(fmt::format("nw_copy({{0}}, {{out}} + {}, 1, {}, 0, 0);", features, features * tokens));
}

void write_positions(CWriter& w) {
  w.needs("nw_sum_of");
  w.in_place();
  w.call(fmt::format("nw_sum_of({{0}}, {}, {{out}}, {}, {});", w.constants(w.weight("")), w.out().per_sample(),
                     c_clamp({})));
}

void nothing(CWriter& w) { w.same(); }

CLayer passing(std::string_view name) {
  CLayer l{name, nothing};
  l.keeps_order = true;
  return l;
}

}  // namespace
}  // namespace deploy

extern const deploy::CLayerFile elements_c_layers;
const deploy::CLayerFile elements_c_layers = [] {
  using namespace deploy;
  CLayer add{"Add", write_add};
  add.clamps = true;
  return CLayerFile{{add,
                     {"Multiply", write_multiply},
                     {"Concat", write_concat},
                     {"LayerScale", write_scale},
                     {"ClassToken", write_class_token},
                     {"PositionalEmbedding", write_positions},
                     passing("Identity"),
                     passing("Dropout"),
                     passing("Dropout2d"),
                     passing("StochasticDepth")},
                    {{"nw_sum_of", std::string(add_text)},
                     {"nw_multiply", std::string(multiply_text)},
                     {"nw_copy", std::string(copy_rows)}}};
}();

}  // namespace nw
