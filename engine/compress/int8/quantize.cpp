// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/int8/quantize.hpp"

#include <algorithm>
#include <cmath>

#include "engine/compress/int8/rows.hpp"
#include "engine/design/draft.hpp"
#include "engine/exchange/run_network.hpp"

namespace nw::compress::int8 {
namespace {

using exchange::Weights;

struct Scale {
  float scale = 1;
  std::uint8_t zero = 0;
};

/// The whole numbers 0 to 255 over the values within the method's limits, and zero.
Scale scale_for(const ValueRange& range, CalibrationMethod method) {
  const double limit = limit_of(range, method);
  const double least = std::min(0.0, std::max(static_cast<double>(range.least), -limit)),
               most = std::max(0.0, std::min(static_cast<double>(range.most), limit));
  const double step = most > least ? (most - least) / 255 : 1.0 / 255;
  return {static_cast<float>(step), static_cast<std::uint8_t>(std::clamp(std::nearbyint(-least / step), 0.0, 255.0))};
}

class Quantizer {
 public:
  Quantizer(const FlatNetwork& network, const Weights& weights, const RangeTable& ranges, CalibrationMethod method)
      : network_(network), weights_(weights), ranges_(ranges), method_(method), scales_(network.layers.size()) {}

  Result<Tensors> all() {
    for (const FusedLayer& f : fused_layers(network_)) {
      const FlatLayer& l = at(f.layer);
      const auto input = l.inputs.empty() ? -1 : l.inputs.front();
      if (f.form == Form::same || f.form == Form::max_pool) {
        scales_[static_cast<std::size_t>(f.end)] = scales_[static_cast<std::size_t>(input)];
        continue;
      }
      NW_TRY(put_scale(f.end));
      if (f.form == Form::product || f.form == Form::affine) NW_TRY(put_rows(f, scale(input)));
      if (f.form == Form::real) NW_TRY(put_real(l));
      if (f.form == Form::table) NW_TRY(put_table(l, scale(input), scale(f.end)));
    }
    return std::move(tensors_);
  }

 private:
  const FlatLayer& at(int l) const { return network_.layers[static_cast<std::size_t>(l)]; }
  const Scale& scale(int l) const { return scales_[static_cast<std::size_t>(l)]; }

  Status put_scale(int l) {
    const std::string& name = at(l).name;
    const auto range = ranges_.find(name);
    if (range == ranges_.end() && l == score_layer(network_)) return {};  // scores stay real numbers
    if (range == ranges_.end()) return fail(Errc::bad_input, NW_TR("{0}: the calibration has no range of it"), name);
    if (range->second.not_finite > 0)
      return fail(Errc::bad_input, NW_TR("{0}: its values on the calibration's images are not finite"), name);
    const Scale s = scales_[static_cast<std::size_t>(l)] = scale_for(range->second, method_);
    tensors_[name + ".scale"] = tensor_of<float>("F32", {}, {&s.scale, 1});
    tensors_[name + ".zero"] = tensor_of<std::uint8_t>("U8", {}, {&s.zero, 1});
    return {};
  }

  Status put_rows(const FusedLayer& f, const Scale& in) {
    NW_ASSIGN(const Rows rows, rows_of(network_, f, weights_));
    NW_ASSIGN(const WholeRows whole, whole_rows(rows, in.scale, at(f.layer).name));
    int8::put_rows(tensors_, at(f.layer).name, rows.shape, whole);
    return {};
  }

  Status put_real(const FlatLayer& l) {
    for (const Weight& w : l.weights) {
      const std::string name = exchange::weight_name(l.name, w.name);
      const auto it = weights_.find(name);
      if (w.shape.rank() == 0) continue;  // a counter
      if (it == weights_.end()) return fail(Errc::bad_input, NW_TR("There are no fitting values for {0}"), name);
      const auto& values = it->second.values;
      if (!std::all_of(values.begin(), values.end(), [](float v) { return std::isfinite(v); }))
        return fail(Errc::bad_input, NW_TR("{0} holds numbers that are not finite"), name);
      tensors_[name] = tensor_of<float>("F32", it->second.dims, values);
    }
    return {};
  }

  /// By the layer itself, in fp32, on the 256 numbers that its input may have.
  Status put_table(const FlatLayer& l, const Scale& in, const Scale& out) {
    GraphDoc doc;
    Draft d(doc);
    const std::int64_t side = 16;
    d.add("Input", "images", {{"channels", std::int64_t{1}}, {"height", side}, {"width", side}});
    d.add(std::string(l.type->name), "layer", l.attrs.values());
    d.add("Flatten", "flatten");
    d.add("MSE", "loss");
    std::vector<float> numbers(256);
    for (int i = 0; i < 256; ++i) numbers[static_cast<std::size_t>(i)] = in.scale * static_cast<float>(i - in.zero);
    NW_ASSIGN(const std::vector<float> made, exchange::run_network(doc, {}, numbers, 1));
    if (made.size() != numbers.size()) return fail(Errc::other, NW_TR("{0}: a table cannot be made of it"), l.name);
    std::vector<std::uint8_t> table(256);
    for (std::size_t i = 0; i < 256; ++i) {
      const double q = std::nearbyint(static_cast<double>(made[i]) / static_cast<double>(out.scale)) + out.zero;
      table[i] = static_cast<std::uint8_t>(std::isfinite(q) ? std::clamp(q, 0.0, 255.0) : out.zero);
    }
    tensors_[l.name + ".table"] = tensor_of<std::uint8_t>("U8", {256}, table);
    return {};
  }

