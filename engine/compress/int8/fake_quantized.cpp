// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/int8/fake_quantized.hpp"

#include "engine/compress/int8/rows.hpp"
#include "engine/design/block_edits.hpp"

namespace nw::compress::int8 {
namespace {

using exchange::NamedWeight;
using exchange::Weights;

/// Rounds to nearest, ties to even, as the kernels do: 1.5 * 2^23 leaves no bits behind the point of a float, and its
/// derivative is 1. Of limits that are applied first: as many as 2^22 would do, and there are 256 numbers.
std::string rounding(float scale, std::uint8_t zero) {
  return fmt::format("(min(max(x / {0}, {1}), {2}) + 12582912 - 12582912) * {0}", static_cast<double>(scale),
                     -int{zero}, 255 - int{zero});
}

class Rewriter {
 public:
  Rewriter(GraphDoc doc, const FlatNetwork& flat, const Weights& weights, const Tensors& tensors)
      : flat_(flat), tensors_(tensors), made_{std::move(doc), weights} {
    for (const auto& [id, node] : made_.doc.graph().nodes) ids_[node.name] = id;
  }

  Result<FakeQuantized> all() {
    for (const FusedLayer& f : fused_layers(flat_)) {
      if (f.form == Form::product || f.form == Form::affine) NW_TRY(fold(f));
      if (rounds(f)) NW_TRY(round(at(f.end)));
    }
    return std::move(made_);
  }

 private:
  const FlatLayer& at(int l) const { return flat_.layers[static_cast<std::size_t>(l)]; }

  /// Scores that a product computes stay real numbers.
  bool rounds(const FusedLayer& f) const {
    const bool scores = f.form == Form::product && f.end == score_layer(flat_) && f.activation < 0;
    return f.form != Form::same && f.form != Form::max_pool && !(scores && at(f.end).shape.rank() == 2);
  }

  Result<NodeId> node_of(const std::string& name) const {
    const auto it = ids_.find(name);
    if (it == ids_.end()) return fail(Errc::bad_input, NW_TR("There is no layer {0}"), name);
    return it->second;
  }
  Status put(const std::string& name, const std::function<void(Node&)>& change) {
    NW_ASSIGN(const NodeId id, node_of(name));
    Node node = made_.doc.graph().nodes.at(id);
    change(node);
    return apply({PutNode{"", id, std::move(node)}});
  }
  Status apply(const Edit& edit) {
    NW_ASSIGN(const Edit undo, made_.doc.apply(edit));
    (void)undo;
    return {};
  }

  void forget(const FlatLayer& norm) {
    for (const char* part : {"weight", "bias", "running_mean", "running_var"})
      made_.weights.erase(exchange::weight_name(norm.name, part));
  }

  /// Once its numbers are in the layer before it.
  Status become_identity(const FlatLayer& norm) {
    forget(norm);
    return put(norm.name, [](Node& n) {
      n.type = "Identity";
      n.attrs.clear();
    });
  }
  Status become_depthwise(const FlatLayer& norm) {
    forget(norm);
    return put(norm.name, [&](Node& n) {
      n.type = "Conv2d";
      n.attrs = {
          {"out_channels", norm.shape[1]}, {"kernel_size", std::vector<std::int64_t>{1, 1}}, {"groups", norm.shape[1]}};
    });
  }

  Status fold(const FusedLayer& f) {
    const FlatLayer& l = at(f.layer);
    NW_ASSIGN(const Rows rows, rows_of(flat_, f, made_.weights));
    const bool had_bias = made_.weights.contains(exchange::weight_name(l.name, "bias"));
    if (f.form == Form::affine) NW_TRY(become_depthwise(l));
    if (f.norm >= 0) {
      NW_TRY(become_identity(at(f.norm)));
      NW_TRY(put(l.name, [](Node& n) { n.attrs["bias"] = true; }));
    }
    std::vector<std::int64_t> dims = rows.shape;
    if (f.form == Form::affine) dims = {l.shape[1], 1, 1, 1};
    made_.weights[exchange::weight_name(l.name, "weight")] = {dims, {rows.weights.begin(), rows.weights.end()}};
    if (f.form == Form::affine || f.norm >= 0 || had_bias)
      made_.weights[exchange::weight_name(l.name, "bias")] = {{l.shape[1]}, {rows.bias.begin(), rows.bias.end()}};
    return {};
  }

