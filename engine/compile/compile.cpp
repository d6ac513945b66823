// SPDX-License-Identifier: Apache-2.0
// The compiler's passes in order, each with the invariant that holds after it.
#include "engine/compile/compile.hpp"

#include <algorithm>

#include "engine/compile/context.hpp"
#include "engine/compile/gradients.hpp"
#include "kernels/nested_text.hpp"

namespace nw {

using compiling::Context;
using compiling::FlatNode;

bool Analysis::ok() const { return count(Severity::error) == 0; }
int Analysis::count(Severity s) const {
  return static_cast<int>(
      std::count_if(problems.begin(), problems.end(), [s](const Problem& p) { return p.severity == s; }));
}

void compiling::read_graph(Context& c) {
  compiling::expand_blocks(c);
  compiling::find_cycles(c);
  compiling::order_nodes(c);  // From here on the order is fixed.
  compiling::find_ends(c);
  compiling::check_connections(c);
  compiling::follow_pass_through(c);  // From here on source() takes constant time.
  compiling::infer_shapes(c);         // From here on every live node has a shape or a reported problem.
  compiling::check_data(c);
  compiling::check_losses(c);
  compiling::check_distillation(c);
  compiling::check_batch_norms(c);
  compiling::check_frozen(c);
  compiling::check_optimizer(c);
}

namespace {

/// Predictions are computed in fp32, from the same weights, on a device that lacks the format of the training.
/// Automatic is bf16 and not fp16, whose few exponents need a scaled loss.
DType compute_format(const Context& c) {
  if (c.gradients) return DType::f32;
  const Device* device = c.target.device;
  const Precision asked = c.doc.settings().precision;
  if (!asked) return device && device->gains_by(DType::bf16) ? DType::bf16 : DType::f32;
  const bool lacking = device && !device->computes_in(*asked);
  return lacking && !c.target.training ? DType::f32 : *asked;
}

}  // namespace

void compiling::write_steps(Context& c) {
  Plan& plan = c.out.plan;
  plan.training = c.target.training;
  plan.world = c.target.world;
  plan.compute = compute_format(c);
  plan.only_where_faster = !c.doc.settings().precision;
  plan.batch = c.target.batch > 0 ? c.target.batch
                                  : std::max<std::int64_t>(1, c.doc.settings().batch / std::max(1, c.target.world));
  compiling::fuse_sigmoid_bce(c);
  compiling::declare_values(c);
  compiling::lower_layers(c);  // From here on there are only steps, no layers.
  if (c.gradients) compiling::follow_seed(c);
  compiling::add_update(c);
}

void compiling::settle_steps(Context& c) {
  Plan& plan = c.out.plan;
  if (c.target.device && !c.target.every_layer) compiling::fuse_steps(plan, *c.target.device);
  // After fusion, so that fused steps are not separated.
  if (const DType stored = c.target.device ? c.target.device->stored_as(plan.compute) : DType::f32;
      stored != DType::f32)
    compiling::store_halves(plan, stored);
  else if (plan.compute == DType::bf16)
    compiling::round_operands(plan, c.target.device);
  if (c.target.device) compiling::gather_weight_gradients(plan, *c.target.device);
}

namespace {

void write_plan(Context& c) {
  compiling::write_steps(c);
  compiling::settle_steps(c);
  Plan& plan = c.out.plan;
  compiling::check_steps(c);
  compiling::plan_memory(plan, c.target.device, c.target.only_output ? plan.find(c.out.output) : -1);
  compiling::name_aliases(c);
}

std::int64_t parameters_of(const FlatNode& n) {
  std::int64_t count = 0;
  for (const Weight& w : n.weights)
    if (!w.buffer) count += w.shape.elements();
  return count;
}

NodeInfo facts_of(const FlatNode& n) {
  NodeInfo f{.output = n.shape, .inputs = n.input_shapes, .parameters = parameters_of(n)};
  if (n.shape.rank() == 0) return f;
  f.activation_bytes = n.shape.per_sample() * 4;
  if (n.type->multiply_adds) f.multiply_adds = n.type->multiply_adds(n.attrs, n.input_shapes, n.shape);
  return f;
}

/// Collects the information of the nodes of the graph. Nodes inside a block have that of its first instance; an
/// instance has the output shape of its last layer.
void collect_node_info(const Context& c, Analysis& a) {
  for (const int i : c.order) {
    const FlatNode& n = c.nodes[static_cast<std::size_t>(i)];
    const NodeInfo f = facts_of(n);
    a.facts[n.scope].emplace(n.node, f);
    if (n.live) {
      a.parameters += f.parameters;
      a.multiply_adds += f.multiply_adds;
    }
    if (n.live && !n.cyclic) a.expanded.push_back({n.name, n.scope, n.node, f});
  }
  for (const FlatNode& n : c.nodes) {  // a pass-through node has the shape of its input
    if (!n.passes_through || n.cyclic) continue;
    const int from = c.source(n, 0);
    if (from >= 0) a.facts[n.scope].emplace(n.node, NodeInfo{.output = c.nodes[static_cast<std::size_t>(from)].shape});
  }
}

/// A block's counts are the sums over its layers. Its output shape is that of the value its consumer reads; the
/// consumer is a layer or an input of another block.
void collect_block_info(const Context& c, Analysis& a) {
  std::map<NodeId, NodeInfo> blocks;
  for (const auto& [id, node] : c.doc.graph().nodes)
    if (node.type == "Block") blocks[id] = {};
  for (const FlatNode& n : c.nodes) {
    if (const auto own = blocks.find(n.instance); own != blocks.end()) {
      const NodeInfo f = facts_of(n);
      own->second.parameters += f.parameters;
      own->second.multiply_adds += f.multiply_adds;
      own->second.activation_bytes += f.activation_bytes;
    }
    if (!(n.outer != 0 ? n.outer_scope : n.scope).empty() || n.cyclic) continue;
    for (std::size_t i = 0; i < n.wires.size(); ++i) {
      const auto feeder = blocks.find(n.wires[i].from);
      const int from = feeder == blocks.end() ? -1 : c.source(n, static_cast<int>(i));
      if (from >= 0) feeder->second.output = c.nodes[static_cast<std::size_t>(from)].shape;
    }
  }
  for (const auto& [id, sum] : blocks) a.facts[""][id] = sum;
}

std::int64_t planned_bytes(Context& c) {
  write_plan(c);
  std::int64_t bytes = c.out.plan.arena_bytes + c.out.plan.weight_elements * 4;
  for (const Value& v : c.out.plan.values)
    if (v.role == Role::weight_grad || v.role == Role::optimizer || v.role == Role::input || v.role == Role::buffer)
      bytes += v.shape.elements() * static_cast<std::int64_t>(size_of(v.dtype));
  return bytes;
}

void name_problems(Context& c) {
  const auto rank = [](const Problem& p) { return static_cast<int>(p.severity); };
  std::stable_sort(c.problems.begin(), c.problems.end(),
                   [&](const Problem& a, const Problem& b) { return rank(a) < rank(b); });
}

}  // namespace

Target target_without_data(const GraphDoc& doc, std::int64_t channels, std::int64_t height, std::int64_t width,
                           std::size_t classes) {
  Target target;
  target.data = {.channels = channels,
                 .height = height,
                 .width = width,
                 .classes = static_cast<std::int64_t>(classes),
                 .targets = target_kind(doc.data()),
                 .train = 1,
                 .validation = 1,
                 .test = 1};
  return target;
}

Analysis analyse(const GraphDoc& doc, const Target& target) {
  Context c{doc, target};
  compiling::read_graph(c);
  Analysis a;
  collect_node_info(c, a);
  collect_block_info(c, a);
  compiling::list_conflicts(c);
  if (!c.failed() && c.loss >= 0 && c.input >= 0) a.memory_bytes = planned_bytes(c);
  name_problems(c);
  a.problems = std::move(c.problems);
  return a;
}

namespace {

Result<Compiled> compiled(Context& c) {
  compiling::read_graph(c);
  if (!c.failed()) write_plan(c);
  if (!c.failed()) return std::move(c.out);
  name_problems(c);
  const Problem& first = c.problems.front();
  const std::string where = first.node_name.empty() ? "network" : first.node_name;
  return fail(Errc::bad_input, NW_TR("{0}: {1}"), where, nested(first.what));
}

}  // namespace

Result<Compiled> compile(const GraphDoc& doc, const Target& target) {
  Context c{doc, target};
  return compiled(c);
}

Result<Compiled> compile_gradients(const GraphDoc& doc, Target target) {
  target.training = target.every_layer = true;
  Context c{doc, target};
  c.gradients = true;
  return compiled(c);
}

}  // namespace nw
