// SPDX-License-Identifier: Apache-2.0
// Quick fixes as edits of the document.
#include <numeric>

#include "engine/compile/context.hpp"

namespace nw::compiling {

Fix fix_attr(const Context& c, const FlatNode& node, Text label, const std::string& attr, Attr value) {
  return {std::move(label), set_attr(c.doc, node.scope, node.node, attr, std::move(value))};
}

/// Inserts layers, from first to last, into the connection that feeds `port`. The edits are applied to a copy, so that
/// each sees the result of the one before.
Fix insert_before(const Context& c, const FlatNode& node, int port, Text label, std::vector<Node> chain) {
  Fix fix{std::move(label), {}};
  if (static_cast<std::size_t>(port) >= node.wires.size() || node.wires[static_cast<std::size_t>(port)].to != node.node)
    return fix;
  GraphDoc copy = c.doc;
  Connection wire = node.wires[static_cast<std::size_t>(port)];
  for (Node& layer : chain) {
    NodeId id = 0;
    if (layer.name.empty()) layer.name = copy.free_name(node.scope, std::string(find_layer(layer.type)->stem));
    const Edit edit = insert_on(copy, node.scope, wire, layer, &id);
    if (!copy.apply(edit)) return {};
    fix.edit.insert(fix.edit.end(), edit.begin(), edit.end());
    wire = Connection{id, 0, wire.to, wire.to_port};
  }
  return fix;
}

namespace {

/// The valid padding closest to the present one: the kernel or window must fit into the padded image.
Fix padding_that_fits(const Context& c, const FlatNode& node) {
  const Shape& x = node.input_shapes[0];
  const auto [kh, kw] = node.attrs.pair("kernel_size");
  const auto [ph, pw] = node.attrs.pair("padding");
  std::vector<std::int64_t> fits;
  if (node.type->name == "Conv2d") {
    const auto [dh, dw] = node.attrs.pair("dilation");
    fits = {std::max(ph, (dh * (kh - 1) + 1 - x[2] + 1) / 2), std::max(pw, (dw * (kw - 1) + 1 - x[3] + 1) / 2)};
  } else {
    fits = {std::min(ph, kh / 2), std::min(pw, kw / 2)};
  }
  return fix_attr(c, node, text(NW_TR("Set padding to {0}×{1}"), fits[0], fits[1]), "padding", fits);
}

Fix window_that_fits(const Context& c, const FlatNode& node) {
  const Shape& x = node.input_shapes[0];
  const auto [kh, kw] = node.attrs.pair("kernel_size");
  const std::vector<std::int64_t> fits{std::min(kh, x[2]), std::min(kw, x[3])};
  return fix_attr(c, node, text(NW_TR("Set window to {0}×{1}"), fits[0], fits[1]), "kernel_size", fits);
}

/// The stride with which a 1×1 convolution maps `from` pixels to `to`; 0 if there is none.
std::int64_t stride_between(std::int64_t from, std::int64_t to) {
  for (std::int64_t s = 1; s <= 32; ++s)
    if ((from - 1) / s + 1 == to) return s;
  return 0;
}

/// Inserts a 1×1 convolution before one of the two inputs, so that both have the same shape.
Fix projection(const Context& c, const FlatNode& node, int port) {
  for (const int which : {port, 0}) {
    const Shape& from = node.input_shapes[static_cast<std::size_t>(which)];
    const Shape& to = node.input_shapes[static_cast<std::size_t>(which == 0 ? port : 0)];
    if (from.rank() != 4 || to.rank() != 4) continue;
    const std::int64_t sh = stride_between(from[2], to[2]), sw = stride_between(from[3], to[3]);
    if (sh == 0 || sw == 0) continue;
    Node conv{.type = "Conv2d"};
    conv.attrs = {{"out_channels", to[1]},
                  {"kernel_size", std::vector<std::int64_t>{1, 1}},
                  {"stride", std::vector<std::int64_t>{sh, sw}},
                  {"bias", false}};
    Fix fix = insert_before(c, node, which, text(NW_TR("Insert a 1×1 projection to {0}"), to_string(to, true)), {conv});
    if (!fix.edit.empty()) return fix;
  }
  return {};
}

Fix other_type(const Context& c, const FlatNode& node, Text label, const std::string& type) {
  Node changed = c.doc.graph(node.scope).nodes.at(node.node);
  changed.type = type;
  changed.attrs.clear();
  return {std::move(label), {PutNode{node.scope, node.node, changed}}};
}

/// Passes its input on in the place of the layer, under its name.
Fix identity_instead(const Context& c, const FlatNode& node) {
  return other_type(c, node, text(NW_TR("Replace with Identity")), "Identity");
}

Fix pooled_before(const Context& c, const FlatNode& node, int port) {
  const bool image = !node.input_shapes.empty() && node.input_shapes[0].rank() == 4;
  if (!image) return {};
  return insert_before(c, node, port, text(NW_TR("Insert GlobalAvgPool2d")),
                       {Node{.type = "GlobalAvgPool2d"}, Node{.type = "Flatten"}});
}

Fix groups_that_divide(const Context& c, const FlatNode& node) {
  const std::int64_t groups = std::gcd(node.attrs.integer("num_groups"), node.input_shapes[0][1]);
  return fix_attr(c, node, text(NW_TR("Set groups to {0}"), groups), "num_groups", groups);
}

Fix fix_for(const Context& c, const FlatNode& node, int port, QuickFix wanted) {
  const std::vector<std::int64_t> none{0, 0};
  switch (wanted) {
    case QuickFix::insert_flatten:
      return insert_before(c, node, port, text(NW_TR("Insert Flatten")), {Node{.type = "Flatten"}});
    case QuickFix::insert_global_avg_pool2d:
      return pooled_before(c, node, port);
    case QuickFix::set_padding:
      return padding_that_fits(c, node);
    case QuickFix::shrink_window:
      return window_that_fits(c, node);
    case QuickFix::one_group:
      return fix_attr(c, node, text(NW_TR("Use one group")), "groups", std::int64_t{1});
    case QuickFix::dividing_groups:
      return groups_that_divide(c, node);
    case QuickFix::no_padding:
      return fix_attr(c, node, text(NW_TR("Set padding to {0}×{1}"), 0, 0), "padding", none);
    case QuickFix::no_output_padding:
      return fix_attr(c, node, text(NW_TR("Set output padding to {0}×{1}"), 0, 0), "output_padding", none);
    case QuickFix::project:
      return projection(c, node, port);
    case QuickFix::use_bce_with_logits:
      return other_type(c, node, text(NW_TR("Use BCEWithLogits")), "BCEWithLogits");
    case QuickFix::remove:
      return {text(NW_TR("Remove {0}"), node.type->refusal ? node.name : std::string(node.type->name)),
              remove_nodes(c.doc, node.scope, {node.node}, true)};
    case QuickFix::use_identity:
      return identity_instead(c, node);
  }
  return {};
}

}  // namespace

std::vector<Fix> fixes_for(const Context& c, const FlatNode& node, const ShapeError& error) {
  std::vector<Fix> fixes;
  for (const QuickFix wanted : error.fixes) {
    Fix fix = fix_for(c, node, error.port, wanted);
    if (!fix.edit.empty() && fixes.size() < 3) fixes.push_back(std::move(fix));
  }
  return fixes;
}

}  // namespace nw::compiling
