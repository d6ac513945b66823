// SPDX-License-Identifier: Apache-2.0
#include "kernels/fill_inputs.hpp"

#include <algorithm>
#include <cassert>

namespace nw {
namespace {

std::size_t bytes_of(const Value& v) { return static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype); }

Status fill_images(const StepInputs& inputs, const Value& v, Team& team, float* nhwc) {
  const std::int64_t batch = v.shape[0], each = v.shape.per_sample(), workers = team.size();
  std::vector<Status> made(static_cast<std::size_t>(workers));
  team.run([&](int worker) {
    const std::int64_t begin = batch * worker / workers, end = batch * (worker + 1) / workers;
    made[static_cast<std::size_t>(worker)] =
        inputs.images(begin, end - begin, {nhwc + begin * each, static_cast<std::size_t>((end - begin) * each)});
  });
  for (const Status& s : made) NW_TRY(s);
  return {};
}

void copy_if_any(std::span<const std::byte> from, std::span<std::byte> to) {
  assert(from.empty() || from.size() == to.size());
  std::copy_n(from.begin(), std::min(from.size(), to.size()), to.begin());
}

}  // namespace

Status fill_input(const StepInputs& inputs, const Value& v, Team& team, std::span<std::byte> area) {
  if (v.name == "images") return fill_images(inputs, v, team, reinterpret_cast<float*>(area.data()));
  if (v.name == "labels") copy_if_any(std::as_bytes(inputs.labels()), area);
  if (v.name == "targets") copy_if_any(std::as_bytes(inputs.targets()), area);
  return {};
}

Status write_inputs(const StepInputs& inputs, const Plan& plan, Team& team, Executable& to) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    const bool filled = v.name == "images" || v.name == "labels" || v.name == "targets";
    if (v.role != Role::input || !filled) continue;
    bytes.assign(bytes_of(v), std::byte{0});
    NW_TRY(fill_input(inputs, v, team, bytes));
    to.write(static_cast<int>(i), bytes);
  }
  return {};
}

std::vector<float> pixel_table(std::span<const PixelScale> channels) {
  std::vector<float> table;
  for (const PixelScale& s : channels)
    for (int value = 0; value < 256; ++value) table.push_back(math::scaled_pixel(static_cast<std::uint8_t>(value), s));
  return table;
}

}  // namespace nw
