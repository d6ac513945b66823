// SPDX-License-Identifier: Apache-2.0
// Layers that change or join shapes, and the operators that only rearrange values: what they do is remembered as the
// form of a value and needs no layer until another operator reads it.
#include <algorithm>

#include "engine/exchange/operators/operator.hpp"

namespace nw {
namespace exchange {
namespace {

Status write_flatten(LayerWriter& w) {
  w.finish("Flatten", {w.input()}, {{"axis", std::int64_t{1}}});
  return {};
}

onnx::Dims dims_of(const Shape& s) {
  onnx::Dims dims{batch_size};
  for (int i = 1; i < s.rank(); ++i) dims.push_back(s[i]);
  return dims;
}

/// The value with the sizes `dims`, the batch first. Vectors become a Flatten; what has its layer's sizes again is
/// plain; all else waits as a view.
Text with_sizes(NodeReader& r, const onnx::Dims& dims) {
  const Ref from = *r.value(0);
  const Shape x = r.shape(0);
  std::int64_t each = 1;
  for (std::size_t i = 1; i < dims.size(); ++i) each *= dims[i];
  if (dims.empty() || dims[0] != batch_size || each != x.per_sample())
    return text(NW_TR("it mixes the images of a batch"));
  if (from.form == Form::nhwc) {
    if (dims.size() != 2) return text(NW_TR("it rearranges an image whose channels come last"));
    Ref made{.form = Form::flat_nhwc, .dims = {x[2], x[3], x[1]}};
    if (x[1] == 1 || x[2] * x[3] == 1) made = Ref{};  // both orders are the same
    if (Text why = r.add("Flatten", {}, {from.layer}, made.layer); !why.empty()) return why;
    r.is(made);
    return {};
  }
  if (from.form != Form::plain && from.form != Form::view) return text(NW_TR("it rearranges a flattened image"));
  if (dims == dims_of(x)) return r.is({from.layer}), Text{};
  if (dims.size() == 2 && x.rank() == 4) return r.becomes("Flatten", {}, {from.layer});
  r.is({.layer = from.layer, .form = Form::view, .dims = dims});
  return {};
}

Text read_reshape(NodeReader& r) {
  std::vector<std::int64_t> to = r.node().integers("shape");
  if (r.opset() >= 5) {
    const auto given = r.constant(1) ? onnx::integers_of(*r.constant(1)) : std::nullopt;
    if (!given) return text(NW_TR("its sizes are computed from values"));
    to = *given;
  }
  const onnx::Dims now = r.dims(0);
  std::int64_t known = 1, all = 1, open = -1;
  for (std::size_t i = 1; i < now.size(); ++i) all *= now[i];
  bool batch = false;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (to[i] == 0 && r.node().integer("allowzero", 0) == 0 && i < now.size()) to[i] = now[i];
    if (to[i] == batch_size)
      batch = true;
    else if (to[i] == -1)
      open = static_cast<std::int64_t>(i);
    else
      known *= to[i];
    if (known < 0 || known > (std::int64_t{1} << 40)) return text(NW_TR("its sizes are impossible"));
  }
  if (open >= 0) {
    const bool rest = batch && known > 0 && all % known == 0;
    to[static_cast<std::size_t>(open)] = rest ? all / known : open == 0 && known == all ? batch_size : -1;
  } else if (!batch && !to.empty() && to[0] == r.static_batch() && known == all * r.static_batch()) {
    to[0] = batch_size;
  }
  if (open > 0 && !batch && !to.empty() && to[0] == r.static_batch() && known > 0 && all * to[0] % known == 0) {
    to[static_cast<std::size_t>(open)] = all * to[0] / known;
    to[0] = batch_size;
  }
  return with_sizes(r, to);
}

std::optional<std::vector<std::int64_t>> axes_of(const NodeReader& r) {
  if (!r.given(1)) return r.node().integers("axes");
  return r.constant(1) ? onnx::integers_of(*r.constant(1)) : std::nullopt;
}

Text read_squeeze(NodeReader& r) {
  const auto given = axes_of(r);
  if (!given) return text(NW_TR("its axes are computed"));
  onnx::Dims dims = r.dims(0);
  const bool out = r.node().op == "Squeeze";
  std::vector<std::int64_t> axes = *given;
  const std::size_t rank = out ? dims.size() : dims.size() + axes.size();
  for (std::int64_t& a : axes) a = positive_axis(a, rank);
  if (out && axes.empty())
    for (std::size_t i = 1; i < dims.size(); ++i)
      if (dims[i] == 1) axes.push_back(static_cast<std::int64_t>(i));
  std::sort(axes.begin(), axes.end());
  for (const std::int64_t a : axes)
    if (a < 1 || a >= static_cast<std::int64_t>(rank)) return text(NW_TR("it changes the batch size"));
  if (out) {
    for (auto a = axes.rbegin(); a != axes.rend(); ++a) {
      if (dims[static_cast<std::size_t>(*a)] != 1) return text(NW_TR("it removes a size that is not 1"));
      dims.erase(dims.begin() + *a);
    }
  } else {
    for (const std::int64_t a : axes) dims.insert(dims.begin() + std::min<std::int64_t>(a, std::ssize(dims)), 1);
  }
  return with_sizes(r, dims);
}

Text read_flatten_itself(NodeReader& r) {
  const onnx::Dims dims = r.dims(0);
  if (positive_axis(r.node().integer("axis", 1), dims.size()) != 1)
    return text(NW_TR("it mixes the images of a batch"));
  std::int64_t each = 1;
  for (std::size_t i = 1; i < dims.size(); ++i) each *= dims[i];
  return with_sizes(r, {batch_size, each});
}

Text read_transpose(NodeReader& r) {
  const Ref from = *r.value(0);
  std::vector<std::int64_t> perm = r.node().integers("perm"), same;
  const std::size_t rank = r.dims(0).size();
  for (std::size_t i = 0; i < rank; ++i) same.push_back(static_cast<std::int64_t>(i));
  if (perm.empty()) perm.assign(same.rbegin(), same.rend());
  if (perm == same) return r.is(from), Text{};
  const bool image = r.shape(0).rank() == 4;
  if (image && from.form == Form::plain && perm == std::vector<std::int64_t>{0, 2, 3, 1})
    return r.is({.layer = from.layer, .form = Form::nhwc}), Text{};
  if (image && from.form == Form::nhwc && perm == std::vector<std::int64_t>{0, 3, 1, 2})
    return r.is({.layer = from.layer}), Text{};
  return text(NW_TR("it exchanges other axes than those of channels and pixels"));
}

Text read_flatten(NodeReader& r) {
  if (!r.value(0)) return text(NW_TR("its input is a constant"));
  const std::string& op = r.node().op;
  if (op == "Reshape") return read_reshape(r);
  if (op == "Flatten") return read_flatten_itself(r);
  return op == "Transpose" ? read_transpose(r) : read_squeeze(r);
}

Status write_concat(LayerWriter& w) {
  std::vector<std::string> in;
  for (std::size_t i = 0; i < w.layer().inputs.size(); ++i) in.push_back(w.input(i));
  w.finish("Concat", std::move(in), {{"axis", std::int64_t{1}}});
  return {};
}

/// The layers of all inputs, which have one form; empty: they do not.
std::vector<int> alike(const NodeReader& r, Form& form) {
  std::vector<int> layers;
  for (std::size_t i = 0; i < r.inputs(); ++i) {
    const Ref* v = r.value(i);
    if (!v || (i > 0 && v->form != form)) return {};
    form = v->form;
    layers.push_back(v->layer);
  }
  return form == Form::plain || form == Form::nhwc ? layers : std::vector<int>{};
}

Text read_concat(NodeReader& r) {
  Form form = Form::plain;
  const std::vector<int> layers = alike(r, form);
  if (layers.empty()) return text(NW_TR("it joins values of different order, or constants"));
  const std::size_t rank = r.dims(0).size();
  if (positive_axis(r.node().integer("axis", 1), rank) != (form == Form::nhwc ? 3 : 1))
    return text(NW_TR("it joins something else than channels"));
  Ref made{.form = form};
  if (Text why = r.add("Concat", {}, layers, made.layer); !why.empty()) return why;
  r.is(made);
  return {};
}

Status write_add(LayerWriter& w) {
  std::vector<std::string> in;
  for (std::size_t i = 0; i < w.layer().inputs.size(); ++i) in.push_back(w.input(i));
  const char* op = in.size() == 2 ? "Add" : "Sum";  // before `in` is moved from
  w.finish(op, std::move(in));
  return {};
}

Text read_add(NodeReader& r) {
  Form form = Form::plain;
  const std::vector<int> layers = alike(r, form);
  if (layers.empty()) return text(NW_TR("it adds values of different order, or constants"));
  Ref made{.form = form};
  if (Text why = r.add("Add", {}, layers, made.layer); !why.empty()) return why;
  r.is(made);
  return {};
}

// A product of several factors is a chain; all but its last product are marked as parts.
constexpr const char* part_of_product = "netwright.factor";

Status write_multiply(LayerWriter& w) {
  const std::size_t count = w.layer().inputs.size();
  if (count == 1) {
    w.finish("Identity", {w.input()});
    return {};
  }
  std::string product = w.input();
  for (std::size_t i = 1; i + 1 < count; ++i)
    product = w.part(fmt::format("{}{}", part_of_product, i), "Mul", {product, w.input(i)});
  w.finish("Mul", {product, w.input(count - 1)});
  return {};
}

Text read_multiply(NodeReader& r) {
  Form form = Form::plain;
  std::vector<int> layers = alike(r, form);
  if (layers.empty()) return text(NW_TR("it multiplies values of different order, or constants"));
  const BuiltLayer& before = r.layer(layers.front());
  const bool factor = before.type->name == "Multiply" && before.origin &&
                      before.origin->name.find(part_of_product) != std::string::npos;
  if (factor && r.replaceable(layers.front())) {
    std::vector<int> all = before.inputs;
    all.insert(all.end(), layers.begin() + 1, layers.end());
    layers = std::move(all);
  }
  Ref made{.form = form};
  if (Text why = r.add("Multiply", {}, layers, made.layer); !why.empty()) return why;
  r.is(made);
  return {};
}

Status write_upsample(LayerWriter& w) {
  const auto [h, v] = w.attrs().pair("scale_factor");
  const std::string scales =
      w.constant("scales", floats({4}, {1.0F, 1.0F, static_cast<float>(h), static_cast<float>(v)}));
  const bool nearest = w.attrs().choice("mode") == "nearest";
  Attributes a{{"mode", std::string(nearest ? "nearest" : "linear")},
               {"coordinate_transformation_mode", std::string(nearest ? "asymmetric" : "half_pixel")}};
  if (nearest) a["nearest_mode"] = std::string("floor");
  w.finish("Resize", {w.input(), "", scales}, std::move(a));
  return {};
}

Text read_upsample(NodeReader& r) {
  if (r.plain(0) < 0 || r.shape(0).rank() != 4) return text(NW_TR("its input is not an image"));
  const bool resize = r.node().op == "Resize";
  const std::size_t at = resize && r.opset() >= 11 ? 2 : 1;
  std::vector<double> scales;
  if (r.given(3) && r.constant(3)) {
    const auto sizes = onnx::integers_of(*r.constant(3));
    const Shape x = r.shape(0);
    for (std::size_t i = 2; sizes && i < sizes->size() && i < 4; ++i)
      scales.push_back(static_cast<double>((*sizes)[i]) / static_cast<double>(x[static_cast<int>(i)]));
  } else if (r.constant(at)) {
    if (const auto all = onnx::reals_of(*r.constant(at)); all && all->size() == 4 && (*all)[0] == 1 && (*all)[1] == 1)
      scales = {(*all)[2], (*all)[3]};
  }
  if (scales.size() != 2) return text(NW_TR("its scale is computed"));
  std::vector<std::int64_t> factor;
  for (const double s : scales) {
    if (s < 1 || s > 32 || s != static_cast<double>(static_cast<std::int64_t>(s)))
      return text(NW_TR("it resizes by {0}; Upsample has whole factors"), s);
    factor.push_back(static_cast<std::int64_t>(s));
  }
  const std::string mode = r.node().text("mode", "nearest");
  const std::string how =
      r.node().text("coordinate_transformation_mode", resize && r.opset() >= 11 ? "half_pixel" : "asymmetric");
  const std::string round = r.node().text("nearest_mode", "round_prefer_floor");
  // By whole factors rounding of half pixels and floor of the others take the same pixel.
  const bool half_pixel = how == "half_pixel" || how == "pytorch_half_pixel";
  if (mode == "nearest" &&
      ((how == "asymmetric" && (round == "floor" || r.opset() < 11)) || (half_pixel && round.starts_with("round"))))
    return r.becomes("Upsample", {{"scale_factor", factor}, {"mode", std::string("nearest")}}, {r.plain(0)});
  if (mode == "linear" && half_pixel)
    return r.becomes("Upsample", {{"scale_factor", factor}, {"mode", std::string("bilinear")}}, {r.plain(0)});
  return text(NW_TR("it interpolates by \"{0}\" with \"{1}\""), mode, how);
}

Status write_pad(LayerWriter& w) {
  const auto side = [&](const char* name) { return w.attrs().integer(name); };
  const std::vector<std::int64_t> pads{0, 0, side("padding_top"),    side("padding_left"),
                                       0, 0, side("padding_bottom"), side("padding_right")};
  w.finish("Pad", {w.input(), w.constant("pads", whole_numbers(pads))}, {{"mode", std::string("constant")}});
  return {};
}

Text read_pad(NodeReader& r) {
  if (!r.value(0) || r.shape(0).rank() != 4) return text(NW_TR("its input is not an image"));
  const Ref from = *r.value(0);
  if (from.form != Form::plain && from.form != Form::nhwc) return text(NW_TR("its input is not an image"));
  std::vector<std::int64_t> pads = r.node().integers(r.opset() < 2 ? "paddings" : "pads");
  double value = r.node().real("value", 0);
  if (r.opset() >= 11) {
    const auto given = r.constant(1) ? onnx::integers_of(*r.constant(1)) : std::nullopt;
    const auto filled = r.given(2) ? scalar_of(r.constant(2)) : std::optional(0.0);
    if (!given || !filled || r.given(3)) return text(NW_TR("its sizes are computed"));
    pads = *given;
    value = *filled;
  }
  const std::string mode = r.node().text("mode", "constant");
  if (mode != "constant" || value != 0) return text(NW_TR("it pads with something else than zeros"));
  if (pads.size() != 8) return text(NW_TR("its sizes are impossible"));
  const std::size_t row = from.form == Form::nhwc ? 1 : 2, channel = from.form == Form::nhwc ? 3 : 1;
  if (pads[0] != 0 || pads[4] != 0 || pads[channel] != 0 || pads[4 + channel] != 0)
    return text(NW_TR("it pads something else than height and width"));
  Ref made{.form = from.form};
  AttrMap attrs{{"padding_top", pads[row]},
                {"padding_left", pads[row + 1]},
                {"padding_bottom", pads[4 + row]},
                {"padding_right", pads[5 + row]}};
  if (Text why = r.add("ZeroPad2d", std::move(attrs), {from.layer}, made.layer); !why.empty()) return why;
  r.is(made);
  return {};
}

}  // namespace
}  // namespace exchange

extern const exchange::OperatorFile shapes_operators;
const exchange::OperatorFile shapes_operators{[] {
  using namespace exchange;
  return std::vector<OperatorMapping>{
      {"Flatten",
       {{"Flatten"}, {"Reshape"}, {"Squeeze"}, {"Unsqueeze"}, {"Transpose"}},
       13,
       write_flatten,
       read_flatten},
      {"Concat", {{"Concat"}}, 13, write_concat, read_concat},
      {"Add", {{"Add", 7}, {"Sum", 6}}, 13, write_add, read_add},
      {"Multiply", {{"Mul", 7}}, 13, write_multiply, read_multiply},
      {"Upsample", {{"Resize", 10}, {"Upsample", 9, 9}}, 13, write_upsample, read_upsample},
      {"ZeroPad2d", {{"Pad"}}, 13, write_pad, read_pad},
  };
}()};

}  // namespace nw