  /// Everything that reads the layer reads its rounded values then.
  Status round(const FlatLayer& l) {
    NW_ASSIGN(const auto scale, numbers<float>(tensors_, l.name + ".scale", "F32", {}));
    NW_ASSIGN(const auto zero, numbers<std::uint8_t>(tensors_, l.name + ".zero", "U8", {}));
    NW_ASSIGN(const NodeId from, node_of(l.name));
    Node node{.type = "Formula", .name = "rounded"};
    node.attrs["expression"] = rounding(scale.front(), zero.front());
    NodeId id = 0;
    Edit edit;
    for (const Connection& c : made_.doc.graph().connections)
      if (c.from == from) edit.push_back(PutConnection{"", c, false});
    const Edit added = add_node(made_.doc, "", std::move(node), &id);
    edit.insert(edit.end(), added.begin(), added.end());
    for (const Connection& c : made_.doc.graph().connections)
      if (c.from == from) edit.push_back(PutConnection{"", {id, 0, c.to, c.to_port}, true});
    edit.push_back(PutConnection{"", {from, 0, id, 0}, true});
    return apply(edit);
  }

  const FlatNetwork& flat_;
  const Tensors& tensors_;
  std::map<std::string, NodeId> ids_;
  FakeQuantized made_;
};

/// The rows of the layer in FakeQuantized::doc, whose batch norms are folded already.
Rows folded_rows(const std::string& layer, const Weights& weights) {
  Rows rows;
  const auto& w = weights.at(exchange::weight_name(layer, "weight"));
  rows.shape = w.dims;
  rows.weights.assign(w.values.begin(), w.values.end());
  if (const auto bias = weights.find(exchange::weight_name(layer, "bias")); bias != weights.end())
    rows.bias.assign(bias->second.values.begin(), bias->second.values.end());
  rows.bias.resize(static_cast<std::size_t>(w.dims.front()));
  return rows;
}

bool has_rows(const FusedLayer& f) { return f.form == Form::product || f.form == Form::affine; }

}  // namespace

Result<FakeQuantized> fake_quantized(const GraphDoc& doc, const Weights& weights, const Tensors& tensors) {
  NW_ASSIGN(const FlatNetwork flat, flatten(doc, {.training = false, .batch = 1}));
  NW_ASSIGN(GraphDoc open, without_blocks(doc));
  return Rewriter(std::move(open), flat, weights, tensors).all();
}

Status put_weights(const FlatNetwork& flat, const Weights& of_fake, Tensors& to) {
  const std::vector<float> scales = output_scales(flat, to);
  for (const FusedLayer& f : fused_layers(flat)) {
    const FlatLayer& l = flat.layers[static_cast<std::size_t>(f.layer)];
    if (has_rows(f)) {
      NW_ASSIGN(const WholeRows whole,
                whole_rows(folded_rows(l.name, of_fake), scales[static_cast<std::size_t>(l.inputs.front())], l.name));
      put_rows(to, l.name, to[l.name + ".weight"].shape, whole);
    }
    if (f.form != Form::real) continue;
    for (const Weight& w : l.weights) {
      const std::string name = exchange::weight_name(l.name, w.name);
      if (w.shape.rank() > 0) to[name] = tensor_of<float>("F32", of_fake.at(name).dims, of_fake.at(name).values);
    }
  }
  return {};
}

WeightRounding::WeightRounding(const FlatNetwork& flat, const Tensors& tensors) {
  const std::vector<float> scales = output_scales(flat, tensors);
  for (const FusedLayer& f : fused_layers(flat)) {
    const FlatLayer& l = flat.layers[static_cast<std::size_t>(f.layer)];
    if (has_rows(f)) layers_.push_back({l.name, scales[static_cast<std::size_t>(l.inputs.front())]});
  }
}

Status WeightRounding::round(const Weights& trained, Weights& rounded) const {
  for (const auto& [name, w] : trained) rounded[name].values = w.values;  // also of layers in fp32
  for (const Layer& l : layers_) {
    NW_ASSIGN(const WholeRows whole, whole_rows(folded_rows(l.name, trained), l.input_scale, l.name));
    std::vector<float>& weights = rounded.at(exchange::weight_name(l.name, "weight")).values;
    const std::size_t each = weights.size() / whole.scales.size();
    for (std::size_t i = 0; i < weights.size(); ++i)
      weights[i] = static_cast<float>(whole.weights[i]) * whole.scales[i / each];
    const auto bias = rounded.find(exchange::weight_name(l.name, "bias"));
    for (std::size_t c = 0; bias != rounded.end() && c < whole.bias.size(); ++c)
      bias->second.values[c] = static_cast<float>(whole.bias[c]) * l.input_scale * whole.scales[c];
  }
  return {};
}

}  // namespace nw::compress::int8
