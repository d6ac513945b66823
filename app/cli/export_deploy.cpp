// SPDX-License-Identifier: Apache-2.0
#include "app/cli/export_deploy.hpp"

#include "app/cli/cli.hpp"
#include "engine/predict/model_card.hpp"
#include "engine/predict/predictor.hpp"
#include "engine/runs/epochs.hpp"

namespace nw::cli {
namespace {

std::string two_digits(double v) { return fmt::format("{:.2g}", v); }

void show(const deploy::WrittenC& written, const std::string& folder) {
  const deploy::CLibrary& c = written.library;
  print(fmt::format("{}: {}; {} weights, {} of memory for a picture", folder, fmt::join(written.files, ", "),
                    with_thousands(c.parameters), bytes_text(c.arena * 4)));
  if (!c.weights.empty()) note("The weights are a file: read it whole and give its bytes to nw_init().");
  if (written.proof.readers.empty())
    note("The library was not compiled: there is no C compiler (cc, gcc, clang); CC names one.");
  for (const exchange::ReaderProof& r : written.proof.readers)
    print(fmt::format(
        "Compiled by {}: nw_selftest passes; outputs for {} images ({}) differ by at most {}, top-1 agrees for {}, "
        "{:.4f} ms an image",
        r.version, r.images, written.proof.images_from, two_digits(r.max_abs_diff), percent(r.top1_agreement),
        r.ms_per_image));
}

/// What was trained and how well; of a project, or without its data, what the network is.
std::string card_of(const DeployExport& o) {
  const RunDefinition& definition = o.inputs.definition;
  const std::string untrained = "# " + markdown_text(o.source.name) + "\n\n";
  if (definition.created <= 0) return untrained + "The weights of this network were not trained by Netwright.\n";
  auto predictor = Predictor::open(o.run, o.checkpoint);
  const auto evaluation = predictor ? (*predictor)->evaluate("test") : Result<Evaluation>(predictor.error());
  const auto data = evaluation ? (*predictor)->data() : Result<std::shared_ptr<const SplitData>>(evaluation.error());
  if (!data) return untrained + "It was not evaluated: " + markdown_text(data.error().str()) + "\n";
  const std::string name = fs::path(o.run).lexically_normal().filename().string();
  return model_card({&(*predictor)->definition(), name, o.checkpoint, "test", (*data)->data.description, &*evaluation,
                     (*data)->set_of("test"), recorded_epochs(o.run)});
}

Json json_of(const deploy::CheckedBundle& checked) {
  Json problems = Json::array();
  for (const deploy::BundleProblem& p : checked.problems)
    problems.push_back({{"file", p.file}, {"problem", p.what.str()}});
  return {{"type", "bundle"},         {"ok", checked.problems.empty()},       {"files", checked.files},
          {"sha256", checked.sha256}, {"max_abs_diff", checked.max_abs_diff}, {"problems", problems}};
}

int show_written(const Result<deploy::WrittenC>& written, bool json, const std::string& folder) {
  if (!written) return report(written.error());
  if (!json) {
    show(*written, folder);
    return 0;
  }
  Json answer = exchange::to_json(written->proof);
  answer["language"] = "C";
  answer["folder"] = folder;
  answer["files"] = written->files;
  answer["arena_bytes"] = written->library.arena * 4;
  if (written->proof.readers.empty()) answer["not_run"] = "cc";
  print(answer.dump(-1, ' ', false, Json::error_handler_t::replace));
  return 0;
}

}  // namespace

int export_c(const DeployExport& o, const std::string& folder) {
  return show_written(deploy::export_c(o.source, {.weights_file = o.weights_file}, o.inputs, folder), o.json, folder);
}

int export_c(const deploy::Int8Source& source, const deploy::CLibraryOptions& options,
             const exchange::ProofInputs& inputs, bool json, const std::string& folder) {
  return show_written(deploy::export_c(source, options, inputs, folder), json, folder);
}

int export_bundle(const DeployExport& o, const std::string& folder) {
  const auto proof = deploy::write_bundle({.source = o.source,
                                           .proof = o.inputs,
                                           .c = {.weights_file = o.weights_file},
                                           .model_card = card_of(o),
                                           .replace = o.force},
                                          folder);
  if (!proof) return report(proof.error());
  if (o.json) {
    Json answer = *proof;
    answer["folder"] = folder;
    print(answer.dump(-1, ' ', false, Json::error_handler_t::replace));
    return 0;
  }
  print(fmt::format(
      "{}: {} files; outputs for {} images ({}) differ by at most {}, top-1 agrees for {}, {:.4f} ms an image in C",
      folder, proof->at("files").size() + 1, proof->at("images").get<std::int64_t>(),
      proof->at("images_from").get<std::string>(), two_digits(proof->at("max_abs_diff").get<double>()),
      percent(proof->at("top1_agreement").get<double>()), proof->at("ms_per_image").get<double>()));
  return 0;
}

int verify_bundle(const std::string& folder, bool json) {
  const auto checked = deploy::check_bundle(folder);
  if (!checked) return report(checked.error());
  if (json) print(json_of(*checked).dump(-1, ' ', false, Json::error_handler_t::replace));
  if (checked->problems.empty()) {
    if (!json)
      print(fmt::format(
          "{}: {} files are as they were written; model.onnx computes the golden samples within {}; "
          "SHA-256 of {}: {}",
          folder, checked->files, two_digits(checked->max_abs_diff), deploy::bundle_proof_name, checked->sha256));
    return 0;
  }
  for (const deploy::BundleProblem& p : checked->problems)
    if (!json) note(fmt::format("{}: {}", p.file, p.what.str()));
  return report(fail(Errc::bad_input, NW_TR("{0} is not the bundle that was written; files that differ: {1}"), folder,
                     checked->problems.size()));
}

}  // namespace nw::cli