  const FlatNetwork& network_;
  const Weights& weights_;
  const RangeTable& ranges_;
  const CalibrationMethod method_;
  std::vector<Scale> scales_;
  Tensors tensors_;
};

using Names = std::vector<std::int64_t>;

/// Puts the weights of a layer, and those of a batch norm that computes x + bias.
class RealWriter {
 public:
  RealWriter(const FlatNetwork& network, const Tensors& tensors)
      : network_(network), tensors_(tensors), scales_(output_scales(network, tensors)) {}

  Result<Weights> all() {
    for (const FusedLayer& f : fused_layers(network_)) {
      const FlatLayer& l = network_.layers[static_cast<std::size_t>(f.layer)];
      const auto in = l.inputs.empty() ? std::size_t{0} : static_cast<std::size_t>(l.inputs.front());
      if (f.form == Form::product || f.form == Form::affine) NW_TRY(put(f, scales_[in]));
      if (f.form == Form::real) {
        NW_ASSIGN(exchange::Weights own, layer_weights(l, tensors_));
        made_.merge(own);
      }
    }
    return std::move(made_);
  }

 private:
  Status put(const FusedLayer& f, float input_scale) {
    const FlatLayer& l = network_.layers[static_cast<std::size_t>(f.layer)];
    Names shape{l.shape[1]};
    for (const Weight& w : l.weights)
      if (w.name == "weight" && f.form == Form::product) shape = exchange::sizes_of(w.shape);
    NW_ASSIGN(const auto whole, numbers<std::int8_t>(tensors_, l.name + ".weight", "I8", shape));
    NW_ASSIGN(const auto scales, numbers<float>(tensors_, l.name + ".weight_scale", "F32", {l.shape[1]}));
    NW_ASSIGN(const auto sums, numbers<std::int32_t>(tensors_, l.name + ".bias", "I32", {l.shape[1]}));
    std::vector<float> weights(whole.size()), bias(sums.size());
    const std::size_t each = whole.size() / bias.size();
    for (std::size_t i = 0; i < whole.size(); ++i) weights[i] = static_cast<float>(whole[i]) * scales[i / each];
    for (std::size_t i = 0; i < bias.size(); ++i) bias[i] = static_cast<float>(sums[i]) * input_scale * scales[i];
    if (f.form == Form::affine) return put_norm(l, weights, bias);
    put(l.name, "weight", shape, std::move(weights));
    if (f.norm < 0) return put_bias(l, std::move(bias));
    put(l.name, "bias", {l.shape[1]}, std::vector<float>(bias.size()));
    return put_norm(network_.layers[static_cast<std::size_t>(f.norm)], std::vector<float>(bias.size(), 1), bias);
  }

  Status put_bias(const FlatLayer& l, std::vector<float> bias) {
    put(l.name, "bias", {l.shape[1]}, std::move(bias));
    return {};
  }
  Status put_norm(const FlatLayer& l, std::vector<float> factor, std::vector<float> bias) {
    const std::vector<float> none(bias.size()),
        one(bias.size(), static_cast<float>(1 - std::min(1.0, l.attrs.real("eps"))));
    const Names shape{l.shape[1]};
    put(l.name, "weight", shape, std::move(factor));
    put(l.name, "bias", shape, std::move(bias));
    put(l.name, "running_mean", shape, none);
    put(l.name, "running_var", shape, one);
    return {};
  }
  void put(const std::string& layer, std::string_view name, Names shape, std::vector<float> values) {
    made_[exchange::weight_name(layer, name)] = {std::move(shape), std::move(values)};
  }

  const FlatNetwork& network_;
  const Tensors& tensors_;
  const std::vector<float> scales_;
  Weights made_;
};

}  // namespace

Result<Weights> layer_weights(const FlatLayer& l, const Tensors& tensors) {
  Weights own;
  for (const Weight& w : l.weights) {
    if (w.shape.rank() == 0) continue;
    const std::string name = exchange::weight_name(l.name, w.name);
    const auto dims = exchange::sizes_of(w.shape);
    NW_ASSIGN(own[name].values, numbers<float>(tensors, name, "F32", dims));
    own[name].dims = dims;
  }
  return own;
}

Result<Weights> real_weights(const FlatNetwork& network, const Tensors& tensors) {
  return RealWriter(network, tensors).all();
}

Result<Tensors> quantize(const FlatNetwork& network, const Weights& weights, const RangeTable& ranges,
                         CalibrationMethod method) {
  return Quantizer(network, weights, ranges, method).all();
}

}  // namespace nw::compress::int8
