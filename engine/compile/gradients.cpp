// SPDX-License-Identifier: Apache-2.0
// Converts a training plan into one that propagates a given gradient of the scores to the input in prediction mode.
#include "engine/compile/gradients.hpp"

#include <algorithm>
#include <map>

#include "engine/compile/context.hpp"

namespace nw::compiling {
namespace {

/// Makes the gradient of the scores an input and removes the loss, which would have computed it.
void replace_loss(Context& c) {
  Plan& plan = c.out.plan;
  const std::string& loss = c.nodes[static_cast<std::size_t>(c.loss)].name;
  const auto step = std::find_if(plan.steps.begin(), plan.steps.end(), [&](const Step& s) { return s.label == loss; });
  Value& seed = plan.values[static_cast<std::size_t>(step->outputs.front())];
  seed.name = "seed";
  seed.role = Role::input;
  plan.steps.erase(step);
}

/// Batch norm with running statistics, forward and backward: a fixed linear function per channel.
void use_running_statistics(Plan& plan) {
  std::map<int, const Step> finalize;  // by the value of mean and inverse standard deviation
  for (const Step& s : plan.steps)
    if (s.kernel == "batch_norm_finalize") finalize.emplace(s.outputs[0], s);
  for (Step& s : plan.steps) {
    const bool forward = s.kernel == "batch_norm_apply";
    if (!forward && s.kernel != "batch_norm_grad_input") continue;
    const Step& statistics = finalize.at(s.inputs[forward ? 1 : 2]);
    const int mean = statistics.inputs[1], var = statistics.inputs[2];
    if (forward)
      s.inputs = {s.inputs[0], mean, var, s.inputs[2], s.inputs[3]};
    else
      s.inputs = {s.inputs[0], var, s.inputs[3]};
    s.kernel = forward ? "batch_norm_inference" : "batch_norm_inference_grad";
    s.attrs = {{"eps", statistics.attrs.at("eps")}};
  }
  std::erase_if(plan.steps, [](const Step& s) {
    return s.kernel == "batch_norm_stats" || s.kernel == "batch_norm_finalize" || s.kernel == "batch_norm_grad_stats";
  });
}

/// A gradient with a single part ("grad conv1 from relu1") gets the name of the whole gradient.
void name_gradients(Context& c) {
  Plan& plan = c.out.plan;
  const std::string& input = c.nodes[static_cast<std::size_t>(c.input)].name;
  for (Value& v : plan.values) {
    if (v.role != Role::gradient) continue;
    const std::string whole = v.name.substr(0, v.name.find(" from "));
    if (plan.find(whole) < 0) v.name = whole;
    if (v.name == "grad " + input) v.name = "grad images";
  }
}

}  // namespace

void follow_seed(Context& c) {
  Plan& plan = c.out.plan;
  replace_loss(c);
  use_running_statistics(plan);
  // Steps that compute only gradients of weights are removed together with these values.
  std::erase_if(plan.steps, [](const Step& s) {
    return std::all_of(s.outputs.begin(), s.outputs.end(), [](int v) { return v < 0; });
  });
  drop_unused(plan, false);
  name_gradients(c);
  plan.training = false;
}

}  // namespace nw::compiling
