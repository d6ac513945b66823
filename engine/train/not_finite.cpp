// SPDX-License-Identifier: Apache-2.0
#include "engine/train/not_finite.hpp"

#include <algorithm>
#include <cmath>

#include "engine/compile/in_place.hpp"

namespace nw {
namespace {

constexpr std::string_view gradient_prefix = "grad ";

bool in_arena(const Value& v) {
  return v.role == Role::activation || v.role == Role::gradient || v.role == Role::saved;
}

/// The value's numbers, for the first `valid` samples; none of a value that is no f32.
std::vector<float> numbers_of(const Plan& plan, const Executable& run, int index, std::int64_t valid) {
  const Value& v = plan.values[static_cast<std::size_t>(index)];
  if (v.dtype != DType::f32) return {};
  std::vector<float> values(static_cast<std::size_t>(v.shape.elements()));
  run.read(index, std::as_writable_bytes(std::span(values)));
  if (v.batched) values.resize(static_cast<std::size_t>(std::min(valid, v.shape[0]) * v.shape.per_sample()));
  return values;
}

bool all_finite(const Plan& plan, const Executable& run, int index, std::int64_t valid) {
  const std::vector<float> values = numbers_of(plan, run, index, valid);
  return std::all_of(values.begin(), values.end(), [](float x) { return std::isfinite(x); });
}

/// "conv1" of "conv1.weight", the names of tensors in files.
std::string layer_of(const std::string& tensor) { return tensor.substr(0, tensor.rfind('.')); }

/// "fc2" of "grad fc2 from relu2": the tensor whose gradient, or part of it, the value is; the pass tells that.
std::string tensor_of(const Value& v) {
  if (!v.name.starts_with(gradient_prefix)) return v.name;
  const std::string all = v.name.substr(gradient_prefix.size());
  return all.substr(0, all.find(" from "));
}

NotFinite of_step(const Plan& plan, const Step& s, int out) {
  const Value& v = plan.values[static_cast<std::size_t>(out)];
  NotFinite found{.pass = s.phase == Phase::backward ? Pass::backward : Pass::forward, .tensor = tensor_of(v)};
  found.layer = !s.label.empty() ? s.label : v.role == Role::weight_grad ? layer_of(found.tensor) : found.tensor;
  found.kernel = s.kernel;
  return found;
}

NotFinite of_update(const Value& weight, bool reached) {
  return {.pass = Pass::update,
          .layer = layer_of(weight.name),
          .tensor = weight.name,
          .kernel = {},
          .reached_weights = reached};
}

}  // namespace

Plan keep_every_value(Plan plan, const Device& device) {
  write_nothing_in_place(plan);
  std::int64_t at = 0;
  for (Value& v : plan.values) {
    if (!in_arena(v) || v.alias_of >= 0) continue;
    v.offset_bytes = at;
    at += (device.bytes_of(plan, v) + 63) / 64 * 64;
  }
  for (Value& v : plan.values) {
    if (!in_arena(v) || v.alias_of < 0) continue;
    const Value* root = &v;
    while (root->alias_of >= 0) root = &plan.values[static_cast<std::size_t>(root->alias_of)];
    v.offset_bytes = root->offset_bytes;
  }
  plan.arena_bytes = at;
  return plan;
}

std::optional<NotFinite> first_not_finite(const Plan& plan, const Executable& run, std::int64_t valid) {
  for (std::size_t i = 0; i < plan.values.size(); ++i)
    if (plan.values[i].role == Role::weight && !all_finite(plan, run, static_cast<int>(i), valid))
      return of_update(plan.values[i], true);
  if (const int images = plan.find("images"); images >= 0 && !all_finite(plan, run, images, valid))
    return NotFinite{.pass = Pass::forward, .layer = "images", .tensor = "images"};
  for (const Step& s : plan.steps) {
    if (s.phase == Phase::update || s.phase == Phase::reduce) continue;
    for (const int out : s.outputs)
      if (out >= 0 && !all_finite(plan, run, out, valid)) return of_step(plan, s, out);
  }
  return {};
}

NotFinite largest_update(const Plan& plan, const Executable& run) {
  NotFinite found{.pass = Pass::update};
  double most = -1;
  for (const Value& v : plan.values) {
    const int gradient = v.role == Role::weight ? plan.find(std::string(gradient_prefix) + v.name) : -1;
    if (gradient < 0) continue;
    double norm = 0;
    for (const float x : numbers_of(plan, run, gradient, 0)) norm = std::hypot(norm, static_cast<double>(x));
    if (norm <= most) continue;
    most = norm;
    found = of_update(v, false);
  }
  return found;
}

Text sentence_of(const NotFinite& n, std::int64_t step) {
  if (n.reached_weights)
    return text(NW_TR("step {0}: the update of the step before made {1} not finite. Go back to the last checkpoint "
                      "with a lower learning rate"),
                step, n.tensor);
  switch (n.pass) {
    case Pass::forward:
      if (n.layer == "images")
        return text(NW_TR("step {0}, forward pass: the images hold numbers that are not finite; the weights are "
                          "unchanged. Check the data"),
                    step);
      return text(NW_TR("step {0}, forward pass: {1} gave an output, {2}, that is not finite; the weights are "
                        "unchanged. A lower learning rate or gradient clipping may help"),
                  step, n.layer, n.tensor);
    case Pass::backward:
      return text(NW_TR("step {0}, backward pass: {1} gave a gradient, that of {2}, that is not finite; the weights "
                        "are unchanged. A lower learning rate or gradient clipping may help"),
                  step, n.layer, n.tensor);
    case Pass::update:
      break;
  }
  return text(NW_TR("step {0}, update: the new value of {1} would not be finite; the weights are unchanged. A lower "
                    "learning rate or gradient clipping may help"),
              step, n.tensor);
}

}  // namespace nw
