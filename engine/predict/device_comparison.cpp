// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/device_comparison.hpp"

#include <algorithm>
#include <cmath>

#include "engine/data/batches/batch.hpp"
#include "engine/data/dataset.hpp"
#include "engine/predict/layer_differences.hpp"
#include "engine/predict/target_evaluation.hpp"
#include "engine/predict/timing.hpp"

namespace nw {

using predicting::Forward;

int first_diverging(const std::vector<LayerDifference>& layers, double tolerance) {
  const auto found = std::find_if(layers.begin(), layers.end(),
                                  [&](const LayerDifference& l) { return !l.finite || l.relative() > tolerance; });
  return found == layers.end() ? -1 : static_cast<int>(found - layers.begin());
}

namespace predicting {
namespace {

std::vector<float> values_of(const Forward& f, int value) {
  std::vector<float> all(
      static_cast<std::size_t>(f.compiled.plan.values[static_cast<std::size_t>(value)].shape.elements()));
  f.executable->read(value, std::as_writable_bytes(std::span(all)));
  return all;
}

LayerDifference difference(const std::string& layer, const std::vector<float>& a, const std::vector<float>& b,
                           std::int64_t count) {
  LayerDifference d{.layer = layer};
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) {
    const double x = a[i], y = b[i];
    d.finite = d.finite && std::isfinite(x) && std::isfinite(y);
    d.scale = std::max(d.scale, std::abs(x));
    d.largest = std::max(d.largest, std::abs(x - y));
  }
  return d;
}

}  // namespace

Result<std::vector<LayerDifference>> layer_differences(Forward& a, Forward& b, std::span<const float> images,
                                                       std::int64_t count) {
  std::vector<float> scores;
  NW_TRY(a.run(images, count, scores));
  NW_TRY(b.run(images, count, scores));
  std::vector<LayerDifference> all;
  const Plan& plan = a.compiled.plan;
  for (const Step& step : plan.steps)
    for (const int v : step.outputs) {
      if (v < 0) continue;
      const Value& value = plan.values[static_cast<std::size_t>(v)];
      const int other = b.compiled.plan.find(value.name);
      if (value.role != Role::activation || value.dtype != DType::f32 || !value.batched || other < 0 ||
          b.compiled.plan.values[static_cast<std::size_t>(other)].shape != value.shape)
        continue;
      all.push_back(difference(value.name, values_of(a, v), values_of(b, other), count * value.shape.per_sample()));
    }
  return all;
}

}  // namespace predicting

namespace {

/// The outputs of one device for the compared samples.
struct DeviceOutputs {
  std::vector<std::int64_t> read;
  double loss = 0, accuracy = 0;
  std::vector<float> targets, predicted;  // for regression
};

Result<DeviceOutputs> responses_of(Forward& f, TargetKind kind, const BatchBuilder& maker,
                                   std::span<const std::int64_t> samples) {
  DeviceOutputs a;
  std::vector<float> scores;
  double weight = 0;
  for (std::size_t at = 0; at < samples.size(); at += static_cast<std::size_t>(comparison_batch)) {
    const auto some =
        samples.subspan(at, std::min<std::size_t>(static_cast<std::size_t>(comparison_batch), samples.size() - at));
    NW_TRY(f.run(maker, some, scores));
    const std::size_t width = scores.size() / some.size();
    for (std::size_t i = 0; i < some.size(); ++i) {
      const std::span<const float> row(scores.data() + i * width, width);
      if (const std::span<const float> targets = maker.targets(some[i]); !targets.empty()) {
        const std::vector<float> predicted = predicting::answers(row, f.compiled.activation);
        a.targets.insert(a.targets.end(), targets.begin(), targets.end());
        a.predicted.insert(a.predicted.end(), predicted.begin(), predicted.end());
        a.read.push_back(predicting::largest(predicted));
        a.loss += predicting::loss_of(row, targets, f.compiled.activation, f.loss_form()) /
                  static_cast<double>(samples.size());
        continue;
      }
      const std::vector<float> p = predicting::probabilities(row, f.compiled.activation);
      const std::int64_t label = maker.label(some[i]), read = predicting::largest(p);
      a.read.push_back(read);
      a.loss += predicting::loss_of(row, label, f.compiled.activation, f.loss_form());
      weight += f.weight_of(label);
      a.accuracy += (read == label ? 1.0 : 0.0) / static_cast<double>(samples.size());
    }
  }
  if (weight > 0) a.loss /= weight;
  if (!a.targets.empty())
    a.accuracy =
        predicting::measure(kind, a.targets, a.predicted, static_cast<std::int64_t>(a.targets.size() / samples.size()));
  return a;
}

Result<DeviceResult> side_of(Forward& f, const ResolvedDevice& device, const DeviceOutputs& a, std::int64_t each,
                             double seconds) {
  NW_ASSIGN(InferenceSpeed s,
            predicting::time_calls(f, predicting::noise(comparison_batch * each), comparison_batch, seconds, {}));
  s.device = device.name;
  s.description = device.device->description();
  s.threads = device.threads;
  return DeviceResult{std::move(s), a.loss, a.accuracy};
}

}  // namespace

