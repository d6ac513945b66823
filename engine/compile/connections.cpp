// SPDX-License-Identifier: Apache-2.0
// Topological order, cycles, unconnected inputs, and the path from the Input to the loss.
#include <algorithm>

#include "engine/compile/context.hpp"

namespace nw::compiling {
namespace {

/// Kahn's algorithm over all nodes; the remaining nodes lie on a cycle or depend on one.
std::vector<int> sorted(Context& c) {
  std::vector<int> waiting(c.nodes.size(), 0), ready, order;
  std::vector<std::vector<int>> consumers(c.nodes.size());
  for (std::size_t i = 0; i < c.nodes.size(); ++i)
    for (const int from : c.nodes[i].inputs)
      if (from >= 0) {
        ++waiting[i];
        consumers[static_cast<std::size_t>(from)].push_back(static_cast<int>(i));
      }
  for (std::size_t i = c.nodes.size(); i-- > 0;)
    if (waiting[i] == 0) ready.push_back(static_cast<int>(i));
  while (!ready.empty()) {
    const int next = ready.back();
    ready.pop_back();
    order.push_back(next);
    for (const int consumer : consumers[static_cast<std::size_t>(next)])
      if (--waiting[static_cast<std::size_t>(consumer)] == 0) ready.push_back(consumer);
  }
  return order;
}

void mark_live(Context& c) {
  std::vector<int> stack{c.loss};
  while (!stack.empty()) {
    FlatNode& node = at(c, stack.back());
    stack.pop_back();
    if (node.live) continue;
    node.live = true;
    for (const int from : node.inputs)
      if (from >= 0) stack.push_back(from);
  }
}

/// The lowest and rightmost layer without a consumer: a missing loss is reported there.
NodeId open_end(const Context& c) {
  std::set<NodeId> feeding;
  for (const Connection& w : c.doc.graph().connections) feeding.insert(w.from);
  NodeId last = 0;
  double lowest = -1e300;
  for (const auto& [id, node] : c.doc.graph().nodes) {
    const LayerType* type = find_layer(node.type);
    if (feeding.contains(id) || (type && (type->loss || type->outputs == 0))) continue;
    const double depth = node.position.y + node.position.x;
    if (depth > lowest) {
      lowest = depth;
      last = id;
    }
  }
  return last;
}

void report_missing_loss(Context& c) {
  Problem* p =
      c.report(Severity::error, nullptr, text(NW_TR("There is no loss layer, so the network cannot be trained")));
  const NodeId end = open_end(c);
  if (!p || end == 0) return;
  Node loss{.type = "CrossEntropy", .name = "loss"};
  const Point above = c.doc.graph().nodes.at(end).position;
  loss.position = {above.x, above.y + 108};
  NodeId id = 0;
  Edit edit = add_node(c.doc, "", loss, &id);
  edit.push_back(PutConnection{"", Connection{end, 0, id, 0}, true});
  p->fixes.push_back({text(NW_TR("Add CrossEntropy")), std::move(edit)});
}

/// The nodes not in `fine` whose output is used by another such node: they lie on a cycle or between two cycles.
std::vector<bool> without_ends(const Context& c, const std::vector<bool>& fine) {
  std::vector<int> uses(c.nodes.size(), 0), ends;
  const auto each_input = [&](std::size_t i, auto visit) {
    for (const int from : c.nodes[i].inputs)
      if (from >= 0 && !fine[static_cast<std::size_t>(from)]) visit(static_cast<std::size_t>(from));
  };
  std::vector<bool> left(c.nodes.size());
  for (std::size_t i = 0; i < c.nodes.size(); ++i) {
    left[i] = !fine[i];
    if (left[i]) each_input(i, [&](std::size_t from) { ++uses[from]; });
  }
  for (std::size_t i = 0; i < c.nodes.size(); ++i)
    if (left[i] && uses[i] == 0) ends.push_back(static_cast<int>(i));
  while (!ends.empty()) {
    const auto end = static_cast<std::size_t>(ends.back());
    ends.pop_back();
    left[end] = false;
    each_input(end, [&](std::size_t from) {
      if (--uses[from] == 0) ends.push_back(static_cast<int>(from));
    });
  }
  return left;
}

void report_unconnected(Context& c, const std::string& scope, NodeId node, int port, const Text& what) {
  if (Problem* p = c.report_at(Severity::error, scope, node, what, port))
    p->fixes = connections_to(c, scope, node, port);
}

}  // namespace

void find_cycles(Context& c) {
  std::vector<bool> fine(c.nodes.size(), false);
  for (const int i : sorted(c)) fine[static_cast<std::size_t>(i)] = true;
  const std::vector<bool> on_cycle = without_ends(c, fine);
  for (std::size_t i = 0; i < c.nodes.size(); ++i) {
    c.nodes[i].cyclic = !fine[i];
    if (!on_cycle[i]) continue;
    Problem* p = c.report(Severity::error, &c.nodes[i],
                          text(NW_TR("Its output is connected back to its input: the network has a cycle")));
    // Only a connection of this scope can be removed here; the input of a block is fed from outside.
    const auto& drawn = c.doc.graph(c.nodes[i].scope).connections;
    for (std::size_t k = 0; p && p->fixes.empty() && k < c.nodes[i].inputs.size(); ++k) {
      const int from = c.nodes[i].inputs[k];
      const Connection& wire = c.nodes[i].wires[k];
      const bool here = wire.to == c.nodes[i].node && std::find(drawn.begin(), drawn.end(), wire) != drawn.end();
      if (here && from >= 0 && on_cycle[static_cast<std::size_t>(from)])
        p->fixes.push_back({text(NW_TR("Remove this connection")), disconnect(c.doc, c.nodes[i].scope, wire)});
    }
  }
}

void order_nodes(Context& c) {
  for (const int i : sorted(c))
    if (!at(c, i).passes_through) c.order.push_back(i);
}

void find_ends(Context& c) {
  for (int i = 0; i < static_cast<int>(c.nodes.size()); ++i) {  // in the order of the graph: the first Input is used
    FlatNode& node = at(c, i);
    if (node.passes_through || node.cyclic) continue;
    if (node.type->loss) {
      if (c.loss >= 0)
        c.report(Severity::error, &node, text(NW_TR("There is a loss already; a network has one")));
      else
        c.loss = i;
    } else if (node.type->name == "Input") {
      if (c.input >= 0) {
        Problem* p = c.report(Severity::error, &node, text(NW_TR("There is an Input already; a network has one")));
        if (p) p->fixes.push_back({text(NW_TR("Remove")), remove_nodes(c.doc, node.scope, {node.node})});
      } else
        c.input = i;
    }
  }
  if (c.nodes.empty()) {
    c.report(Severity::error, nullptr, text(NW_TR("The network is empty: add an Input, layers and a loss")));
    return;
  }
  if (c.input < 0) {
    Problem* p =
        c.report(Severity::error, nullptr, text(NW_TR("There is no Input layer, so the network receives no images")));
    if (p)
      p->fixes.push_back({text(NW_TR("Add Input")),
                          add_node(c.doc, "", Node{.type = "Input", .name = "images", .position = {0, -120}})});
  }
  const bool behind_cycle =
      std::any_of(c.nodes.begin(), c.nodes.end(), [](const FlatNode& n) { return n.cyclic && n.type->loss; });
  if (c.loss < 0 && !behind_cycle) report_missing_loss(c);
  if (c.loss >= 0)
    mark_live(c);
  else
    for (FlatNode& n : c.nodes) n.live = true;  // without a loss all layers are analysed
}

void check_connections(Context& c) {
  std::vector<NodeId> idle;
  const FlatNode* first_idle = nullptr;
  for (FlatNode& node : c.nodes) {
    if (node.cyclic) continue;
    if (!node.live) {
      if (node.scope.empty() && !node.passes_through) {
        idle.push_back(node.node);
        if (!first_idle) first_idle = &node;
      }
      continue;
    }
    if (node.outer != 0 && node.inputs[0] < 0)
      report_unconnected(c, node.outer_scope, node.outer, node.outer_port, text(NW_TR("Its input is not connected")));
    if (node.type->inputs < 0 && node.inputs.empty() && !node.type->refusal)
      report_unconnected(c, node.scope, node.node, 0, text(NW_TR("Nothing is connected to it")));
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
      if (node.inputs[i] < 0 && node.type->inputs != 0 && !node.type->refusal &&
          (node.type->inputs > 0 || node.inputs.size() == 1))
        report_unconnected(c, node.scope, node.node, static_cast<int>(i), text(NW_TR("Its input is not connected")));
    // Add and Concat accept any number of inputs; a gap between their ports has no meaning.
    if (node.type->inputs < 0) {
      std::vector<int> inputs;
      std::vector<Connection> wires;
      for (std::size_t i = 0; i < node.inputs.size(); ++i)
        if (node.inputs[i] >= 0) {
          inputs.push_back(node.inputs[i]);
          wires.push_back(node.wires[i]);
        }
      node.inputs = std::move(inputs);
      node.wires = std::move(wires);
    }
    if (node.type->inputs > 0 && node.inputs.size() > static_cast<std::size_t>(node.type->inputs)) {
      c.report(Severity::error, &node,
               text(NW_TR("Too many input connections: it accepts {0}; remove the others"), node.type->inputs));
      node.inputs.resize(static_cast<std::size_t>(node.type->inputs));
    }
  }
  if (!first_idle) return;
  Problem* p =
      c.report(Severity::note, first_idle,
               idle.size() == 1 ? text(NW_TR("Not connected. Training leaves it out."))
                                : text(NW_TR("Not connected. Training leaves these {0} layers out."), idle.size()));
  if (p)
    p->fixes.push_back(
        {idle.size() == 1 ? text(NW_TR("Remove it")) : text(NW_TR("Remove them")), remove_nodes(c.doc, "", idle)});
}

void follow_pass_through(Context& c) {
  std::vector<int> passed(c.nodes.size(), -1);
  for (const int i : sorted(c)) {
    const FlatNode& node = at(c, i);
    const int from = node.inputs.empty() ? -1 : node.inputs[0];
    passed[static_cast<std::size_t>(i)] = !node.passes_through ? i
                                          : from < 0           ? -1
                                                               : passed[static_cast<std::size_t>(from)];
  }
  c.passed = std::move(passed);
}

}  // namespace nw::compiling
