// SPDX-License-Identifier: Apache-2.0
// The steps after the backward pass: gradients are reduced, clipped and passed to the optimizer.
#include <algorithm>

#include "engine/compile/context.hpp"
#include "kernels/optimizer_step.hpp"

namespace nw::compiling {
namespace {

/// The optimizer's fields as attributes of a step.
StepAttrs optimizer_attrs(const Optimizer& o, const OptimizerChoice& choice) {
  StepAttrs attrs;
  for (const OptimizerField& f : o.fields) {
    const double value = choice.value(f.name);
    switch (f.kind) {
      case OptimizerField::Kind::real:
        attrs.emplace(f.name, value);
        break;
      case OptimizerField::Kind::boolean:
        attrs.emplace(f.name, std::int64_t{value != 0});
        break;
    }
  }
  return attrs;
}

const Optimizer& chosen_optimizer(const Context& c) {
  const Optimizer* o = find_optimizer(c.doc.settings().optimizer.name());
  assert(o && "a document takes no other optimizer");
  return *o;
}

/// The output of weight_norms.
int add_norms(Plan& plan) {
  const auto weights =
      std::count_if(plan.values.begin(), plan.values.end(), [](const Value& v) { return v.role == Role::weight; });
  return add_value(
      plan,
      {.name = "norms of weights", .shape = {2, weights}, .dtype = DType::f64, .role = Role::saved, .batched = false});
}

}  // namespace

void declare_optimizer_state(Context& c, const Value& w) {
  const Optimizer& o = chosen_optimizer(c);
  const OptimizerValues values = optimizer_values(o, optimizer_attrs(o, c.doc.settings().optimizer));
  const auto declare = [&](std::string_view state) {
    add_value(c.out.plan, {.name = std::string(state) + " " + w.name,
                           .shape = w.shape,
                           .layout = Layout::torch,
                           .role = Role::optimizer,
                           .batched = false,
                           .offset_bytes = w.offset_bytes});
  };
  for (const OptimizerState& state : o.state)
    if (keeps_state(o, state, values)) declare(state.name);
  if (c.doc.settings().ema_decay > 0) declare("average");
}

void add_update(Context& c) {
  if (!c.target.training || c.gradients) return;
  const TrainSettings& s = c.doc.settings();
  auto& steps = c.out.plan.steps;
  const auto add = [&](std::string_view name, StepAttrs attrs, Phase phase = Phase::update) -> Step& {
    const std::string kernel(name);
    steps.push_back(
        {.kernel = kernel, .attrs = std::move(attrs), .phase = phase, .op = op_of(kernel), .label = kernel});
    return steps.back();
  };
  if (c.target.world > 1) add("all_reduce", {}, Phase::reduce);
  add("grad_norm", {});
  if (s.clip_value > 0) add("clip_grad_value", {{"limit", s.clip_value}});
  if (s.clip_norm > 0) add("clip_grad_norm", {{"max_norm", s.clip_norm}});
  const Optimizer& o = chosen_optimizer(c);
  StepAttrs attrs = optimizer_attrs(o, s.optimizer);
  attrs.emplace("l1", s.l1);
  attrs.emplace("l2", s.l2);
  std::vector<int> norms;
  if (o.norms) {
    norms = {add_norms(c.out.plan)};
    add("weight_norms", {}).outputs = norms;
  }
  add(o.name, std::move(attrs)).inputs = norms;
  if (s.ema_decay > 0) add("average_weights", {{"decay", s.ema_decay}});
}

}  // namespace nw::compiling
