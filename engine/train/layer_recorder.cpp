// SPDX-License-Identifier: Apache-2.0
#include "engine/train/layer_recorder.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/data/batches/inputs.hpp"
#include "engine/design/data_facts.hpp"
#include "kernels/fill_inputs.hpp"

namespace nw {
namespace {

using Clock = std::chrono::steady_clock;
constexpr double first_look_s = 0.2, share_between = 0.005, share_at_edges = 0.01;
constexpr double looks_per_age = 1.0 / 32;  // measurements per run age: the interval grows with the age
constexpr std::int64_t max_images = 64;
constexpr std::int64_t min_tracked_sample_bytes = std::int64_t{8} << 20,
                       tracking_cost_fraction = 16;  // of the training's memory

double since(Clock::time_point then) { return std::chrono::duration<double>(Clock::now() - then).count(); }

std::span<const float> floats(const std::vector<float>& v) { return v; }

std::vector<float> read(const Replicas& from, int value, std::int64_t elements) {
  std::vector<float> numbers(static_cast<std::size_t>(elements));
  from.first().step.read(value, std::as_writable_bytes(std::span(numbers)));
  return numbers;
}

bool is_relu(const GraphDoc& doc, const ExpandedNode& e) {
  const auto& nodes = doc.graph(e.scope).nodes;
  const auto node = nodes.find(e.node);
  return node != nodes.end() && node->second.type == "ReLU";
}

/// Host layout: the channels of images are innermost, as are the features of vectors.
std::int64_t dead_units(std::span<const float> outputs, std::int64_t units) {
  std::vector<bool> alive(static_cast<std::size_t>(units));
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (outputs[i] != 0) alive[i % static_cast<std::size_t>(units)] = true;
  return std::count(alive.begin(), alive.end(), false);
}

}  // namespace

bool StatisticsSchedule::due(const Moment& m) const {
  if (every_steps_ >= 0) return every_steps_ > 0 && (m.edge || m.step % every_steps_ == 0);
  if (m.edge) return m.outer_edge || spent_s_ <= share_at_edges * m.seconds;
  return m.seconds >= first_look_s && spent_s_ <= share_between * m.seconds &&
         m.seconds - last_s_ >= looks_per_age * m.seconds;
}

void StatisticsSchedule::looked(double seconds, double cost_s) {
  spent_s_ += cost_s;
  last_s_ = seconds;
}

LayerRecorder::LayerRecorder(const GraphDoc& doc, const DataFacts& facts, const BatchBuilder& maker,
                             std::int64_t every_steps)
    : doc_(doc), facts_(facts), builder_(maker), clock_(every_steps) {
  for (const ExpandedNode& e : analyse(doc, {.data = facts}).expanded) {
    layers_.emplace_back(e.name, is_relu(doc, e));
    bytes_per_image_ += e.facts.activation_bytes;
  }
}

void LayerRecorder::find_tensors(const Plan& plan) {
  if (!tensors_.empty()) return;
  for (std::size_t i = 0; i < plan.values.size(); ++i) {
    const Value& v = plan.values[i];
    if (v.role != Role::weight) continue;
    const std::string layer = v.name.substr(0, v.name.rfind('.'));
    const auto found = std::find_if(layers_.begin(), layers_.end(), [&](const auto& l) { return l.first == layer; });
    if (found != layers_.end())
      tensors_.push_back({static_cast<std::size_t>(found - layers_.begin()),
                          static_cast<int>(i),
                          v.lr_scale == 0 ? -1 : plan.find("grad " + v.name),  // a frozen layer may have none
                          {}});
  }
}

void LayerRecorder::forget_network() {
  probe_.reset();
  tensors_.clear();
}

void LayerRecorder::before(const Replicas& replicas, double seconds) {
  const Clock::time_point begin = Clock::now();
  find_tensors(replicas.plan());
  for (Tensor& t : tensors_)
    t.then = read(replicas, t.weight, replicas.plan().values[static_cast<std::size_t>(t.weight)].shape.elements());
  began_s_ = seconds;
  before_s_ = since(begin);
}

Result<LayerStatistics> LayerRecorder::after(const Replicas& replicas, std::int64_t step, double epoch) {
  const Clock::time_point begin = Clock::now();
  NW_TRY(make_probe(replicas));
  NW_TRY(run_probe(*replicas.first().team));
  LayerStatistics s{.step = step, .epoch = epoch, .images = images_, .layers = {}};
  for (std::size_t i = 0; i < layers_.size(); ++i) {
    LayerState state;
    state.layer = layers_[i].first;
    measure_weights(replicas, state, i);
    measure_outputs(state, layers_[i].second);
    if (state.weights.count + state.outputs.count + state.outputs.not_finite > 0) s.layers.push_back(std::move(state));
  }
  NW_TRY(replicas.first().step.health());
  NW_TRY(probe_->run->health());
  for (Tensor& t : tensors_) t.then = {};
  clock_.looked(began_s_, before_s_ + since(begin));
  return s;
}

void LayerRecorder::measure_weights(const Replicas& replicas, LayerState& state, std::size_t layer) {
  std::vector<std::vector<float>> now, gradients;
  double changed = 0, were = 0;
  for (const Tensor& t : tensors_) {
    if (t.layer != layer) continue;
    now.push_back(read(replicas, t.weight, static_cast<std::int64_t>(t.then.size())));
    if (t.gradient >= 0) gradients.push_back(read(replicas, t.gradient, static_cast<std::int64_t>(t.then.size())));
    for (std::size_t i = 0; i < t.then.size(); ++i) {
      const double w = t.then[i], d = static_cast<double>(now.back()[i]) - w;
      changed += d * d;
      were += w * w;
    }
  }
  const auto all = [](const std::vector<std::vector<float>>& parts) {
    std::vector<std::span<const float>> spans;
    std::transform(parts.begin(), parts.end(), std::back_inserter(spans), floats);
    return figures_of(spans);
  };
  state.weights = all(now);
  state.gradients = all(gradients);
  if (were > 0) state.update_ratio = std::sqrt(changed / were);
}

Status LayerRecorder::make_probe(const Replicas& replicas) {
  if (probe_) return {};
  const std::int64_t room = std::max(min_tracked_sample_bytes, replicas.memory_bytes_of(0) / tracking_cost_fraction);
  images_ = std::clamp<std::int64_t>(room / std::max<std::int64_t>(1, bytes_per_image_), 1,
                                     std::min(max_images, builder_.size()));
  const Replicas::First first = replicas.first();
  Probe probe;
  NW_ASSIGN(
      probe.compiled,
      compile(doc_,
              {.training = false, .batch = images_, .device = &first.device, .data = facts_, .every_layer = true}));
  NW_ASSIGN(probe.run, first.device.prepare(probe.compiled.plan, {.team = first.team, .weights_from = &first.whole}));
  probe_ = std::move(probe);
  std::vector<std::int64_t> first_samples;
  builder_.order(0, false, first_samples);
  first_samples.resize(static_cast<std::size_t>(images_));
  samples_ = samples_of(builder_, first_samples);
  return {};
}

// Images are written, because layers that only reshape them are read too. Labels are zero: the loss is not read.
Status LayerRecorder::run_probe(Team& team) {
  NW_TRY(write_inputs(BatchInputs(samples_), probe_->compiled.plan, team, *probe_->run));
  StepArgs args;
  args.valid = args.global_valid = images_;
  args.sample = samples_.samples.data();
  return probe_->run->run(args);
}

void LayerRecorder::measure_outputs(LayerState& state, bool relu) const {
  const Plan& plan = probe_->compiled.plan;
  const int index = plan.find(state.layer);
  if (index < 0) return;
  const Value& v = plan.values[static_cast<std::size_t>(index)];
  if (v.role != Role::activation || !v.batched || v.dtype == DType::i64 || v.dtype == DType::u8 || v.shape.rank() < 2)
    return;
  std::vector<float> numbers(static_cast<std::size_t>(v.shape.elements()));
  probe_->run->read(index, std::as_writable_bytes(std::span(numbers)));
  const std::span<const float> all = numbers;
  state.outputs = figures_of({&all, 1});
  if (!relu || (v.shape.rank() != 2 && v.shape.rank() != 4)) return;
  state.units = v.shape[1];
  state.dead = dead_units(all, state.units);
}

}  // namespace nw
