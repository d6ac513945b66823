// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/outputs.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/backend/devices.hpp"
#include "engine/core/resize.hpp"
#include "engine/data/batches/inputs.hpp"
#include "engine/parallel/team.hpp"
#include "engine/train/checkpoint.hpp"
#include "engine/train/initial_weights.hpp"
#include "engine/train/model_weights.hpp"
#include "kernels/fill_inputs.hpp"

namespace nw {
namespace {

constexpr std::int64_t side = output_picture_side;

/// The rectangle of an output image into which a map, or all values of a vector, are drawn.
struct Window {
  std::int64_t x, y, width, height;
};

Status begin_weights(const Plan& plan, Executable& run, std::uint64_t seed) {
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (v.role != Role::weight && v.role != Role::buffer) continue;
    std::vector<std::byte> bytes(static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
    if (v.dtype == DType::f32) {
      std::vector<float> values(static_cast<std::size_t>(v.shape.elements()));
      NW_TRY(initial_values(v, seed, values));
      std::memcpy(bytes.data(), values.data(), bytes.size());
    }
    run.write(static_cast<int>(i), bytes);
  }
  return {};
}

Status trained_weights(const Plan& plan, Executable& run, const OutputRequest& request) {
  NW_ASSIGN(const LoadedCheckpoint opened, open_checkpoint(request.run, request.checkpoint, weight_bytes(plan)));
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (v.role != Role::weight && v.role != Role::buffer) continue;
    const TensorInfo* tensor = opened.model.find(name_in_files(v));
    std::vector<std::byte> bytes(static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype));
    if (!tensor || !is_of(*tensor, v))
      return fail(Errc::bad_input, NW_TR("{0}: checkpoint {1} has no fitting {2}; it belongs to another network"),
                  request.run.string(), request.checkpoint, v.name);
    NW_TRY(opened.model.read(*tensor, bytes));
    run.write(static_cast<int>(i), bytes);
  }
  return {};
}

Status step(const Plan& plan, Team& team, Executable& run, std::span<const float> nhwc) {
  const Value& images = plan.values[static_cast<std::size_t>(plan.find("images"))];
  if (std::ssize(nhwc) != images.shape.elements()) return fail(Errc::bad_input, NW_TR("The image has the wrong size"));
  NW_TRY(write_inputs(NumberInputs(nhwc, std::ssize(nhwc)), plan, team, run));
  const std::int64_t sample = 0;
  StepArgs args;
  args.valid = args.global_valid = 1;
  args.sample = &sample;
  return run.run(args);
}

void measure(const std::vector<float>& all, OutputImage& p) {
  double sum = 0, squares = 0, zeros = 0;
  p.least = p.most = all.empty() ? 0 : static_cast<double>(all.front());
  for (const float v : all) {
    const double d = v;
    sum += d;
    squares += d * d;
    zeros += d == 0;
    p.least = std::min(p.least, d);
    p.most = std::max(p.most, d);
  }
  const double n = std::max<double>(1, static_cast<double>(all.size()));
  p.mean = sum / n;
  p.deviation = std::sqrt(std::max(0.0, squares / n - p.mean * p.mean));
  p.zeros = zeros / n;
}

/// Fills the window with a map (height, width); each pixel has the nearest value.
void draw(OutputImage& p, const Window& w, std::span<const float> map, std::int64_t height, std::int64_t width) {
  const double span = p.most - p.least;
  const std::vector<float> values = resized(map, height, width, w.height, w.width, Resampling::nearest);
  for (std::int64_t y = 0; y < w.height; ++y)
    for (std::int64_t x = 0; x < w.width; ++x) {
      const double v = values[static_cast<std::size_t>(y * w.width + x)];
      p.grey[static_cast<std::size_t>((w.y + y) * side + w.x + x)] =
          static_cast<std::uint8_t>(span > 0 ? std::lround(255 * (v - p.least) / span) : 0);
    }
}

void draw_maps(const Shape& s, const std::vector<float>& nhwc, OutputImage& p) {
  const std::int64_t channels = s[1], maps = std::min<std::int64_t>(4, channels), half = side / 2;
  std::vector<float> map(static_cast<std::size_t>(s[2] * s[3]));
  for (std::int64_t c = 0; c < maps; ++c) {
    const Window w = maps == 1 ? Window{0, 0, side, side}
                               : Window{c % 2 * half, c / 2 * half, half - (c % 2 == 0), half - (c / 2 == 0)};
    for (std::size_t i = 0; i < map.size(); ++i)
      map[i] = nhwc[i * static_cast<std::size_t>(channels) + static_cast<std::size_t>(c)];
    draw(p, w, map, s[2], s[3]);
  }
}

/// Draws a vector row by row as a nearly square map.
void draw_vector(const std::vector<float>& all, OutputImage& p) {
  const auto n = std::min<std::int64_t>(static_cast<std::int64_t>(all.size()), side * side);
  if (n == 0) return;
  const auto columns = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(n)))),
             rows = (n + columns - 1) / columns;
  std::vector<float> field(all.begin(), all.begin() + n);
  field.resize(static_cast<std::size_t>(rows * columns), static_cast<float>(p.least));
  draw(p, {0, 0, side, side}, field, rows, columns);
}

OutputImage picture_of(const Value& v, const Executable& run, int index) {
  std::vector<float> all(static_cast<std::size_t>(v.shape.elements()));
  run.read(index, std::as_writable_bytes(std::span(all)));
  OutputImage p{.name = v.name, .grey = std::vector<std::uint8_t>(static_cast<std::size_t>(side * side), 0)};
  std::vector<std::int64_t> sizes;
  for (int i = 1; i < v.shape.rank(); ++i) sizes.push_back(v.shape[i]);
  p.shape = Shape(std::span<const std::int64_t>(sizes));
  measure(all, p);
  if (v.shape.rank() == 4)
    draw_maps(v.shape, all, p);
  else
    draw_vector(all, p);
  return p;
}

}  // namespace

Result<std::vector<OutputImage>> output_images(const GraphDoc& doc, const OutputRequest& request) {
  NW_ASSIGN(const auto devices, resolve_devices({"cpu"}, 1));
  const Device& device = *devices.front().device;
  NW_ASSIGN(
      const Compiled compiled,
      compile(doc, {.training = false, .batch = 1, .device = &device, .data = request.data, .every_layer = true}));
  const auto team = make_team(1);
  NW_ASSIGN(const auto run, device.prepare(compiled.plan, {.team = team.get()}));
  if (request.run.empty())
    NW_TRY(begin_weights(compiled.plan, *run, doc.settings().seed));
  else
    NW_TRY(trained_weights(compiled.plan, *run, request));
  NW_TRY(step(compiled.plan, *team, *run, request.nhwc));
  std::vector<OutputImage> pictures;
  for (const std::string& name : request.names) {
    const int v = compiled.plan.find(name);
    if (v < 0) continue;
    const Value& value = compiled.plan.values[static_cast<std::size_t>(v)];
    if (value.role == Role::activation) pictures.push_back(picture_of(value, *run, v));
  }
  return pictures;
}

}  // namespace nw
