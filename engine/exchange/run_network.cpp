// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/run_network.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/backend/devices.hpp"
#include "engine/data/batches/inputs.hpp"
#include "engine/parallel/start_threads.hpp"
#include "engine/parallel/team.hpp"
#include "engine/train/initial_weights.hpp"

namespace nw::exchange {
namespace {

constexpr std::int64_t batch = 16;

/// The document in fp32, whatever the precision that it trains in.
Result<GraphDoc> in_fp32(GraphDoc doc) {
  TrainSettings s = doc.settings();
  s.precision = DType::f32;
  NW_ASSIGN(const Edit undo, doc.apply({PutSettings{s}}));
  (void)undo;
  return doc;
}

/// One batch in host layout: (N,H,W,C).
std::vector<float> to_nhwc(std::span<const float> nchw, std::int64_t channels, std::int64_t area) {
  std::vector<float> out(nchw.size());
  const std::int64_t each = channels * area;
  for (std::int64_t i = 0; i < std::ssize(nchw); ++i) {
    const std::int64_t image = i / each, c = i % each / area, at = i % area;
    out[static_cast<std::size_t>(image * each + at * channels + c)] = nchw[static_cast<std::size_t>(i)];
  }
  return out;
}

}  // namespace

Status write_weights(const Plan& plan, const Weights& weights, Executable& executable) {
  for (std::size_t v = 0; v < plan.values.size(); ++v) {
    const Value& value = plan.values[v];
    const auto bytes = static_cast<std::size_t>(value.shape.elements()) * nw::size_of(value.dtype);
    const bool is_weight = value.role == Role::weight || value.role == Role::buffer;
    if (value.dtype != DType::f32 || !is_weight) {
      const std::vector<std::byte> zeros(bytes);
      if (is_weight || value.name == "labels" || value.name == "targets") executable.write(static_cast<int>(v), zeros);
      continue;
    }
    const auto it = weights.find(name_in_files(value));
    if (it == weights.end() || it->second.values.size() * sizeof(float) != bytes)
      return fail(Errc::bad_input, NW_TR("There are no fitting values for {0}"), value.name);
    executable.write(static_cast<int>(v), std::as_bytes(std::span(it->second.values)));
  }
  return {};
}

Status run_batch(const Plan& plan, Executable& executable, std::span<const float> nhwc, std::int64_t count, int output,
                 std::vector<float>& numbers) {
  const NumberInputs inputs(nhwc, std::ssize(nhwc) / std::max<std::int64_t>(1, count));
  const std::vector<std::int64_t> samples(static_cast<std::size_t>(plan.batch), 0);
  StepArgs args;
  args.valid = args.global_valid = count;
  args.sample = samples.data();
  args.inputs = &inputs;
  NW_TRY(executable.run(args));
  numbers.resize(static_cast<std::size_t>(plan.values[static_cast<std::size_t>(output)].shape.elements()));
  executable.read(output, std::as_writable_bytes(std::span(numbers)));
  return {};
}

Result<std::vector<float>> run_network(const GraphDoc& document, const Weights& weights, std::span<const float> nchw,
                                       std::int64_t count) {
  NW_ASSIGN(const GraphDoc doc, in_fp32(document));
  NW_ASSIGN(const auto devices, resolve_devices({"cpu"}, 1));
  const Target target{.training = false, .batch = batch, .device = devices.front().device.get()};
  NW_ASSIGN(const FlatNetwork flat, flatten(doc, target));
  NW_ASSIGN(const Compiled compiled, compile(doc, target));
  NW_ASSIGN(const std::shared_ptr<Team> team, start_team(1));
  NW_ASSIGN(const auto executable, devices.front().device->prepare(compiled.plan, {.team = team.get()}));
  const Plan& plan = compiled.plan;
  NW_TRY(write_weights(plan, weights, *executable));
  const Shape in = flat.layers[static_cast<std::size_t>(flat.input)].shape;
  const int output = plan.find(compiled.output);
  if (output < 0) return fail(Errc::other, NW_TR("The network has no output"));
  const Value& out = plan.values[static_cast<std::size_t>(output)];
  const std::int64_t each = in.per_sample(), outputs = out.shape.per_sample();
  std::vector<float> scores, all;
  for (std::int64_t at = 0; at < count; at += batch) {
    const std::int64_t n = std::min(batch, count - at);
    const auto some = nchw.subspan(static_cast<std::size_t>(at * each), static_cast<std::size_t>(n * each));
    const std::vector<float> images = to_nhwc(some, in[1], in[2] * in[3]);
    NW_TRY(run_batch(plan, *executable, images, n, output, all));
    scores.insert(scores.end(), all.begin(), all.begin() + n * outputs);
  }
  // The compiler joins the Sigmoid with the loss behind it.
  const bool joined = flat.loss->name == "BCE" &&
                      flat.layers[static_cast<std::size_t>(flat.output)].type->name == "Sigmoid" &&
                      compiled.output != flat.layers[static_cast<std::size_t>(flat.output)].name;
  if (joined)
    for (float& s : scores) s = 1.0F / (1.0F + std::exp(-s));
  return scores;
}

}  // namespace nw::exchange
