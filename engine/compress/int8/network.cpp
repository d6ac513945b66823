// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/int8/network.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <tuple>

#include "engine/compress/int8/fused_layers.hpp"
#include "engine/compress/int8/quantize.hpp"

namespace nw::compress::int8 {
namespace {

using nw::int8::block;
using nw::int8::Constants;
using nw::int8::Depthwise;
using nw::int8::Kernels;
using nw::int8::Pair;
using nw::int8::Pool;
using nw::int8::Product;
using nw::int8::Rounding;

/// Sizes of a convolution; a linear layer is one whose filter covers the whole image.
struct Geometry {
  std::int64_t in = 0, out = 0, groups = 1, kernel_y = 1, kernel_x = 1, stride_y = 1, stride_x = 1, padding_y = 0,
               padding_x = 0, dilation_y = 1, dilation_x = 1;
  bool is_depthwise() const { return groups > 1 && groups == in && groups == out; }
};

struct Rows {
  std::vector<std::int8_t> weights;  // (out, in / groups, kernel_y, kernel_x)
  std::vector<float> scales;
  std::vector<std::int32_t> bias;
};

bool is_scale(float s) { return std::isfinite(s) && s >= std::numeric_limits<float>::min(); }

template <class T>
void fill_block(std::vector<T>& v) {
  v.resize((v.size() + block - 1) / block * block);
}

class Assembler {
 public:
  Assembler(const FlatNetwork& network, const Tensors& tensors, const Kernels& kernels)
      : network_(network), tensors_(tensors), kernels_(kernels), values_(network.layers.size(), -1) {}

  Result<Network> all() {
    for (const FusedLayer& f : fused_layers(network_)) NW_TRY(add(f));
    const int scores = score_layer(network_);
    const Shape& shape = at(scores).shape;
    if (shape.per_sample() != shape[1])
      return fail(Errc::bad_input, NW_TR("{0}: an 8-bit network ends with one number for each class"), at(scores).name);
    made_.outputs = shape[1];
    made_.output = values_[static_cast<std::size_t>(scores)];
    for (std::size_t i = 0; i < made_.steps.size(); ++i) set_addresses(made_.steps[i], geometry_[i]);
    return std::move(made_);
  }

 private:
  const FlatLayer& at(int l) const { return network_.layers[static_cast<std::size_t>(l)]; }
  int value(const FlatLayer& l, std::size_t i = 0) const { return values_[static_cast<std::size_t>(l.inputs[i])]; }
  Extent& extent(int v) { return made_.values[static_cast<std::size_t>(v)]; }

  /// The value that the fused layer computes, with the scale of the tensors.
  Result<int> new_value(const FusedLayer& f) {
    const FlatLayer& l = at(f.end);
    NW_ASSIGN(const auto scale, numbers<float>(tensors_, l.name + ".scale", "F32", {}));
    NW_ASSIGN(const auto zero, numbers<std::uint8_t>(tensors_, l.name + ".zero", "U8", {}));
    if (!is_scale(scale.front()))
      return fail(Errc::bad_input, NW_TR("{0}: {1} is no scale of whole numbers"), l.name, scale.front());
    return add_value(f, l.shape, scale.front(), zero.front());
  }
  int add_value(const FusedLayer& f, const Shape& s, float scale, std::uint8_t zero) {
    const bool image = s.rank() == 4;
    made_.values.push_back({image ? s[2] : 1, image ? s[3] : 1, s[1], scale, zero, 0});
    return values_[static_cast<std::size_t>(f.end)] = static_cast<int>(made_.values.size()) - 1;
  }

  /// Of the output of a layer with its activation.
  Rounding rounding(const FusedLayer& f, int v) {
    const Extent& e = extent(v);
    Rounding r{e.zero, 0, 255};
    const auto limits = f.activation >= 0 ? limits_of(at(f.activation)) : std::nullopt;
    if (!limits) return r;
    const auto whole = [&](double x) {
      return static_cast<std::int32_t>(
          std::clamp(std::nearbyint(x / static_cast<double>(e.scale)) + e.zero, 0.0, 255.0));
    };
    return {e.zero, whole(limits->least), whole(limits->most)};
  }

