// SPDX-License-Identifier: Apache-2.0
#include "engine/train/not_finite.hpp"

#include <algorithm>
#include <cmath>

namespace nw {
namespace {

bool in_arena(const Value& v) {
  return v.role == Role::activation || v.role == Role::gradient || v.role == Role::saved;
}

bool all_finite(const Plan& plan, const Executable& run, int index, std::int64_t valid) {
  const Value& v = plan.values[static_cast<std::size_t>(index)];
  if (v.dtype != DType::f32) return true;
  std::vector<float> values(static_cast<std::size_t>(v.shape.elements()));
  run.read(index, std::as_writable_bytes(std::span(values)));
  const auto count =
      v.batched ? static_cast<std::size_t>(std::min(valid, v.shape[0]) * v.shape.per_sample()) : values.size();
  return std::all_of(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(count),
                     [](float x) { return std::isfinite(x); });
}

}  // namespace

Plan keep_every_value(Plan plan, const Device& device) {
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

std::string first_not_finite(const Plan& plan, const Executable& run, std::int64_t valid) {
  for (std::size_t i = 0; i < plan.values.size(); ++i)
    if (plan.values[i].role == Role::weight && !all_finite(plan, run, static_cast<int>(i), valid))
      return plan.values[i].name;
  if (const int images = plan.find("images"); images >= 0 && !all_finite(plan, run, images, valid)) return "images";
  for (const Step& s : plan.steps) {
    if (s.phase == Phase::update || s.phase == Phase::reduce) continue;
    for (const int out : s.outputs)
      if (out >= 0 && !all_finite(plan, run, out, valid))
        return (s.label.empty() ? plan.values[static_cast<std::size_t>(out)].name : s.label) + " (" + s.kernel + ")";
  }
  return "";
}

}  // namespace nw