Result<DeviceComparison> compare_devices(const DeviceComparisonRequest& q) {
  NW_ASSIGN(const auto predictor, Predictor::open(q.run, q.checkpoint));
  const RunDefinition& run = predictor->definition();
  NW_ASSIGN(const std::string checkpoint, predicting::checkpoint_named(q.run, q.checkpoint));
  NW_ASSIGN(const auto data, predictor->data());
  std::vector<std::int64_t> samples = data->indices_of(q.split);
  samples.resize(std::min(samples.size(), static_cast<std::size_t>(std::max<std::int64_t>(1, q.images))));
  if (samples.empty()) return fail(Errc::bad_input, NW_TR("The split \"{0}\" has no images"), q.split);
  const BatchBuilder maker(data->set_of(q.split), data->indices_of(q.split), {run.mean, run.deviation}, {}, 0);
  const std::int64_t each = run.channels * run.height * run.width;
  NW_ASSIGN(const ResolvedDevice first, inference_device(q.first));
  NW_ASSIGN(const ResolvedDevice second, inference_device(q.second));
  NW_ASSIGN(Forward a, Forward::make(run, first, comparison_batch));
  NW_ASSIGN(Forward b, Forward::make(run, second, comparison_batch));
  NW_TRY(a.load(q.run, checkpoint));
  NW_TRY(b.load(q.run, checkpoint));

  DeviceComparison r{.images = static_cast<std::int64_t>(samples.size()), .tolerance = q.tolerance};
  NW_ASSIGN(const DeviceOutputs one, responses_of(a, target_kind(run.doc.data()), maker, samples));
  NW_ASSIGN(const DeviceOutputs two, responses_of(b, target_kind(run.doc.data()), maker, samples));
  for (std::size_t i = 0; i < one.read.size(); ++i) r.otherwise += one.read[i] != two.read[i];
  NW_ASSIGN(r.first, side_of(a, first, one, each, q.seconds));
  NW_ASSIGN(r.second, side_of(b, second, two, each, q.seconds));
  NW_ASSIGN(Forward layers_a, a.with_every_layer(run));
  NW_ASSIGN(Forward layers_b, b.with_every_layer(run));
  const auto n = std::min<std::int64_t>(comparison_batch, r.images);
  std::vector<float> images(static_cast<std::size_t>(n * each));
  NW_TRY(maker.fill(std::span(samples).first(static_cast<std::size_t>(n)), 0, false, images));
  NW_ASSIGN(r.layers, predicting::layer_differences(layers_a, layers_b, images, n));
  r.diverging = first_diverging(r.layers, r.tolerance);
  return r;
}

}  // namespace nw
