// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/quantize.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>

#include "engine/core/json.hpp"
#include "engine/exchange/export_onnx.hpp"

namespace nw::exchange {
namespace {

bool is_product(const onnx::Node& n) { return n.op == "Conv" || n.op == "Gemm"; }

/// By which name each initializer is found.
std::map<std::string, std::size_t> places_of(const std::vector<onnx::Tensor>& initializers) {
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < initializers.size(); ++i) places[initializers[i].name] = i;
  return places;
}

/// A product of a layer's output and constant weights.
bool is_quantizable(const onnx::Node& n, const LayerOfValue& layers, const std::map<std::string, std::size_t>& places) {
  return is_product(n) && n.inputs.size() > 1 && layers.contains(n.inputs[0]) && places.contains(n.inputs[1]);
}

onnx::Tensor int8_tensor(std::string name, onnx::Dims dims, const std::vector<std::int8_t>& values) {
  onnx::Tensor t{.name = std::move(name), .type = onnx::Type::i8, .dims = std::move(dims)};
  t.bytes.assign(reinterpret_cast<const char*>(values.data()), values.size());
  return t;
}

/// A matrix of one row for each output channel, with the scale of each.
struct QuantizedRows {
  std::vector<std::int8_t> values;
  std::vector<float> scales;
};
/// Nothing if a number is not finite.
std::optional<QuantizedRows> quantized_rows(const std::vector<float>& all, std::size_t rows) {
  QuantizedRows q{std::vector<std::int8_t>(all.size()), std::vector<float>(rows)};
  const std::size_t each = all.size() / std::max<std::size_t>(1, rows);
  for (std::size_t r = 0; r < rows; ++r) {
    compress::ValueRange range;
    range.add(std::span(all).subspan(r * each, each));
    if (range.not_finite > 0) return std::nullopt;
    q.scales[r] = compress::scale_of(compress::limit_of(range, compress::CalibrationMethod::minmax));
    for (std::size_t i = r * each; i < (r + 1) * each; ++i) q.values[i] = compress::quantized(all[i], q.scales[r]);
  }
  return q;
}

class QuantizedWriter {
 public:
  QuantizedWriter(onnx::Model model, const LayerOfValue& layers, const compress::RangeTable& ranges,
                  compress::CalibrationMethod method)
      : model_(std::move(model)),
        layers_(layers),
        ranges_(ranges),
        method_(method),
        place_(places_of(model_.initializers)) {
    for (const onnx::Node& n : model_.nodes) {
      for (const std::string& in : n.inputs) ++readers_[in];
      if (is_product(n)) made_by_product_.insert(n.outputs.front());
    }
    for (const onnx::ValueInfo& out : model_.outputs) ++readers_[out.name];
  }

  Result<onnx::Model> model() {
    std::vector<onnx::Node> nodes;
    std::swap(nodes, model_.nodes);
    for (onnx::Node& n : nodes) {
      if (is_quantizable(n, layers_, place_)) {
        NW_TRY(quantize_value(n.inputs[0]));
        NW_TRY(quantize_weight(n, n.inputs[1]));
      } else if (n.op == "Add" || n.op == "Sum") {
        NW_TRY(quantize_sum(n));
      }
      model_.nodes.push_back(std::move(n));
    }
    model_.metadata[quantization_key] = Json{{"method", compress::name_of(method_)}, {"limits", limits_}}.dump();
    return std::move(model_);
  }

 private:
  void add(const std::string& op, const std::string& from, const std::string& to, const std::string& of,
           std::int64_t axis = -1) {
    onnx::Node node{.name = to + "/" + op, .op = op, .inputs = {from, of + "/scale", of + "/zero"}, .outputs = {to}};
    if (axis >= 0) node.attributes["axis"] = axis;
    model_.nodes.push_back(std::move(node));
  }

  void store_scales(const std::string& of, const onnx::Dims& dims, const std::vector<float>& scales) {
    model_.initializers.push_back(onnx::tensor_of(of + "/scale", dims, scales));
    model_.initializers.push_back(int8_tensor(of + "/zero", dims, std::vector<std::int8_t>(scales.size())));
  }

