// SPDX-License-Identifier: Apache-2.0
// Activations, each number by itself and in place. Sources of the formulas: kernels/math/activation.hpp.
#include <fmt/format.h>

#include "engine/deploy/layers/c_layer.hpp"

namespace nw {
namespace deploy {
namespace {

constexpr std::string_view clamp_text = R"C(
NW_KERNEL void nw_clamp(const float *x, float *y, int n, float least, float most) {
  int i;
  for (i = 0; i < n; ++i) {
    const float v = x[i] < least ? least : x[i];
    y[i] = v > most ? most : v;
  }
}
)C";

/// A function `name` with its formula of v, a and b.
std::string function(std::string_view name, std::string_view formula) {
  return fmt::format(R"C(
static void {}(const float *x, float *y, int n, float a, float b) {{
  int i;
  (void)a;
  (void)b;
  for (i = 0; i < n; ++i) {{
    const float v = x[i];
    y[i] = {};
  }}
}}
)C",
                     name, formula);
}

constexpr std::string_view prelu_text = R"C(
NW_KERNEL void nw_prelu(const float *x, const float *w, float *y, int pixels, int channels, int slopes) {
  int i, k;
  for (i = 0; i < pixels; ++i)
    for (k = 0; k < channels; ++k, ++x, ++y) *y = *x > 0.0f ? *x : *x * w[slopes > 1 ? k : 0];
}
)C";

void apply(CWriter& w, const char* name, double a = 0, double b = 0) {
  w.needs(name);
  w.in_place();
  w.call(fmt::format("{}({{0}}, {{out}}, {}, {}, {});", name, w.out().per_sample(), c_float(a), c_float(b)));
}

Clamp relu(const FlatLayer&) { return {.least = 0}; }
Clamp relu6(const FlatLayer&) { return {.least = 0, .most = 6}; }
Clamp hardtanh(const FlatLayer& l) { return {l.attrs.real("min_val"), l.attrs.real("max_val")}; }

template <Clamp (*Limits)(const FlatLayer&)>
void write_clamp(CWriter& w) {
  const Clamp c = Limits(w.layer());
  apply(w, "nw_clamp", c.least, c.most);
}

void write_prelu(CWriter& w) {
  const std::vector<float> slopes = w.weight("weight");
  w.needs("nw_prelu");
  w.in_place();
  w.call(fmt::format("nw_prelu({{0}}, {}, {{out}}, {}, {}, {});", w.constants(slopes), pixels_of(w.in()), w.in()[1],
                     slopes.size()));
}

CLayer clamping(std::string_view layer, void (*write)(CWriter&), Clamp (*limits)(const FlatLayer&)) {
  CLayer l{layer, write};
  l.as_clamp = limits;
  l.keeps_order = true;
  return l;
}

CLayer element(std::string_view layer, void (*write)(CWriter&)) {
  CLayer l{layer, write};
  l.keeps_order = true;
  return l;
}

CLayerFile activations() {
  const auto f = [](const char* name, std::string_view formula) { return CFunction{name, function(name, formula)}; };
  return {
      {clamping("ReLU", write_clamp<relu>, relu), clamping("ReLU6", write_clamp<relu6>, relu6),
       clamping("Hardtanh", write_clamp<hardtanh>, hardtanh), CLayer{"PReLU", write_prelu},
       element("LeakyReLU", [](CWriter& w) { apply(w, "nw_leaky_relu", w.attrs().real("negative_slope")); }),
       element("ELU", [](CWriter& w) { apply(w, "nw_elu", w.attrs().real("alpha"), 1); }),
       element("SELU",
               [](CWriter& w) {
                 apply(w, "nw_elu", 1.6732632423543772848170429916717, 1.0507009873554804934193349852946);
               }),
       element("Sigmoid", [](CWriter& w) { apply(w, "nw_sigmoid"); }),
       element("Tanh", [](CWriter& w) { apply(w, "nw_tanh"); }),
       element("SiLU", [](CWriter& w) { apply(w, "nw_silu"); }),
       element("Mish", [](CWriter& w) { apply(w, "nw_mish"); }),
       element("Hardswish", [](CWriter& w) { apply(w, "nw_hardswish"); }),
       element("Hardsigmoid", [](CWriter& w) { apply(w, "nw_hardsigmoid"); }),
       element("GELU",
               [](CWriter& w) { apply(w, w.attrs().choice("approximate") == "tanh" ? "nw_gelu_tanh" : "nw_gelu"); }),
       element("Softplus",
               [](CWriter& w) { apply(w, "nw_softplus", w.attrs().real("beta"), w.attrs().real("threshold")); })},
      {{"nw_clamp", std::string(clamp_text)},
       {"nw_prelu", std::string(prelu_text)},
       f("nw_leaky_relu", "v > 0.0f ? v : a * v"),
       f("nw_elu", "v > 0.0f ? b * v : b * a * expm1f(v)"),
       f("nw_sigmoid", "1.0f / (1.0f + expf(-v))"),
       f("nw_tanh", "tanhf(v)"),
       f("nw_silu", "v / (1.0f + expf(-v))"),
       f("nw_mish", "v * tanhf(v > 20.0f ? v : log1pf(expf(v)))"),
       f("nw_hardswish", "v * (v < -3.0f ? 0.0f : v > 3.0f ? 6.0f : v + 3.0f) / 6.0f"),
       f("nw_hardsigmoid", "(v < -3.0f ? 0.0f : v > 3.0f ? 6.0f : v + 3.0f) / 6.0f"),
       f("nw_gelu", "0.5f * v * (1.0f + erff(v * 0.70710678f))"),
       f("nw_gelu_tanh", "0.5f * v * (1.0f + tanhf(0.79788456f * (v + 0.044715f * v * v * v)))"),
       f("nw_softplus", "a * v > b ? v : ((a * v > 0.0f ? a * v : 0.0f) + log1pf(expf(-fabsf(a * v)))) / a")}};
}

}  // namespace
}  // namespace deploy

extern const deploy::CLayerFile activation_c_layers;
const deploy::CLayerFile activation_c_layers = deploy::activations();

}  // namespace nw
