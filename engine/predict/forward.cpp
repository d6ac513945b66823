// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/forward.hpp"

#include <algorithm>
#include <cmath>

#include "engine/compile/gradients.hpp"
#include "engine/compress/int8/quantize.hpp"
#include "engine/exchange/run_network.hpp"
#include "engine/train/checkpoint.hpp"
#include "engine/train/model_weights.hpp"
#include "kernels/fill_inputs.hpp"

namespace nw::predicting {

namespace {
Result<Compiled> scores_only(const GraphDoc& doc, Target target) { return compile(doc, target); }
Result<Compiled> lean_scores(const GraphDoc& doc, Target target) {
  target.only_output = true;
  return compile(doc, target);
}
Result<Compiled> every_layer(const GraphDoc& doc, Target target) {
  target.every_layer = true;
  return compile(doc, target);
}

}  // namespace

Result<Forward> Forward::make(const RunDefinition& run, const std::string& backend) {
  NW_ASSIGN(const auto devices, resolve_devices({"cpu"}, run.doc.settings().threads, backend));
  return make(run, devices.front(), batch_images);
}

Result<Forward> Forward::make(const RunDefinition& run, const ResolvedDevice& on, std::int64_t batch, bool lean) {
  Forward f;
  f.batch = batch;
  f.device = on.device;
  NW_ASSIGN(f.team, start_team(on.threads));
  NW_TRY(f.prepare(run, nullptr, lean ? lean_scores : scores_only));
  return f;
}

Result<Forward> Forward::beside(const RunDefinition& run, Compile compile) const {
  Forward f;
  f.batch = batch;
  f.device = device;
  f.team = team;
  f.reads_all_values_ = true;
  NW_TRY(f.prepare(run, executable.get(), compile));
  return f;
}
Result<Forward> Forward::with_every_layer(const RunDefinition& run) const { return beside(run, every_layer); }
Result<Forward> Forward::with_gradients(const RunDefinition& run) const { return beside(run, compile_gradients); }

Status Forward::prepare(const RunDefinition& run, Executable* weights_from, Compile compile) {
  Target target{.training = false, .batch = batch, .device = device.get()};
  target.data = {.channels = run.channels,
                 .height = run.height,
                 .width = run.width,
                 .classes = static_cast<std::int64_t>(run.classes.size()),
                 .targets = target_kind(run.doc.data()),
                 .class_counts = run.class_counts};
  NW_ASSIGN(compiled, compile(run.doc, target));
  NW_ASSIGN(executable, device->prepare(compiled.plan, {.team = team.get(), .weights_from = weights_from}));
  write_zero_labels(compiled.plan, *executable);
  images = compiled.plan.find("images");
  output = compiled.plan.find(compiled.output);
  seed = compiled.plan.find("seed");
  if (images < 0 || output < 0)
    return fail(Errc::other, NW_TR("The network of {0} has no input or no output"), run.name);
  return {};
}

Status Forward::load(const fs::path& run, const std::string& checkpoint) {
  NW_ASSIGN(const LoadedCheckpoint opened, open_checkpoint(run, checkpoint, weight_bytes(compiled.plan)));
  if (compress::int8::is_int8(opened.model)) return load_int8(run, opened.model);
  int8.reset();
  return read_weights(opened.model, compiled.plan, *executable, (run / "checkpoints" / checkpoint).string());
}

Status Forward::load_int8(const fs::path& run, const SafetensorsFile& model) {
  if (!device->name().starts_with("cpu"))
    return fail(Errc::no_device, NW_TR("{0} is in 8 bits, which only the processor computes"), run.string());
  NW_ASSIGN(const RunDefinition definition, read_run_definition(run));
  NW_ASSIGN(const FlatNetwork flat, flatten(definition.doc, {.training = false, .batch = 1}));
  NW_ASSIGN(const compress::int8::Tensors tensors, compress::int8::read_tensors(model));
  const nw::int8::Kernels& kernels = nw::int8::best_kernels();
  NW_ASSIGN(compress::int8::Network network, compress::int8::assemble(flat, tensors, kernels));
  if (network.outputs != compiled.plan.values[static_cast<std::size_t>(output)].shape.per_sample())
    return fail(Errc::bad_input, NW_TR("{0}: the 8-bit network is of another project"), run.string());
  NW_ASSIGN(auto runner, compress::int8::Runner::make(std::move(network), kernels, *team));
  int8 = std::make_unique<compress::int8::Runner>(std::move(runner));
  NW_ASSIGN(const exchange::Weights real, compress::int8::real_weights(flat, tensors));
  return exchange::write_weights(compiled.plan, real, *executable);
}

Status Forward::run(std::span<const float> nhwc, std::int64_t count, std::vector<float>& scores) {
  if (int8) return int8->run(nhwc, count, scores);
  const Value& in = compiled.plan.values[static_cast<std::size_t>(images)];
  return run(NumberInputs(nhwc, in.shape.per_sample()), count, scores);
}

Status Forward::run(const BatchBuilder& maker, std::span<const std::int64_t> samples, std::vector<float>& scores) {
  const BatchSamples those = samples_of(maker, samples);
  return run(BatchInputs(those), those.valid, scores);
}

Status Forward::run(const StepInputs& inputs, std::int64_t count, std::vector<float>& scores) {
  const Plan& plan = compiled.plan;
  if (int8) {
    const std::int64_t each = plan.values[static_cast<std::size_t>(images)].shape.per_sample();
    std::vector<float> nhwc(static_cast<std::size_t>(count * each));
    NW_TRY(inputs.images(0, count, nhwc));
    return run(nhwc, count, scores);
  }
  const std::vector<std::int64_t> samples(static_cast<std::size_t>(plan.batch), 0);
  StepArgs args;
  args.valid = args.global_valid = count;
  args.sample = samples.data();
  if (reads_all_values_)
    NW_TRY(write_inputs(inputs, plan, *team, *executable));
  else
    args.inputs = &inputs;
  NW_TRY(executable->run(args));
  const Value& out = plan.values[static_cast<std::size_t>(output)];
  std::vector<float> all(static_cast<std::size_t>(out.shape.elements()));
  executable->read(output, std::as_writable_bytes(std::span(all)));
  scores.assign(all.begin(), all.begin() + count * out.shape.per_sample());
  return {};
}

Result<std::vector<float>> features_in(const Forward& f, std::int64_t count) {
  const Plan& plan = f.compiled.plan;
  const auto value = [&](int v) -> const Value& { return plan.values[static_cast<std::size_t>(v)]; };
  const auto weights = [&](const Step& s) {
    return std::any_of(s.inputs.begin(), s.inputs.end(),
                       [&](int v) { return v >= 0 && value(v).role == Role::weight; });
  };
  int at = f.output;
  for (std::size_t steps = 0; at >= 0 && value(at).producer >= 0 && steps <= plan.steps.size(); ++steps) {
    const Step& step = plan.steps[static_cast<std::size_t>(value(at).producer)];
    const int read = step.inputs.empty() ? -1 : step.inputs.front();
    if (read < 0 || !value(read).batched) break;
    at = read;
    if (!weights(step)) continue;
    std::vector<float> all(static_cast<std::size_t>(value(at).shape.elements()));
    f.executable->read(at, std::as_writable_bytes(std::span(all)));
    all.resize(static_cast<std::size_t>(count * value(at).shape.per_sample()));
    return all;
  }
  return fail(Errc::bad_input, NW_TR("The network has no layer with weights"));
}

}  // namespace nw::predicting
