// SPDX-License-Identifier: Apache-2.0
// Linear layers: Gemm, and a MatMul with an Add behind it.
#include "engine/exchange/operators/operator.hpp"

namespace nw {
namespace exchange {
namespace {

Status write_linear(LayerWriter& w) {
  std::vector<std::string> in{w.input(), w.weight("weight")};
  if (const std::string bias = w.weight("bias"); !bias.empty()) in.push_back(bias);
  w.finish("Gemm", std::move(in), {{"transB", std::int64_t{1}}});
  return {};
}

/// The weight as (out, in), times alpha.
std::optional<onnx::Tensor> weight_of(const onnx::Tensor& t, bool transposed, double alpha) {
  if (t.dims.size() != 2) return std::nullopt;
  if (transposed && alpha == 1) return t;
  const auto all = onnx::floats_of(t);
  if (!all) return std::nullopt;
  const std::int64_t out = transposed ? t.dims[0] : t.dims[1], in = transposed ? t.dims[1] : t.dims[0];
  std::vector<float> values(all->size());
  for (std::int64_t o = 0; o < out; ++o)
    for (std::int64_t i = 0; i < in; ++i) {
      const auto from = static_cast<std::size_t>(transposed ? o * in + i : i * out + o);
      const auto to = static_cast<std::size_t>(o * in + i);
      values[to] = alpha == 1 ? (*all)[from] : static_cast<float>(alpha * static_cast<double>((*all)[from]));
    }
  onnx::Tensor made = floats({out, in}, values);
  made.name = t.name;
  return made;
}

/// The columns of a layer behind a vector in (H,W,C) order, in (C,H,W) order.
onnx::Tensor reordered(const onnx::Tensor& t, const onnx::Dims& hwc) {
  const auto all = onnx::floats_of(t);
  const std::int64_t area = hwc[0] * hwc[1], channels = hwc[2], in = area * channels;
  std::vector<float> values(all->size());
  for (std::int64_t o = 0; o < t.dims[0]; ++o)
    for (std::int64_t i = 0; i < area; ++i)
      for (std::int64_t c = 0; c < channels; ++c)
        values[static_cast<std::size_t>(o * in + c * area + i)] =
            (*all)[static_cast<std::size_t>(o * in + i * channels + c)];
  onnx::Tensor made = floats(t.dims, values);
  made.name = t.name;
  return made;
}

/// Of the channels of each pixel, which lie last.
Text add_channel_linear(NodeReader& r, Ref ref, const onnx::Tensor& weight) {
  Text why = r.add("ChannelLinear", {{"out_features", weight.dims[0]}, {"bias", false}}, {ref.layer}, ref.layer,
                   {{"weight", weight}});
  if (why.empty()) r.is(ref);
  return why;
}

Text add_linear(NodeReader& r, onnx::Tensor weight, const onnx::Tensor* bias) {
  const Ref from = *r.value(0);
  if (from.form == Form::nhwc && weight.dims[1] == r.shape(0)[1] && !bias) return add_channel_linear(r, from, weight);
  if (r.shape(0).rank() != 2 || (from.form != Form::plain && from.form != Form::flat_nhwc))
    return text(NW_TR("its input is not a vector"));
  if (weight.dims[1] != r.shape(0)[1])
    return r.contradiction(text(NW_TR("its weights take {0} numbers, it gets {1}"), weight.dims[1], r.shape(0)[1]));
  if (from.form == Form::flat_nhwc) weight = reordered(weight, from.dims);
  const std::int64_t out = weight.dims[0];
  std::map<std::string, onnx::Tensor> weights{{"weight", std::move(weight)}};
  if (bias) weights["bias"] = *bias;
  return r.becomes("Linear", {{"out_features", out}, {"bias", bias != nullptr}}, {from.layer}, std::move(weights));
}

Text no_matrix(NodeReader& r, const onnx::Tensor& b) {
  const Text why = text(NW_TR("its weights are no matrix"));
  return b.type == onnx::Type::text ? r.contradiction(why) : why;
}

Text no_bias(NodeReader& r, const onnx::Tensor& c, std::int64_t outputs) {
  if (c.dims.size() > 1) return text(NW_TR("its bias differs between images"));
  return r.contradiction(text(NW_TR("its bias holds {0} numbers, {1} are needed"), c.elements(), outputs));
}

Text read_gemm(NodeReader& r) {
  const onnx::Tensor* b = r.constant(1);
  if (!b || !r.value(0)) return text(NW_TR("its weights are computed"));
  if (r.node().integer("transA", 0) != 0) return text(NW_TR("it transposes its input"));
  const auto weight = weight_of(*b, r.node().integer("transB", 0) != 0, r.node().real("alpha", 1));
  if (!weight) return no_matrix(r, *b);
  if (!r.given(2)) return add_linear(r, *weight, nullptr);
  const onnx::Tensor* c = r.constant(2);
  const auto values = c ? onnx::floats_of(*c) : std::nullopt;
  const double beta = r.node().real("beta", 1);
  if (!values) return text(NW_TR("its bias is computed"));
  onnx::Tensor bias = *c;
  if (beta != 1 || c->elements() != weight->dims[0]) {
    if (c->elements() != 1 && c->elements() != weight->dims[0]) return no_bias(r, *c, weight->dims[0]);
    std::vector<float> all(static_cast<std::size_t>(weight->dims[0]));
    for (std::size_t i = 0; i < all.size(); ++i)
      all[i] = static_cast<float>(beta * static_cast<double>((*values)[values->size() == 1 ? 0 : i]));
    bias = floats({weight->dims[0]}, all);
    bias.name = c->name;
  }
  return add_linear(r, *weight, &bias);
}

Text read_mat_mul(NodeReader& r) {
  const onnx::Tensor* b = r.constant(1);
  if (!b || !r.value(0)) return text(NW_TR("it multiplies two computed values"));
  const auto weight = weight_of(*b, false, 1);
  if (!weight) return no_matrix(r, *b);
  return add_linear(r, *weight, nullptr);
}

/// The Add that gives a linear layer its bias.
Text read_bias(NodeReader& r) {
  const std::size_t x = r.value(0) ? 0 : 1;
  const onnx::Tensor* bias = r.constant(1 - x);
  if (!bias || r.plain(x) < 0) return text(NW_TR("it adds two computed values"));
  const BuiltLayer before = r.layer(r.plain(x));
  if (before.type->name != "Linear" || before.weights.contains("bias") || !r.replaceable(r.plain(x)) ||
      bias->elements() != before.shape[1])
    return text(NW_TR("it is no bias of a linear layer"));
  auto weights = before.weights;
  weights["bias"] = *bias;
  return r.becomes("Linear", {{"out_features", before.shape[1]}, {"bias", true}}, before.inputs, std::move(weights));
}

Text read_linear(NodeReader& r) {
  if (r.node().op == "Gemm") return read_gemm(r);
  return r.node().op == "MatMul" ? read_mat_mul(r) : read_bias(r);
}

}  // namespace
}  // namespace exchange

extern const exchange::OperatorFile linear_operators;
const exchange::OperatorFile linear_operators{[] {
  using namespace exchange;
  return std::vector<OperatorMapping>{
      {"Linear", {{"Gemm"}, {"MatMul"}, {"Add", 7}}, 13, write_linear, read_linear},
  };
}()};

}  // namespace nw