  Status add(const FusedLayer& f) {
    switch (f.form) {
      case Form::input:
        return add_input(f);
      case Form::same:
        values_[static_cast<std::size_t>(f.end)] = value(at(f.layer));
        return {};
      case Form::product:
      case Form::affine:
        return add_product(f);
      case Form::max_pool:
      case Form::mean_pool:
        return add_pool(f);
      case Form::pair:
        return add_pair(f);
      case Form::concat:
        return add_concat(f);
      case Form::table:
        return add_table(f);
      case Form::real:
        return add_real(f);
    }
    return {};
  }

  Status add_input(const FusedLayer& f) {
    NW_ASSIGN(const int v, new_value(f));
    (void)v;
    return {};
  }

  Geometry geometry(const FusedLayer& f) {
    const FlatLayer& l = at(f.layer);
    const Extent& in = extent(value(l));
    if (l.type->name == "Linear")
      return {.in = in.channels, .out = l.shape[1], .kernel_y = in.height, .kernel_x = in.width};
    if (f.form == Form::affine) return {.in = in.channels, .out = in.channels, .groups = in.channels};
    const auto [ky, kx] = l.attrs.pair("kernel_size");
    const auto [sy, sx] = l.attrs.pair("stride");
    const auto [py, px] = l.attrs.pair("padding");
    const auto [dy, dx] = l.attrs.pair("dilation");
    return {in.channels, l.shape[1], l.attrs.integer("groups"), ky, kx, sy, sx, py, px, dy, dx};
  }

  Result<Rows> rows(const FusedLayer& f, const Geometry& g, const Extent& in) {
    const FlatLayer& l = at(f.layer);
    std::vector<std::int64_t> shape{g.out, g.in / g.groups, g.kernel_y, g.kernel_x};
    if (f.form == Form::affine) shape = {g.out};
    if (l.type->name == "Linear") shape = {g.out, g.in * g.kernel_y * g.kernel_x};
    Rows r;
    NW_ASSIGN(r.weights, numbers<std::int8_t>(tensors_, l.name + ".weight", "I8", shape));
    NW_ASSIGN(r.scales, numbers<float>(tensors_, l.name + ".weight_scale", "F32", {g.out}));
    NW_ASSIGN(r.bias, numbers<std::int32_t>(tensors_, l.name + ".bias", "I32", {g.out}));
    if (!std::all_of(r.scales.begin(), r.scales.end(), is_scale))
      return fail(Errc::bad_input, NW_TR("{0}: a scale of its weights is not a positive number"), l.name);
    NW_TRY(take_zero_point(r, in, l.name));
    return r;
  }

  /// Moves the input's zero point into the bias, and checks that no sum on the way exceeds 32 bits.
  static Status take_zero_point(Rows& r, const Extent& in, const std::string& name) {
    const std::size_t each = r.weights.size() / r.bias.size();
    for (std::size_t o = 0; o < r.bias.size(); ++o) {
      std::int64_t sum = 0, largest = 0;
      for (std::size_t i = o * each; i < (o + 1) * each; ++i) {
        sum += r.weights[i];
        largest += 255 * std::abs(std::int64_t{r.weights[i]});
      }
      const std::int64_t bias = r.bias[o] - in.zero * sum;
      if (std::abs(bias) + largest > std::numeric_limits<std::int32_t>::max())
        return fail(Errc::bad_input, NW_TR("{0}: its sums could exceed 32 bits"), name);
      r.bias[o] = static_cast<std::int32_t>(bias);
    }
    return {};
  }

  Status add_product(const FusedLayer& f) {
    const int from = value(at(f.layer));
    const Geometry g = geometry(f);
    NW_ASSIGN(const Rows r, rows(f, g, extent(from)));
    const bool scores = f.end == score_layer(network_) && f.activation < 0 && at(f.end).shape.rank() == 2;
    int to = -1;
    if (!scores) { NW_ASSIGN(to, new_value(f)); }
    extent(from).border = std::max({extent(from).border, g.padding_y, g.padding_x});
    std::vector<float> factor;
    for (const float s : r.scales)
      factor.push_back(scores ? extent(from).scale * s : extent(from).scale * s / extent(to).scale);
    const Rounding limits = scores ? Rounding{} : rounding(f, to);
    if (g.is_depthwise())
      add_depthwise(g, r, std::move(factor), from, to, limits);
    else
      for (std::int64_t group = 0; group < g.groups; ++group) add_group(g, r, factor, group, from, to, limits);
    return {};
  }

