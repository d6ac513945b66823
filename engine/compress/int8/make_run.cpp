// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/int8/make_run.hpp"

#include <chrono>

#include "engine/compress/int8/fused_layers.hpp"
#include "engine/compress/int8/network.hpp"
#include "engine/compress/int8/quantize.hpp"
#include "engine/compress/int8/real_layer.hpp"
#include "engine/exchange/export_onnx.hpp"
#include "engine/exchange/run_network.hpp"
#include "engine/train/checkpoint.hpp"

namespace nw::compress::int8 {
namespace {

std::string folder_name(const fs::path& run) {
  const fs::path whole = fs::absolute(run).lexically_normal();
  return (whole.has_filename() ? whole : whole.parent_path()).filename().string();
}

struct Quantized {
  Tensors tensors;
  std::int64_t images = 0;
};

Result<Quantized> quantized_run(const fs::path& run, const RunDefinition& definition, const std::string& checkpoint,
                                const CalibrationOptions& options) {
  NW_ASSIGN(const exchange::ExportSource source, exchange::export_source(run, definition, checkpoint));
  NW_ASSIGN(const FlatNetwork flat, flatten(source.doc, {.training = false, .batch = 1}));
  for (const FusedLayer& f : fused_layers(flat))  // refused before the calibration takes its time
    if (f.form == Form::real) {
      const auto possible = RealLayer::make(flat.layers[static_cast<std::size_t>(f.layer)], source.weights, 1);
      if (!possible) return possible.error();
    }
  NW_ASSIGN(const CalibrationImages images, calibration_images(definition, options.images));
  const auto load = [&](const Plan& plan, Executable& to) { return exchange::write_weights(plan, source.weights, to); };
  NW_ASSIGN(const RangeTable ranges,
            calibrate({source.doc, source.mean, source.deviation, load}, images, options.progress));
  Quantized q{.images = images.count};
  NW_ASSIGN(q.tensors, quantize(flat, source.weights, ranges, options.method));
  NW_ASSIGN(const Network whole, assemble(flat, q.tensors, nw::int8::best_kernels()));
  (void)whole;
  return q;
}

/// The events of a run that is finished: what lists of runs read.
Status write_events(const fs::path& run, const RunDefinition& d, const Saved& saved) {
  Started started{.time = d.created, .name = d.name, .device = "cpu"};
  started.metric = metric_of(target_kind(d.doc.data()));
  Ended ended{.reason = EndReason::finished, .step = saved.step};
  std::string lines;
  for (const Event& e : {Event{0, started}, Event{0, saved}, Event{0, ended}}) lines += event_line(e) + "\n";
  return save_file(run / events_file, lines, 0600, Links::replace);
}

Result<fs::path> folder_for(const fs::path& to, RunDefinition& definition) {
  if (to.empty()) return create_run_folder(runs_folder(), definition);
  std::error_code ignored;
  if (fs::exists(to / "run.json", ignored) || (fs::exists(to, ignored) && !fs::is_empty(to, ignored)))
    return fail(Errc::usage, NW_TR("{0} exists already and is not empty"), to.string());
  NW_TRY(write_run_definition(to, definition));
  return to;
}

std::int64_t model_bytes(const fs::path& run, const std::string& checkpoint) {
  std::error_code error;
  const auto bytes = fs::file_size(run / "checkpoints" / checkpoint / "model.safetensors", error);
  return error ? 0 : static_cast<std::int64_t>(bytes);
}

}  // namespace

Result<MadeRun> make_run(const fs::path& run, const std::string& checkpoint, const CalibrationOptions& options,
                         fs::path to) {
  NW_ASSIGN(RunDefinition definition, read_run_definition(run));
  CheckpointName from{checkpoint, checkpoint_step(checkpoint).value_or(0)};
  if (checkpoint == "best" || checkpoint == "latest") {
    NW_ASSIGN(from, checkpoint == "best" ? best_checkpoint(run) : latest_checkpoint(run));
  }
  NW_ASSIGN(const Quantized q, quantized_run(run, definition, from.name, options));
  definition.parent = folder_name(run);
  definition.parent_step = -1;
  definition.weights = definition.weights_sha256 = "";
  definition.created = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
  definition.choices = {fmt::format("int8: {}, {} images", name_of(options.method), q.images)};
  NW_ASSIGN(to, folder_for(to, definition));
  NW_ASSIGN(Saved saved, save_checkpoint(to, {.step = from.step}, sources_of(q.tensors), {}));
  saved.best = true;
  NW_TRY(point_at_checkpoint(to, "best", saved.checkpoint));
  NW_TRY(write_events(to, definition, saved));
  return MadeRun{to, from.name, model_bytes(run, from.name), model_bytes(to, saved.checkpoint), q.images};
}

}  // namespace nw::compress::int8
