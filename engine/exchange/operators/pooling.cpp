// SPDX-License-Identifier: Apache-2.0
// Pooling. Windows that reach over the last row (ceil_mode) or padding of one side become a ZeroPad2d before the layer
// where no value is negative, so that the zeros are never the maximum.
#include <algorithm>

#include "engine/exchange/operators/window.hpp"

namespace nw {
namespace exchange {
namespace {

Attributes pooling_geometry(const Attrs& a) {
  return {{"kernel_shape", list_of(a.pair("kernel_size"))},
          {"strides", list_of(a.pair("stride"))},
          {"pads", both_ends(a.pair("padding"))}};
}

Status write_max_pool(LayerWriter& w) {
  w.finish("MaxPool", {w.input()}, pooling_geometry(w.attrs()));
  return {};
}

Status write_avg_pool(LayerWriter& w) {
  Attributes a = pooling_geometry(w.attrs());
  a["count_include_pad"] = std::int64_t{w.attrs().boolean("count_include_pad")};
  w.finish("AveragePool", {w.input()}, std::move(a));
  return {};
}

/// No value is below zero: behind a ReLU, whatever pools or joins such values.
bool never_negative(const NodeReader& r, int layer, int depth = 0) {
  const BuiltLayer& l = r.layer(layer);
  const std::string_view t = l.type->name;
  if (t == "ReLU" || t == "ReLU6" || t == "Sigmoid" || t == "Hardsigmoid" || t == "Softmax") return true;
  if (depth > 8 || !(t == "MaxPool2d" || t == "AvgPool2d" || t == "Concat" || t == "Dropout" || t == "ZeroPad2d"))
    return false;
  return std::all_of(l.inputs.begin(), l.inputs.end(), [&](int i) { return never_negative(r, i, depth + 1); });
}

AttrMap attributes_of(const Window& w) {
  return {{"kernel_size", w.kernel}, {"stride", w.stride}, {"padding", std::vector<std::int64_t>{w.top, w.left}}};
}

Text read_max_pool(NodeReader& r) {
  Window w;
  if (Text why = window_of(r, r.node().integers("kernel_shape"), w); !why.empty()) return why;
  if (r.plain(0) < 0) return text(NW_TR("its input is not an image whose channels come first"));
  if (w.dilation != std::vector<std::int64_t>{1, 1}) return text(NW_TR("it leaves out pixels (dilations)"));
  if (r.node().outputs.size() > 1 && !r.node().outputs[1].empty())
    return text(NW_TR("it also returns where the largest values are"));
  int from = r.plain(0);
  if (!w.symmetric()) {
    if (!never_negative(r, from)) return text(NW_TR("its padding differs between the sides"));
    if (Text why = pad_before(r, w, from); !why.empty()) return why;
  }
  return r.becomes("MaxPool2d", attributes_of(w), {from});
}

Text read_avg_pool(NodeReader& r) {
  Window w;
  if (Text why = window_of(r, r.node().integers("kernel_shape"), w); !why.empty()) return why;
  if (r.plain(0) < 0) return text(NW_TR("its input is not an image whose channels come first"));
  if (w.dilation != std::vector<std::int64_t>{1, 1}) return text(NW_TR("it leaves out pixels (dilations)"));
  const bool counted = r.node().integer("count_include_pad", 0) != 0;
  int from = r.plain(0);
  if (!w.symmetric()) {
    if (!counted || r.node().integer("ceil_mode", 0) != 0) return text(NW_TR("its padding differs between the sides"));
    if (Text why = pad_before(r, w, from); !why.empty()) return why;
  }
  AttrMap attrs = attributes_of(w);
  attrs["count_include_pad"] = counted;
  return r.becomes("AvgPool2d", std::move(attrs), {from});
}

Status write_global(LayerWriter& w) {
  w.finish("GlobalAveragePool", {w.input()});
  return {};
}

/// The axes of a ReduceMean, from 0 on: an input since version 18.
std::optional<std::vector<std::int64_t>> axes_of(const NodeReader& r, std::size_t rank) {
  std::vector<std::int64_t> axes = r.node().integers("axes");
  if (r.given(1)) {
    const auto given = r.constant(1) ? onnx::integers_of(*r.constant(1)) : std::nullopt;
    if (!given) return std::nullopt;
    axes = *given;
  }
  for (std::int64_t& a : axes) a = positive_axis(a, rank);
  std::sort(axes.begin(), axes.end());
  return axes;
}

Text read_global(NodeReader& r) {
  if (!r.value(0) || r.shape(0).rank() != 4) return text(NW_TR("its input is not an image"));
  const Ref from = *r.value(0);
  if (from.form != Form::plain && from.form != Form::nhwc) return text(NW_TR("its input is not an image"));
  const bool last = from.form == Form::nhwc, whole = r.node().op == "GlobalAveragePool";
  if (whole && last) return text(NW_TR("its input is not an image whose channels come first"));
  if (!whole) {
    const auto axes = axes_of(r, 4);
    if (!axes || *axes != (last ? std::vector<std::int64_t>{1, 2} : std::vector<std::int64_t>{2, 3}))
      return text(NW_TR("it is not over height and width"));
  }
  Ref made{.form = last ? Form::nhwc : Form::plain};
  if (Text why = r.add("GlobalAvgPool2d", {}, {from.layer}, made.layer); !why.empty()) return why;
  if (!whole && r.node().integer("keepdims", 1) == 0) {
    made.form = Form::plain;
    if (Text why = r.add("Flatten", {}, {made.layer}, made.layer); !why.empty()) return why;
  }
  r.is(made);
  return {};
}

Status write_global_max(LayerWriter& w) {
  w.finish("GlobalMaxPool", {w.input()});
  return {};
}
Text read_global_max(NodeReader& r) {
  if (r.plain(0) < 0 || r.shape(0).rank() != 4) return text(NW_TR("its input is not an image"));
  return r.becomes("GlobalMaxPool2d", {}, {r.plain(0)});
}

/// Row o: 1/n in the columns [floor(o in / out), ceil((o + 1) in / out)).
std::vector<float> means(std::int64_t in, std::int64_t out, bool transposed) {
  std::vector<float> m(static_cast<std::size_t>(in * out));
  for (std::int64_t o = 0; o < out; ++o) {
    const std::int64_t begin = o * in / out, end = ((o + 1) * in + out - 1) / out;
    for (std::int64_t i = begin; i < end; ++i)
      m[static_cast<std::size_t>(transposed ? i * out + o : o * in + i)] = 1.0F / static_cast<float>(end - begin);
  }
  return m;
}

// ONNX has no such pooling: where the windows are all alike it is an AveragePool, otherwise two products with matrices
// of means, of the columns and of the rows.
Status write_adaptive(LayerWriter& w) {
  const std::int64_t h = w.in()[2], v = w.in()[3];
  const auto [oh, ov] = w.attrs().pair("output_size");
  if (h % oh == 0 && v % ov == 0) {
    const std::vector<std::int64_t> window{h / oh, v / ov};
    w.finish("AveragePool", {w.input()}, {{"kernel_shape", window}, {"strides", window}});
    return {};
  }
  const std::string columns =
      w.part("columns", "MatMul", {w.input(), w.constant("mean_columns", floats({v, ov}, means(v, ov, true)))});
  w.finish("MatMul", {w.constant("mean_rows", floats({oh, h}, means(h, oh, false))), columns});
  return {};
}

/// An AveragePool that its metadata call an adaptive one, with windows that are all alike.
Text read_even(NodeReader& r) {
  const auto classes = r.node().metadata.find(hierarchy_key);
  if (classes == r.node().metadata.end() || classes->second.find("AdaptiveAvgPool2d'") == std::string::npos)
    return text(NW_TR("it is no adaptive pooling"));
  Window w;
  if (Text why = window_of(r, r.node().integers("kernel_shape"), w); !why.empty()) return why;
  const bool even = w.kernel == w.stride && w.top + w.left + w.bottom + w.right == 0 && r.plain(0) >= 0;
  if (!even || r.shape(0)[2] % w.kernel[0] != 0 || r.shape(0)[3] % w.kernel[1] != 0)
    return text(NW_TR("it is no adaptive pooling"));
  const std::vector<std::int64_t> size{r.shape(0)[2] / w.kernel[0], r.shape(0)[3] / w.kernel[1]};
  return r.becomes("AdaptiveAvgPool2d", {{"output_size", size}}, {r.plain(0)});
}

Text read_adaptive(NodeReader& r) {
  if (r.node().op == "AveragePool") return read_even(r);
  const bool columns = r.value(0) != nullptr;
  const std::size_t x = columns ? 0 : 1;
  const onnx::Tensor* m = r.constant(1 - x);
  if (!m || m->dims.size() != 2 || r.plain(x) < 0 || r.shape(x).rank() != 4)
    return text(NW_TR("it is no product with constant weights"));
  const Shape s = r.shape(x);
  const std::int64_t in = s[columns ? 3 : 2], out = m->dims[columns ? 1 : 0];
  const auto values = onnx::floats_of(*m);
  if (m->dims[columns ? 0 : 1] != in || out < 1 || !values || *values != means(in, out, columns))
    return text(NW_TR("a product of images with a matrix is no layer here"));
  const BuiltLayer& before = r.layer(r.plain(x));
  if (!columns && before.type->name == "AdaptiveAvgPool2d" && r.replaceable(r.plain(x)))
    return r.becomes("AdaptiveAvgPool2d", {{"output_size", std::vector<std::int64_t>{out, s[3]}}},
                     {before.inputs.front()});
  const std::vector<std::int64_t> size = columns ? std::vector{s[2], out} : std::vector{out, s[3]};
  return r.becomes("AdaptiveAvgPool2d", {{"output_size", size}}, {r.plain(x)});
}

}  // namespace
}  // namespace exchange

extern const exchange::OperatorFile pooling_operators;
const exchange::OperatorFile pooling_operators{[] {
  using namespace exchange;
  return std::vector<OperatorMapping>{
      {"MaxPool2d", {{"MaxPool"}}, 13, write_max_pool, read_max_pool},
      {"AdaptiveAvgPool2d", {{"MatMul"}, {"AveragePool"}}, 13, write_adaptive, read_adaptive},
      {"AvgPool2d", {{"AveragePool"}}, 13, write_avg_pool, read_avg_pool},
      {"GlobalAvgPool2d", {{"GlobalAveragePool"}, {"ReduceMean"}}, 13, write_global, read_global},
      {"GlobalMaxPool2d", {{"GlobalMaxPool"}}, 13, write_global_max, read_global_max},
  };
}()};

}  // namespace nw