  /// (taps, channels) from (channels, 1, taps).
  void add_depthwise(const Geometry& g, const Rows& r, std::vector<float> factor, int from, int to, Rounding limits) {
    const std::int64_t taps = g.kernel_y * g.kernel_x, whole = (g.out + block - 1) / block * block;
    Constants c{std::vector<std::int8_t>(static_cast<std::size_t>(taps * whole)), r.bias, std::move(factor)};
    for (std::int64_t o = 0; o < g.out; ++o)
      for (std::int64_t t = 0; t < taps; ++t)
        c.weights[static_cast<std::size_t>(t * whole + o)] = r.weights[static_cast<std::size_t>(o * taps + t)];
    fill_block(c.bias);
    fill_block(c.factor);
    Depthwise d;
    d.constants = std::make_shared<const Constants>(std::move(c));
    d.rounding = limits;
    geometry_.push_back(g);
    made_.steps.push_back({{from}, to, std::move(d)});
  }

  /// A group's filters with their inputs in the order of memory: (out, y, x, channel).
  void add_group(const Geometry& g, const Rows& r, const std::vector<float>& factor, std::int64_t group, int from,
                 int to, Rounding limits) {
    const std::int64_t each = g.in / g.groups, outputs = g.out / g.groups, first = group * outputs,
                       area = g.kernel_y * g.kernel_x;
    std::vector<std::int8_t> ordered(static_cast<std::size_t>(outputs * each * area));
    for (std::int64_t o = 0; o < outputs; ++o)
      for (std::int64_t c = 0; c < each; ++c)
        for (std::int64_t t = 0; t < area; ++t)
          ordered[static_cast<std::size_t>((o * area + t) * each + c)] =
              r.weights[static_cast<std::size_t>(((first + o) * each + c) * area + t)];
    Product p;
    const bool joined = g.groups == 1 && g.dilation_x == 1;  // a filter's row is one piece of memory
    p.run = joined ? g.kernel_x * each : each;
    p.outputs = outputs;
    p.first_output = first;
    p.rounding = limits;
    Constants c{pack(kernels_, ordered, outputs, joined ? g.kernel_y : area, p.run),
                {r.bias.begin() + first, r.bias.begin() + first + outputs},
                {factor.begin() + first, factor.begin() + first + outputs}};
    fill_block(c.bias);
    fill_block(c.factor);
    p.constants = std::make_shared<const Constants>(std::move(c));
    geometry_.push_back(g);
    made_.steps.push_back({{from}, to, std::move(p)});
  }

  Pool pool_of(const FlatLayer& l, const Extent& in) {
    Pool p;
    if (l.type->name.starts_with("Global") || l.type->name == "AdaptiveAvgPool2d") {
      p.kernel_y = p.stride_y = in.height / l.shape[2];
      p.kernel_x = p.stride_x = in.width / l.shape[3];
      return p;
    }
    std::tie(p.kernel_y, p.kernel_x) = l.attrs.pair("kernel_size");
    std::tie(p.stride_y, p.stride_x) = l.attrs.pair("stride");
    std::tie(p.padding_y, p.padding_x) = l.attrs.pair("padding");
    if (l.type->name == "AvgPool2d") p.counts_padding = l.attrs.boolean("count_include_pad");
    return p;
  }

  Status add_pool(const FusedLayer& f) {
    const FlatLayer& l = at(f.layer);
    const int from = value(l);
    Pool p = pool_of(l, extent(from));
    p.mean = f.form == Form::mean_pool;
    p.zero = extent(from).zero;
    int to = -1;
    if (p.mean) {
      NW_ASSIGN(to, new_value(f));
    } else {
      to = add_value(f, l.shape, extent(from).scale, extent(from).zero);
    }
    p.factor = extent(from).scale / extent(to).scale;
    p.rounding = rounding(f, to);
    push(from, to, std::move(p));
    return {};
  }

  void push(int from, int to, decltype(Step::what) what) {
    geometry_.emplace_back();
    made_.steps.push_back({{from}, to, std::move(what)});
  }

