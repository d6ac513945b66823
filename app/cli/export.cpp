// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <system_error>

#include "app/cli/cli.hpp"
#include "engine/core/version.hpp"
#include "engine/exchange/proved_export.hpp"

namespace nw::cli {
namespace {

struct ExportCommand {
  std::string run, onnx, safetensors, checkpoint = "best";
  exchange::ExportOptions options;
  std::int64_t images = 64;
  bool no_preprocessing = false, force = false, json = false;
};

std::string number(double v) { return fmt::format("{:.2g}", v); }

void show(const exchange::ProvedExport& written, const std::string& file) {
  const exchange::Proof& proof = written.proof;
  print(fmt::format("{}: {}, opset {}, IR {}", file, bytes_text(static_cast<std::int64_t>(written.bytes)),
                    written.opset, written.ir_version));
  std::vector<std::vector<std::string>> rows{{"reader", "max difference", "top-1 agrees", "images", "ms/image"}};
  for (const exchange::ReaderProof& r : proof.readers)
    if (r.problem.empty())
      rows.push_back({r.reader + " " + r.version, number(r.max_abs_diff), percent(r.top1_agreement),
                      std::to_string(r.images), fmt::format("{:.3f}", r.ms_per_image)});
  print_lines(table(rows));
  for (const exchange::ReaderProof& r : proof.readers)
    if (!r.problem.empty()) note(fmt::format("{} {} does not run this file: {}", r.reader, r.version, r.problem));
  for (const exchange::ReaderProof& r : proof.readers)
    if (r.problem.empty() && !proof.agrees(r))
      note(fmt::format("{} {} computes other numbers from this file; do not run it there", r.reader, r.version));
  if (proof.images_from == "noise") note("The run's data was not found: the proof used noise instead of images.");
  if (proof.readers.size() == 1)
    note(
        "No Python with onnxruntime, OpenCV or onnx was found; NETWRIGHT_PYTHON names one, and the proof is repeated "
        "with it.");
}

int export_onnx(const ExportCommand& o, const RunDefinition& definition, const exchange::ExportSource& source) {
  const auto written = exchange::export_proved(
      source, o.options, {.definition = definition, .images = o.images, .program = program_folder() / "netwright-cli"},
      o.onnx);
  if (!written) return report(written.error());
  if (!o.json) {
    show(*written, o.onnx);
    return 0;
  }
  Json answer = exchange::to_json(written->proof);
  answer["program"] = "Netwright " + version();
  answer["file"] = o.onnx;
  answer["bytes"] = written->bytes;
  answer["opset"] = written->opset;
  print(answer.dump(-1, ' ', false, Json::error_handler_t::replace));
  return 0;
}

int export_safetensors(const ExportCommand& o, const exchange::ExportSource& source) {
  const auto written = exchange::export_weights(source, o.safetensors);
  if (!written) return report(written.error());
  if (o.json)
    print(Json{{"type", "weights"}, {"file", o.safetensors}, {"tensors", written->tensors}, {"sha256", written->sha256}}
              .dump());
  else
    print(fmt::format("{}: {} tensors, SHA-256 {}", o.safetensors, written->tensors, written->sha256));
  return 0;
}

/// A run with its checkpoint, or a project with the weights that its training begins with.
Result<exchange::ExportSource> source_of(const ExportCommand& o, RunDefinition& definition) {
  std::error_code ignored;
  if (fs::is_directory(o.run, ignored)) {
    NW_ASSIGN(definition, read_run_definition(o.run));
    return exchange::export_source(o.run, definition, o.checkpoint);
  }
  NW_ASSIGN(const GraphDoc doc, load_project(o.run));
  note(fmt::format("{} is no run: the file gets the weights that its training begins with", o.run));
  return exchange::export_source(doc, project_name(o.run), definition);
}

int export_run(ExportCommand o) {
  o.options.preprocessing = !o.no_preprocessing;
  std::error_code ignored;
  for (const std::string& file : {o.onnx, o.safetensors})
    if (!file.empty() && !o.force && fs::exists(file, ignored))
      return report(fail(Errc::usage, NW_TR("{0} exists already; --force replaces it"), file));
  RunDefinition definition;
  const auto source = source_of(o, definition);
  if (!source) return report(source.error());
  if (!o.safetensors.empty())
    if (const int code = export_safetensors(o, *source); code != 0) return code;
  return o.onnx.empty() ? 0 : export_onnx(o, definition, *source);
}

struct VerifyCommand {
  std::string file, samples;
  bool json = false;
};

int verify(const VerifyCommand& o) {
  const auto samples = exchange::load_samples(o.samples);
  if (!samples) return report(samples.error());
  const auto proof = exchange::read_again(o.file, *samples);
  if (!proof && o.json)
    print(Json{{"reader", "Netwright"}, {"version", version()}, {"problem", proof.error().str()}}.dump(
        -1, ' ', false, Json::error_handler_t::replace));
  if (!proof) return report(proof.error());
  if (o.json)
    print(exchange::to_json(*proof).dump());
  else
    print(fmt::format("{}: outputs differ by at most {}, top-1 agrees for {} of {} images", o.file,
                      number(proof->max_abs_diff), percent(proof->top1_agreement), proof->images));
  return 0;
}

}  // namespace

void add_export(CLI::App& app, Chosen& chosen) {
  auto* command =
      app.add_subcommand("export", "Write a run's network for other programs, and prove that it computes the same");
  auto o = std::make_shared<ExportCommand>();
  command->add_option("RUN_DIR", o->run, "The run's folder; or a project or template, for untrained weights")
      ->required();
  auto* onnx = command->add_option("--onnx", o->onnx, "ONNX file to write, weights inside");
  auto* weights = command->add_option("--safetensors", o->safetensors,
                                      "Safetensors file to write: the weights under PyTorch's names");
  command->add_option("--checkpoint", o->checkpoint, "best, latest, or a checkpoint's name");
  command->add_flag("--fold-batch-norm", o->options.fold_batch_norm,
                    "Put batch norms into the convolutions before them: faster, but not for training further");
  command->add_flag("--no-preprocessing", o->no_preprocessing,
                    "The file takes normalized numbers; without this option it takes pixels from 0 to 255");
  command->add_option("--batch", o->options.batch, "Images that the file takes at once; 0: any number")
      ->check(CLI::Range(0, 65536));
  command->add_option("--images", o->images, "Images of the data for the proof")->check(CLI::Range(1, 100000));
  command->add_flag("--force", o->force, "Replace the file if it exists");
  command->add_flag("--json", o->json, "Print JSON lines; the last has type \"proof\"");
  command->footer("Example: netwright-cli export RUN_DIR --onnx lenet5.onnx");
  command->callback([=, &chosen] {
    if (onnx->count() + weights->count() == 0) throw CLI::RequiredError("--onnx or --safetensors");
    chosen = [o] { return export_run(*o); };
  });
}

void add_verify(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("verify", "Compare an ONNX file's outputs with recorded ones");
  auto o = std::make_shared<VerifyCommand>();
  command->add_option("FILE", o->file, "ONNX file")->required();
  command->add_option("SAMPLES", o->samples, "Safetensors file with \"inputs\" (N,C,H,W) and \"scores\" (N,outputs)")
      ->required();
  command->add_flag("--json", o->json, "Print one JSON object");
  command->footer("Example: netwright-cli verify lenet5.onnx samples.safetensors");
  command->callback([=, &chosen] { chosen = [o] { return verify(*o); }; });
}

}  // namespace nw::cli
