// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/source_export.hpp"

#include <algorithm>
#include <cmath>

#include "engine/exchange/child_process.hpp"
#include "engine/exchange/proof_parts.hpp"
#include "engine/exchange/source_reader.hpp"
#include "kernels/nested_text.hpp"

namespace nw::exchange {
namespace {

constexpr double python_seconds = 600;

/// What the library computes with the files; `why_not` if it is not there.
Status run_source(WrittenSource& done, SourceLanguage language, const fs::path& folder, const fs::path& script,
                  const fs::path& weights) {
  const std::string python = python_program();
  if (python.empty()) {
    done.why_not = "python3";
    return {};
  }
  NW_ASSIGN(const ChildOutput child,
            run_child({python, "-B", "-c", source_reader, std::string(title_of(language)), script.string(),
                       weights.string(), (folder / "samples.safetensors").string()},
                      python_seconds));
  done.proof.readers = proofs_in(child.out);
  if (!done.proof.readers.empty()) return {};
  const auto line = parse_json(child.out, "Python");
  if (line && line->is_object() && line->contains("missing") && (*line)["missing"].is_string()) {
    done.why_not = (*line)["missing"].get<std::string>();
    return {};
  }
  done.proof.readers.push_back(
      {.reader = std::string(title_of(language)), .version = "", .problem = "Python ended without a result"});
  return {};
}

Text objection_to(const Proof& proof) {
  for (const ReaderProof& r : proof.readers) {
    if (!r.problem.empty()) return text(NW_TR("{0} does not run it: {1}"), r.reader, r.problem);
    if (!(r.max_abs_diff <= source_tolerance * std::max(1e-3, proof.largest)))
      return text(NW_TR("{0} computes other numbers from it: they differ by up to {1}"), r.reader, r.max_abs_diff);
  }
  return {};
}

}  // namespace

fs::path weights_beside(const fs::path& source_file) {
  fs::path weights = source_file;
  return weights.replace_extension(".safetensors");
}

Result<WrittenSource> export_source_code(const ExportSource& source, SourceLanguage language, const ProofInputs& inputs,
                                         const fs::path& target) {
  const fs::path weights = weights_beside(target);
  const SourceInput input{.name = source.name,
                          .doc = source.doc,
                          .classes = source.classes,
                          .mean = source.mean,
                          .deviation = source.deviation,
                          .weights_file = weights.filename().string(),
                          .export_number = export_number(source)};
  NW_ASSIGN(const std::string text, source_code(input, language));
  inputs.begin("write");
  const ScratchFolder scratch;
  if (scratch.path.empty()) return fail(Errc::disk, NW_TR("There is no folder for temporary files"));
  const fs::path folder = scratch.path / "source", tensors = folder / weights.filename();
  const fs::path script = folder / "netwright_export.py";
  std::error_code no_folder;
  if (!fs::create_directory(folder, no_folder))
    return fail(Errc::disk, NW_TR("There is no folder for temporary files"));
  NW_TRY(save_file(script, text));
  NW_TRY(export_weights(source, tensors));
  inputs.begin("images");
  NW_ASSIGN(const ProofImages images, images_of(inputs, 1));
  NW_ASSIGN(const ProofSamples samples, proof_samples(source, {.preprocessing = false}, images));
  NW_TRY(save_samples(samples, scratch.path / "samples.safetensors"));
  WrittenSource done;
  done.proof = {.readers = {}, .images_from = images.from, .images = samples.dims[0]};
  for (const float s : samples.scores)
    done.proof.largest = std::max(done.proof.largest, static_cast<double>(std::abs(s)));
  inputs.begin("run");
  NW_TRY(run_source(done, language, scratch.path, script, tensors));
  if (const Text objection = objection_to(done.proof); !objection.empty())
    return fail(Errc::other, NW_TR("{0} was not written, because the proof failed: {1}"), target.string(),
                nested(objection));
  inputs.begin("save");
  done.lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  NW_TRY(export_weights(source, weights));
  NW_TRY(save_file(target, text));
  return done;
}

}  // namespace nw::exchange