  /// Puts a pair of QuantizeLinear and DequantizeLinear before the reader; one pair serves all readers of the value.
  Status quantize_value(std::string& value) {
    if (const auto it = renamed_.find(value); it != renamed_.end()) {
      value = it->second;
      return {};
    }
    const std::string& layer = layers_.at(value);
    const auto range = ranges_.find(layer);
    if (range == ranges_.end()) return fail(Errc::bad_input, NW_TR("{0}: the calibration has no range of it"), layer);
    if (range->second.not_finite > 0)
      return fail(Errc::bad_input, NW_TR("{0}: its values on the calibration's images are not finite"), layer);
    const double limit = compress::limit_of(range->second, method_);
    limits_[layer] = limit;
    const std::string whole = value + "/int8", real = value + "/rounded";
    store_scales(value, {}, {compress::scale_of(limit)});
    add("QuantizeLinear", value, whole, value);
    add("DequantizeLinear", whole, real, value);
    renamed_[value] = real;
    value = real;
    return {};
  }

  /// The weight's first axis is that of the output channels, of a Gemm if its B is transposed, as ours are.
  Status quantize_weight(const onnx::Node& n, std::string& name) {
    onnx::Tensor& weight = model_.initializers[place_.at(name)];
    const auto all = onnx::floats_of(weight);
    if (weight.type != onnx::Type::f32 || weight.dims.empty() || !all ||
        (n.op == "Gemm" && n.integer("transB", 0) == 0))
      return fail(Errc::other, NW_TR("{0} cannot be quantized by its output channels"), name);
    const auto q = quantized_rows(*all, static_cast<std::size_t>(weight.dims.front()));
    if (!q) return fail(Errc::bad_input, NW_TR("{0} holds numbers that are not finite"), name);
    weight = int8_tensor(name, weight.dims, q->values);
    store_scales(name, {std::ssize(q->scales)}, q->scales);
    add("DequantizeLinear", name, name + "/rounded", name, 0);
    name += "/rounded";
    return {};
  }

  /// TensorRT fuses an addition with the product before it, whose output nothing else reads and which stays as it is;
  /// the other inputs, the skip connections, become int8.
  Status quantize_sum(onnx::Node& n) {
    const auto fused = std::find_if(n.inputs.begin(), n.inputs.end(), [&](const std::string& in) {
      return made_by_product_.contains(in) && readers_.at(in) == 1;
    });
    if (fused == n.inputs.end()) return {};
    for (auto it = n.inputs.begin(); it != n.inputs.end(); ++it)
      if (it != fused && layers_.contains(*it)) NW_TRY(quantize_value(*it));
    return {};
  }

  onnx::Model model_;
  const LayerOfValue& layers_;
  const compress::RangeTable& ranges_;
  const compress::CalibrationMethod method_;
  const std::map<std::string, std::size_t> place_;  // of initializers in fp32
  std::map<std::string, int> readers_;
  std::set<std::string> made_by_product_;
  std::map<std::string, std::string> renamed_;
  std::map<std::string, double> limits_;
};

}  // namespace

Status check_quantizable(const onnx::Model& model, const LayerOfValue& layers) {
  const auto places = places_of(model.initializers);
  const auto can = [&](const onnx::Node& n) { return is_quantizable(n, layers, places); };
  if (std::any_of(model.nodes.begin(), model.nodes.end(), can)) return {};
  return fail(Errc::bad_input, NW_TR("int8 is for convolutions and linear layers; the network has none"));
}

Result<onnx::Model> in_int8(onnx::Model model, const LayerOfValue& layers, const compress::RangeTable& ranges,
                            compress::CalibrationMethod method) {
  NW_TRY(check_quantizable(model, layers));
  return QuantizedWriter(std::move(model), layers, ranges, method).model();
}

}  // namespace nw::exchange
