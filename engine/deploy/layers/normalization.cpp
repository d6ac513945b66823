// SPDX-License-Identifier: Apache-2.0
// Norms. A batch norm is a factor and an offset of each channel; the others measure each picture.
#include <fmt/format.h>

#include <cmath>

#include "engine/deploy/layers/c_layer.hpp"

namespace nw {
namespace deploy {
namespace {

constexpr std::string_view affine_text = R"C(
/* `w`: a factor, then an offset of each channel. */
NW_KERNEL void nw_affine(const float *x, const float *w, float *y, int pixels, int channels, float least, float most) {
  int i, k;
  for (i = 0; i < pixels; ++i, x += channels, y += channels)
    for (k = 0; k < channels; ++k) {
      float v = x[k] * w[k] + w[channels + k];
      v = v < least ? least : v;
      y[k] = v > most ? most : v;
    }
}
)C";

constexpr std::string_view norm_text = R"C(
/* Mean 0 and variance 1 for each of `sets` ranges of the channels over `pixels` pixels that lie `out` floats apart. */
NW_KERNEL void nw_norm(const float *x, float *y, int pixels, int out, int sets, int channels, float eps) {
  int s, i, k;
  for (s = 0; s < sets; ++s, x += channels, y += channels) {
    double mean = 0.0, square = 0.0;
    float middle, scale;
    for (i = 0; i < pixels; ++i)
      for (k = 0; k < channels; ++k) mean += x[(ptrdiff_t)i * out + k];
    mean /= (double)pixels * channels;
    for (i = 0; i < pixels; ++i)
      for (k = 0; k < channels; ++k) {
        const double d = x[(ptrdiff_t)i * out + k] - mean;
        square += d * d;
      }
    middle = (float)mean;
    scale = (float)(1.0 / sqrt(square / ((double)pixels * channels) + eps));
    for (i = 0; i < pixels; ++i)
      for (k = 0; k < channels; ++k) y[(ptrdiff_t)i * out + k] = (x[(ptrdiff_t)i * out + k] - middle) * scale;
  }
}
)C";

constexpr std::string_view response_text = R"C(
NW_KERNEL void nw_response_norm(const float *x, float *y, int pixels, int n, int size, float alpha, float beta,
                                float base) {
  int i, k, j;
  for (i = 0; i < pixels; ++i, x += n, y += n)
    for (k = 0; k < n; ++k) {
      const int first = k - size / 2 > 0 ? k - size / 2 : 0;
      const int end = k + (size - 1) / 2 + 1 < n ? k + (size - 1) / 2 + 1 : n;
      float sum = 0.0f;
      for (j = first; j < end; ++j) sum += x[j] * x[j];
      y[k] = x[k] * powf(base + alpha / (float)size * sum, -beta);
    }
}
)C";

void affine(CWriter& w, const std::string& from, std::vector<float> factors, const std::vector<float>& offsets,
            std::int64_t pixels, const Clamp& clamp) {
  const std::int64_t channels = std::ssize(factors);
  factors.insert(factors.end(), offsets.begin(), offsets.end());
  w.needs("nw_affine");
  w.call(fmt::format("nw_affine({}, {}, {{out}}, {}, {}, {});", from, w.constants(factors), pixels, channels,
                     c_clamp(clamp)));
}

void write_batch_norm(CWriter& w) {
  std::vector<float> factors = w.weight("weight"), offsets = w.weight("bias");
  const std::vector<float> mean = w.weight("running_mean"), variance = w.weight("running_var");
  for (std::size_t c = 0; c < mean.size(); ++c) {
    const double scale = factors[c] / std::sqrt(static_cast<double>(variance[c]) + w.attrs().real("eps"));
    factors[c] = static_cast<float>(scale);
    offsets[c] = static_cast<float>(offsets[c] - scale * mean[c]);
  }
  w.in_place();
  affine(w, "{0}", factors, offsets, pixels_of(w.in()), w.clamp());
}

/// The learned factors and offsets, if there are some. `whole`: one for each number of the picture.
void learned(CWriter& w, bool whole) {
  std::vector<float> factors = w.weight("weight"), offsets = w.weight("bias");
  if (factors.empty()) return;
  if (whole && w.in().rank() == 4) {
    factors = channels_last(factors, w.in());
    offsets = channels_last(offsets, w.in());
  }
  affine(w, "{out}", factors, offsets, whole ? 1 : pixels_of(w.in()), {});
}

void norm(CWriter& w, std::int64_t pixels, std::int64_t out, std::int64_t sets, std::int64_t channels) {
  w.needs("nw_norm");
  w.in_place();
  w.call(fmt::format("nw_norm({{0}}, {{out}}, {}, {}, {}, {}, {});", pixels, out, sets, channels,
                     c_float(w.attrs().real("eps"))));
}

void write_groups(CWriter& w, std::int64_t groups) {
  const std::int64_t channels = w.in()[1];
  norm(w, pixels_of(w.in()), channels, groups, channels / groups);
  learned(w, false);
}

void write_layer_norm(CWriter& w) {
  const std::int64_t all = w.in().per_sample();
  norm(w, 1, all, 1, all);
  learned(w, true);
}

void write_layer_norm_2d(CWriter& w) {
  norm(w, 1, 0, pixels_of(w.in()), w.in()[1]);
  learned(w, false);
}

void write_response_norm(CWriter& w) {
  const Attrs& a = w.attrs();
  w.needs("nw_response_norm");
  w.call(fmt::format("nw_response_norm({{0}}, {{out}}, {}, {}, {}, {}, {}, {});", pixels_of(w.in()), w.in()[1],
                     a.integer("size"), c_float(a.real("alpha")), c_float(a.real("beta")), c_float(a.real("k"))));
}

}  // namespace
}  // namespace deploy

extern const deploy::CLayerFile normalization_c_layers;
const deploy::CLayerFile normalization_c_layers = [] {
  using namespace deploy;
  CLayer batch{"BatchNorm2d", write_batch_norm};
  batch.clamps = true;
  return CLayerFile{{batch,
                     {"GroupNorm", [](CWriter& w) { write_groups(w, w.attrs().integer("num_groups")); }},
                     {"InstanceNorm2d", [](CWriter& w) { write_groups(w, w.in()[1]); }},
                     {"LayerNorm", write_layer_norm},
                     {"LayerNorm2d", write_layer_norm_2d},
                     {"LocalResponseNorm", write_response_norm}},
                    {{"nw_affine", std::string(affine_text)},
                     {"nw_norm", std::string(norm_text)},
                     {"nw_response_norm", std::string(response_text)}}};
}();

}  // namespace nw
