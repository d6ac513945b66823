// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/int8/rows.hpp"

#include <algorithm>
#include <cmath>

#include "engine/compress/ranges.hpp"

namespace nw::compress::int8 {
namespace {

using exchange::Weights;

std::vector<float> floats(const Weights& all, const std::string& layer, std::string_view name) {
  const auto it = all.find(exchange::weight_name(layer, name));
  return it == all.end() ? std::vector<float>() : it->second.values;
}

/// y = (x - mean) gamma / sqrt(variance + eps) + beta.
Status fold(Rows& rows, const FlatLayer& norm, const Weights& all) {
  const auto gamma = floats(all, norm.name, "weight"), beta = floats(all, norm.name, "bias"),
             mean = floats(all, norm.name, "running_mean"), variance = floats(all, norm.name, "running_var");
  const std::size_t channels = rows.bias.size(), each = rows.weights.size() / channels;
  for (const auto* part : {&gamma, &beta, &mean, &variance})
    if (part->size() != channels) return fail(Errc::bad_input, NW_TR("There are no fitting values for {0}"), norm.name);
  for (std::size_t c = 0; c < channels; ++c) {
    const double factor =
        static_cast<double>(gamma[c]) / std::sqrt(static_cast<double>(variance[c]) + norm.attrs.real("eps"));
    for (std::size_t i = c * each; i < (c + 1) * each; ++i) rows.weights[i] *= factor;
    rows.bias[c] = (rows.bias[c] - static_cast<double>(mean[c])) * factor + static_cast<double>(beta[c]);
  }
  return {};
}

/// Row `r` of the weights.
std::span<const double> row(const Rows& rows, std::size_t r) {
  const std::size_t each = rows.weights.size() / rows.bias.size();
  return std::span(rows.weights).subspan(r * each, each);
}

}  // namespace

Result<Rows> rows_of(const FlatNetwork& network, const FusedLayer& f, const Weights& all) {
  const FlatLayer& l = network.layers[static_cast<std::size_t>(f.layer)];
  Rows rows;
  if (f.form == Form::affine) {
    const auto channels = static_cast<std::size_t>(l.shape[1]);
    rows = {std::vector<double>(channels, 1), std::vector<double>(channels), {l.shape[1]}};
    NW_TRY(fold(rows, l, all));
    return rows;
  }
  const auto weights = floats(all, l.name, "weight"), bias = floats(all, l.name, "bias");
  for (const Weight& w : l.weights)
    if (w.name == "weight") rows.shape = exchange::sizes_of(w.shape);
  rows.weights.assign(weights.begin(), weights.end());
  rows.bias.assign(bias.begin(), bias.end());
  rows.bias.resize(static_cast<std::size_t>(rows.shape.front()));
  std::int64_t elements = 1;
  for (const std::int64_t size : rows.shape) elements *= size;
  if (std::ssize(weights) != elements)
    return fail(Errc::bad_input, NW_TR("There are no fitting values for {0}"), l.name + ".weight");
  if (f.norm >= 0) NW_TRY(fold(rows, network.layers[static_cast<std::size_t>(f.norm)], all));
  return rows;
}

Result<WholeRows> whole_rows(const Rows& rows, float input_scale, const std::string& layer) {
  WholeRows whole;
  whole.weights.reserve(rows.weights.size());
  for (std::size_t c = 0; c < rows.bias.size(); ++c) {
    double largest = 0, bias = rows.bias[c];
    bool finite = std::isfinite(bias);
    for (const double w : row(rows, c)) {
      largest = std::max(largest, std::abs(w));
      finite = finite && std::isfinite(w);
    }
    if (!finite) return fail(Errc::bad_input, NW_TR("{0} holds numbers that are not finite"), layer);
    const float scale = scale_of(std::max(largest, 1e-30));
    for (const double w : row(rows, c)) whole.weights.push_back(quantized(static_cast<float>(w), scale));
    const double sum = std::nearbyint(bias / (static_cast<double>(input_scale) * static_cast<double>(scale)));
    whole.bias.push_back(static_cast<std::int32_t>(std::clamp(sum, -1e9, 1e9)));
    whole.scales.push_back(scale);
  }
  return whole;
}

void put_rows(Tensors& to, const std::string& layer, const std::vector<std::int64_t>& shape, const WholeRows& whole) {
  to[layer + ".weight"] = tensor_of<std::int8_t>("I8", shape, whole.weights);
  to[layer + ".weight_scale"] = tensor_of<float>("F32", {std::ssize(whole.scales)}, whole.scales);
  to[layer + ".bias"] = tensor_of<std::int32_t>("I32", {std::ssize(whole.bias)}, whole.bias);
}

std::vector<float> output_scales(const FlatNetwork& network, const Tensors& tensors) {
  std::vector<float> scales(network.layers.size(), 1);
  for (const FusedLayer& f : fused_layers(network)) {
    const FlatLayer& l = network.layers[static_cast<std::size_t>(f.layer)];
    const auto in = l.inputs.empty() ? std::size_t{0} : static_cast<std::size_t>(l.inputs.front());
    float& own = scales[static_cast<std::size_t>(f.end)] = scales[in];
    const auto scale = tensors.find(network.layers[static_cast<std::size_t>(f.end)].name + ".scale");
    if (scale != tensors.end() && scale->second.bytes.size() == sizeof(float))
      std::memcpy(&own, scale->second.bytes.data(), sizeof own);
  }
  return scales;
}

}  // namespace nw::compress::int8
