// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <system_error>

#include "app/cli/cli.hpp"
#include "app/cli/export_deploy.hpp"
#include "engine/core/digest.hpp"
#include "engine/core/existing.hpp"
#include "engine/core/version.hpp"
#include "engine/deploy/bundle.hpp"
#include "engine/design/start_from.hpp"
#include "engine/exchange/proved_export.hpp"
#include "engine/exchange/source_export.hpp"
#include "engine/serve_http/deployment.hpp"

namespace nw::cli {
namespace {

struct ExportCommand {
  std::string run, onnx, safetensors, pytorch, keras, c, bundle, server, samples, weights, checkpoint = "best";
  exchange::ExportOptions options;
  std::int64_t images = 0;
  bool no_preprocessing = false, images_given = false, weights_file = false, force = false, json = false;
  bool has_files() const { return !(onnx + safetensors + pytorch + keras + c + bundle + samples).empty(); }
};

std::string number(double v) { return fmt::format("{:.2g}", v); }

void show(const exchange::ProvedExport& written, const std::string& file) {
  const exchange::Proof& proof = written.proof;
  print(fmt::format("{}: {}, opset {}, IR {}", file, bytes_text(static_cast<std::int64_t>(written.bytes)),
                    written.opset, written.ir_version));
  std::vector<std::vector<std::string>> rows;
  if (written.opaque == 0) rows.push_back({"reader", "max difference", "top-1 agrees", "images", "ms/image"});
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
  if (written.opaque > 0)
    note(
        fmt::format("The file was not run: {} of its operators are not computed here. It was read again: operators "
                    "and weights are equal bit by bit.",
                    written.opaque));
  if (!written.trtexec.empty()) print(written.trtexec);
  if (!written.newer_operators.empty())
    note(fmt::format("TensorRT 8.5 has no {}; a newer one is needed", fmt::join(written.newer_operators, ", ")));
  if (proof.precision == exchange::ExportPrecision::int8 && proof.top1_agreement() < 0.99)
    note("int8 changes the class of more than one image in a hundred; --calibrate and --calibration may help.");
  if (proof.images_from == "noise") note("The run's data was not found: the proof used noise instead of images.");
  if (proof.readers.size() == 1 && written.opaque == 0)
    note(
        "No Python with onnxruntime, OpenCV or onnx was found; NETWRIGHT_PYTHON names one, and the proof is repeated "
        "with it.");
}

void say_stage(const char* stage) {
  print(Json{{"type", "stage"}, {"stage", stage}}.dump());
  std::fflush(stdout);
}

exchange::ProofInputs inputs_of(const ExportCommand& o, const RunDefinition& definition, std::int64_t otherwise = 64) {
  return {.definition = definition,
          .images = o.images_given ? o.images : otherwise,
          .program = program_folder() / "netwright-cli",
          .stage = o.json ? say_stage : nullptr};
}

/// Shows the calibration's progress: on a terminal one line that is overwritten; with --json one JSON line per batch.
bool show_calibration(std::int64_t done, std::int64_t images, bool json) {
  static const bool terminal = ::isatty(STDERR_FILENO) != 0;
  if (json)
    print(Json{{"type", "calibration"}, {"done", done}, {"images", images}}.dump());
  else if (terminal)
    std::fprintf(stderr, "\r\033[KCalibrating: %lld of %lld images%s", static_cast<long long>(done),
                 static_cast<long long>(images), done < images ? "" : "\r\033[K");
  return true;
}

int export_onnx(ExportCommand o, const RunDefinition& definition, const exchange::ExportSource& source) {
  o.options.calibration.progress = [json = o.json](std::int64_t done, std::int64_t images) {
    return show_calibration(done, images, json);
  };
  const auto written = exchange::export_proved(source, o.options, inputs_of(o, definition), o.onnx);
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
  if (written->opaque > 0) answer["not_run"] = written->opaque;
  if (!written->trtexec.empty()) answer["trtexec"] = written->trtexec;
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

int export_samples(const ExportCommand& o, const RunDefinition& definition, const exchange::ExportSource& source) {
  const Status done = exchange::export_samples(source, o.options, inputs_of(o, definition), o.samples);
  if (!done) return report(done.error());
  if (o.json) print(Json{{"type", "samples"}, {"file", o.samples}}.dump());
  return 0;
}

void show(const exchange::WrittenSource& written, const std::string& file) {
  print(fmt::format("{}: {} lines; weights: {}", file, written.lines, exchange::weights_beside(file).string()));
  if (!written.why_not.empty())
    note(fmt::format("The file was not run: {} was not found; NETWRIGHT_PYTHON names a Python that has it.",
                     written.why_not));
  for (const exchange::ReaderProof& r : written.proof.readers)
    print(fmt::format("{} {}: outputs for {} images differ by at most {}, top-1 agrees for {}", r.reader, r.version,
                      r.images, number(r.max_abs_diff), percent(r.top1_agreement)));
}

int export_source(const ExportCommand& o, exchange::SourceLanguage language, const std::string& file,
                  const RunDefinition& definition, const exchange::ExportSource& source) {
  const auto written = exchange::export_source_code(source, language, inputs_of(o, definition), file);
  if (!written) return report(written.error());
  if (!o.json) {
    show(*written, file);
    return 0;
  }
  Json answer = exchange::to_json(written->proof);
  answer["language"] = exchange::title_of(language);
  answer["file"] = file;
  answer["weights"] = exchange::weights_beside(file).string();
  if (!written->why_not.empty()) answer["not_run"] = written->why_not;
  print(answer.dump(-1, ' ', false, Json::error_handler_t::replace));
  return 0;
}

/// --weights, or the file that the project begins with, which lies beside it.
Status take_file(const ExportCommand& o, const GraphDoc& doc, exchange::ExportSource& source) {
  NW_ASSIGN(const StartFrom from, start_from(doc));
  if (o.weights.empty() && from.weights.empty()) {
    note(fmt::format("{} is no run: the file gets the weights that its training begins with", o.run));
    return {};
  }
  const fs::path file = o.weights.empty() ? fs::path(o.run).parent_path() / from.weights : fs::path(o.weights);
  NW_TRY(refuse_foreign_weights(file.string()));
  if (o.weights.empty() && !from.sha256.empty()) {
    NW_ASSIGN(const FileDigests digests, digests_of_file(file));
    if (digests.sha256 != from.sha256)
      return fail(Errc::bad_input,
                  NW_TR("{0} is not the file of weights that the project names; --weights F names one"), file.string());
  }
  NW_ASSIGN(const exchange::Weights known, exchange::load_weights(file, &source.counters));
  NW_ASSIGN(source.kept, exchange::load_kept_operators(file));
  const std::size_t taken =
      exchange::take_weights(source.weights, known, o.weights.empty() ? from.fresh : std::vector<std::string>{});
  note(fmt::format("{} of {} weights are those of {}", taken, source.weights.size(), file.string()));
  return {};
}

/// A run with its checkpoint; or a project with a file of weights, or those that its training begins with.
Result<exchange::ExportSource> source_of(const ExportCommand& o, RunDefinition& definition) {
  std::error_code ignored;
  if (fs::is_directory(o.run, ignored)) {
    if (!o.weights.empty()) return fail(Errc::usage, NW_TR("--weights is for projects; a run has its own"));
    NW_ASSIGN(definition, read_run_definition(o.run));
    return exchange::export_source(o.run, definition, o.checkpoint);
  }
  NW_ASSIGN(const GraphDoc doc, load_project(o.run));
  NW_ASSIGN(exchange::ExportSource source, exchange::export_source(doc, project_name(o.run), definition));
  NW_TRY(take_file(o, doc, source));
  return source;
}

/// All files that the command writes.
std::vector<std::string> files_of(const ExportCommand& o) {
  std::vector<std::string> all{o.onnx, o.safetensors, o.samples, o.force ? "" : o.bundle};
  for (const std::string& file : {o.pytorch, o.keras})
    if (!file.empty()) all.insert(all.end(), {file, exchange::weights_beside(file).string()});
  if (!o.c.empty())
    for (const char* name : {deploy::c_header_name, deploy::c_source_name, deploy::c_weights_name})
      all.push_back((fs::path(o.c) / name).string());
  return all;
}

int export_server(const ExportCommand& o) {
  const auto written = serve_http::write_deployment(
      {.run = o.run, .checkpoint = o.checkpoint, .programs = program_folder(), .to = o.server});
  if (!written) return report(written.error());
  if (o.json)
    print(Json{{"type", "server"},
               {"folder", o.server},
               {"name", written->name},
               {"checkpoint", written->checkpoint},
               {"files", written->files},
               {"bytes", written->bytes}}
              .dump(-1, ' ', false, Json::error_handler_t::replace));
  else
    print(fmt::format("{}: {} files, {}; Containerfile and kubernetes.yaml are for {}", o.server, written->files.size(),
                      bytes_text(static_cast<std::int64_t>(written->bytes)), written->name));
  return 0;
}

/// The exit code of --c of a run in 8 bits; nullopt: the command is another one, or the run is in fp32.
std::optional<int> export_int8(const ExportCommand& o) {
  const bool others = !(o.onnx + o.safetensors + o.samples + o.pytorch + o.keras + o.bundle + o.weights).empty();
  if (o.c.empty() || others) return std::nullopt;
  const auto definition = read_run_definition(o.run);
  if (!definition) return std::nullopt;
  const auto source = deploy::int8_source(o.run, *definition, o.checkpoint);
  if (!source || !*source) return std::nullopt;
  return export_c(**source, {.weights_file = o.weights_file}, inputs_of(o, *definition, deploy::whole_test_part),
                  o.json, o.c);
}

int export_run(ExportCommand o) {
  o.options.preprocessing = !o.no_preprocessing;
  for (const std::string& file : files_of(o))
    if (const Status free = refuse_existing(file, o.force); !free) return report(free.error());
  if (!o.server.empty())
    if (const int code = export_server(o); code != 0) return code;
  if (!o.has_files()) return 0;
  if (const auto done = export_int8(o)) return *done;
  RunDefinition definition;
  const auto source = source_of(o, definition);
  if (!source) return report(source.error());
  if (!o.safetensors.empty())
    if (const int code = export_safetensors(o, *source); code != 0) return code;
  if (!o.samples.empty())
    if (const int code = export_samples(o, definition, *source); code != 0) return code;
  if (!o.pytorch.empty())
    if (const int code = export_source(o, exchange::SourceLanguage::pytorch, o.pytorch, definition, *source); code != 0)
      return code;
  if (!o.keras.empty())
    if (const int code = export_source(o, exchange::SourceLanguage::keras, o.keras, definition, *source); code != 0)
      return code;
  const DeployExport deployed{.source = *source,
                              .inputs = inputs_of(o, definition, deploy::whole_test_part),
                              .run = o.run,
                              .checkpoint = o.checkpoint,
                              .weights_file = o.weights_file,
                              .force = o.force,
                              .json = o.json};
  if (!o.c.empty())
    if (const int code = export_c(deployed, o.c); code != 0) return code;
  if (!o.bundle.empty())
    if (const int code = export_bundle(deployed, o.bundle); code != 0) return code;
  return o.onnx.empty() ? 0 : export_onnx(o, definition, *source);
}

struct VerifyCommand {
  std::string file, samples;
  bool json = false;
};

int verify(const VerifyCommand& o) {
  std::error_code ignored;
  if (fs::is_directory(o.file, ignored)) return verify_bundle(o.file, o.json);
  if (o.samples.empty())
    return report(fail(Errc::usage, NW_TR("An ONNX file is compared with SAMPLES; a bundle is a folder")));
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

/// The options of int8.
void add_calibration(CLI::App& command, const std::shared_ptr<ExportCommand>& o) {
  compress::CalibrationOptions& c = o->options.calibration;
  command
      .add_option("--calibration", c.images,
                  "int8: training images on which the ranges of the layers' outputs are measured")
      ->check(CLI::Range(1, 100000));
  command
      .add_option_function<std::string>(
          "--calibrate", [&c](const std::string& m) { c.method = compress::calibration_method(m).value_or(c.method); },
          "int8: how values are clipped: minmax (none), percentile (one in 10,000), mse (least squared error)")
      ->check(CLI::IsMember({"minmax", "percentile", "mse"}));
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
  auto* pytorch = command->add_option("--pytorch", o->pytorch,
                                      "Python file to write: the network in PyTorch, with a training loop; its weights "
                                      "are written beside it as safetensors");
  auto* keras = command->add_option("--keras", o->keras, "Python file to write: the network in Keras 3, likewise");
  auto* samples =
      command->add_option("--samples", o->samples,
                          "Safetensors file to write: images as the network takes them, and its outputs, for "
                          "checks elsewhere");
  auto* server = command->add_option("--server", o->server,
                                     "Folder to make: the inference server with this network, a container recipe and "
                                     "YAML for Kubernetes; runs only");
  auto* c = command->add_option("--c", o->c,
                                "Folder for a C99 library: one header, one source, no memory allocated, only libm");
  auto* bundle = command->add_option("--bundle", o->bundle,
                                     "Folder for a bundle: ONNX, safetensors, C library, examples, model card, golden "
                                     "samples, and the proof of all");
  command->add_flag("--weights-file", o->weights_file,
                    "C library: the weights as a file that your program reads, instead of constants");
  command->add_option("--weights", o->weights, "Projects: safetensors file of weights, instead of the project's own");
  command->add_option("--checkpoint", o->checkpoint, "best, latest, or a checkpoint's name");
  command->add_flag("--fold-batch-norm", o->options.fold_batch_norm,
                    "Put batch norms into the convolutions before them: faster, but not for training further");
  command->add_flag("--no-preprocessing", o->no_preprocessing,
                    "The file takes normalized numbers; without this option it takes pixels from 0 to 255");
  command
      ->add_option_function<std::string>(
          "--precision",
          [o](const std::string& p) {
            o->options.precision = exchange::export_precision(p).value_or(exchange::ExportPrecision::fp32);
          },
          "ONNX: fp32; fp16 or int8 for TensorRT, which takes the types from the file; input and output stay fp32")
      ->check(CLI::IsMember({"fp32", "fp16", "int8"}));
  add_calibration(*command, o);
  command->add_option("--batch", o->options.batch, "Images that the file takes at once; 0: any number")
      ->check(CLI::Range(0, 65536));
  auto* images = command->add_option(
      "--images", o->images, "Images of the data for the proof; a C library takes the whole test part otherwise");
  images->check(CLI::Range(1, 100000));
  command->add_flag("--force", o->force, "Replace the file if it exists");
  command->add_flag("--json", o->json, "Print JSON lines; the last has type \"proof\"");
  command->footer("Example: netwright-cli export RUN_DIR --onnx lenet5.onnx");
  command->callback([=, &chosen] {
    if (onnx->count() + weights->count() + pytorch->count() + keras->count() + c->count() + bundle->count() +
            samples->count() + server->count() ==
        0)
      throw CLI::RequiredError("--onnx, --safetensors, --pytorch, --keras, --c, --bundle, --samples or --server");
    o->images_given = images->count() > 0;
    chosen = [o] { return export_run(*o); };
  });
}

void add_verify(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand(
      "verify", "Compare an ONNX file's outputs with recorded ones, or a bundle's files with its proof");
  auto o = std::make_shared<VerifyCommand>();
  command->add_option("FILE", o->file, "ONNX file, or a bundle's folder")->required();
  command->add_option("SAMPLES", o->samples,
                      "ONNX: safetensors file with \"inputs\" (N,C,H,W) and \"scores\" (N,outputs)");
  command->add_flag("--json", o->json, "Print one JSON object");
  command->footer("Example: netwright-cli verify lenet5.onnx samples.safetensors");
  command->callback([=, &chosen] { chosen = [o] { return verify(*o); }; });
}

}  // namespace nw::cli
