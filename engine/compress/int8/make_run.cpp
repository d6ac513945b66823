// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/int8/make_run.hpp"

#include "engine/compress/int8/fake_quantized.hpp"
#include "engine/compress/int8/fused_layers.hpp"
#include "engine/compress/int8/network.hpp"
#include "engine/compress/int8/quantize.hpp"
#include "engine/compress/int8/real_layer.hpp"
#include "engine/compress/measured/made_run.hpp"
#include "engine/compress/pruning/unstructured.hpp"
#include "engine/exchange/export_onnx.hpp"
#include "engine/exchange/run_network.hpp"

namespace nw::compress::int8 {
namespace {

struct Quantized {
  Tensors tensors;
  std::int64_t images = 0;
  FineTuned tuned;
};

/// Trains the network while it computes as in 8 bits.
Status fine_tune_rounded(const fs::path& run, const exchange::ExportSource& source, const FlatNetwork& flat,
                         const FineTuning& options, Quantized& q) {
  NW_ASSIGN(FakeQuantized fake, fake_quantized(source.doc, source.weights, q.tensors));
  const WeightRounding rounding(flat, q.tensors);
  const auto change = [&](const exchange::Weights& trained, exchange::Weights& computed) -> Status {
    NW_TRY(rounding.round(trained, computed));
    keep_zeros(fake.weights, computed);
    return {};
  };
  NW_ASSIGN(q.tuned, fine_tune(run, fake.doc, fake.weights, change, options));
  keep_zeros(fake.weights, q.tuned.weights);
  return put_weights(flat, q.tuned.weights, q.tensors);
}

Result<Quantized> quantized_run(const fs::path& run, const RunDefinition& definition, const std::string& checkpoint,
                                const CalibrationOptions& options, const FineTuning& tuning) {
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
  if (tuning.epochs > 0) NW_TRY(fine_tune_rounded(run, source, flat, tuning, q));
  NW_ASSIGN(const Network whole, assemble(flat, q.tensors, nw::int8::best_kernels()));
  (void)whole;
  return q;
}

}  // namespace

Result<MadeRun> make_run(const fs::path& run, const std::string& checkpoint, const CalibrationOptions& options,
                         fs::path to, const FineTuning& tuning) {
  NW_TRY(refuse_taken(to));
  NW_ASSIGN(const RunDefinition definition, read_run_definition(run));
  NW_ASSIGN(const CheckpointName from, chosen_checkpoint(run, checkpoint));
  NW_ASSIGN(const Quantized q, quantized_run(run, definition, from.name, options, tuning));
  std::vector<std::string> choices{fmt::format("int8: {}, {} images", name_of(options.method), q.images)};
  if (tuning.epochs > 0)
    choices.push_back(
        fmt::format("fine-tuned while rounded: {} epochs, learning rate {}", tuning.epochs, q.tuned.learning_rate));
  NW_ASSIGN(const MadeFolder made,
            write_made_run(std::move(to), run, from, definition, std::move(choices), sources_of(q.tensors)));
  return MadeRun{made.run,      from.name, made.bytes_before, made.bytes_after, q.images, q.tuned.learning_rate,
                 q.tuned.losses};
}

}  // namespace nw::compress::int8