  Status add_pair(const FusedLayer& f) {
    const FlatLayer& l = at(f.layer);
    NW_ASSIGN(const int to, new_value(f));
    Step step{{value(l, 0), value(l, 1)}, to, Pair{}};
    const auto pixels = [&](int v) { return extent(v).height * extent(v).width; };
    if (pixels(step.inputs[0]) < pixels(step.inputs[1])) std::swap(step.inputs[0], step.inputs[1]);
    const Extent &a = extent(step.inputs[0]), &b = extent(step.inputs[1]);
    extent(to) = {a.height, a.width, a.channels, extent(to).scale, extent(to).zero, 0};  // also of flattened images
    Pair p{.zero_a = a.zero, .zero_b = b.zero, .multiplies = l.type->name == "Multiply", .rounding = rounding(f, to)};
    p.factor_a = p.multiplies ? a.scale * b.scale / extent(to).scale : a.scale / extent(to).scale;
    p.factor_b = b.scale / extent(to).scale;
    step.what = p;
    geometry_.emplace_back();
    made_.steps.push_back(std::move(step));
    return {};
  }

  Status add_concat(const FusedLayer& f) {
    const FlatLayer& l = at(f.layer);
    NW_ASSIGN(const int to, new_value(f));
    std::int64_t first = 0;
    for (std::size_t i = 0; i < l.inputs.size(); ++i) {
      const Extent& in = extent(value(l, i));
      const Extent& out = extent(to);
      if (in.height != out.height || in.width != out.width)
        return fail(Errc::bad_input, NW_TR("{0}: flattened images cannot be joined in 8 bits"), l.name);
      Remap r;
      r.first_channel = first;
      for (std::size_t q = 0; q < 256; ++q) {
        const double x = (static_cast<double>(q) - in.zero) * static_cast<double>(in.scale);
        r.table[q] = static_cast<std::uint8_t>(
            std::clamp(std::nearbyint(x / static_cast<double>(out.scale)) + out.zero, 0.0, 255.0));
      }
      first += in.channels;
      push(value(l, i), to, r);
    }
    return {};
  }

  Status add_real(const FusedLayer& f) {
    const FlatLayer& l = at(f.layer);
    NW_ASSIGN(exchange::Weights own, layer_weights(l, tensors_));
    NW_ASSIGN(const int to, new_value(f));
    made_.real.push_back({l, std::move(own)});
    Real r;
    r.at = made_.real.size() - 1;
    push(value(l), to, r);
    return {};
  }

  Status add_table(const FusedLayer& f) {
    const FlatLayer& l = at(f.layer);
    const int from = value(l);
    NW_ASSIGN(const int to, new_value(f));
    Extent& out = extent(to);
    const Extent& in = extent(from);
    out.height = in.height, out.width = in.width, out.channels = in.channels;  // also of a flattened image
    NW_ASSIGN(const auto table, numbers<std::uint8_t>(tensors_, l.name + ".table", "U8", {256}));
    Remap r;
    std::copy(table.begin(), table.end(), r.table.begin());
    push(from, to, r);
    return {};
  }

  /// Once all borders are known.
  void set_addresses(Step& step, const Geometry& g) {
    const Extent& in = extent(step.inputs.front());
    const std::int64_t row = in.row(), first = -g.padding_y * row - g.padding_x * in.channels;
    const auto tap = [&](std::int64_t y, std::int64_t x) {
      return first + y * g.dilation_y * row + x * g.dilation_x * in.channels;
    };
    if (auto* p = std::get_if<Product>(&step.what)) {
      p->step_y = g.stride_y * row;
      p->step_x = g.stride_x * in.channels;
      const std::int64_t group = p->first_output / p->outputs * (g.in / g.groups),
                         taps = p->run == g.in / g.groups ? g.kernel_x : 1;
      for (std::int64_t y = 0; y < g.kernel_y; ++y)
        for (std::int64_t x = 0; x < taps; ++x) p->runs.push_back(tap(y, x) + group);
    } else if (auto* d = std::get_if<Depthwise>(&step.what)) {
      d->step_y = g.stride_y * row;
      d->step_x = g.stride_x * in.channels;
      for (std::int64_t t = 0; t < g.kernel_y * g.kernel_x; ++t) d->taps.push_back(tap(t / g.kernel_x, t % g.kernel_x));
    }
  }

  const FlatNetwork& network_;
  const Tensors& tensors_;
  const Kernels& kernels_;
  std::vector<int> values_;  // of the layers
  Network made_;
  std::vector<Geometry> geometry_;  // of the steps
};

}  // namespace

std::int64_t Network::bytes_per_image() const {
  std::int64_t all = 0;
  for (const Extent& e : values) all += e.bytes();
  return all;
}

Result<Network> assemble(const FlatNetwork& network, const Tensors& tensors, const Kernels& kernels) {
  return Assembler(network, tensors, kernels).all();
}

}  // namespace nw::compress::int8
