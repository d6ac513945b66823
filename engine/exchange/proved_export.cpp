// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/proved_export.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <system_error>

#include "engine/compile/flat_network.hpp"
#include "engine/core/files.hpp"
#include "engine/core/version.hpp"
#include "engine/design/opaque.hpp"
#include "engine/exchange/import_onnx.hpp"
#include "engine/exchange/proof_parts.hpp"
#include "kernels/nested_text.hpp"

namespace nw::exchange {
namespace {

/// A file that is removed at the end.
class TrialFile {
 public:
  explicit TrialFile(const fs::path& target)
      : path(target.parent_path() / ("." + target.stem().string() + ".proving.onnx")) {}
  TrialFile(const TrialFile&) = delete;
  TrialFile& operator=(const TrialFile&) = delete;
  ~TrialFile() {
    std::error_code ignored;
    fs::remove(path, ignored);
  }
  const fs::path path;
};

/// Why the weights that were read are not those that were written; empty: they are.
std::string first_difference(const Weights& written, const Weights& read) {
  for (const auto& [name, w] : written)
    if (const auto it = read.find(name);
        it == read.end() || it->second.values.size() != w.values.size() ||
        std::memcmp(it->second.values.data(), w.values.data(), w.values.size() * sizeof(float)) != 0)
      return name;
  return {};
}

std::size_t opaque_in(const GraphDoc& doc) {
  const auto flat = flatten_with_opaque(doc, {.training = false, .batch = 1});
  if (!flat) return 0;
  return static_cast<std::size_t>(std::count_if(flat->layers.begin(), flat->layers.end(),
                                                [](const FlatLayer& l) { return l.type->name == opaque_type; }));
}

/// Of a network with opaque nodes, which cannot be run.
Result<ProvedExport> write_unproved(const ExportSource& source, const onnx::Model& model, const fs::path& trial,
                                    const fs::path& target) {
  NW_ASSIGN(const onnx::Model read, onnx::read_model(trial));
  NW_ASSIGN(const ImportedNetwork again, import_onnx(read, target.filename().string(), {}));
  std::vector<std::string> kept, read_again;
  for (const auto& [node, bytes] : source.kept) kept.push_back(bytes);
  for (const auto& [node, bytes] : again.kept) read_again.push_back(bytes);
  std::sort(kept.begin(), kept.end());
  std::sort(read_again.begin(), read_again.end());
  std::string name = first_difference(source.weights, again.weights);
  const bool all = again.kept.size() == opaque_in(source.doc) &&
                   std::includes(kept.begin(), kept.end(), read_again.begin(), read_again.end());
  if (name.empty() && !all) name = again.opaque.empty() ? std::string(opaque_type) : again.opaque.front().name;
  if (!name.empty()) return fail(Errc::other, NW_TR("{0}: {1} was not written as it is"), target.string(), name);
  ProvedExport done;
  NW_ASSIGN(done.bytes, onnx::write_model(model, target));
  done.opset = model.opset();
  done.ir_version = model.ir_version;
  done.opaque = count_of(again.opaque);
  return done;
}

}  // namespace

Result<ProofImages> images_of(const ProofInputs& inputs, std::int64_t batch, bool of_project) {
  const std::int64_t each = std::max<std::int64_t>(1, batch);
  const std::int64_t wanted = (inputs.images + each - 1) / each * each;
  const RunDefinition& run = inputs.definition;
  ProofImages images = run.created > 0 || of_project ? proof_images(run, wanted) : noise_images(run, wanted);
  if (images.count < each)
    return fail(Errc::usage, NW_TR("The data holds {0} images; a batch of {1} cannot be proved"), images.count, each);
  images.count -= images.count % each;
  images.hwc.resize(static_cast<std::size_t>(images.count * images.channels * images.height * images.width));
  return images;
}

Result<ProvedExport> export_proved(const ExportSource& source, const ExportOptions& options, const ProofInputs& inputs,
                                   const fs::path& target) {
  inputs.begin("write");
  NW_ASSIGN(const compress::RangeTable ranges, measured_ranges(source, options, inputs.definition));
  NW_ASSIGN(onnx::Model model, export_onnx(source, options, ranges));
  const TrialFile trial(target);
  NW_TRY(onnx::write_model(model, trial.path));
  if (opaque_in(source.doc) > 0) {
    if (options.fold_batch_norm) return fail(Errc::usage, NW_TR("Batch norms are not folded beside opaque nodes"));
    return write_unproved(source, model, trial.path, target);
  }
  inputs.begin("images");
  // Calibrated on the project's data, int8 cannot be judged by noise.
  NW_ASSIGN(const ProofImages images, images_of(inputs, options.batch, options.precision == ExportPrecision::int8));
  NW_ASSIGN(const ProofSamples samples, proof_samples(source, options, images));
  ProvedExport done;
  inputs.begin("run");
  NW_ASSIGN(done.proof, prove(trial.path, samples, images.from, inputs.program, options));
  if (const Text objection = done.proof.objection(); !objection.empty())
    return fail(Errc::other, NW_TR("{0} was not written, because the proof failed: {1}"), target.string(),
                nested(objection));
  inputs.begin("save");
  Json stamp = to_json(done.proof);
  stamp["program"] = "Netwright " + version();
  model.metadata[proof_key] = stamp.dump(-1, ' ', false, Json::error_handler_t::replace);
  NW_ASSIGN(done.bytes, onnx::write_model(model, target));
  done.opset = model.opset();
  done.ir_version = model.ir_version;
  if (options.precision != ExportPrecision::fp32) {
    done.trtexec = trtexec_line(model, target);
    done.newer_operators = tensorrt_newer_operators(model);
  }
  return done;
}

Status export_samples(const ExportSource& source, const ExportOptions& options, const ProofInputs& inputs,
                      const fs::path& target) {
  NW_ASSIGN(const ProofImages images, images_of(inputs, options.batch));
  NW_ASSIGN(const ProofSamples samples, proof_samples(source, options, images));
  return save_samples(samples, target);
}

std::string export_number(const ExportSource& source) {
  std::string all;
  for (const auto& [name, w] : source.weights) {
    const std::string_view values(reinterpret_cast<const char*>(w.values.data()), w.values.size() * sizeof(float));
    all += fmt::format("{} {} {:x}\n", name, fmt::join(w.dims, "x"), xxh3(values));
  }
  for (const auto& [name, batches] : source.counters) all += fmt::format("{} {}\n", name, batches);
  return fmt::format("{:016x}", xxh3(all));
}

Result<WrittenWeights> export_weights(const ExportSource& source, const fs::path& target) {
  NW_ASSIGN(const FlatNetwork network, flatten(source.doc, {.training = false, .batch = 1}));
  WrittenWeights done;
  NW_ASSIGN(done.sha256, save_weights(source.weights, names_of(network), target, source.counters, {},
                                      {{export_key, export_number(source)}}));
  NW_ASSIGN(const Weights again, load_weights(target));
  if (const std::string name = first_difference(source.weights, again); !name.empty())
    return fail(Errc::other, NW_TR("{0}: {1} was not written as it is"), target.string(), name);
  done.tensors = again.size();
  return done;
}

}  // namespace nw::exchange
