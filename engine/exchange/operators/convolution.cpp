// SPDX-License-Identifier: Apache-2.0
// Convolutions. Padding that differs between the sides becomes a ZeroPad2d before the layer.
#include <algorithm>
#include <utility>

#include "engine/exchange/operators/operator.hpp"
#include "engine/exchange/operators/window.hpp"

namespace nw {
namespace exchange {
namespace {

Attributes convolution_geometry(const Attrs& a) {
  return {{"kernel_shape", list_of(a.pair("kernel_size"))},
          {"strides", list_of(a.pair("stride"))},
          {"pads", both_ends(a.pair("padding"))},
          {"dilations", list_of(a.pair("dilation"))},
          {"group", a.integer("groups")}};
}

std::vector<std::string> operands(LayerWriter& w) {
  std::vector<std::string> in{w.input(), w.weight("weight")};
  if (const std::string bias = w.weight("bias"); !bias.empty()) in.push_back(bias);
  return in;
}

Status write_conv(LayerWriter& w) {
  std::vector<std::string> in = operands(w);
  w.finish("Conv", std::move(in), convolution_geometry(w.attrs()));
  return {};
}

/// The output_padding as onnxruntime takes it, as a shorter padding at the ends, and as rows and columns beyond all
/// windows, which hold the bias only.
struct EndPadding {
  onnx::Dims pads, output_padding, beyond{0, 0};
};
EndPadding end_padding(const Attrs& a) {
  EndPadding e{both_ends(a.pair("padding")), list_of(a.pair("output_padding"))};
  const onnx::Dims stride = list_of(a.pair("stride"));
  for (std::size_t d = 0; d < 2; ++d) {
    if (e.output_padding[d] < stride[d]) continue;
    e.beyond[d] = std::exchange(e.output_padding[d], 0);
    const std::int64_t shorter = std::min(e.beyond[d], e.pads[2 + d]);
    e.pads[2 + d] -= shorter;
    e.beyond[d] -= shorter;
  }
  return e;
}

Status write_conv_transpose(LayerWriter& w) {
  const EndPadding e = end_padding(w.attrs());
  Attributes a = convolution_geometry(w.attrs());
  a["pads"] = e.pads;
  a["output_padding"] = e.output_padding;
  if (e.beyond == onnx::Dims{0, 0}) {
    w.finish("ConvTranspose", operands(w), std::move(a));
    return {};
  }
  const std::string inside = w.part("inside", "ConvTranspose", {w.input(), w.weight("weight")}, std::move(a));
  const std::string ends = w.constant("ends", whole_numbers({0, 0, 0, 0, 0, 0, e.beyond[0], e.beyond[1]}));
  if (const std::string bias = w.weight("bias", {1, w.out()[1], 1, 1}); !bias.empty())
    w.finish("Add", {w.part("padded", "Pad", {inside, ends}), bias});
  else
    w.finish("Pad", {inside, ends});
  return {};
}

/// Weight and bias, or why they are not constants of two dimensions.
Text operands_of(NodeReader& r, std::map<std::string, onnx::Tensor>& weights) {
  const onnx::Tensor* weight = r.constant(1);
  if (!weight) return text(NW_TR("its weights are computed"));
  if (weight->dims.size() != 4)
    return text(NW_TR("it works on {0} dimensions, not on images"), weight->dims.size() - 2);
  if (r.plain(0) < 0) return text(NW_TR("its input is not an image whose channels come first"));
  weights["weight"] = *weight;
  if (!r.given(2)) return {};
  const onnx::Tensor* bias = r.constant(2);
  if (!bias || bias->dims.size() != 1) return text(NW_TR("its bias is computed"));
  weights["bias"] = *bias;
  return {};
}

AttrMap attributes_of(const Window& window, std::int64_t out, std::int64_t groups, bool bias) {
  return {{"out_channels", out},
          {"kernel_size", window.kernel},
          {"stride", window.stride},
          {"padding", std::vector<std::int64_t>{window.top, window.left}},
          {"dilation", window.dilation},
          {"groups", groups},
          {"bias", bias}};
}

Text read_conv(NodeReader& r) {
  std::map<std::string, onnx::Tensor> weights;
  if (Text why = operands_of(r, weights); !why.empty()) return why;
  const onnx::Dims& dims = weights["weight"].dims;
  Window window;
  if (Text why = window_of(r, {dims[2], dims[3]}, window); !why.empty()) return why;
  int from = r.plain(0);
  if (!window.symmetric())
    if (Text why = pad_before(r, window, from); !why.empty()) return why;
  AttrMap attrs = attributes_of(window, dims[0], r.node().integer("group", 1), weights.contains("bias"));
  return r.becomes("Conv2d", std::move(attrs), {from}, std::move(weights));
}

Text read_conv_transpose(NodeReader& r) {
  std::map<std::string, onnx::Tensor> weights;
  if (Text why = operands_of(r, weights); !why.empty()) return why;
  const onnx::Dims& dims = weights["weight"].dims;
  const std::int64_t groups = r.node().integer("group", 1);
  Window window;
  const std::string automatic = r.node().text("auto_pad", "NOTSET");
  if (r.node().has("output_shape") || (automatic != "NOTSET" && automatic != "VALID" && !automatic.empty()))
    return text(NW_TR("its padding follows from a wanted output size"));
  if (Text why = window_of(r, {dims[2], dims[3]}, window); !why.empty()) return why;
  std::vector<std::int64_t> extra = r.node().integers("output_padding");
  if (extra.size() != 2) extra = {0, 0};
  // Less padding at the ends is what output_padding adds.
  extra[0] += window.top - window.bottom;
  extra[1] += window.left - window.right;
  if (extra[0] < 0 || extra[1] < 0) return text(NW_TR("its padding differs between the sides"));
  AttrMap attrs = attributes_of(window, dims[1] * groups, groups, weights.contains("bias"));
  attrs["output_padding"] = extra;
  return r.becomes("ConvTranspose2d", std::move(attrs), {r.plain(0)}, std::move(weights));
}

}  // namespace
}  // namespace exchange

extern const exchange::OperatorFile convolution_operators;
const exchange::OperatorFile convolution_operators{[] {
  using namespace exchange;
  return std::vector<OperatorMapping>{
      {"Conv2d", {{"Conv"}}, 13, write_conv, read_conv},
      {"ConvTranspose2d", {{"ConvTranspose"}}, 13, write_conv_transpose, read_conv_transpose, true},
  };
}()};

}  // namespace nw
